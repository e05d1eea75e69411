package engine

import (
	"math"
	"math/rand/v2"
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"slices"
	"testing"
)

// checkPivotCase draws a random case and compares a pass of the engine with the twin's pass.
func checkPivotCase(t *testing.T, seed uint64, crowd bool) *matcher.Outcome {
	return checkPivot(t, seed, drawPivotCase(rand.New(rand.NewPCG(seed, 7)), crowd))
}

// checkPivot compares a pass of the engine over a case with the twin's pass. A failure prints the
// seed.
func checkPivot(t *testing.T, seed uint64, w *pivotCase) *matcher.Outcome {
	pool, err := NewPool(w.rules, w.schema)
	if err != nil {
		t.Fatal(err)
	}
	twin := &pivotTwin{pivotCase: w, gone: make([]bool, len(w.tickets)), failed: make([]bool, len(w.tickets))}
	rows, assigner := make(map[Row]int), newPlaceAssigner(pool)
	for i := range w.tickets {
		row, err := pool.Add(assigner.place(w.tickets[i]))
		if err != nil { // refused tickets are tested elsewhere
			twin.gone[i] = true
			continue
		}
		rows[row] = i
	}
	sessions := make(map[Row]int)
	for i := range w.sessions {
		row, err := pool.AddSession(w.sessions[i])
		if err != nil {
			t.Fatal(err)
		}
		sessions[row] = i
	}
	out := pool.Pass(w.nowMS)
	c := pivotCheck{t: t, pivotTwin: twin, rows: rows, sessionAt: sessions, out: &out}
	c.pass()
	if t.Failed() {
		t.Fatalf("failed for seed %d with rules %+v\n", seed, w.rules.Pivot)
	}
	return &out
}

// pivotCheck compares an outcome with the twin's decisions, match by match.
type pivotCheck struct {
	t *testing.T
	*pivotTwin
	rows, sessionAt map[Row]int
	out             *matcher.Outcome
}

func (c *pivotCheck) pass() {
	backfills, matches := c.out.Backfills, c.out.Matches
	order := make([]int, len(c.pivotCase.sessions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return int(c.pivotCase.sessions[a].CreatedMS - c.pivotCase.sessions[b].CreatedMS)
	})
	for _, i := range order {
		session := &c.pivotCase.sessions[i]
		s := &twinSeed{createdMS: session.CreatedMS, values: session.Values, session: session, ticket: -1}
		for _, m := range session.Members {
			s.players = append(s.players, m.Player)
		}
		if !c.rules.Pivot.Backfill {
			continue
		}
		sizes := c.pivotTwin.sizes(s.createdMS)
		c.keep(0)
		c.admit(s, c.candidates(s, session.Region, min(sizes.MaxPlayers, session.Capacity-len(session.Members))), sizes)
		if len(c.group) == 0 {
			continue
		}
		if len(backfills) == 0 || c.sessionAt[backfills[0].Session] != i {
			c.t.Errorf("session %d: want %v, got %v", i, c.group, backfills)
			return
		}
		c.compare(s, sizes, &backfills[0].Proposal, session.Region)
		backfills = backfills[1:]
	}
	for i := range c.byAge() {
		matches = c.seed(c.byAge()[i], matches)
	}
	if len(matches) > 0 || len(backfills) > 0 {
		c.t.Errorf("%d matches and %d backfills too many", len(matches), len(backfills))
	}
}

func (t *pivotTwin) byAge() []int {
	order := make([]int, len(t.tickets))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if t.older(a, b) {
			return -1
		}
		return 1
	})
	return order
}

// seed lets the twin decide for one ticket and compares its decision with the first of the given
// matches. It returns the remaining matches.
func (c *pivotCheck) seed(i int, matches []matcher.Proposal) []matcher.Proposal {
	ticket := &c.tickets[i]
	if c.gone[i] {
		return matches
	}
	s := &twinSeed{createdMS: ticket.CreatedMS, values: ticket.Values, players: ticket.Players, ticket: i}
	sizes := c.pivotTwin.sizes(s.createdMS)
	for _, region := range c.regions(s) {
		c.keep(0)
		c.join(i, 0)
		if !c.fill(s, c.candidates(s, region, sizes.MaxPlayers), sizes) {
			continue
		}
		if len(matches) == 0 {
			c.t.Errorf("seed %d: want %v, got none", i, c.group)
			return nil
		}
		c.compare(s, sizes, &matches[0], region)
		return matches[1:]
	}
	c.failed[i] = true
	return matches
}

