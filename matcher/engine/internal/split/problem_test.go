package split

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
)

// problem is a match to be divided, with the settings of Limits and of Even.
type problem struct {
	width    int
	units    []problemUnit
	teams    []problemTeam
	limits   Limits
	even     Even
	apart    [][]bool
	barred   [][]bool
	openEven bool // Even requires neither minimum sizes nor MinTeams, as for a session
}

type problemUnit struct {
	size   int
	large  bool
	values []float64
}

type problemTeam struct {
	least, most, players int
	values               []float64
}

// drawProblem draws a small random match. It has solos or parties, teams of equal or different
// sizes, and sometimes seated players. Values may be equal, and some units must not be in the
// same team.
func drawProblem(intn func(int) int) *problem {
	p := &problem{width: intn(3)}
	n, teams, party := 1+intn(8), 2+intn(3), 1+intn(3)
	for math.Pow(float64(teams), float64(n)) > 7000 && intn(60) > 0 { // keep only a few of the largest matches, which take long
		n--
	}
	kinds, scale := 1+[]int{intn(3), intn(60)}[intn(2)], []float64{1, 0.1, 1e5}[intn(3)]
	values := func(players int) (list []float64) {
		for range p.width {
			sum := 0.0
			for range players {
				sum += float64(intn(kinds)) * scale
			}
			list = append(list, sum)
		}
		return list
	}
	seated, large, mixed, players := intn(3) == 0, 1+intn(party), intn(2) == 0, 0
	size := make([]int, teams) // team sizes of the assignment in Given
	for range n {
		u := problemUnit{size: 1 + intn(party)}
		u.large, u.values = u.size >= large, values(u.size)
		if mixed {
			u.large = intn(2) == 0
		}
		p.units, players = append(p.units, u), players+u.size
		team := intn(teams)
		p.even.Given, size[team] = append(p.even.Given, team), size[team]+u.size
	}
	for i := range teams {
		t := problemTeam{least: max(0, players/teams-intn(3)), most: max(1, players/teams+intn(4))}
		if seated && intn(2) == 0 {
			t.players = 1 + intn(2)
			t.most, size[i] = t.most+t.players, size[i]+t.players
		}
		t.values = values(t.players)
		p.teams = append(p.teams, t)
	}
	p.limits = Limits{MaxSpread: intn(6), LargeInAll: !seated && intn(2) == 0, Budget: TeamBudget}
	if intn(2) == 0 {
		p.limits.MaxSpread = MaxPlayers
	}
	for range p.width {
		p.limits.MaxGaps = append(p.limits.MaxGaps, float64(intn(kinds))*scale*[]float64{0, 0.1, 0.5, 2}[intn(4)]+slack)
	}
	slices.Sort(p.limits.MaxGaps)
	p.drawEven(intn, size, seated)
	if intn(4) == 0 { // give every unit a number, and require the teams' highest numbers to be close
		within := intn(2)
		p.limits.Check = func(team []int) bool {
			most := make(map[int]int)
			for i, t := range team {
				most[t] = max(most[t], (i+1)*7%5)
			}
			sizes := slices.Collect(maps.Values(most))
			return slices.Max(sizes)-slices.Min(sizes) <= within
		}
	}
	return p
}

// drawEven draws the settings of Even. The assignment in Given is valid under them.
func (p *problem) drawEven(intn func(int) int, size []int, seated bool) {
	filled := 0
	for _, players := range size {
		filled += min(1, players)
	}
	p.openEven = seated
	p.even.MoreTeams = intn(6) == 0
	if !seated {
		p.even.MinTeams = max(1, filled-intn(2))
	}
	if intn(3) > 0 {
		return
	}
	for i := range p.units {
		row, bars := make([]bool, len(p.units)), make([]bool, len(p.teams))
		for k := range i {
			row[k] = p.even.Given[i] != p.even.Given[k] && intn(3) == 0
		}
		for team := range bars {
			bars[team] = p.teams[team].players > 0 && p.even.Given[i] != team && intn(3) == 0
		}
		p.apart, p.barred = append(p.apart, row), append(p.barred, bars)
	}
	p.even.Apart = func(i, k int) bool { return p.apart[max(i, k)][min(i, k)] }
	p.even.Barred = func(i, team int) bool { return p.barred[i][team] }
}

// evenSizes returns bounds on the team size for Even. The assignment in Given satisfies them.
func (p *problem) evenSizes() (least, most int) {
	least = math.MaxInt
	size := make([]int, len(p.teams))
	for i := range p.teams {
		size[i] = p.teams[i].players
	}
	for i, team := range p.even.Given {
		size[team] += p.units[i].size
	}
	for _, players := range size {
		if players > 0 {
			least = min(least, players)
		}
		most = max(most, players)
	}
	if p.openEven {
		return 0, most
	}
	return max(1, least-1), most + len(p.units)%3
}

