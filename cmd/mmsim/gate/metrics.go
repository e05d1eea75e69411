package gate

import (
	"slices"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/outcome"
)

// CheckMetrics returns an error if metrics, which are listed under key, contain metrics that
// no run has. It is called before anything is simulated.
func CheckMetrics(known []outcome.Metric, key string, metrics []yamltree.Node) error {
	var faults []error
	for _, metric := range metrics {
		if !slices.ContainsFunc(known, func(m outcome.Metric) bool { return outcome.MatchesPattern(m.Name, metric.Text) }) {
			faults = append(faults, unknown(metric, key+": ", known))
		}
	}
	return value.Joined(faults)
}

// unknown returns the error for a metric that these runs do not have. If runs of other
// configurations have it, the error says so. Otherwise, it suggests the nearest name.
func unknown(n yamltree.Node, where string, known []outcome.Metric) error {
	all := slices.Concat(known, outcome.Metrics())
	if i := slices.IndexFunc(all, func(m outcome.Metric) bool { return outcome.PatternsMeet(n.Text, m.Name) }); i >= 0 {
		if when := all[i].When; when != "" {
			return n.Errorf("%sthese runs do not have the metric %q, which exists only with %s", where, n.Text, when)
		}
		return n.Errorf("%sthese runs do not have the metric %q: its group, or what it measures, does not occur in them", where, n.Text)
	}
	hint := input.DidYouMean(n.Text, outcome.Names(all))
	if hint == "" {
		hint = `; "mmsim help metrics" lists all metrics`
	}
	return n.Errorf("%sunknown metric %q%s", where, n.Text, hint)
}
