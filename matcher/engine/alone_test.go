package engine

import (
	"fmt"
	"slices"
	"testing"

	"mmsim/matcher"
)

// The first team has one player, whose number must be 1. The second team has two, whose numbers must be 0.
func bossRules() *matcher.Ruleset {
	pick := func(team int, number float64) matcher.SeatRule {
		return &matcher.Comparison{SeatCommon: matcher.SeatCommon{Name: fmt.Sprint("pick", team)}, Operation: "=",
			Measured:  []*matcher.Expression{seatPath(skillColumn, matcher.Numbers, team)},
			Reference: matcher.Steps[matcher.Reference]{{Value: matcher.Reference{Type: matcher.Type{Base: matcher.Numbers}, Number: number}}}}
	}
	rules := seatedBy(pick(0, 1), pick(1, 0))
	one, two := matcher.Steps[float64]{{Value: 1}}, matcher.Steps[float64]{{Value: 2}}
	rules.MinPlayers, rules.MaxPlayers, rules.Seats.Backfill = 3, 3, true
	rules.Seats.Teams = []matcher.SeatTeam{{Name: "boss", Min: one, Max: one}, {Name: "hunters", Min: two, Max: two}}
	return rules
}

func numbered(number float64) matcher.Player {
	return matcher.Player{Values: []matcher.Value{matcher.NumberValue(number)}}
}

// A ticket joins only a team in which every rule about its players alone holds. A session whose player
// breaks such a rule gets nobody.
func TestRulesAboutPlayersAlone(t *testing.T) {
	for _, c := range []struct {
		name    string
		session []matcher.Member
		tickets [][]float64 // numbers of each ticket's players
		want    string      // numbers of the tickets in each team of all matches and backfills
	}{
		{"all fit", nil, [][]float64{{0}, {1}, {0}}, "[1]/[0][0]/"},
		{"two bosses", nil, [][]float64{{1}, {1}, {0}, {0}}, "[1]/[0][0]/"},
		{"no boss", nil, [][]float64{{0}, {0}, {0}}, ""},
		{"a party of hunters", nil, [][]float64{{0, 0}, {1}}, "[1]/[0 0]/"},
		{"a party of a boss and a hunter", nil, [][]float64{{0, 1}, {1}}, ""},
		{"a session without a boss", []matcher.Member{{Player: numbered(0), Team: 1}, {Player: numbered(0), Team: 1}}, [][]float64{{0}, {1}}, "[1]//"},
		{"a session with a wrong hunter", []matcher.Member{{Player: numbered(1), Team: 1}, {Player: numbered(0), Team: 1}}, [][]float64{{0}, {1}}, ""},
	} {
		schema := new(matcher.Schema)
		schema.Column("number")
		pool, err := NewPool(bossRules(), schema)
		if err != nil {
			t.Fatal(err)
		}
		if c.session != nil {
			if _, err := pool.AddSession(matcher.Session{Region: matcher.NoRegion, Members: c.session}); err != nil {
				t.Fatal(err)
			}
		}
		numbers := map[matcher.Row][]float64{} // of each ticket
		for i, list := range c.tickets {
			ticket := matcher.Ticket{CreatedMS: int64(i)}
			for _, number := range list {
				ticket.Players = append(ticket.Players, numbered(number))
			}
			row, err := pool.Add(ticket)
			if err != nil {
				t.Fatal(err)
			}
			numbers[row] = list
		}
		out, got := pool.Pass(1000), ""
		proposals := slices.Clone(out.Matches)
		for _, b := range out.Backfills {
			proposals = append(proposals, b.Proposal)
		}
		for _, p := range proposals {
			for _, side := range p.Teams {
				for _, row := range side.Tickets {
					got += fmt.Sprint(numbers[row])
				}
				got += "/"
			}
		}
		if got != c.want {
			t.Errorf("%s: got teams %q, want %q", c.name, got, c.want)
		}
	}
}
