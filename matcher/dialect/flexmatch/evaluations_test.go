package flexmatch

import (
	"fmt"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/engine"
)

// Three tickets have the skills 1, 50 and 2. The search begins with skill 1, the oldest, rejects
// 50, adds 2, and checks the complete match once more. A rule in a compound is counted each time
// the compound evaluates it.
func TestEvaluationsAreCounted(t *testing.T) {
	const cap = `"type": "comparison", "measurements": ["max(flatten(teams[*].players.attributes[skill]))"], "operation": "<=", "referenceValue": 10`
	for _, test := range []struct{ rules, want string }{
		{`{"name": "Cap", ` + cap + `}`, "[{3 1} {0 0}]"},
		{`{"name": "Cap", ` + cap + `}, {"name": "Both", "type": "compound", "statement": "and(Cap, Cap)"}`, "[{6 1} {3 1} {0 0}]"},
	} {
		set, _, err := read("f.json", []byte(`{"ruleLanguageVersion": "1.0",
			"playerAttributes": [{"name": "skill", "type": "number"}], "rules": [`+test.rules+`],
			"teams": [{"name": "red", "minPlayers": 1, "maxPlayers": 1}, {"name": "blue", "minPlayers": 1, "maxPlayers": 1}]}`), vendor.CompileOptions{Strict: true})
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
			t.Errorf("got %d matches and evaluations %v, want 1 and %s", len(out.Matches), pool.Evaluations(), test.want)
		}
	}
}

// If a compound contains a latency rule, the rules choose the region. Players need latencies only
// if the compound joins the latency rule to other rules only by "and". In a run that does not
// choose a region, latency rules are always true.
func TestLatencyInACompound(t *testing.T) {
	for _, test := range []struct {
		statement string
		needs     bool
	}{{"or(Fast, Slow)", false}, {"not(Fast)", false}, {"or(and(Fast, Slow), Slow)", false}, {"and(Fast, Slow)", true}, {"and(Slow, and(Slow, Fast))", true}, {"and(Fast, not(Slow))", true}} {
		set := readSkilled(t, `"rules": [{"name": "Fast", "type": "latency", "maxLatency": 100},
			{"name": "Slow", "type": "comparison", "measurements": ["max(flatten(teams[*].players.attributes[skill]))"], "operation": "<", "referenceValue": 0},
			{"name": "Both", "type": "compound", "statement": "`+test.statement+`"}], `+duel)
		rules := set.Rules(0, 0)
		if q := set.capabilities(rules); !q.ReadsLatencies || !q.PicksRegion || q.NeedsLatencies != test.needs {
			t.Errorf("%s: got ReadsLatencies %v, PicksRegion %v, NeedsLatencies %v; want true, true, %v", test.statement, q.ReadsLatencies, q.PicksRegion, q.NeedsLatencies, test.needs)
		}
		pool, err := engine.NewPool(rules.WithoutRegion(), set.Schema)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			attributes, _ := jsontree.Parse("player", []byte(`{"skill": 1}`))
			p, err := set.Player("p", attributes)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := pool.Add(matcher.Ticket{Players: []matcher.Player{p}}); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]int{"or(Fast, Slow)": 1, "and(Fast, not(Slow))": 1}[test.statement]
		if out := pool.Pass(1000); len(out.Matches) != want {
			t.Errorf("%s: got %d matches without regions, want %d", test.statement, len(out.Matches), want)
		}
	}
}
