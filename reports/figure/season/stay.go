package season

import (
	"fmt"
	"math"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/estimate"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// stayPanel is the height of a panel with its heading and its axis.
const stayPanel = 176

// stayDays are the numbers of days whose shares are known by skill.
var stayDays = []int{1, 7, 14}

// stayPlot shows how many persons stay, by tenth of skill.
func stayPlot(sides []Side) (chart.Plot, bool) {
	var panels []int
	for _, days := range stayDays {
		if every(sides, func(s *Side) bool { return known(s.stay(days)) }) {
			panels = append(panels, days)
		}
	}
	if len(panels) == 0 {
		return chart.Plot{}, false
	}
	p := chart.Plot{
		Name: Stay, Title: stayTitle(&sides[0], panels),
		Note:   "persons of day 0 who have not quit, by tenth of hidden skill; they quit by the model of retention that you set",
		Height: chart.HeadingHeight + float64(stayPanel*float64(len(panels))) + chart.Margin,
	}
	if len(sides) > 1 {
		p.Key = key(sides, "still playing", "")
		p.Height += 26
	} else {
		p.Note += "; 95 % intervals as if persons decided independently"
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		for i, days := range panels {
			drawStay(s, top+float64(stayPanel*float64(i)), days, sides)
		}
	}
	return p, true
}

// stay returns the share of persons who stay some days, by tenth.
func (s *Side) stay(days int) []float64 {
	return s.list("by_skill_decile", fmt.Sprintf("stay_d%d", days))
}

// known reports whether at least one value is known.
func known(values []float64) bool {
	return slices.ContainsFunc(values, func(v float64) bool { return !math.IsNaN(v) })
}

// stayTitle says how many persons stay, and how the lowest and the highest tenth differ.
func stayTitle(s *Side, panels []int) string {
	days := panels[0]
	if len(panels) > 1 {
		days = panels[1] // a week, if the season is long enough
	}
	tenths := s.stay(days)
	text := fmt.Sprintf("After %s, %s still play", words.Plural(days, "day"), words.Percent(share(s.Value(fmt.Sprintf("season.stay.d%d", days)))))
	if first, last := tenths[0], tenths[len(tenths)-1]; len(tenths) > 1 && !math.IsNaN(first) && !math.IsNaN(last) {
		text += fmt.Sprintf(": %s of the tenth with the lowest skill, %s of that with the highest", words.Percent(share(first)), words.Percent(share(last)))
	}
	return text
}

func drawStay(s *chart.Canvas, top float64, days int, sides []Side) {
	curves, intervals := make([][]float64, len(sides)), []estimate.Estimate(nil)
	for i := range sides {
		curves[i] = sides[i].stay(days)
	}
	var ends []float64
	if len(sides) == 1 {
		for i, n := range sides[0].list("by_skill_decile", "persons") {
			e := estimate.Estimate{Low: math.NaN(), High: math.NaN()}
			if x := curves[0][i]; n > 0 && !math.IsNaN(x) {
				e = estimate.Share(int(math.Round(float64(x*n))), int(math.Round(n)))
			}
			intervals, ends = append(intervals, e), append(ends, e.Low, e.High)
		}
	}
	p := chart.Panel{Canvas: s, X: chart.Scale{Min: 0.5, Max: float64(len(curves[0])) + 0.5, Lo: chart.PlotLeft, Hi: chart.PlotRight}}
	var ticks []chart.Tick
	p.Y, ticks = percentAxis(top+stayPanel-26, top+30, 4, append(curves, ends)...)
	p.Head("share who stay " + words.Plural(days, "day"))
	p.YAxis(ticks)
	var tenths []chart.Tick
	xs := make([]float64, len(curves[0]))
	from, to := sides[0].list("by_skill_decile", "from"), sides[0].list("by_skill_decile", "to")
	for i := range xs {
		xs[i] = float64(i + 1)
		tenths = append(tenths, chart.Tick{Value: xs[i], Label: chart.SmallFace.Shorten(words.Digits(outcome.Value(from[i]))+" to "+words.Digits(outcome.Value(to[i])), 82)})
	}
	for i := range sides {
		for k, e := range intervals {
			if x := p.X.At(xs[k]); !math.IsNaN(e.Low) {
				p.Line(pale[i], 3, x, p.Y.At(e.Low), x, p.Y.At(e.High))
			}
		}
		p.Curve(strong[i], 1.5, xs, curves[i])
		for k, y := range curves[i] {
			p.Dot(strong[i], 3.5, false, xs[k], y, sides[i].named("skill "+tenths[k].Label))
		}
	}
	p.XAxis(tenths)
}
