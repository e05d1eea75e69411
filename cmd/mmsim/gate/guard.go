package gate

import (
	"fmt"
	"strings"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// noGuard is the value of the key guard that lets every combination be the best.
const noGuard = "none"

// guardDefault is how much larger than the smallest the share of searches without a match may be,
// unless the guard sets it.
var guardDefault = value.Amount{X: 0.01, Form: value.AmountPoints}

// DefaultGuard returns the guard of a sweep or tuning whose file does not have the key.
func DefaultGuard() File {
	return File{Lines: []Line{{
		Key: yamltree.Node{Kind: yamltree.Plain, Text: judge.Unmatched}, guard: true,
		bounds: []Bound{{kind: judge.LimitMaxIncrease, amount: guardDefault}},
	}}}
}

// Guard returns the Value of the key guard of a sweep or tuning, a mapping of metrics to how much worse
// than a reference they may be:
//
//	guard: {rtt_ms.share_le_100: 2pp, wait_s.p95: 10%}
//
// g has a limit on the change from the reference for each of them. The guard of judge.Unmatched remains
// in force unless the mapping sets it, and is the first.
func Guard(g *File) value.Value {
	v := value.Choice(new(string), []string{noGuard}).Then(func() { *g = File{} })
	v = v.Or(value.NotEmpty(value.Entries("", func() { *g = DefaultGuard() }, func() value.Value { return value.AmountOf(new(value.Amount)) }, g.guarded)))
	v.Expects = fmt.Sprintf("none, or a mapping of metrics to amounts such as {%s: 1pp}", judge.Unmatched)
	takes := value.AmountOf(nil).Schema
	v.Schema = func() value.Schema {
		metrics := map[string]value.Schema{}
		for _, m := range outcome.Metrics() {
			if m.Better != outcome.BetterNot && !strings.Contains(m.Name, "*") {
				metrics[m.Name] = takes().With("description", m.Meaning)
			}
		}
		metrics[judge.Unmatched] = value.AnySchema(value.WordsSchema([]string{noGuard}), takes())
		return value.AnySchema(value.WordsSchema([]string{noGuard}), value.MapSchema(takes()).With("properties", metrics).With("minProperties", 1))
	}
	return v
}

// guarded returns the Value of one metric of a guard. The limit is on its change in the worse direction.
func (g *File) guarded(key yamltree.Node) (value.Value, error) {
	kind := judge.LimitMaxIncrease
	at := key
	at.Path = "guard"
	switch m, known := outcome.Find(key.Text); {
	case strings.Contains(key.Text, "*"):
		return value.Value{}, at.Errorf("got %q, expected the name of one metric, without a star", key.Text)
	case known && m.Better == outcome.BetterNot:
		return value.Value{}, at.Errorf("%s is neither better when it is lower nor when it is higher, expected a metric that is", key.Text)
	case m.Better == outcome.BetterHigher:
		kind = judge.LimitMaxDecrease
	}
	bound := Bound{kind: kind}
	v := value.At(&bound.at, value.AmountOf(&bound.amount)).Then(func() {
		bound.at.Path = "" // messages say it in another way
		if key.Text == judge.Unmatched {
			g.Lines[0] = Line{Key: key, guard: true, bounds: []Bound{bound}}
			return
		}
		g.Lines = append(g.Lines, Line{Key: key, guard: true, bounds: []Bound{bound}})
	})
	if key.Text == judge.Unmatched {
		v = v.OrWord(noGuard, func() bool { return len(g.Lines) == 0 }, func(isWord bool) {
			if isWord {
				g.Lines = g.Lines[1:]
			}
		})
	}
	return v, nil
}
