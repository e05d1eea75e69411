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

func ExampleRead() {
	config, warnings, err := roblox.Read("competitive.json", []byte(competitive), vendor.CompileOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(config.Describe(), len(warnings))

	reader := config.Reader()
	player := func(elo string) vendor.Player {
		attributes, err := jsontree.Parse("player.json", []byte(`{"Elo": `+elo+`}`))
		if err != nil {
			fmt.Println(err)
		}
		return reader.Player("player", attributes)
	}
	server := config.Scoring.Open(scoring.Server{Capacity: 8})
	for _, elo := range []string{"1200", "1400"} {
		p := player(elo)
		config.Scoring.Join(server, &p.Player)
	}
	joining := player("1100")
	j := scoring.NewJoiner(joining.Player, joining.Class, nil)
	for _, c := range config.Scoring.Explain(&j, server) {
		fmt.Printf("%s: %g × (%s) = %g\n", c.Signal, c.Weight, c.Formula, c.Weighted)
	}
	// Output:
	// Roblox scoring configuration Competitive, revision 2025-04, 2 signals 0
	// Occupancy: 2 × (2/8) = 0.5
	// Skill: 4 × (1 - min(1000, |mean 1300 - 1100|)/1000) = 3.2
}

func ExampleRead_refused() {
	_, _, err := roblox.Read("config.json", []byte(`{"signals": [{"signal": "Frends", "weight": 10}]}`), vendor.CompileOptions{})
	fmt.Println(err)
	// Output:
	// config.json:1:25: signal "Frends": signal: got "Frends", expected one of Roblox's signals, or a custom signal with a type; did you mean Friends?
	//   1 | {"signals": [{"signal": "Frends", "weight": 10}]}
	//     |                         ^
}
