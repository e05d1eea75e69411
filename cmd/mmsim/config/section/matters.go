package section

import (
	"cmp"
	"fmt"
	"slices"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// MattersKey is the key of the differences that matter. They decide how results are compared, not what is
// simulated, so they are no part of the configuration's hash.
const MattersKey = "report.matters"

// Matters has the smallest differences that matter to the user, in the order of their patterns.
type Matters []metricAmount

// metricAmount is the amount that matters in the metrics that match a pattern.
type metricAmount struct {
	pattern string
	amount  value.Amount
}

// List returns the differences for comparisons.
func (m Matters) List() judge.MattersList {
	var list judge.MattersList
	for _, entry := range m {
		of := outcome.Matters{Relative: entry.amount.X}
		if entry.amount.Form != value.AmountPercent {
			of = outcome.Matters{}
			for _, metric := range outcome.Metrics() {
				if outcome.PatternsMeet(entry.pattern, metric.Name) {
					of.Absolute, _ = entry.amount.In(metric.Unit)
					break
				}
			}
		}
		list = append(list, judge.MattersFor{Pattern: entry.pattern, Matters: of})
	}
	return list
}

// set replaces the amount of a pattern.
func (m *Matters) set(pattern string, amount value.Amount) {
	*m = append(slices.DeleteFunc(slices.Clone(*m), func(e metricAmount) bool { return e.pattern == pattern }), metricAmount{pattern, amount})
	slices.SortFunc(*m, func(a, b metricAmount) int { return cmp.Compare(a.pattern, b.pattern) })
}

// Settings returns the key of the section.
func (m *Matters) Settings() []value.Key {
	return []value.Key{value.Named(MattersKey, "smallest differences that matter in comparisons, sweeps and tunings, by metric; a smaller difference is \"no difference that matters\". Without an entry: 5 % and at least 0.2 s for waits, 2 % and at least 1 ms for RTTs, 0.5 pp for shares, 1 % for counts", m.value())}
}

// value returns the setting for the differences that matter.
func (m *Matters) value() value.Value {
	entry := func(key yamltree.Node) (value.Value, error) {
		units, err := unitsOf(key)
		var amount value.Amount
		return value.AmountOf(&amount).Checked(func(n yamltree.Node) error {
			for _, unit := range units {
				if _, wants := amount.In(unit); wants != "" {
					return fmt.Errorf("%s: %s %s; in general", n, key.Text, wants)
				}
			}
			if amount.Form != value.AmountPercent && len(units) > 1 {
				return fmt.Errorf("%s for metrics that have several units", n)
			}
			m.set(key.Text, amount)
			return nil
		}), err
	}
	v := value.Entries("a mapping of metrics to differences, such as {wait_s.mean: 0.5s, rtt_ms.*: 2%}", func() { *m = nil }, func() value.Value { return value.AmountOf(new(value.Amount)) }, entry)
	v.Dotted = true
	v.Unset = func() bool { return len(*m) == 0 }
	v.Write = func(string) any {
		written := map[string]string{}
		for _, entry := range *m {
			written[entry.pattern] = entry.amount.String()
		}
		return written
	}
	return v
}

// unitsOf returns the units of the metrics that match a pattern, each once.
func unitsOf(of yamltree.Node) ([]outcome.Unit, error) {
	var units []outcome.Unit
	for _, m := range outcome.Metrics() {
		unit := m.Unit
		if unit.Sign() == "" { // counts of different things may share a number
			unit = outcome.UnitNone
		}
		if outcome.PatternsMeet(of.Text, m.Name) && !slices.Contains(units, unit) {
			units = append(units, unit)
		}
	}
	if len(units) == 0 {
		return nil, fmt.Errorf("%s, which is no metric%s", of, input.DidYouMean(of.Text, outcome.Names(outcome.Metrics())))
	}
	return units, nil
}
