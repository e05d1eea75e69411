package accelbyte_test

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/accelbyte"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/engine"
)

const ruleset = `{
  "auto_backfill": true,
  "alliance": {"min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 5},
  "matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 200}],
  "flexing_rule": [{"duration": 15, "attribute": "mmr", "criteria": "distance", "reference": 300}]
}`

// compiled returns the compiled ruleset.
func compiled(text string) (*vendor.CompiledRules, error) {
	root, err := jsontree.Parse("ruleset.json", []byte(text))
	if err != nil {
		return nil, err
	}
	return accelbyte.Dialect().Compile(root, vendor.CompileOptions{})
}

func ExampleDialect() {
	rules, err := compiled(ruleset)
	if err != nil {
		fmt.Println(err)
		return
	}
	skill := rules.Queue.Rules.Pivot.Distances[0]
	fmt.Println(skill.Name, len(rules.Warnings))
	for _, stage := range skill.Max {
		fmt.Printf("after %d ms: %g\n", stage.AfterMS, stage.Value)
	}
	// Output:
	// matching_rule mmr 0
	// after 0 ms: 200
	// after 15001 ms: 300
}

func ExampleDialect_refused() {
	_, err := compiled(`{"alliance": {"min_number": 2, "max_number": 2,}}`)
	fmt.Println(err)
	// Output:
	// ruleset.json:1:47: remove the comma before '}': JSON does not allow a comma after the last entry
	//   1 | {"alliance": {"min_number": 2, "max_number": 2,}}
	//     |                                               ^
}

// Two players whose mmr differs by 250 match when both have waited for more than 15 s.
func ExampleDialect_players() {
	rules, err := compiled(ruleset)
	if err != nil {
		fmt.Println(err)
		return
	}
	pool, err := engine.NewPool(rules.Queue.Rules, rules.Queue.Schema)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, attributes := range []string{`{"mmr": 1500}`, `{"mmr": 1750}`} {
		v, err := jsontree.Parse("player", []byte(attributes))
		if err != nil {
			fmt.Println(err)
			return
		}
		player, err := rules.Queue.Player(fmt.Sprint("p", i), v, jsontree.Value{})
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := pool.Add(matcher.Ticket{CreatedMS: int64(i) * 1000, Players: []matcher.Player{player}}); err != nil {
			fmt.Println(err)
			return
		}
	}
	for _, nowMS := range []int64{16_000, 17_000} {
		fmt.Printf("matches at %d ms: %d\n", nowMS, len(pool.Pass(nowMS).Matches))
	}
	// Output:
	// matches at 16000 ms: 0
	// matches at 17000 ms: 1
}
