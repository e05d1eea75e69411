package season

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Layout of the picture of ratings: a histogram of skill above the panel, and one of ratings beside it.
const (
	ratingHeight = 660
	marginHeight = 52
	marginWidth  = 96
)

// ratingPlot shows the ratings at the end of the season over true skill.
func ratingPlot(sides []Side) (chart.Plot, bool) {
	if !every(sides, func(s *Side) bool {
		return len(s.Ratings) > 0 && s.Value("season.rating.mean") == s.Value("season.rating.mean")
	}) {
		return chart.Plot{}, false
	}
	views := make([]ratingView, len(sides))
	for i := range sides {
		views[i] = viewOf(&sides[i], 1, 0)
	}
	head := "rating at the end"
	if !Comparable(sides) {
		head = "rating at the end, converted to units of skill"
		for i := range sides {
			v := &views[i]
			*v = viewOf(&sides[i], 1/v.slope, v.skill-v.mean/v.slope)
		}
	}
	p := chart.Plot{
		Name: Rating, Title: ratingTitle(&sides[0]), Height: ratingHeight,
		Note: fmt.Sprintf("persons who have finished a match and not quit, by hidden skill; the curves need %d persons with similar skill", views[0].least),
		Key:  append(key(sides, "median", "10 % to 90 % of persons"), chart.KeyEntry{Text: "perfect rating: differences promise the true chances", Colour: chart.Ink, Line: true}),
	}
	p.Draw = func(s *chart.Canvas, top float64) { drawRatings(s, top, p.Height, head, sides, views) }
	return p, true
}

// ratingTitle says how well ratings order persons, and whether their scale is right.
func ratingTitle(s *Side) string {
	r, slope := s.Value("season.rating.correlation"), s.Value("season.rating.slope")/s.Value("season.rating.slope_perfect")
	if math.IsNaN(r) || math.IsNaN(slope) {
		return fmt.Sprintf("All persons are equally skilled; their ratings have a standard deviation of %s", digits(s.Value("season.rating.sd")))
	}
	text := fmt.Sprintf("The rating follows skill with a correlation of %s; ", digits(r))
	switch off := math.Round(100 * (slope - 1)); {
	case off > 2:
		return text + fmt.Sprintf("differences in rating are %.0f %% too large", off)
	case off < -2:
		return text + fmt.Sprintf("differences in rating are %.0f %% too small", -off)
	}
	return text + "differences in rating are as large as they should be"
}

func digits(x float64) string { return words.Digits(outcome.Value(x)) }

// A ratingView has what a picture shows of the ratings of one side.
type ratingView struct {
	slope       float64 // of a perfect rating
	mean, skill float64 // means of ratings and of skill
	least       int     // persons that a point of the curves needs

	xs, low, median, high []float64 // the curves
	skills, ratings       []bar     // the histograms
}

// bar is a bar of a histogram: its height is persons by width, so that sides with other widths have
// the same form.
type bar struct{ from, to, persons float64 }

// curvePersons is the number of persons without which a tenth of them says nothing.
const curvePersons = 10

// viewOf returns the view of a side whose ratings are multiplied by times and moved by add.
func viewOf(s *Side, times, add float64) ratingView {
	v := ratingView{
		slope: times * s.Value("season.rating.slope_perfect"), mean: add + float64(times*s.Value("season.rating.mean")),
	}
	persons, most := 0.0, 0
	var columns [][]result.RatingCell
	for from := 0; from < len(s.Ratings); {
		to := from
		n := 0
		for to < len(s.Ratings) && s.Ratings[to].SkillFrom == s.Ratings[from].SkillFrom {
			n += s.Ratings[to].Persons
			to++
		}
		columns = append(columns, s.Ratings[from:to])
		c := &s.Ratings[from]
		v.skills = append(v.skills, bar{c.SkillFrom, c.SkillTo, float64(n)})
		v.skill += float64(float64(n) * (c.SkillFrom + c.SkillTo) / 2)
		persons, most, from = persons+float64(n), max(most, n), to
	}
	v.skill /= persons
	v.least = min(curvePersons, most)
	for i, column := range columns {
		if v.skills[i].persons < float64(v.least) {
			continue
		}
		v.xs = append(v.xs, (v.skills[i].from+v.skills[i].to)/2)
		v.low = append(v.low, add+float64(times*quantile(column, 0.1)))
		v.median = append(v.median, add+float64(times*quantile(column, 0.5)))
		v.high = append(v.high, add+float64(times*quantile(column, 0.9)))
	}
	v.ratings = ratingBars(s.Ratings, times, add)
	return v
}

