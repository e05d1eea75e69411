package casefile_test

import (
	"fmt"
	"strings"

	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect/vendor"
)

const text = `{
  "name": "close enough", "dialect": "playfab", "why": "Twenty apart is too much.",
  "rules": {"Name": "Ranked", "MinMatchSize": 2, "MaxMatchSize": 2,
    "DifferenceRules": [{"Name": "Skill", "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": 10,
      "AttributeNotSpecifiedBehavior": "MatchAny", "LinearExpansion": {"Delta": 5, "Limit": 20, "SecondsBetweenExpansions": 10}}]},
  "at": 5,
  "tickets": [
    {"id": "t1", "created_at": 0, "players": [{"id": "p1", "attributes": {"mmr": 100}}]},
    {"id": "t2", "created_at": 1, "players": [{"id": "p2", "attributes": {"mmr": 120}}]}],
  "expect": {"matches": [{"tickets": ["t1", "t2"]}]}
}`

func ExampleCase_Compare() {
	c, err := casefile.Read("case.json", []byte(text), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, refused := c.Run(vendor.CompileOptions{})
	fmt.Println(strings.Join(c.Compare(outcome, refused), "\n"))
	// Output:
	// matches
	//   want t1 + t2
	//   got  none
}

func ExampleRunnableRules() {
	c, err := casefile.Read("case.json", []byte(text), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	rules, err := c.Compile(vendor.CompileOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := rules.Run(&c.Scene)
	if err != nil {
		fmt.Println(err)
		return
	}
	explanations, err := rules.Explain(&c.Scene, outcome)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("unmatched:", outcome.Unmatched)
	for _, other := range explanations[0].Others {
		fmt.Printf("%s and %s: %s, %s, until %g s\n", explanations[0].Ticket, other.Ticket, other.Rule, other.Because, *other.UntilS)
	}
	// Output:
	// unmatched: [t1 t2]
	// t1 and t2: Skill, 20 apart, at most 10, until 20 s
}
