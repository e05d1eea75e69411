package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"mmsim/matcher"
	"testing"
)

// TestPivotAllSmallCases compares the engine with the twin in every case of four tickets. A ticket
// has one or two players, one of two skills, and one of two modes or none. Matches have two teams
// of one or two players, which may be balanced.
func TestPivotAllSmallCases(t *testing.T) {
	const kinds = 12
	schema := new(matcher.Schema)
	for c := range pivotColumns {
		schema.Column(fmt.Sprint("c", c))
	}
	modes := []matcher.Text{0, schema.Intern("duel"), schema.Intern("siege")}
	ticket := func(number int64, kind int, createdMS int64) matcher.Ticket {
		made := matcher.Ticket{CreatedMS: createdMS, Values: make([]matcher.Value, pivotColumns)}
		if mode := kind % 3; mode > 0 {
			made.Values[colModes] = matcher.SetValue([]matcher.Text{modes[mode]})
		}
		for member := range 1 + kind/6 {
			player := matcher.Player{Values: make([]matcher.Value, pivotColumns)}
			player.Values[colName] = matcher.TextValue(schema.Intern(fmt.Sprint(number, "/", member)))
			player.Values[colSkill] = matcher.NumberValue(float64(kind / 3 % 2 * 3))
			made.Players = append(made.Players, player)
		}
		return made
	}
	cases, matches := 0, 0
	for code := range kinds * kinds * kinds * kinds {
		set := &matcher.PivotRules{
			Sizes:     []matcher.TeamSizes{{MinTeams: 2, MaxTeams: 2, MinPlayers: 1, MaxPlayers: 2}},
			Distances: []matcher.PivotDistance{{Name: "skill", Column: colSkill, Scale: 3, Weight: 1, Balanced: true, Max: matcher.Steps[float64]{{Value: 1}, {AfterMS: 6000, Value: 3}}}},
			Options:   []matcher.PivotOption{{Name: "mode", Column: colModes, Kind: matcher.SameSet, Own: matcher.NoColumn}},
			Region:    matcher.PivotRegion{Name: "region", ReachMS: matcher.Fixed(50), MaxMS: math.Inf(1), OneWayAfterMS: matcher.Never},
			Same:      colSame, People: colName, Blocked: colBlocked, NewOnly: colNewOnly,
			Balance: code%2 == 0,
		}
		w := &pivotCase{schema: schema, nowMS: 7000,
			rules: &matcher.Ruleset{MinPlayers: 1, MaxPlayers: matcher.MaxGroupPlayers, Pivot: set, Budget: 1_000_000}}
		for i, rest := int64(0), code; i < 4; i, rest = i+1, rest/kinds {
			w.tickets = append(w.tickets, ticket(i, rest%kinds, i*int64(code%5)*800))
		}
		matches += len(checkPivot(t, uint64(code), w).Matches)
		cases++
	}
	if cases != 20_736 || matches < cases/2 {
		t.Errorf("got %d cases and %d matches, want 12^4 cases and matches in half of them", cases, matches)
	}
}

// If no two tickets or sessions were created at the same time, the order in which they are added
// does not affect the outcome.
func TestPivotOrderOfAddingChangesNothing(t *testing.T) {
	withOutcome := 0
	for seed := range uint64(400) {
		var outcomes []string
		for range 3 {
			w := drawPivotCase(rand.New(rand.NewPCG(seed, 8)), false)
			for i := range w.tickets {
				w.tickets[i].CreatedMS = w.nowMS - 12_000 + int64(i)*1100
			}
			for i := range w.sessions {
				w.sessions[i].CreatedMS = w.nowMS - 11_500 + int64(i)*1300
			}
			outcomes = append(outcomes, addedInOrder(t, w, rand.New(rand.NewPCG(seed, uint64(len(outcomes))))))
		}
		if outcomes[0] != outcomes[1] || outcomes[0] != outcomes[2] {
			t.Fatalf("seed %d: got outcomes %q for three orders of adding, want them equal", seed, outcomes)
		}
		if outcomes[0] != "" {
			withOutcome++
		}
	}
	if withOutcome < 100 {
		t.Errorf("%d cases had a match or a backfill, want at least 100", withOutcome)
	}
}

// addedInOrder adds the tickets and sessions of a case in a random order, makes one pass, and
// returns the outcome as text. The text names each ticket by its index in the case.
func addedInOrder(t *testing.T, w *pivotCase, r *rand.Rand) (text string) {
	pool, err := NewPool(w.rules, w.schema)
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[Row]int)
	for _, i := range r.Perm(len(w.tickets)) {
		if row, err := pool.Add(w.tickets[i]); err == nil {
			names[row] = i
		}
	}
	for _, i := range r.Perm(len(w.sessions)) {
		row, err := pool.AddSession(w.sessions[i])
		if err != nil {
			t.Fatal(err)
		}
		names[row] = i
	}
	out := pool.Pass(w.nowMS)
	for _, b := range out.Backfills {
		text += fmt.Sprint("session ", names[b.Session], ": ")
		for _, row := range b.Tickets {
			text += fmt.Sprint(names[row], " ")
		}
	}
	for _, match := range out.Matches {
		for _, row := range match.Tickets {
			text += fmt.Sprint(names[row], " ")
		}
		text += fmt.Sprint(match.Region, "; ")
	}
	return text
}
