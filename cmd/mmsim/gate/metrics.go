package gate

import (
	"slices"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/outcome"
)

// CheckMetrics returns an error if metrics, which are listed under key, contain a metric that
// no run has. It is called before anything is simulated.
func CheckMetrics(known []outcome.Metric, key string, metrics []yamltree.Node) error {
	for _, metric := range metrics {
		if !slices.ContainsFunc(known, func(m outcome.Metric) bool { return outcome.MatchName(m.Name, metric.Text) }) {
			return unknown(metric, key+": ", known)
		}
	}
	return nil
}

// unknown returns the error for an unknown metric. It says if other configurations have the
// metric, or suggests the name nearest to a misspelling.
func unknown(n yamltree.Node, where string, known []outcome.Metric) error {
	all := slices.Concat(known, outcome.Metrics())
	if slices.ContainsFunc(all, func(m outcome.Metric) bool { return outcome.Meet(n.Text, m.Name) }) {
		return n.Errorf("%sthese runs do not have the metric %q: its group, or what it measures, does not occur in them", where, n.Text)
	}
	hint := input.DidYouMean(n.Text, outcome.Names(all))
	if hint == "" {
		hint = `; "mmsim help metrics" lists all metrics`
	}
	return n.Errorf("%sunknown metric %q%s", where, n.Text, hint)
}
