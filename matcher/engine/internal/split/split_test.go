package split

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Limits and Even must select the same assignment as a search through all assignments.
func TestAgainstAllAssignments(t *testing.T) {
	var s Solver // shared by all problems, to check that Reset clears everything
	for seed := range uint64(1500) {
		p := drawProblem(rand.New(rand.NewPCG(seed, 1)).IntN)
		p.checkLimits(t, &s)
		p.checkEven(t, &s)
	}
}

func FuzzSplit(f *testing.F) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 20 {
		data := make([]byte, 60)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Solver
		p := drawProblem(func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return int(b) % n
		})
		if math.Pow(float64(len(p.teams)), float64(len(p.units))) > 7000 {
			return
		}
		p.checkLimits(t, &s)
		p.checkEven(t, &s)
	})
}

// Solos must select exactly the assignment that the search finds. With few different values, many
// assignments are equally even. With arbitrary values, rounding matters.
func TestSolosAgainstSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var s Solver
	for trial := range 2_000 {
		n := 2 + 2*r.IntN(ExactUnits/2)
		scale, coarse := math.Pow(10, float64(r.IntN(7)-2)), r.IntN(3) > 0
		s.Reset(1)
		least, most := 1+r.IntN(n/2), n/2+r.IntN(2)
		s.AddTeam(least, most)
		s.AddTeam(least, most)
		even := Even{MinTeams: 2}
		for i := range n {
			v := r.NormFloat64() * scale
			if coarse {
				v = math.Round(v)
			}
			s.AddUnit(1, false, v+float64(r.IntN(2)*1500))
			even.Given = append(even.Given, i%2)
		}
		s.Split(&even)
		got, gap := slices.Clone(s.best), s.bestGap
		even.Apart = func(int, int) bool { return false } // with an Apart function, Even uses the search instead of Solos
		s.best, s.bestGap, s.steps = s.best[:0], math.Inf(1), evenSteps
		s.windows(0)
		if !slices.Equal(got, s.best) || gap != s.bestGap {
			t.Fatalf("trial %d: got assignment %v with gap %v, want %v with gap %v of %v", trial, got, gap, s.best, s.bestGap, s.units)
		}
	}
}

// Even must use Solos only for solos in two teams of the same size without seated players.
func TestSolosAreRecognised(t *testing.T) {
	never := func(int, int) bool { return false }
	for _, test := range []struct {
		name               string
		party, seated, odd bool
		teams, least, most int
		even               Even
		want               bool
	}{
		{name: "solos", teams: 2, least: 1, most: 2, want: true},
		{name: "a party", party: true, teams: 2, least: 1, most: 4},
		{name: "an odd one", odd: true, teams: 2, least: 1, most: 3},
		{name: "a third team", teams: 3, least: 1, most: 2},
		{name: "further teams", teams: 2, least: 1, most: 2, even: Even{MoreTeams: true}},
		{name: "seated players", seated: true, teams: 2, least: 1, most: 5},
		{name: "teams too large", teams: 2, least: 3, most: 4},
		{name: "teams too small", teams: 2, least: 1, most: 1},
		{name: "units apart", teams: 2, least: 1, most: 2, even: Even{Apart: never}},
		{name: "barred units", teams: 2, least: 1, most: 2, even: Even{Barred: never}},
	} {
		var s Solver
		s.Reset(1)
		for range test.teams {
			s.AddTeam(test.least, test.most)
		}
		if test.seated {
			s.Seat(0, 1, 7)
		}
		for i := range 4 {
			if !test.odd || i > 0 {
				size := 1
				if test.party && i == 0 {
					size = 2
				}
				s.AddUnit(size, false, float64(i))
				test.even.Given = append(test.even.Given, i%2)
			}
		}
		s.Split(&test.even)
		if got := test.even.halve(&s); got != test.want {
			t.Errorf("%s: got recognised as halves %v, want %v", test.name, got, test.want)
		}
	}
}

// The 32 solos can be divided evenly in only one way. Each has a counterpart with a value that no
// other solo has, so the sums of equal teams are known.
func TestTwoTeamsOf32FindTheHiddenSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 11))
	values := []float64{5e9, 5e9}
	for range 15 {
		v := math.Floor(r.Float64() * 1e9)
		values = append(values, v, v)
	}
	r.Shuffle(32, func(i, j int) { values[i], values[j] = values[j], values[i] })
	var s Solver
	s.Reset(1)
	s.AddTeam(16, 16)
	s.AddTeam(16, 16)
	for _, v := range values {
		s.AddUnit(1, false, v)
	}
	if found, exact := s.Split(&Limits{MaxSpread: MaxPlayers, MaxGaps: []float64{slack}}); !found || !exact {
		t.Fatalf("got found %v, exact %v, want an exact even split", found, exact)
	}
}

