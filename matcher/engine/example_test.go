package engine_test

import (
	"fmt"
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine"
)

// duel returns a ruleset for matches of two players. Their skills must be within 100, plus 50 for
// every ten seconds of wait.
func duel() (*matcher.Ruleset, *matcher.Schema) {
	schema := new(matcher.Schema)
	return &matcher.Ruleset{
		Name: "duel", MinPlayers: 2, MaxPlayers: 2,
		Rules: []matcher.Rule{&matcher.NumberDistance{
			Common: matcher.Common{Name: "skill", Weight: 1, OptionalAfterMS: matcher.Never},
			Column: schema.Column("skill"),
			Max:    matcher.Linear(100, 50, 300, 10_000),
		}},
	}, schema
}

func solo(skill float64, createdMS int64) matcher.Ticket {
	player := matcher.Player{Values: []matcher.Value{matcher.NumberValue(skill)}}
	return matcher.Ticket{CreatedMS: createdMS, Players: []matcher.Player{player}}
}

// ExamplePool_Pass adds tickets to a pool and makes a pass at two instants.
func ExamplePool_Pass() {
	rules, schema := duel()
	pool, err := engine.NewPool(rules, schema)
	if err != nil {
		fmt.Println(err)
		return
	}
	names := make(map[matcher.Row]string)
	for _, t := range []struct {
		name      string
		skill     float64
		createdMS int64
	}{{"ann", 1500, 0}, {"bob", 1640, 2000}, {"eve", 1900, 3000}} {
		row, err := pool.Add(solo(t.skill, t.createdMS))
		if err != nil {
			fmt.Println(err)
			return
		}
		names[row] = t.name
	}
	for _, nowMS := range []int64{9000, 10_000} {
		outcome := pool.Pass(nowMS)
		fmt.Printf("%d ms: %d matches, %d waiting\n", nowMS, len(outcome.Matches), pool.Waiting())
		for _, match := range outcome.Matches {
			for _, row := range match.Tickets {
				fmt.Println(" ", names[row])
			}
		}
	}
	// Output:
	// 9000 ms: 0 matches, 3 waiting
	// 10000 ms: 1 matches, 1 waiting
	//   ann
	//   bob
}

// ExamplePool_Explain prints the rules that keep a ticket apart from the others, and the instants
// at which these rules no longer do.
func ExamplePool_Explain() {
	rules, schema := duel()
	pool, err := engine.NewPool(rules, schema)
	if err != nil {
		fmt.Println(err)
		return
	}
	ann, _ := pool.Add(solo(1500, 0))
	pool.Add(solo(1640, 2000))
	pool.Add(solo(1900, 3000))
	for _, o := range pool.Explain(5000, ann) {
		if o.AllowedMS == matcher.Never {
			fmt.Printf("%s: %v over %v, never\n", rules.Rules[o.Rule].Settings().Name, math.Abs(o.Value-o.Bound), o.Bound)
		} else {
			fmt.Printf("%s: %v over %v, from %d ms\n", rules.Rules[o.Rule].Settings().Name, math.Abs(o.Value-o.Bound), o.Bound, o.AllowedMS)
		}
	}
	// Output:
	// skill: 40 over 100, from 10000 ms
	// skill: 300 over 100, never
}

// ExamplePool_AddSession adds a session that looks for players. Its members stay in their teams.
func ExamplePool_AddSession() {
	schema := new(matcher.Schema)
	rules := &matcher.Ruleset{
		Name: "2v2", MinPlayers: 4, MaxPlayers: 4,
		Teams: []matcher.Team{{Name: "red", Min: 2, Max: 2}, {Name: "blue", Min: 2, Max: 2}},
	}
	pool, err := engine.NewPool(rules, schema)
	if err != nil {
		fmt.Println(err)
		return
	}
	pool.AddSession(matcher.Session{
		Region:  matcher.NoRegion,
		Members: []matcher.Member{{Team: 0}, {Team: 0}, {Team: 1}},
	})
	pool.Add(matcher.Ticket{Players: make([]matcher.Player, 1)})
	for _, fill := range pool.Pass(0).Backfills {
		for i, side := range fill.Teams {
			fmt.Println(rules.Teams[i].Name, len(side.Members), "stay,", len(side.Tickets), "joins")
		}
	}
	// Output:
	// red 2 stay, 0 joins
	// blue 1 stay, 1 joins
}
