// Package season draws the pictures of a season: what the ratings have learned about skill, whether
// predictions come true, who stays, how the days differ, and how fast ratings converge. Each picture
// shows one run, or both sides of a comparison.
package season

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// A Side is a run, or one side of a comparison.
type Side struct {
	Name        string // A or B; "" if there is only one
	Ratings     []result.RatingCell
	Predictions []result.PredictionBin
	Value       func(metric string) float64 // NaN if it was not measured
}

// Run returns the only side of pictures of a run.
func Run(r *result.Result) []Side {
	values := map[string]float64{}
	for _, v := range r.Summary.MetricValues() {
		values[v.Name] = v.Value
	}
	return []Side{{Ratings: r.Ratings, Predictions: r.Predictions, Value: From(values)}}
}

// From returns the Value of a Side whose metrics are in a map.
func From(values map[string]float64) func(metric string) float64 {
	return func(metric string) float64 {
		if v, has := values[metric]; has {
			return v
		}
		return math.NaN()
	}
}

// Names of the pictures.
const (
	Rating      = "season-rating"
	Calibration = "season-calibration"
	Stay        = "season-stay"
	Days        = "season-days"
	Converge    = "season-converge"
)

// Plots returns the pictures in reading order. It leaves out those for which a side has no numbers, such
// as one of an earlier version. The titles are about the first side.
func Plots(sides []Side) (plots []chart.Plot) {
	for _, draw := range []func([]Side) (chart.Plot, bool){ratingPlot, calibrationPlot, stayPlot, daysPlot, convergePlot} {
		if p, ok := draw(sides); ok {
			plots = append(plots, p)
		}
	}
	return plots
}

// Comparable reports whether the ratings of all sides have the same scale, which depends on the rating
// system and on season.scale.
func Comparable(sides []Side) bool {
	scale := sides[0].Value("season.rating.slope_perfect")
	return every(sides, func(s *Side) bool { return !(math.Abs(s.Value("season.rating.slope_perfect")-scale) > 0.01*scale) })
}

// Colours of the sides: of what matters most, and of what is around it.
var (
	strong = [...]color.RGBA{chart.Blue, chart.Orange}
	pale   = [...]color.RGBA{chart.Sky, chart.Ramp[2]}
)

// named returns the text of a legend about the side.
func (s *Side) named(text string) string {
	if s.Name == "" {
		return text
	}
	return s.Name + ", " + text
}

// key returns the entries of the legend for the sides: a line for what matters most and, if around is not
// "", something in the pale colour.
func key(sides []Side, line, around string) (list []chart.KeyEntry) {
	for i := range sides {
		s := &sides[i]
		list = append(list, chart.KeyEntry{Text: s.named(line), Colour: strong[i], Line: true})
		if around != "" {
			list = append(list, chart.KeyEntry{Text: s.named(around), Colour: pale[i], Line: true})
		}
	}
	return list
}

// every reports whether a condition holds for all sides.
func every(sides []Side, holds func(s *Side) bool) bool {
	return !slices.ContainsFunc(sides, func(s Side) bool { return !holds(&s) })
}

// list returns the values of a metric of a list, such as season.by_day.*.visits. The list ends before the
// first index that has neither this metric nor the one in countOf.
func (s *Side) list(block, metric string) (values []float64) {
	for i := 0; ; i++ {
		v := s.Value("season." + block + "." + strconv.Itoa(i) + "." + metric)
		if math.IsNaN(v) && math.IsNaN(s.Value("season."+block+"."+strconv.Itoa(i)+"."+countOf[block])) {
			return values
		}
		values = append(values, v)
	}
}

// countOf names, for each list, a metric that all its items have.
var countOf = map[string]string{"by_day": "visits", "by_skill_decile": "persons"}

// band draws what lies around a line of a side: an area if it is the only one, and its edges, which have
// the names of the lower and the upper one.
func band(p chart.Panel, sides []Side, i int, xs, low, high []float64, names [2]string) {
	if len(sides) == 1 {
		p.Between(chart.Grid, xs, low, high)
	}
	p.CurveOf(sides[i].named(names[0]), pale[i], 1.2, xs, low)
	p.CurveOf(sides[i].named(names[1]), pale[i], 1.2, xs, high)
}

// axis returns a scale from lo to hi that includes all values, with a little room, and its ticks.
func axis(lo, hi float64, ticks int, values ...[]float64) (chart.Scale, []chart.Tick) {
	low, high := chart.Extent(values...)
	if high < low {
		low, high = 0, 1
	}
	room := max((high-low)/20, math.Abs(high)*1e-3, 1e-6)
	a := chart.Scale{Min: low - room, Max: high + room, Lo: lo, Hi: hi}
	return a, chart.TicksWithin(a.Min, a.Max, ticks)
}

// percentAxis is like axis for shares.
func percentAxis(lo, hi float64, ticks int, values ...[]float64) (chart.Scale, []chart.Tick) {
	a, _ := axis(lo, hi, ticks, values...)
	a.Min, a.Max = max(a.Min, 0), min(a.Max, 1)
	list := chart.InUnit(chart.TicksWithin(100*a.Min, 100*a.Max, ticks), " %")
	for i := range list {
		list[i].Value /= 100
	}
	return a, list
}

func share(x float64) outcome.Share { return outcome.RoundShare(x) }

// dayTicks returns ticks at whole days from 1.
func dayTicks(days int) (ticks []chart.Tick) {
	step := 1
	for _, longer := range [...]int{2, 7, 14, 28, 56} {
		if days/step > 16 {
			step = longer
		}
	}
	for day := 1; day <= days; day += step {
		ticks = append(ticks, chart.Tick{Value: float64(day), Label: fmt.Sprint(day)})
	}
	return ticks
}
