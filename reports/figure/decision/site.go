package decision

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/chart"
	"mmsim/reports/figure"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Site returns the pictures of a site search: the trade-off of its first two goals, and the goals by
// the number of datacenters.
func Site(s *judge.Site) (plots []chart.Plot) {
	t := s.Table()
	if len(s.Goals) > 1 {
		plots = append(plots, siteFront(s, t))
	}
	if sizes := siteSizes(s); len(sizes) > 1 {
		plots = append(plots, sitesByNumber(s, t, sizes))
	}
	return plots
}

// SiteMap returns the map of the chosen set. cells are the places of the players of its first run.
func SiteMap(s *judge.Site, cells []result.Cell, coast figure.Coast) chart.Plot {
	best := &s.Points[s.Cheapest()]
	p := figure.PlotSites(best.Runs[0], cells, coast)
	p.Title = "With " + best.Set.Name + ": " + p.Title
	return p
}

// goalName returns the name of a goal with its unit.
func goalName(s *judge.Site, t *judge.SweepTable, goal string) string {
	if goal == judge.SitesGoal {
		return "number of datacenters"
	}
	return inUnit(goal, t.Units[slices.Index(t.Metrics, goal)])
}

// goalUnit returns the unit of a goal.
func goalUnit(t *judge.SweepTable, goal string) outcome.Unit {
	if i := slices.Index(t.Metrics, goal); i >= 0 {
		return t.Units[i]
	}
	return outcome.UnitNone
}

// siteFrontHeight is the height of the picture of the trade-off.
const siteFrontHeight = 520

// siteFront shows the cost of every set against the second goal. The colour is the third goal, hollow
// sets break a limit, and the area beyond a limit on one of the axes is shaded.
func siteFront(s *judge.Site, t *judge.SweepTable) chart.Plot {
	x, y := s.Goals[0], s.Goals[1]
	front, best := s.Front(), s.Cheapest()
	third, key := siteColours(s, t)
	names := "its name if there is room, large: on the front"
	if best >= 0 {
		names += ", *: " + phrase.SiteStar(s)
	}
	return chart.Plot{
		Name:   TradeOff,
		Title:  fmt.Sprintf("%s against %s: %d of %s on the front", phrase.Upper(phrase.Goal(x)), phrase.Goal(y), len(front), words.Plural(len(s.Points), "set")),
		Note:   "every point is a set of datacenters, with " + names + "; hollow: breaks a limit or the guard" + shadedNote(s),
		Height: siteFrontHeight,
		Key:    key,
		Draw: func(canvas *chart.Canvas, top float64) {
			spots := make([]spot, len(s.Points))
			for i := range spots {
				spots[i] = spot{x: judge.Estimate{Mean: s.Value(x, i)}, y: judge.Estimate{Mean: s.Value(y, i)},
					colour: third(i), radius: 4, hollow: !s.Meets(i), name: s.Points[i].Set.Name + ": " + phrase.SiteSet(s.Points[i].Set)}
			}
			var tags []tag
			for _, i := range frontFirst(front, len(s.Points)) {
				name, isFront := s.Points[i].Set.Name, slices.Contains(front, i)
				if isFront {
					spots[i].radius = 5.5
				}
				if i == best {
					name += " *"
				}
				tags = append(tags, tag{i, name, isFront})
			}
			axisOf := func(goal string) axis { return axis{name: goalName(s, t, goal), unit: goalUnit(t, goal)} }
			scatter(canvas, top+30, siteFrontHeight-52, axisOf(x), axisOf(y), spots, tags, func(p chart.Panel) { shadeLimits(p, s, x, y) })
		},
	}
}

// frontFirst lists the numbers below n, those on the front first, so that their names find room.
func frontFirst(front []int, n int) []int {
	list := slices.Clone(front)
	for i := range n {
		if !slices.Contains(front, i) {
			list = append(list, i)
		}
	}
	return list
}

// shadeLimits shades what is beyond the limits on the metrics of two axes.
func shadeLimits(p chart.Panel, s *judge.Site, x, y string) {
	for _, l := range s.Bounds {
		bound := float64(l.Bound)
		switch l.Name {
		case x:
			from, to := beyond(p.X, bound, l.Kind)
			p.Rectangle(chart.Land, from, p.Y.Hi, to, p.Y.Lo)
		case y:
			from, to := beyond(p.Y, bound, l.Kind)
			p.Rectangle(chart.Land, p.X.Lo, from, p.X.Hi, to)
		}
	}
}

// beyond returns the positions between which an axis is beyond a limit. They are equal if no part is.
func beyond(a chart.Scale, bound float64, kind judge.LimitKind) (from, to float64) {
	bound = max(a.Min, min(a.Max, bound))
	if kind == judge.LimitMin {
		return min(a.At(bound), a.Lo), max(a.At(bound), a.Lo)
	}
	return min(a.At(bound), a.Hi), max(a.At(bound), a.Hi)
}

// shadedNote says what the shaded area is if there is one.
func shadedNote(s *judge.Site) string {
	if slices.ContainsFunc(s.Bounds, func(l judge.Limit) bool { return slices.Contains(s.Goals[:2], l.Name) }) {
		return "; shaded: beyond a limit"
	}
	return ""
}

