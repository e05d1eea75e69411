package playfab_test

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/playfab"
	"mmsim/matcher/dialect/vendor"
)

const queue = `{
  "Name": "Ranked", "MinMatchSize": 2, "MaxMatchSize": 4, "ServerAllocationEnabled": false,
  "DifferenceRules": [{
    "Name": "Skill", "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": 100, "MergeFunction": "Average",
    "AttributeNotSpecifiedBehavior": "UseDefault", "DefaultAttributeValue": 1000, "Weight": 1,
    "LinearExpansion": {"Delta": 50, "Limit": 300, "SecondsBetweenExpansions": 10}}]
}`

// compiled returns the compiled queue.
func compiled(text string) (*vendor.CompiledRules, error) {
	root, err := jsontree.Parse("queue.json", []byte(text))
	if err != nil {
		return nil, err
	}
	return playfab.Dialect().Compile(root, vendor.CompileOptions{})
}

func ExampleDialect() {
	compiled, err := compiled(queue)
	if err != nil {
		fmt.Println(err)
		return
	}
	rules := compiled.Queue.Rules
	fmt.Println(rules.Name, rules.MinPlayers, rules.MaxPlayers, len(compiled.Warnings))

	skill := rules.Rules[0].(*matcher.NumberDistance)
	threshold, _ := skill.Max.At(25_000) // ms
	fmt.Println("after 25 s:", threshold)
	// Output:
	// Ranked 2 4 0
	// after 25 s: 200
}

func ExampleDialect_refused() {
	_, err := compiled(`{"Name": "Ranked", "MinMatchSize": 1, "MaxMatchSize": 4}`)
	fmt.Println(err)
	// Output:
	// queue.json:1:36: MinMatchSize: got 1, expected a whole number from 2 to 4294967295
	//   1 | {"Name": "Ranked", "MinMatchSize": 1, "MaxMatchSize": 4}
	//     |                                    ^
}

func ExampleDialect_lint() {
	rules, err := compiled(queue)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, warning := range rules.Lint(8_000) { // tickets give up after 8 s
		fmt.Println(warning)
	}
	// Output:
	// queue.json:3:23: warning: rule "Skill": an expansion step is never reached: Difference becomes 150 after 10 s, but tickets give up after 8 s
	// queue.json:1:1: warning: tickets give up after 8 s, but the first rule relaxes only after 10 s
}

func ExampleDialect_player() {
	rules, err := compiled(queue)
	if err != nil {
		fmt.Println(err)
		return
	}
	attributes, err := jsontree.Parse("player.json", []byte(`{"mmr": "1500"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = rules.Queue.Player("p1", attributes, jsontree.Value{})
	fmt.Println(err)
	// Output:
	// MatchmakingAttributeInvalid: attribute mmr of rule Skill: got "1500", expected a number
}

func ExampleDialect_statistics() {
	rules, err := compiled(queue)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := rules.Queue.Statistics.Snapshot(60_000, 3, []vendor.MatchedTicket{{AtMS: 20_000, WaitMS: 2_000}, {AtMS: 50_000, WaitMS: 6_000}}).(playfab.Statistics)
	fmt.Println(*s.Live.NumberOfPlayersMatching, *s.Live.TimeToMatchStatisticsInSeconds)
	fmt.Println("players may ask:", s.Players != nil)
	// Output:
	// 3 {4 2 6 6}
	// players may ask: false
}
