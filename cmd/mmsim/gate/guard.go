package gate

import (
	"strings"

	"mmsim/cmd/mmsim/schema"
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

// ReadGuard reads the key guard of a sweep or tuning, a mapping of metrics to how much worse than a
// reference they may be:
//
//	guard: {rtt_ms.share_le_100: 2pp, wait_s.p95: 10%}
//
// The result has a limit on the change from the reference for each of them. The guard of
// judge.Unmatched remains in force unless the mapping sets it, and is the first.
func ReadGuard(n yamltree.Node) (File, error) {
	g := DefaultGuard()
	if n.Kind <= yamltree.Text && n.Text == noGuard {
		return File{}, nil
	}
	if n.Kind != yamltree.Mapping || len(n.Entries) == 0 {
		return g, n.Errorf("guard: got %s, expected none, or a mapping of metrics to amounts such as {%s: 1pp}", n, judge.Unmatched)
	}
	for _, e := range n.Entries {
		if e.Key.Text == judge.Unmatched {
			g.Lines = g.Lines[1:]
			if e.Value.Kind <= yamltree.Text && e.Value.Text == noGuard {
				continue
			}
		}
		line, err := readGuarded(e)
		if err != nil {
			return g, err
		}
		if e.Key.Text == judge.Unmatched {
			g.Lines = append([]Line{line}, g.Lines...)
		} else {
			g.Lines = append(g.Lines, line)
		}
	}
	return g, nil
}

// readGuarded reads one metric of a guard. The limit is on its change in the worse direction.
func readGuarded(e yamltree.Entry) (Line, error) {
	line := Line{Key: e.Key, guard: true}
	kind := judge.LimitMaxIncrease
	switch m, known := outcome.Find(e.Key.Text); {
	case strings.Contains(e.Key.Text, "*"):
		return line, e.Key.Errorf("guard: got %q, expected the name of one metric, without a star", e.Key.Text)
	case known && m.Better == outcome.BetterNot:
		return line, e.Key.Errorf("guard: %s is neither better when it is lower nor when it is higher, expected a metric that is", e.Key.Text)
	case m.Better == outcome.BetterHigher:
		kind = judge.LimitMaxDecrease
	}
	amount, err := value.ReadAmount(e.Value)
	if err != nil {
		return line, e.Value.Errorf("guard: %s: got %v, expected %s", e.Key.Text, err, value.AmountExpects)
	}
	line.bounds = []Bound{{kind, e.Value, amount}}
	return line, nil
}

// GuardSchema returns the JSON Schema of the key guard.
func GuardSchema() schema.Schema {
	metrics := map[string]schema.Schema{}
	for _, m := range outcome.Metrics() {
		if m.Better != outcome.BetterNot && !strings.Contains(m.Name, "*") {
			metrics[m.Name] = value.AmountSchema().With("description", m.Meaning)
		}
	}
	metrics[judge.Unmatched] = schema.Any(schema.Words([]string{noGuard}), value.AmountSchema())
	return schema.Any(schema.Words([]string{noGuard}), schema.Map(value.AmountSchema()).With("properties", metrics).With("minProperties", 1))
}