// siteColours returns the colour of every set by the third goal, from the best to the worst, and the
// legend.
func siteColours(s *judge.Site, t *judge.SweepTable) (of func(point int) color.RGBA, key []chart.KeyEntry) {
	if len(s.Goals) < 3 {
		return func(int) color.RGBA { return chart.Blue }, nil
	}
	goal := s.Goals[2]
	var values []float64
	for i := range s.Points {
		values = append(values, s.Value(goal, i))
	}
	low, high := chart.Extent(values)
	last := float64(len(chart.Ramp) - 1)
	if !(low < high) {
		return func(int) color.RGBA { return chart.Blue }, nil
	}
	first, end := low, high
	if outcome.BetterOf(goal) == outcome.BetterHigher {
		first, end = high, low
	}
	unit := goalUnit(t, goal)
	for i, c := range chart.Ramp {
		x := first + (end-first)*float64(i)/last
		text := words.Quantity(unit, x, words.Decimals(unit, (high-low)/last), false)
		if i == 0 {
			text = phrase.Goal(goal) + ": " + text
		}
		key = append(key, chart.KeyEntry{Text: text, Colour: c})
	}
	return func(point int) color.RGBA {
		x := (values[point] - first) / (end - first)
		if math.IsNaN(x) {
			return chart.Rule
		}
		return chart.Ramp[int(math.Round(x*last))]
	}, key
}

// siteSizes returns the numbers of datacenters that sets have, in order.
func siteSizes(s *judge.Site) (sizes []int) {
	for _, p := range s.Points {
		if n := len(p.Set.Datacenters); !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	slices.Sort(sizes)
	return sizes
}

// sitesByNumber shows the best mean of every goal for each number of datacenters, with the range of
// its runs.
func sitesByNumber(s *judge.Site, t *judge.SweepTable, sizes []int) chart.Plot {
	goals := slices.DeleteFunc(slices.Clone(s.Goals), func(goal string) bool { return goal == judge.SitesGoal })
	note := "the best set of each number"
	if len(s.Points[0].Runs) > 1 {
		note += "; light: the range of its runs"
	}
	return chart.Plot{
		Name:   "by-number",
		Title:  byNumberTitle(s, t, goals, sizes[0], sizes[len(sizes)-1]),
		Note:   note,
		Height: chart.HeadingHeight + float64(curveHeight*float64(len(goals))) + chart.Margin,
		Draw: func(canvas *chart.Canvas, top float64) {
			for i, goal := range goals {
				y := top + float64(curveHeight*float64(i))
				drawByNumber(canvas, y+26, y+curveHeight-34, s, t, goal, sizes)
			}
		},
	}
}

// byNumberTitle says what the first two goals are with the fewest and with the most datacenters. It leaves out
// a goal that has no value at either end.
func byNumberTitle(s *judge.Site, t *judge.SweepTable, goals []string, fewest, most int) string {
	var says []string
	for _, goal := range goals[:min(len(goals), 2)] {
		unit, from, to := goalUnit(t, goal), s.Value(goal, s.BestOf(goal, fewest)), s.Value(goal, s.BestOf(goal, most))
		if decimals := phrase.ThreeDigits(unit, max(from, to), from-to); !math.IsNaN(from - to) {
			says = append(says, fmt.Sprintf("%s from %s to %s", phrase.Goal(goal), words.Quantity(unit, from, decimals, false), words.Quantity(unit, to, decimals, false)))
		}
	}
	return fmt.Sprintf("From %d to %d datacenters: %s", fewest, most, cmp.Or(strings.Join(says, ", "), "no goal has a value"))
}

// drawByNumber draws the panel of one goal.
func drawByNumber(c *chart.Canvas, top, bottom float64, s *judge.Site, t *judge.SweepTable, goal string, sizes []int) {
	metric := slices.Index(t.Metrics, goal)
	var xs, means, lows, highs []float64
	var ticks []chart.Tick
	var named []string
	for _, n := range sizes {
		best := s.BestOf(goal, n)
		low, high := t.Range(metric, best)
		xs, means, lows, highs = append(xs, float64(n)), append(means, s.Value(goal, best)), append(lows, low), append(highs, high)
		ticks = append(ticks, chart.Tick{Value: float64(n), Label: strconv.Itoa(n)})
		named = append(named, s.Points[best].Set.Name+": "+strings.TrimSpace(phrase.SiteSet(s.Points[best].Set)))
	}
	p := chart.Panel{Canvas: c, X: chart.Scale{Min: xs[0], Max: xs[len(xs)-1], Lo: chart.PlotLeft + 10, Hi: chart.PlotRight - 10}, Y: chart.Scale{Lo: bottom, Hi: top}}
	p.Head(goalName(s, t, goal))
	low, high := chart.Extent(slices.Concat(means, lows, highs))
	if low > high {
		p.Empty("no player to describe")
		return
	}
	p.Y.Min, p.Y.Max = low-(high-low)/10-1e-9, high+(high-low)/10+1e-9
	p.YAxis(ticksIn(t.Units[metric], p.Y, 4))
	p.Between(chart.Sky, xs, lows, highs)
	p.Curve(chart.Blue, 1.5, xs, means)
	for i, mean := range means {
		p.Dot(chart.Blue, 3.5, false, xs[i], mean, named[i])
	}
	p.XAxis(ticks)
}
