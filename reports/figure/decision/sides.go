package decision

import (
	"cmp"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/figure"
	"mmsim/reports/figure/events"
	"mmsim/reports/figure/season"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
	"mmsim/reports/result"
)

// Sides returns the pictures of both sides of a comparison: their distributions, maps and seasons, and the minutes
// around their events. The titles say what the comparison says about the same numbers. Several queues are shown together, and a title
// says nothing about metrics that are meaningless over them.
func Sides(c *judge.Comparison, sides *[2]result.Sketch, coast figure.Coast) (plots []chart.Plot) {
	if p, ok := figure.PlotDistributions(sides, sidesTitle(c, "wait_first_s.p90", "rtt_ms.p90")); ok {
		plots = append(plots, p)
	}
	if p, ok := figure.PlotSideMaps(sides, sidesTitle(c, "rtt_ms.mean"), coast); ok {
		plots = append(plots, p)
	}
	plots = append(plots, seasons(c, sides)...)
	plots = append(plots, events.Sides(sides, figure.SideColours)...)
	for i := range plots {
		if c.HasQueues() {
			plots[i].Note = "all queues together; " + plots[i].Note
		}
	}
	return plots
}

// seasonTitles has the metrics in the title of each picture of a season.
var seasonTitles = map[string][]string{
	season.Rating:      {"season.rating.correlation", "season.rating.slope"},
	season.Calibration: {"season.prediction.calibration_error", "season.prediction.log_loss"},
	season.Stay:        {"season.stay.d1", "season.stay.d7"},
	season.Days:        {"season.rating.sd", "season.persons.end"},
	season.Converge:    {"season.rating.error"},
}

// seasons returns the pictures of both seasons, if both sides have one.
func seasons(c *judge.Comparison, sides *[2]result.Sketch) []chart.Plot {
	values := [2]map[string]float64{{}, {}}
	for i := range c.Metrics {
		d := &c.Metrics[i]
		values[0][d.Name], values[1][d.Name] = float64(d.A), float64(d.B)
	}
	both := make([]season.Side, 2)
	for i, name := range [...]string{"A", "B"} {
		both[i] = season.Side{Name: name, Ratings: sides[i].Ratings, Predictions: sides[i].Predictions, Value: season.From(values[i])}
	}
	plots := season.Plots(both)
	for i := range plots {
		of := slices.Clone(seasonTitles[plots[i].Name])
		if !season.Comparable(both) {
			of = slices.DeleteFunc(of, func(name string) bool { return name == "season.rating.slope" || name == "season.rating.sd" })
		}
		plots[i].Title = sidesTitle(c, of...)
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
