package engine

import (
	"fmt"
	"math"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
)

// highest is a rule about teams for tests. The highest numbers of any two teams must differ by at
// most the limit of the rule that it replaces.
type highest struct {
	criterion.Criterion
	numbers map[Row]float64
}

func (h *highest) Load(row Row, players []matcher.Player) {
	h.numbers[row] = math.Inf(-1)
	for i := range players {
		h.numbers[row] = max(h.numbers[row], players[i].Value(0).Number)
	}
}

func (h *highest) Ask(d *criterion.Division, l *criterion.Limit, enforced bool) {
	if !enforced {
		return
	}
	most := l.Bound
	d.Checks = append(d.Checks, func(teams []criterion.Team) bool {
		low, high := math.Inf(1), math.Inf(-1)
		for _, team := range teams {
			best := math.Inf(-1)
			for _, row := range team.Rows {
				best = max(best, h.numbers[row])
			}
			for i := range team.Members {
				best = max(best, team.Members[i].Value(0).Number)
			}
			low, high = min(low, best), max(high, best)
		}
		return high-low <= most
	})
}

// TestTeamRuleWithCheck uses a rule about teams that only adds a function to Division.Checks. The
// highest numbers of two teams must differ by at most 10 until the rule is optional.
func TestTeamRuleWithCheck(t *testing.T) {
	const noTeam = matcher.NoTeam
	for _, c := range []struct {
		name    string
		tickets [][]float64 // numbers of the players of each ticket
		members []float64   // numbers of the session's members
		in      []int       // teams of the session's members
		late    bool        // the wait is so long that the rule is optional
		want    bool
	}{
		{name: "the two best apart", tickets: [][]float64{{100}, {95}, {0}, {0}}, want: true},
		{name: "one far above the others", tickets: [][]float64{{100}, {80}, {80}, {0}}, want: false},
		{name: "the best are a party", tickets: [][]float64{{100, 95}, {80}, {80}}, want: false},
		{name: "after the rule became optional", tickets: [][]float64{{100, 95}, {80}, {80}}, late: true, want: true},
		{name: "a session with a best in each team", members: []float64{100, 90}, in: []int{0, 1}, tickets: [][]float64{{0}, {50}}, want: true},
		{name: "a session with both in one team", members: []float64{100, 90}, in: []int{0, 0}, tickets: [][]float64{{0}, {50}}, want: false},
		{name: "a session whose members are free", members: []float64{100, 90}, in: []int{noTeam, noTeam}, tickets: [][]float64{{0}, {50}}, want: true},
	} {
		set := &matcher.Ruleset{MinPlayers: 4, MaxPlayers: 4, Teams: []matcher.Team{{Name: "a", Min: 2, Max: 2}, {Name: "b", Min: 2, Max: 2}},
			Rules: []matcher.Rule{&matcher.TeamBalance{Common: matcher.Common{OptionalAfterMS: 60_000}, Max: matcher.Fixed(10)}}}
		schema := new(matcher.Schema)
		schema.Column("number")
		pool, err := NewPool(set, schema)
		if err != nil {
			t.Fatal(err)
		}
		rules := pool.method.(*groups).rules
		rules.All[0] = &highest{rules.All[0], make(map[Row]float64)}
		player := func(number float64) matcher.Player {
			return matcher.Player{Values: []matcher.Value{matcher.NumberValue(number)}}
		}
		if c.members != nil {
			var s matcher.Session
			for i, number := range c.members {
				s.Members = append(s.Members, matcher.Member{Player: player(number), Team: c.in[i]})
			}
			if _, err := pool.AddSession(s); err != nil {
				t.Fatal(err)
			}
		}
		for _, numbers := range c.tickets {
			var ticket matcher.Ticket
			for _, number := range numbers {
				ticket.Players = append(ticket.Players, player(number))
			}
			if _, err := pool.Add(ticket); err != nil {
				t.Fatal(err)
			}
		}
		now := int64(0)
		if c.late {
			now = 60_000
		}
		if out := pool.Pass(now); (len(out.Matches)+len(out.Backfills) == 1) != c.want {
			t.Errorf("%s: got %d matches and %d backfills, want exactly one in total: %v", c.name, len(out.Matches), len(out.Backfills), c.want)
		}
	}
}

// The number of teams may vary under all three kinds of rules, with the same effect: two or three teams
// of two players each. Three solos are too few. Five make a match of two teams, because a third team of
// one is too small, and six make a match of three. A session with two teams of two takes two more
// players as its third team.
func TestNumberOfTeamsThatVaries(t *testing.T) {
	two := matcher.Steps[float64]{{Value: 2}}
	pivot := pivotPairs(matcher.PivotRules{Backfill: true})
	pivot.Pivot.Sizes = []matcher.TeamSizes{{MinTeams: 2, MaxTeams: 3, MinPlayers: 2, MaxPlayers: 2}}
	pivot.MinPlayers, pivot.MaxPlayers = 4, 6
	sets := map[string]*matcher.Ruleset{"pivot": pivot, "pairs": {MinPlayers: 4, MaxPlayers: 6, MinTeams: 2}, "seats": {MinPlayers: 4, MaxPlayers: 6, MinTeams: 2, Seats: &matcher.SeatRules{Backfill: true}}}
	for _, name := range []string{"red", "blue", "green"} {
		sets["pairs"].Teams = append(sets["pairs"].Teams, matcher.Team{Name: name, Min: 2, Max: 2})
		sets["seats"].Seats.Teams = append(sets["seats"].Seats.Teams, matcher.SeatTeam{Name: name, Min: two, Max: two})
	}
	sizes := func(s *scene, p *matcher.Proposal) (list []int) {
		for _, side := range p.Teams {
			list = append(list, len(side.Tickets)+len(side.Members))
		}
		return list
	}
	for name, set := range sets {
		for solos, want := range map[int]string{3: "", 4: "[2 2]", 5: "[2 2]", 6: "[2 2 2]", 7: "[2 2 2]"} {
			s, got := newScene(t, set), ""
			for range solos {
				s.solo(0, 100)
			}
			if out := s.Pass(1000); len(out.Matches) == 1 {
				got = fmt.Sprint(sizes(s, &out.Matches[0]))
			}
			if got != want {
				t.Errorf("%s, %d solos: got teams %s, want %s", name, solos, got, want)
			}
		}
		s, session := newScene(t, set), matcher.Session{Region: matcher.NoRegion}
		for team := range 4 {
			session.Members = append(session.Members, matcher.Member{Team: team / 2})
		}
		if _, err := s.AddSession(session); err != nil {
			t.Fatal(err)
		}
		s.solo(0, 100)
		s.solo(0, 100)
		if out := s.Pass(1000); len(out.Backfills) != 1 || fmt.Sprint(sizes(s, &out.Backfills[0].Proposal)) != "[2 2 2]" {
			t.Errorf("%s: got backfills %+v, want one with teams [2 2 2]", name, out.Backfills)
		}
	}
}
