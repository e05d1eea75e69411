package season

import (
	"fmt"
	"math"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// daysPanel is the height of a panel with its heading and its axis.
const daysPanel = 230

// daysPlot shows the ratings and the population at the end of every day.
func daysPlot(sides []Side) (chart.Plot, bool) {
	if !every(sides, func(s *Side) bool { return known(s.list("by_day", "rating_mean")) }) {
		return chart.Plot{}, false
	}
	groups := [][2]int{{0, len(sides)}} // sides that share a panel of ratings
	if !Comparable(sides) {
		groups = [][2]int{{0, 1}, {1, 2}}
	}
	p := chart.Plot{
		Name: Days, Title: daysTitle(&sides[0]),
		Note:   "at the end of every day: ratings of persons who have finished a match and not quit, and all persons who have not quit",
		Height: chart.HeadingHeight + 26 + float64(daysPanel*float64(len(groups)+1)) + 14 + chart.Margin,
		Key:    key(sides, "mean rating; persons", "mean ± 1 standard deviation"),
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		for _, g := range groups {
			drawDayRatings(s, top, sides, g[0], g[1])
			top += daysPanel
		}
		drawPopulation(s, top, sides)
	}
	return p, true
}

// population returns the number of persons at the end of every day.
func (s *Side) population() []float64 {
	persons, joined, quit := s.Value("season.persons.start"), s.list("by_day", "new"), s.list("by_day", "quit")
	list := make([]float64, len(joined))
	for i := range list {
		persons += joined[i] - quit[i]
		list[i] = persons
	}
	return list
}

// daysTitle says how the ratings drift, and how the population changes.
func daysTitle(s *Side) string {
	means, sds, persons := s.list("by_day", "rating_mean"), s.list("by_day", "rating_sd"), s.population()
	last := len(means) - 1
	count := func(x float64) string { return words.Thousands(outcome.Count(math.Round(x))) }
	if last == 0 {
		return fmt.Sprintf("After a day, the mean rating is %s with a standard deviation of %s, and %s persons play", digits(means[0]), digits(sds[0]), count(persons[0]))
	}
	return fmt.Sprintf("From day 1 to day %d, the mean rating goes from %s to %s, its standard deviation from %s to %s, and the population from %s to %s",
		last+1, digits(means[0]), digits(means[last]), digits(sds[0]), digits(sds[last]), count(persons[0]), count(persons[last]))
}

// days returns the positions of the days on an axis, which begins with day 1.
func days(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	return xs
}

// dayPanel returns a panel over the days of all sides.
func dayPanel(s *chart.Canvas, top float64, sides []Side) (chart.Panel, int) {
	longest := 0
	for i := range sides {
		longest = max(longest, len(sides[i].list("by_day", "visits")))
	}
	return chart.Panel{Canvas: s, X: chart.Scale{Min: 0.5, Max: float64(longest) + 0.5, Lo: chart.PlotLeft, Hi: chart.PlotRight},
		Y: chart.Scale{Lo: top + daysPanel - 34, Hi: top + 36}}, longest
}

// drawDayRatings draws the ratings of the sides with the indexes first to last-1.
func drawDayRatings(s *chart.Canvas, top float64, sides []Side, first, last int) {
	p, longest := dayPanel(s, top, sides)
	means, lows, highs := make([][]float64, len(sides)), make([][]float64, len(sides)), make([][]float64, len(sides))
	var all [][]float64
	for i := first; i < last; i++ {
		means[i] = sides[i].list("by_day", "rating_mean")
		for k, sd := range sides[i].list("by_day", "rating_sd") {
			lows[i], highs[i] = append(lows[i], means[i][k]-sd), append(highs[i], means[i][k]+sd)
		}
		all = append(all, lows[i], highs[i])
	}
	var ticks []chart.Tick
	p.Y, ticks = axis(p.Y.Lo, p.Y.Hi, 6, all...)
	head := "rating"
	if last-first < len(sides) {
		head = sides[first].named(head)
	}
	p.Head(head)
	p.YAxis(ticks)
	for i := first; i < last; i++ {
		band(p, sides, i, days(len(means[i])), lows[i], highs[i], [2]string{"mean − 1 sd", "mean + 1 sd"})
	}
	for i := first; i < last; i++ {
		p.Curve(strong[i], 2, days(len(means[i])), means[i])
	}
	p.XAxis(dayTicks(longest))
}

func drawPopulation(s *chart.Canvas, top float64, sides []Side) {
	p, longest := dayPanel(s, top, sides)
	var persons []float64
	for i := range sides {
		persons = append(persons, sides[i].population()...)
	}
	_, most := chart.Extent(persons)
	p = chart.Ticked(s, p.Y.Hi, p.Y.Lo, p.X.Hi, p.X.Min, p.X.Max, "persons", chart.NiceTicks(most, 4))
	for i := range sides {
		persons := sides[i].population()
		p.Curve(strong[i], 2, days(len(persons)), persons)
	}
	p.XAxis(dayTicks(longest))
	p.XName("day")
}
