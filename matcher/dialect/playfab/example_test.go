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

func ExampleRead() {
	queues, warnings, err := playfab.Read("queue.json", []byte(queue), vendor.CompileOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	q := queues[0]
	fmt.Println(q.Name, q.Ruleset.MinPlayers, q.Ruleset.MaxPlayers, len(warnings))

	skill := q.Ruleset.Rules[0].(*matcher.NumberDistance)
	threshold, _ := skill.Max.At(25_000) // ms
	fmt.Println("after 25 s:", threshold)
	// Output:
	// Ranked 2 4 0
	// after 25 s: 200
}

func ExampleRead_refused() {
	_, _, err := playfab.Read("queue.json", []byte(`{"Name": "Ranked", "MinMatchSize": 1, "MaxMatchSize": 4}`), vendor.CompileOptions{})
	fmt.Println(err)
	// Output:
	// queue.json:1:36: MinMatchSize: got 1, expected a whole number from 2 to 4294967295
	//   1 | {"Name": "Ranked", "MinMatchSize": 1, "MaxMatchSize": 4}
	//     |                                    ^
}

func ExampleQueue_Lint() {
	queues, _, err := playfab.Read("queue.json", []byte(queue), vendor.CompileOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, warning := range queues[0].Lint(8_000) { // tickets give up after 8 s
		fmt.Println(warning)
	}
	// Output:
	// queue.json:3:23: warning: rule "Skill": an expansion step is never reached: Difference becomes 150 after 10 s, but tickets give up after 8 s
	// queue.json:1:1: warning: tickets give up after 8 s, but the first rule relaxes only after 10 s
}

func ExampleQueue_Player() {
	queues, _, err := playfab.Read("queue.json", []byte(queue), vendor.CompileOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	attributes, err := jsontree.Parse("player.json", []byte(`{"mmr": "1500"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = queues[0].Player(attributes, jsontree.Value{})
	fmt.Println(err)
	// Output:
	// MatchmakingAttributeInvalid: attribute mmr of rule Skill: got "1500", expected a number
}

func ExampleQueue_Statistics() {
	queues, _, err := playfab.Read("queue.json", []byte(queue), vendor.CompileOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := queues[0].Statistics(60_000, 3, []vendor.MatchedTicket{{AtMS: 20_000, WaitMS: 2_000}, {AtMS: 50_000, WaitMS: 6_000}})
	fmt.Println(*s.Live.NumberOfPlayersMatching, *s.Live.TimeToMatchStatisticsInSeconds)
	fmt.Println("players may ask:", s.Players != nil)
	// Output:
	// 3 {4 2 6 6}
	// players may ask: false
}
