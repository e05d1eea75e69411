package casefile

import (
	"encoding/json"
	"strings"
	"testing"

	"mmsim/matcher/dialect/vendor"
)

// rankedScene has four tickets of a PlayFab queue. Skill has weight 2 and a threshold of 100, so that
// a difference of 30 has distance 0.6.
const rankedScene = `{"rules": {"Name": "q", "MinMatchSize": 4, "MaxMatchSize": 4, "ServerAllocationEnabled": false,
	"DifferenceRules": [{"Name": "Skill", "Weight": 2, "Attribute": {"Path": "s", "Source": "User"}, "Difference": 100, "MergeFunction": "Average", "AttributeNotSpecifiedBehavior": "MatchAny"}],
	"StringEqualityRules": [{"Name": "Build", "Weight": 1, "Attribute": {"Path": "b", "Source": "User"}, "AttributeNotSpecifiedBehavior": "MatchAny"}]},
	"at": 9, "tickets": [
	{"id": "a", "created_at": 0, "players": [{"id": "pa", "attributes": {"s": 100, "b": "x"}}]},
	{"id": "b", "created_at": 1, "players": [{"id": "pb", "attributes": {"s": 150, "b": "x"}}]},
	{"id": "c", "created_at": 2, "players": [{"id": "pc", "attributes": {"s": 70, "b": "x"}}]},
	{"id": "d", "created_at": 3, "players": [{"id": "pd", "attributes": {"s": 100, "b": "y"}}]}]}`

// An explanation has the distance and the rank of every candidate. A ticket that is kept apart is no
// candidate.
func TestExplainedRanks(t *testing.T) {
	_, list := explain(t, rankedScene)
	text, err := json.Marshal(list[0].Others)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`"ticket":"b","because":"compatible","until_s":null,"distance":1,"rank":2`, `"ticket":"c","because":"compatible","until_s":null,"distance":0.6,"rank":1`, ""} {
		o := list[0].Others[i]
		if want == "" && (o.Rule != "Build" || o.Distance != nil || o.Rank != 0) || !strings.Contains(string(text), want) {
			t.Errorf("%s: got %s, want %s", o.Ticket, text, want)
		}
	}
}

// An outcome has the number of partitions if the pass divided the tickets: one for each build.
func TestPartitionsAreReported(t *testing.T) {
	c, err := Read("case.json", []byte(rankedScene), nil)
	if err != nil {
		t.Fatal(err)
	}
	for above, want := range map[int]int{0: 0, 2: 2, 4: 0} {
		outcome, err := c.Run(vendor.CompileOptions{PartitionAbove: above})
		if err != nil || outcome.Partitions != want {
			t.Errorf("above %d tickets: got %d partitions (error %v), want %d", above, outcome.Partitions, err, want)
		}
	}
}
