package flexmatch

import (
	"fmt"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/engine"
)

// The oldest of skills 1, 50 and 2 is seated, 50 is refused beside it, 2 is seated, and the
// complete match is looked at once more. A rule in a compound counts as often as it.
func TestEvaluationsAreCounted(t *testing.T) {
	const cap = `"type": "comparison", "measurements": ["max(flatten(teams[*].players.attributes[skill]))"], "operation": "<=", "referenceValue": 10`
	for _, test := range []struct{ rules, want string }{
		{`{"name": "Cap", ` + cap + `}`, "[{3 1} {0 0}]"},
		{`{"name": "Cap", ` + cap + `}, {"name": "Both", "type": "compound", "statement": "and(Cap, Cap)"}`, "[{6 1} {3 1} {0 0}]"},
	} {
		set, _, err := Read("f.json", []byte(`{"ruleLanguageVersion": "1.0",
			"playerAttributes": [{"name": "skill", "type": "number"}], "rules": [`+test.rules+`],
			"teams": [{"name": "red", "minPlayers": 1, "maxPlayers": 1}, {"name": "blue", "minPlayers": 1, "maxPlayers": 1}]}`), Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		pool, err := engine.NewPool(set.Rules(0, 0), set.Schema)
		if err != nil {
			t.Fatal(err)
		}
		for i, skill := range []int{1, 50, 2} {
			attributes, _ := jsontree.Parse("player", fmt.Appendf(nil, `{"skill": %d}`, skill))
			p, err := set.Player(fmt.Sprint(i), attributes)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := pool.Add(matcher.Ticket{CreatedMS: int64(i), Players: []matcher.Player{p}}); err != nil {
				t.Fatal(err)
			}
		}
		if out := pool.Pass(1000); len(out.Matches) != 1 || fmt.Sprint(pool.Evaluations()) != test.want {
			t.Errorf("%d matches, evaluations %v, want 1 and %s", len(out.Matches), pool.Evaluations(), test.want)
		}
	}
}

// A latency rule in a compound reads latencies, but settles neither where a match is played
// nor that everybody has them.
func TestLatencyInACompoundReadsLatencies(t *testing.T) {
	set := readSkilled(t, `"rules": [{"name": "Fast", "type": "latency", "maxLatency": 100}, {"name": "Slow", "type": "latency", "maxLatency": 10},
		{"name": "Either", "type": "compound", "statement": "or(Fast, not(Slow))"}], `+duel)
	if q := set.capabilities(set.Rules(0, 0)); !q.ReadsLatencies || q.PicksRegion || q.NeedsLatencies {
		t.Errorf("reads latencies %v, picks the region %v, needs them %v; want true, false, false", q.ReadsLatencies, q.PicksRegion, q.NeedsLatencies)
	}
}
