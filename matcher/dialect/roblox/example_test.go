package roblox_test

import (
	"fmt"

	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/roblox"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
)

const competitive = `{
  "name": "Competitive", "template": "NotApplicable",
  "attributes": {"player": [{"name": "Elo", "dataType": "Number", "defaultValue": 1000}]},
  "signals": [
    {"signal": "Occupancy", "weight": 2},
    {"signal": "Skill", "weight": 4, "type": "PlayerNumerical", "playerAttribute": "Elo",
     "aggregation": "Average", "compareTo": "JoiningPlayer", "maxRelevantDifference": 1000}
  ]
}`

// compiled returns the compiled configuration.
func compiled(file, text string) (*vendor.CompiledRules, error) {
	root, err := jsontree.Parse(file, []byte(text))
	if err != nil {
		return nil, err
	}
	return roblox.Dialect().Compile(root, vendor.CompileOptions{})
}

func ExampleDialect() {
	rules, err := compiled("competitive.json", competitive)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rules.Description, len(rules.Warnings))

	reader := rules.Placement.Reader()
	player := func(elo string) vendor.Player {
		attributes, err := jsontree.Parse("player.json", []byte(`{"Elo": `+elo+`}`))
		if err != nil {
			fmt.Println(err)
		}
		return reader.Player("player", attributes)
	}
	server := rules.Placement.Scorer().Open(scoring.Server{Capacity: 8})
	for _, elo := range []string{"1200", "1400"} {
		p := player(elo)
		rules.Placement.Scorer().Join(server, &p.Player)
	}
	joining := player("1100")
	j := scoring.NewJoiner(joining.Player, joining.Class, nil)
	for _, c := range rules.Placement.Scorer().Explain(&j, server) {
		fmt.Printf("%s: %g × (%s) = %g\n", c.Signal, c.Weight, c.Formula, c.Weighted)
	}
	// Output:
	// Roblox scoring configuration Competitive, revision 2025-04, 2 signals 0
	// Occupancy: 2 × (2/8) = 0.5
	// Skill: 4 × (1 - min(1000, |mean 1300 - 1100|)/1000) = 3.2
}

func ExampleDialect_refused() {
	_, err := compiled("config.json", `{"signals": [{"signal": "Frends", "weight": 10}]}`)
	fmt.Println(err)
	// Output:
	// config.json:1:25: signal "Frends": signal: got "Frends", expected one of Roblox's signals, or a custom signal with a type; did you mean Friends?
	//   1 | {"signals": [{"signal": "Frends", "weight": 10}]}
	//     |                         ^
}
