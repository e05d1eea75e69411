package engine

import (
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
