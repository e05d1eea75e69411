package jsontree_test

import (
	"fmt"

	"mmsim/matcher/dialect/jsontree"
)

func ExampleParse() {
	_, err := jsontree.Parse("team.json", []byte("{\n  \"size\": 4,\n}"))
	fmt.Println(err)
	// Output:
	// team.json:2:12: remove the comma before '}': JSON does not allow a comma after the last entry
	//   2 |   "size": 4,
	//     |            ^
}

func ExampleProblems_Object() {
	root, err := jsontree.Parse("team.json", []byte(`{"size": -4, "colour": "red"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var problems jsontree.Problems
	if team, ok := problems.Object(root, "team"); ok {
		team.Text("name")
		team.Whole("size")
		for _, m := range team.Rest() {
			fmt.Println("unknown:", m.Name)
		}
	}
	fmt.Println(problems.Err())
	// Output:
	// unknown: colour
	// team.json:1:1: team: name: missing, expected a text
	//   1 | {"size": -4, "colour": "red"}
	//     | ^
	// team.json:1:10: team: size: got -4, expected a whole number from 0 to 4294967295
	//   1 | {"size": -4, "colour": "red"}
	//     |          ^
}