// setEvenSizes gives every team the bounds that Even requires.
func (p *problem) setEvenSizes() {
	least, most := p.evenSizes()
	for i := range p.teams {
		p.teams[i].least, p.teams[i].most = least, most
	}
}

func (p *problem) describe(s *Solver) {
	s.Reset(p.width)
	for _, t := range p.teams {
		s.AddTeam(t.least, t.most)
	}
	for i, t := range p.teams {
		if t.players > 0 {
			s.Seat(i, t.players, t.values...)
		}
	}
	for _, u := range p.units {
		s.AddUnit(u.size, u.large, u.values...)
	}
}

// division is an assignment with its team sizes and sums. The sums are added up in the order in
// which the units were assigned.
type division struct {
	team, size  []int // team is indexed by unit in the order of AddUnit, size by team
	large       []bool
	sums        [][]float64 // indexed by team, then by value
	spread      int
	gaps        []float64
	least, turn int // players of the smallest team, and number of divisions visited before this one
}

// all visits every assignment in the order in which the objectives would visit it without
// windows, limits and budgets. It assigns units by decreasing size or value. For each unit, it
// tries teams by increasing sum. If units go by size, teams with equal sums are tried by
// increasing number of players.
func (p *problem) all(bySize bool, visit func(d *division)) {
	value := func(i int) float64 { return append(slices.Clone(p.units[i].values), 0)[0] }
	order := make([]int, len(p.units))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		if c := cmp.Compare(p.units[y].size, p.units[x].size); bySize && c != 0 {
			return c
		}
		return cmp.Compare(value(y), value(x))
	})
	d := &division{team: make([]int, len(p.units)), large: make([]bool, len(p.teams))}
	for _, t := range p.teams {
		d.size, d.sums = append(d.size, t.players), append(d.sums, slices.Clone(t.values))
	}
	var place func(k int)
	place = func(k int) {
		if k == len(order) {
			d.measure(p)
			visit(d)
			d.turn++
			return
		}
		teams := make([]int, len(p.teams))
		for i := range teams {
			teams[i] = i
		}
		slices.SortStableFunc(teams, func(x, y int) int {
			if p.width > 0 && d.sums[x][0] != d.sums[y][0] {
				return cmp.Compare(d.sums[x][0], d.sums[y][0])
			}
			if bySize {
				return cmp.Compare(d.size[x], d.size[y])
			}
			return 0
		})
		u := &p.units[order[k]]
		for _, team := range teams {
			sums, large := slices.Clone(d.sums[team]), d.large[team]
			d.team[order[k]], d.large[team] = team, large || u.large
			d.size[team] += u.size
			for i, v := range u.values {
				d.sums[team][i] += v
			}
			place(k + 1)
			d.size[team] -= u.size
			d.sums[team], d.large[team] = sums, large
		}
	}
	place(0)
}

func (d *division) measure(p *problem) {
	d.least = slices.Min(d.size)
	d.spread, d.gaps = slices.Max(d.size)-d.least, d.gaps[:0]
	for k := range p.width {
		lowest, highest := math.Inf(1), math.Inf(-1)
		for team, players := range d.size {
			if players > 0 {
				average := d.sums[team][k] / float64(players)
				lowest, highest = min(lowest, average), max(highest, average)
			}
		}
		d.gaps = append(d.gaps, highest-lowest)
	}
}

func (d *division) clone() *division {
	c := *d
	c.team, c.size, c.gaps = slices.Clone(d.team), slices.Clone(d.size), slices.Clone(d.gaps)
	return &c
}

func (d *division) gap() float64 { return append(slices.Clone(d.gaps), 0)[0] }

// keepsLimits reports whether an assignment is valid for Limits.
func (p *problem) keepsLimits(d *division) bool {
	for team, players := range d.size {
		if players < p.teams[team].least || players > p.teams[team].most {
			return false
		}
		if p.limits.LargeInAll && !d.large[team] && slices.ContainsFunc(p.units, func(u problemUnit) bool { return u.large }) {
			return false
		}
	}
	for k, limit := range p.limits.MaxGaps {
		if d.gaps[k] > limit {
			return false
		}
	}
	return d.spread <= p.limits.MaxSpread && (p.limits.Check == nil || p.limits.Check(d.team))
}

