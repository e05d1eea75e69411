package search

import (
	"slices"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// siteGoals has the keys of a site file that a sweep file does not have. A site file describes a sweep
// over sets of datacenters:
//
//	config: mmsim.yaml
//	count: {from: 3, to: 8}
//	always: [frankfurt]
//	minimise: [fleet.cost_per_day, rtt_ms.p95]
//	constraints: {rtt_ms.share_le_100: {min: 95%}}
type siteGoals struct {
	minimise    []yamltree.Node
	constraints gate.File
}

// DefaultSiteRuns is the default number of replications of each set.
const DefaultSiteRuns = 2

// siteGoalsUsual are the goals of a site file without minimise, besides the cost.
var siteGoalsUsual = []string{"rtt_ms.mean", "wait_first_s.p95"}

// newSite returns the sweep of a site file that sets nothing.
func newSite(file string, overrides []config.Override) *sweepSpec {
	return &sweepSpec{
		name: file, overrides: overrides, runs: DefaultSiteRuns, guard: gate.DefaultGuard(),
		site: &siteGoals{constraints: gate.File{Name: file}}, axes: []axis{{best: newBestSets()}},
	}
}

// readSite reads a site file, as readSweep does a sweep file.
func readSite(file string, overrides []config.Override) (*sweepSpec, error) {
	s := newSite(file, overrides)
	a := &s.axes[0]
	if err := value.At(&a.best.at, s.siteKeys().Value()).ReadRoot(yamltree.ReadFile(file)); err != nil {
		return nil, err
	}
	a.key = a.best.at
	a.key.Kind, a.key.Text, a.key.Entries = yamltree.Plain, judge.UseKey, nil
	for _, share := range sharesOfRTT {
		named := func(n yamltree.Node) bool { return n.Text == share.metric }
		if slices.ContainsFunc(s.site.minimise, named) || slices.ContainsFunc(s.site.constraints.Lines, func(l gate.Line) bool { return named(l.Key) }) {
			a.best.by = append(a.best.by, share.metric)
		}
	}
	return s, s.checkOverridden()
}

// siteKeys has the keys of a site file.
func (s *sweepSpec) siteKeys() *value.Object {
	minimise := MetricsOf(&s.site.minimise).Checked(func(yamltree.Node) error {
		if len(s.site.minimise) <= GoalsMax {
			return nil
		}
		return s.site.minimise[GoalsMax].Errorf("minimise: %d metrics, expected at most %d", len(s.site.minimise), GoalsMax)
	}).Taking(func(s value.Schema) value.Schema { return s.With("maxItems", GoalsMax) })
	return &value.Object{
		Expects: "a mapping with count",
		Keys: append(append([]value.Key{
			value.Named("config", "the configuration whose datacenters to choose from", value.Required(value.At(&s.configAt, value.Path(&s.config, "the name of a file"))))},
			s.axes[0].best.keys()...),
			value.Named("runs", "number of replications of each set", value.Whole(&s.runs, 1, experiment.ReplicationsMax)),
			value.Named("minimise", "one to three metrics to improve; the default is the cost, or the number of datacenters if there are no prices, then rtt_ms.mean and wait_first_s.p95", minimise),
			value.Named("constraints", "metrics and the limits that a good set meets, as in a gate file", gate.Constraints(&s.site.constraints)),
			value.Named("guard", "how much worse than the best set another may be and still be good, by metric", gate.Guard(&s.guard))),
	}
}

// SiteKeys lists the keys at the top of site files.
func SiteKeys() []string { return newSite("", nil).siteKeys().Names() }

// SiteSchema returns the JSON Schema of site files.
func SiteSchema() value.Schema {
	definitions, _ := gate.Definition(false)
	definitions["metric"] = gate.MetricSchema()
	return newSite("", nil).siteKeys().Schema().With("definitions", definitions)
}

// siteSection is what the plan of a site search has besides that of a sweep.
type siteSection struct {
	Goals    []string      `json:"goals"`
	Bounds   []judge.Limit `json:"constraints,omitempty"`
	Removals *siteRemovals `json:"removals,omitempty"` // nil until they are simulated
}

// section checks the goals and limits against the metrics that runs have.
func (g *siteGoals) section(base *experiment.Inputs) (*siteSection, error) {
	known := base.Metrics()
	limits, fault := g.constraints.Limits(known, true)
	if err := value.Joined([]error{gate.CheckMetrics(known, "minimise", g.minimise), fault}); err != nil {
		return nil, err
	}
	if err := g.checkGoals(); err != nil {
		return nil, err
	}
	s := &siteSection{Bounds: limits}
	for i, l := range limits {
		if l.Kind.NeedsBaseline() {
			return nil, yamltree.Node{From: g.constraints.Lines[0].Key.From, Line: l.Line, Column: l.Column}.
				Errorf("constraints: %s.%s needs a baseline, expected max or min", limits[i].Pattern, l.Kind)
		}
	}
	for _, n := range g.minimise {
		s.Goals = append(s.Goals, n.Text)
	}
	if len(s.Goals) == 0 {
		s.Goals = append(s.Goals, siteGoalsUsual...)
	}
	isKnown := slices.ContainsFunc(known, func(m outcome.Metric) bool { return m.Name == judge.CostMetric })
	switch {
	case slices.Contains(s.Goals, judge.CostMetric):
		s.Goals = append([]string{judge.CostMetric}, slices.DeleteFunc(s.Goals, func(goal string) bool { return goal == judge.CostMetric })...)
	case isKnown && len(g.minimise) == 0:
		s.Goals = append([]string{judge.CostMetric}, s.Goals...)
	default:
		s.Goals = append([]string{judge.SitesGoal}, s.Goals...)
	}
	return s, nil
}

// checkGoals rejects a goal twice and goals without a better direction.
func (g *siteGoals) checkGoals() error {
	for i, n := range g.minimise {
		switch {
		case slices.ContainsFunc(g.minimise[:i], func(other yamltree.Node) bool { return other.Text == n.Text }):
			return n.Errorf("minimise: %s is listed twice, expected it once", n.Text)
		case outcome.BetterOf(n.Text) == outcome.BetterNot:
			return n.Errorf("minimise: neither a higher nor a lower %s is better, expected a metric that has a better direction", n.Text)
		}
	}
	return nil
}

// metrics lists the metrics of the goals and limits, each once.
func (s *siteSection) metrics() (list []string) {
	for _, goal := range s.Goals {
		if goal != judge.SitesGoal {
			list = append(list, goal)
		}
	}
	for _, l := range s.Bounds {
		if !slices.Contains(list, l.Name) {
			list = append(list, l.Name)
		}
	}
	return list
}