// ratingBars returns the histogram of all ratings.
func ratingBars(cells []result.RatingCell, times, add float64) (list []bar) {
	sorted := slices.Clone(cells)
	slices.SortStableFunc(sorted, func(a, b result.RatingCell) int { return cmp.Compare(a.RatingFrom, b.RatingFrom) })
	for i := range sorted {
		c := &sorted[i]
		from := add + float64(times*c.RatingFrom)
		if n := len(list); n > 0 && list[n-1].from == from {
			list[n-1].persons += float64(c.Persons)
			continue
		}
		list = append(list, bar{from, add + float64(times*c.RatingTo), float64(c.Persons)})
	}
	return list
}

// quantile returns a quantile of the ratings in cells that are sorted by rating, as if the persons of a
// cell were evenly spread over it.
func quantile(cells []result.RatingCell, q float64) float64 {
	all := 0
	for i := range cells {
		all += cells[i].Persons
	}
	below, want := 0.0, q*float64(all)
	for i := range cells {
		c := &cells[i]
		if n := float64(c.Persons); below+n >= want {
			return c.RatingFrom + (c.RatingTo-c.RatingFrom)*(want-below)/n
		} else {
			below += n
		}
	}
	return math.NaN()
}

func drawRatings(s *chart.Canvas, top, height float64, head string, sides []Side, views []ratingView) {
	var xs, ys []float64
	for i := range views {
		v := &views[i]
		first, last := v.skills[0], v.skills[len(v.skills)-1]
		xs = append(xs, first.from, last.to)
		ys = append(ys, v.ratings[0].from, v.ratings[len(v.ratings)-1].to)
	}
	p := chart.Panel{Canvas: s}
	var ticksX, ticksY []chart.Tick
	p.X, ticksX = axis(chart.PlotLeft, chart.PlotRight-marginWidth-14, 8, xs)
	p.Y, ticksY = axis(height-56, top+24+marginHeight+30, 8, ys)
	s.Text(chart.HeadFace, chart.Ink, p.X.Lo, top+14, chart.ToRight, "persons by skill")
	s.Text(chart.HeadFace, chart.Ink, chart.PlotRight, p.Y.Hi-chart.HeadHeight, chart.ToLeft, "persons by rating")
	p.Head(head)
	p.YAxis(ticksY)
	for i := range views {
		band(p, sides, i, views[i].xs, views[i].low, views[i].high, [2]string{"10 % of persons are below", "90 % of persons are below"})
	}
	for i := range views {
		p.Curve(strong[i], 2.2, views[i].xs, views[i].median)
		drawPerfect(p, &views[i])
		drawMargins(p, i, len(views), &views[i], top+24+marginHeight)
	}
	p.XAxis(ticksX)
	p.XName("hidden skill")
}

// drawPerfect draws the line of perfect ratings through the means, as far as the panel reaches.
func drawPerfect(p chart.Panel, v *ratingView) {
	if !(v.slope > 0) || math.IsInf(v.slope, 0) {
		return
	}
	at := func(y float64) float64 { return v.skill + (y-v.mean)/v.slope }
	x0, x1 := max(p.X.Min, at(p.Y.Min)), min(p.X.Max, at(p.Y.Max))
	y := func(x float64) float64 { return v.mean + float64(v.slope*(x-v.skill)) }
	if x0 < x1 {
		p.Line(chart.Ink, 1.2, p.X.At(x0), p.Y.At(y(x0)), p.X.At(x1), p.Y.At(y(x1)), 5, 4)
	}
}

// drawMargins draws the histograms of a side: filled, or as outlines if there are several sides.
func drawMargins(p chart.Panel, side, sides int, v *ratingView, base float64) {
	right := p.X.Hi + 14
	above := outline(v.skills, func(along, up float64) chart.Point {
		return chart.Point{X: p.X.At(along), Y: base - float64(marginHeight*up)}
	})
	beside := outline(v.ratings, func(along, up float64) chart.Point {
		return chart.Point{X: right + float64(marginWidth*up), Y: p.Y.At(along)}
	})
	if sides == 1 {
		p.Polygons(strong[side], above, beside)
	} else {
		p.Polyline(strong[side], 1.5, above)
		p.Polyline(strong[side], 1.5, beside)
	}
	p.Line(chart.Rule, 1, p.X.Lo, base, p.X.Hi, base)
	p.Line(chart.Rule, 1, right, p.Y.Lo, right, p.Y.Hi)
}

// outline returns the outline of a histogram, whose highest bar has the height 1. at returns the point at a
// value and a height.
func outline(bars []bar, at func(along, up float64) chart.Point) (line []chart.Point) {
	highest := 0.0
	for _, b := range bars {
		highest = max(highest, b.height())
	}
	for i, b := range bars {
		if i == 0 || bars[i-1].to < b.from {
			if i > 0 {
				line = append(line, at(bars[i-1].to, 0))
			}
			line = append(line, at(b.from, 0))
		}
		line = append(line, at(b.from, b.height()/highest), at(b.to, b.height()/highest))
	}
	return append(line, at(bars[len(bars)-1].to, 0))
}

func (b bar) height() float64 { return b.persons / (b.to - b.from) }
