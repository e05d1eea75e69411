package decision

import (
	"cmp"

	"mmsim/reports/chart"
	"mmsim/reports/figure"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
	"mmsim/reports/result"
)

// Sides returns the pictures of both sides of a comparison: their distributions, and their maps. The
// titles say what the comparison says about the same numbers. Several queues are shown together, and a title
// says nothing about metrics that are meaningless over them.
func Sides(c *judge.Comparison, sides *[2]result.Sketch, coast figure.Coast) (plots []chart.Plot) {
	if p, ok := figure.PlotDistributions(sides, sidesTitle(c, "wait_first_s.p90", "rtt_ms.p90")); ok {
		plots = append(plots, p)
	}
	if p, ok := figure.PlotSideMaps(sides, sidesTitle(c, "rtt_ms.mean"), coast); ok {
		plots = append(plots, p)
	}
	for i := range plots {
		if c.HasQueues() {
			plots[i].Note = "all queues together; " + plots[i].Note
		}
	}
	return plots
}

// sidesTitle says how some metrics differ. It leaves out those that a comparison does not have.
func sidesTitle(c *judge.Comparison, names ...string) (title string) {
	for i := range c.Metrics {
		for _, name := range names {
			d := &c.Metrics[i]
			if d.Name != name || d.Runs == 0 || c.HasQueues() && judge.Pooled(name) {
				continue
			}
			if title == "" {
				title = "B: "
			} else {
				title += "; "
			}
			if d.Verdict.Shown() {
				title += phrase.Effect(d, true)
			} else {
				title += phrase.NoClaim(phrase.Metric(d.Name), d.Verdict)
			}
		}
	}
	return cmp.Or(title, "A and B, all queues together")
}