// keepsSizes reports whether an assignment is valid for Even.
func (p *problem) keepsSizes(d *division) bool {
	filled := 0
	for team, players := range d.size {
		if players > p.teams[team].most || players > 0 && players < p.teams[team].least {
			return false
		}
		filled += min(1, players)
	}
	for i := range d.team {
		if p.barred != nil && p.barred[i][d.team[i]] {
			return false
		}
		for k := range i {
			if p.apart != nil && d.team[i] == d.team[k] && p.apart[i][k] {
				return false
			}
		}
	}
	return filled >= p.even.MinTeams
}

// checkLimits compares the result of Limits with all assignments.
//
// With two teams, values and no Check, Limits prefers the smaller first team and may select any
// assignment with the smallest gap. Otherwise, it must select the first valid assignment in this
// order: by spread, then by the size of the smallest team, then as visited by all. With values
// and more than two teams, all spreads above 1 are equal.
func (p *problem) checkLimits(t *testing.T, s *Solver) {
	t.Helper()
	halves := p.width > 0 && len(p.teams) == 2 && p.limits.Check == nil
	key := func(d *division) [2]int {
		if p.width > 0 && !halves && d.spread > 1 {
			return [2]int{2, 0}
		}
		return [2]int{d.spread, d.least}
	}
	var want *division
	valid := make(map[string]*division)
	p.all(true, func(d *division) {
		if !p.keepsLimits(d) {
			return
		}
		if valid[fmt.Sprint(d.team)] = d.clone(); want == nil {
			want = d.clone()
			return
		}
		x, y := key(d), key(want)
		if halves {
			x[1], y[1] = d.size[0], want.size[0]
		}
		if c := slices.Compare(x[:], y[:]); c < 0 || halves && c == 0 && d.gap() < want.gap() {
			want = d.clone()
		}
	})
	p.describe(s)
	p.limits.Budget = TeamBudget
	found, exact := s.Split(&p.limits)
	if found != (want != nil) || !exact {
		t.Fatalf("limits: got found %v, exact %v, want exact and %+v of %+v", found, exact, want, p)
	}
	if !found {
		return
	}
	got := valid[fmt.Sprint(s.assignment())]
	switch {
	case got == nil:
		t.Fatalf("limits: got assignment %v, which is not valid for %+v", s.assignment(), p)
	case halves && (!slices.Equal(got.size, want.size) || got.gap() > want.gap()+slack*max(1, p.total())):
		t.Fatalf("limits: got %+v, want a division as good as %+v of %+v", got, want, p)
	case !halves && !slices.Equal(got.team, want.team):
		t.Fatalf("limits: got %+v, want %+v of %+v", got, want, p)
	}
}

// checkEven compares the result of Even with all assignments. The best one has the smallest
// spread, then the smallest gap, then the smallest team, then comes first in the order of all.
// Even must return Given if that is as good.
func (p *problem) checkEven(t *testing.T, s *Solver) {
	t.Helper()
	p.setEvenSizes()
	var want, given, alike *division
	p.all(false, func(d *division) {
		if p.even.MoreTeams {
			d.spread, d.least = slices.Max(d.size), 0
		}
		if slices.Equal(d.team, p.even.Given) {
			given = d.clone()
		}
		if !p.keepsSizes(d) {
			return
		}
		if want != nil && d.spread == want.spread && math.Abs(d.gap()-want.gap()) < slack {
			alike = d.clone()
		}
		if want == nil || cmp.Or(cmp.Compare(d.spread, want.spread), cmp.Compare(d.gap(), want.gap()), cmp.Compare(d.least, want.least)) < 0 {
			want = d.clone()
		}
	})
	best := want
	if !(want.spread < given.spread || want.spread == given.spread && want.gap() < given.gap()-slack) {
		want = given
	}
	p.describe(s)
	found, exact := s.Split(&p.even)
	if !found || !exact || !slices.Equal(s.assignment(), want.team) {
		t.Fatalf("even: got found %v, exact %v and assignment %v, want %+v of %+v", found, exact, s.assignment(), want, p)
	}
	if alike == nil || alike.spread != best.spread || math.Abs(alike.gap()-best.gap()) >= slack {
		return
	}
	even := p.even
	even.Given = alike.team
	p.describe(s)
	if s.Split(&even); !slices.Equal(s.assignment(), alike.team) {
		t.Fatalf("even: got assignment %v, want %+v, which is as even and first, of %+v", s.assignment(), alike, p)
	}
}

// assignment returns the team of each unit, in the order of AddUnit.
func (s *Solver) assignment() []int {
	list := make([]int, len(s.units))
	for k := range s.units {
		unit, team := s.Assigned(k)
		list[unit] = team
	}
	return list
}

// total returns the sum of all absolute values, to which rounding errors are proportional.
func (p *problem) total() (sum float64) {
	for i := range p.units {
		for _, v := range p.units[i].values {
			sum += math.Abs(v)
		}
	}
	return sum
}