// The parties result from cutting full teams into pieces, so Limits must be able to fill the
// teams again.
func TestPartiesPackIntoFullTeams(t *testing.T) {
	var s Solver
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 13))
		size := 2 + r.IntN(7)
		teams := 2 + r.IntN(MaxPlayers/size-1)
		var parties []int
		for range teams {
			for left := size; left > 0; {
				n := 1 + r.IntN(left)
				parties, left = append(parties, n), left-n
			}
		}
		r.Shuffle(len(parties), func(i, j int) { parties[i], parties[j] = parties[j], parties[i] })
		s.Reset(0)
		for range teams {
			s.AddTeam(size, size)
		}
		for _, n := range parties {
			s.AddUnit(n, false)
		}
		if found, _ := s.Split(&Limits{MaxSpread: MaxPlayers}); !found || s.spread() != 0 {
			t.Fatalf("seed %d: parties %v: got no division into %d teams of %d, want one", seed, parties, teams, size)
		}
	}
}

// The fifteen values have a sum of 106, which five teams cannot share evenly. With a small
// budget, the search must report that it is not exact and that the budget is used up.
func TestTeamBudget(t *testing.T) {
	var s Solver
	split := func(limit float64, budget int) (found, exact bool, left int) {
		s.Reset(1)
		for range 5 {
			s.AddTeam(3, 3)
		}
		s.AddUnit(1, false, 1)
		for i := range 14 {
			s.AddUnit(1, false, float64(i+1))
		}
		l := Limits{MaxSpread: MaxPlayers, MaxGaps: []float64{limit}, Budget: budget}
		found, exact = s.Split(&l)
		return found, exact, l.Budget
	}
	if found, exact, left := split(slack, TeamBudget); found || !exact || left < 0 || left == TeamBudget {
		t.Errorf("got found %v, exact %v and %d steps left, want not found, exact and some steps left", found, exact, left)
	}
	if found, exact, left := split(slack, 10); found || exact || left >= 0 {
		t.Errorf("got found %v, exact %v and %d steps left, want not found, not exact and a negative rest", found, exact, left)
	}
	if found, exact, _ := split(1+slack, TeamBudget); !found || !exact {
		t.Errorf("got found %v, exact %v, want both true", found, exact)
	}
}

// With up to ExactUnits units, the search is complete. With more, it runs out of steps. The
// values are chosen so that no two teams can have equal sums, because a gap of 0 would end the
// search early.
func TestEvenBudget(t *testing.T) {
	for _, n := range []int{ExactUnits, ExactUnits + 1} {
		var s Solver
		s.Reset(1)
		even := Even{MinTeams: 3}
		for range 3 {
			s.AddTeam(1, n)
		}
		for i := range n {
			s.AddUnit(1, false, math.Sqrt(float64(10+i)))
			even.Given = append(even.Given, i%3)
		}
		if _, exact := s.Split(&even); exact != (n == ExactUnits) {
			t.Errorf("%d units: got exact %v with %d steps left, want exact only with ExactUnits", n, exact, s.steps)
		}
	}
}

// evenOf computes the sizes and the evenness of an assignment, independently of the search. valid
// reports whether Even may select it.
func (s *Solver) evenOf(e *Even, team []int) (size []int, is evenness, valid bool) {
	size, sums := make([]int, len(s.seats)), make([]float64, len(s.seats))
	valid = true
	for i := range s.units {
		u := &s.units[i]
		size[team[u.added]] += u.size
		sums[team[u.added]] += u.value
		for k := range s.units[:i] {
			if other := s.units[k].added; e.Apart != nil && team[other] == team[u.added] && e.Apart(u.added, other) {
				valid = false
			}
		}
	}
	lowest, highest := math.Inf(1), math.Inf(-1)
	filled := 0
	for i := range size {
		if size[i] == 0 {
			continue
		}
		filled++
		valid = valid && s.seats[i].least <= size[i] && size[i] <= s.seats[i].most
		lowest, highest = min(lowest, sums[i]/float64(size[i])), max(highest, sums[i]/float64(size[i]))
	}
	return size, evenness{slices.Max(size) - slices.Min(size), highest - lowest}, valid && filled >= e.MinTeams
}

