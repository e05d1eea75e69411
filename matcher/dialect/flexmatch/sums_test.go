package flexmatch

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"mmsim/matcher/dialect/flexmatch/literaltest"
	"mmsim/matcher/dialect/vendor"
)

// sumRuleset draws a rule set with rules about averages and sums, for teams of fixed or variable
// size.
func (w generator) sumRuleset() string {
	w.sides = 1 + w.IntN(2)
	var rules, expansions []map[string]any
	for i := range 1 + w.IntN(2) {
		name := fmt.Sprint("R", i)
		r := map[string]any{"name": name, "type": "comparison", "operation": pick(w, operations...)}
		if w.IntN(4) > 0 {
			r = map[string]any{"name": name, "type": "distance", "maxDistance": 1 + w.IntN(5)}
			expansions = append(expansions, map[string]any{"target": fmt.Sprintf("rules[%s].maxDistance", name),
				"steps": []map[string]any{{"waitTimeSeconds": 10, "value": 1 + w.IntN(4)}, {"waitTimeSeconds": 20, "value": 1 + w.IntN(4)}}})
			if w.IntN(4) == 0 {
				r["minDistance"] = 1
			}
		}
		r["partyAggregation"] = pick(w, "min", "max", "avg")
		r["measurements"] = []string{w.sum(), w.sum()}[:1+w.IntN(2)]
		r["referenceValue"] = pick(w, any(w.sumOfOne()), any(w.sumOfOne()), any(w.IntN(10)))
		rules = append(rules, r)
	}
	if w.IntN(3) == 0 {
		rules = append(rules, map[string]any{"name": "All", "type": "compound", "statement": pick(w, "and(R0, R0)", "not(R0)")})
	}
	if w.IntN(3) == 0 {
		count := func() string { return "max(count(teams[" + pick(w, "red,side", "side,red") + "].players))" }
		rules = append(rules, map[string]any{"name": "Sizes", "type": "comparison", "operation": pick(w, "=", "<=", ">"),
			"measurements": []string{"count(teams[red].players)"}, "referenceValue": pick(w, any(count()), any(1+w.IntN(2)))})
	}
	red, side := 2+w.IntN(2), 1+w.IntN(2)
	red0, side0 := red, side // the minimum sizes
	if w.IntN(2) == 0 {
		red0, side0 = 1+w.IntN(red), 1+w.IntN(side)
	}
	text, err := json.Marshal(map[string]any{
		"ruleLanguageVersion": "1.0",
		"playerAttributes":    []map[string]any{{"name": "skill", "type": "number", "default": 5}, {"name": "level", "type": "number"}},
		"teams": []map[string]any{
			{"name": "red", "minPlayers": red0, "maxPlayers": red},
			{"name": "side", "minPlayers": side0, "maxPlayers": side, "quantity": w.sides},
		},
		"algorithm": map[string]any{"expansionAgeSelection": pick(w, "newest", "oldest")},
		"rules":     rules, "expansions": expansions,
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// sumOfOne draws an average or sum that gives one number.
func (w generator) sumOfOne() string {
	f := pick(w, "avg", "avg", "sum")
	switch w.IntN(3) {
	case 0:
		return f + "(" + w.path("skill", false) + ")"
	case 1:
		return f + "(flatten(" + w.path("skill", true) + "))"
	}
	return pick(w, "min", "max", "avg", "sum") + "(" + f + "(" + w.path("skill", true) + "))"
}

// sum draws an average or sum that gives one number or, sometimes, one number per team.
func (w generator) sum() string {
	if w.IntN(2) == 0 {
		return w.sumOfOne()
	}
	return pick(w, "avg", "sum") + "(" + w.path("skill", true) + ")"
}

// The engine bounds the averages and sums that a group may still reach. It must make the same
// matches as the twin, which tries all groups.
func TestSumsAgreeWithTheTwin(t *testing.T) {
	const scenes = 500
	matches, backfills, refused := 0, 0, int64(0)
	for seed := range uint64(scenes) {
		w := generator{rand.New(rand.NewPCG(seed, 25)), true, 0}
		text := w.sumRuleset()
		set, _, err := read("f.json", []byte(text), vendor.CompileOptions{Strict: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		g, twin := w.scene(3+w.IntN(4)), literaltest.Read([]byte(text))
		if seed%2 == 0 {
			w.sessions(g, twin)
		}
		s := scenario{t: t, g: g, twin: twin, set: set}
		want := s.pass()
		pool := newPool(t, set.Rules(ample, 0), set)
		got := poolPass(t, set, pool, g)
		if !same(&want, &got) {
			scene, _ := json.Marshal(g)
			t.Fatalf("seed %d:\ngot  %+v\nwant %+v\n%s\n%s", seed, got, want, text, scene)
		}
		matches += len(want.Matches)
		backfills += len(want.Backfills)
		refused += pool.Evaluations()[0].Failed
	}
	if matches < scenes/5 || backfills < scenes/40 || refused < scenes {
		t.Errorf("got %d matches, %d backfills and %d refusals in %d scenes, want at least a match in 5, a backfill in 40 and a refusal per scene", matches, backfills, refused, scenes)
	}
}
