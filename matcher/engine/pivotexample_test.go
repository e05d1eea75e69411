package engine_test

import (
	"fmt"
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine"
)

// ExamplePool_pivot shows that candidates are compared only with the seed. The seed's skill is
// between those of the two other tickets. They differ by more than the limit but are matched,
// because each of them is near enough to the seed.
func ExamplePool_pivot() {
	var schema matcher.Schema
	skill, name := schema.Column("skill"), schema.Column("name")
	rules := &matcher.Ruleset{MinPlayers: 3, MaxPlayers: 3, Pivot: &matcher.PivotRules{
		Sizes: []matcher.TeamSizes{{MinTeams: 3, MaxTeams: 3, MinPlayers: 1, MaxPlayers: 1}},
		Distances: []matcher.PivotDistance{{Name: "skill", Column: skill, Scale: 200, Weight: 1,
			Max: matcher.Steps[float64]{{Value: 100}, {AfterMS: 10_000, Value: 200}}}},
		Region: matcher.PivotRegion{MaxMS: math.Inf(1), OneWayAfterMS: matcher.Never},
		Same:   matcher.NoColumn, People: name, Blocked: matcher.NoColumn, NewOnly: matcher.NoColumn,
	}}
	pool, err := engine.NewPool(rules, &schema)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, number := range []float64{1500, 1350, 1650} {
		_, err := pool.Add(matcher.Ticket{Players: []matcher.Player{{Values: []matcher.Value{
			matcher.NumberValue(number), matcher.TextValue(schema.Intern(fmt.Sprint("p", i)))}}}})
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	for _, nowMS := range []int64{5_000, 10_000} {
		fmt.Printf("at %d ms: %d matches\n", nowMS, len(pool.Pass(nowMS).Matches))
	}
	// Output:
	// at 5000 ms: 0 matches
	// at 10000 ms: 1 matches
}