// regions returns the regions in which a seed searches, best first.
func (t *pivotTwin) regions(s *twinSeed) []matcher.Region {
	rtts, measured := t.rtts(s.players)
	if !measured {
		return []matcher.Region{matcher.NoRegion}
	}
	var list []matcher.Region
	for i, rtt := range rtts {
		if rtt <= t.reach(s.players, s.createdMS)+criterion.Tolerance && rtt < math.Inf(1) {
			list = append(list, matcher.Region(i))
		}
	}
	slices.SortFunc(list, func(a, b matcher.Region) int {
		if rtts[a] != rtts[b] {
			return int(math.Copysign(1, rtts[a]-rtts[b]))
		}
		if t.schema.RegionName(a) < t.schema.RegionName(b) {
			return -1
		}
		return 1
	})
	return list
}

// compare compares a proposal with the twin's group.
func (c *pivotCheck) compare(s *twinSeed, sizes matcher.TeamSizes, p *matcher.Proposal, region matcher.Region) {
	var tickets []int
	for _, row := range p.Tickets {
		tickets = append(tickets, c.rows[row])
	}
	for _, i := range c.group {
		c.gone[i] = true
	}
	slices.Sort(tickets)
	if group := slices.Sorted(slices.Values(c.group)); !slices.Equal(tickets, group) {
		c.t.Errorf("seed %d: got %v, want %v", s.ticket, tickets, group)
		return
	}
	if p.Region != region {
		c.t.Errorf("seed %d: got region %d, want %d", s.ticket, p.Region, region)
	}
	given := slices.Clone(c.team)
	for team, side := range p.Teams {
		for _, row := range side.Tickets {
			c.team[slices.Index(c.group, c.rows[row])] = team
		}
	}
	if s.session == nil && sizes.MaxTeams == 1 && sizes.MaxPlayers == 1 {
		return
	}
	if s.session != nil {
		sizes.MinTeams, sizes.MinPlayers = 0, 0
		for _, m := range s.session.Members {
			sizes.MaxTeams = max(sizes.MaxTeams, m.Team+1)
		}
		for i, m := range s.session.Members {
			if m.Team >= len(p.Teams) || !slices.Contains(p.Teams[m.Team].Members, i) {
				c.t.Errorf("member %d was moved: %v", i, p.Teams)
			}
		}
	}
	if !c.rules.Pivot.Balance {
		if !sameDivision(given, c.team) {
			c.t.Errorf("seed %d: group %v: got teams %v, want %v", s.ticket, c.group, c.team, given)
		}
		return
	}
	got, valid := c.even(s, sizes)
	if s.session != nil && overfull(s.session, sizes) {
		return // no division into teams is valid, so there is nothing to compare
	}
	if !valid {
		c.t.Errorf("seed %d: group %v: teams %v are not valid", s.ticket, c.group, c.team)
	}
	if want := c.evenest(s, sizes); len(c.group) <= 7 && (got.sizeGap != want.sizeGap || got.averageGap > want.averageGap+1e-9) {
		c.t.Errorf("seed %d: group %v: got teams %v, %+v, want %+v", s.ticket, c.group, c.team, got, want)
	}
}

// overfull reports whether a team of a session already has more players than allowed.
func overfull(session *matcher.Session, sizes matcher.TeamSizes) bool {
	count := make(map[int]int)
	for _, m := range session.Members {
		count[m.Team]++
		if count[m.Team] > sizes.MaxPlayers {
			return true
		}
	}
	return false
}

// sameDivision reports whether two assignments to teams put the same tickets together, even if they
// number the teams differently.
func sameDivision(a, b []int) bool {
	for i := range a {
		for k := range i {
			if (a[i] == a[k]) != (b[i] == b[k]) {
				return false
			}
		}
	}
	return true
}

func TestPivotAgainstTwin(t *testing.T) {
	matches, backfills := 0, 0
	for seed := range uint64(8000) {
		out := checkPivotCase(t, seed, false)
		matches, backfills = matches+len(out.Matches), backfills+len(out.Backfills)
	}
	if matches < 5000 || backfills < 500 {
		t.Errorf("got %d matches and %d backfills, want at least 5000 and 500", matches, backfills)
	}
}

// TestPivotCrowdAgainstTwin uses cases with so many tickets that a search reads only a small part
// of the index.
func TestPivotCrowdAgainstTwin(t *testing.T) {
	for seed := range uint64(60) {
		checkPivotCase(t, seed, true)
	}
}

func FuzzPivotAgainstTwin(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { checkPivotCase(t, seed, seed%16 == 0) })
}