// If the budget ends the search, the teams must be valid and at least as even as Given. No single
// move or exchange of units may make them more even.
func TestEvenWithManyUnits(t *testing.T) {
	var s Solver
	improved := 0
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 17))
		n, teams, party := 13+r.IntN(14), 2+r.IntN(4), 1+r.IntN(9)
		filled := max(2, teams-r.IntN(2))
		even, size := Even{MinTeams: filled}, make([]int, teams)
		s.Reset(1)
		var units [][2]float64
		for i := range n {
			units = append(units, [2]float64{float64(1 + r.IntN(party)), r.NormFloat64() * 100})
			even.Given = append(even.Given, i)
			if i >= filled {
				even.Given[i] = r.IntN(filled)
			}
			size[even.Given[i]] += int(units[i][0])
		}
		blocks := r.IntN(3) * (1 + r.IntN(4))
		if blocks > 0 {
			even.Apart = func(i, k int) bool { return even.Given[i] != even.Given[k] && (i+k)%blocks == 0 }
		}
		least, most := slices.Min(size[:filled]), slices.Max(size)
		for range teams {
			s.AddTeam(least, most)
		}
		for _, u := range units {
			s.AddUnit(int(u[0]), false, u[0]*u[1])
		}
		_, exact := s.Split(&even)
		got := s.assignment()
		_, now, valid := s.evenOf(&even, got)
		_, given, _ := s.evenOf(&even, even.Given)
		if !valid || given.better(now) {
			t.Fatalf("seed %d: got assignment %v, valid %v, with %+v; want a valid one that is at least as even as %+v", seed, got, valid, now, given)
		}
		if exact {
			continue
		}
		improved++
		for i := range got {
			home := got[i]
			for k := range i + teams {
				team, other := k-i, i
				if k < i {
					team, other = got[k], k
				}
				was := got[other]
				got[other], got[i] = home, team
				if _, next, valid := s.evenOf(&even, got); valid && next.better(evenness{now.spread, now.gap - slack}) {
					t.Fatalf("seed %d: exchanging two units gives %v with %+v, which is more even than the result, %+v", seed, got, next, now)
				}
				got[other], got[i] = was, home
			}
		}
	}
	if improved < 40 {
		t.Errorf("%d of 120 divisions were improved, want at least 40", improved)
	}
}

// Barred can distinguish two teams that have the same players and sums, so Even must try both.
func TestBarredUnitsInEquivalentTeams(t *testing.T) {
	var s Solver
	s.Reset(1)
	for team := range 2 {
		s.AddTeam(1, 3)
		s.Seat(team, 1, 5)
	}
	s.AddUnit(1, false, 2)
	s.AddUnit(1, false, 1)
	s.Split(&Even{Given: []int{1, 1}, Barred: func(unit, team int) bool { return unit == 0 && team == 0 }})
	if got := s.assignment(); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("got %v, want the barred unit in team 1 and the other in team 0", got)
	}
}

// Limits must panic if a match has more players than its exact searches can store.
func TestLimitsRefusesTooManyPlayers(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("want a panic for 33 players")
		}
	}()
	var s Solver
	s.Reset(0)
	s.AddTeam(1, 40)
	s.AddTeam(1, 40)
	for range MaxPlayers + 1 {
		s.AddUnit(1, false)
	}
	s.Split(&Limits{MaxSpread: MaxPlayers})
}

// A Solver must not allocate memory once it has divided a match of the same size.
func TestSplitDoesNotAllocate(t *testing.T) {
	for _, test := range benchmarks {
		m := matchesOf(1, test.teams, test.size, test.parties)[0]
		var s Solver
		limits, even := Limits{MaxSpread: MaxPlayers, MaxGaps: []float64{test.gap}}, Even{Given: m.given, MinTeams: test.teams}
		var objective Objective = &limits
		if test.even {
			objective = &even
		}
		split := func() {
			limits.Budget = TeamBudget
			m.describe(&s, 1, test.teams, test.size)
			s.Split(objective)
		}
		for range 20 { // repeat, because lists swap their memory and all of it must have grown
			split()
		}
		if n := testing.AllocsPerRun(3, split); n > 0 {
			t.Errorf("%s: got %v allocations, want 0", test.name, n)
		}
	}
}
