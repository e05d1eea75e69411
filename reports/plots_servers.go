package reports

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// plotServers shows the servers through the day and how full they are.
func plotServers(r *result.Result) Plot {
	v := r.Summary.Servers
	p := Plot{
		Name:   "servers",
		Title:  "No server was started",
		Note:   "seats of running servers, and running servers; means of quarters of an hour",
		height: 706,
		key:    []keyEntry{{"seats taken", blue, false}, {"free seats", sky, false}, {"servers running", ink, true}, {"started in the quarter", orange, true}},
	}
	if v.Peak > 0 {
		p.Title = fmt.Sprintf("%s servers run on average, %s at the peak; %s of their seats are taken",
			words.Thousands(int(v.Mean+0.5)), words.Thousands(v.Peak), words.Percent(v.OccupancyMean))
	}
	p.draw = func(s *sheet, top float64) {
		taken := func(w *result.ServerWindow) float64 { return float64(w.Taken) }
		free := func(w *result.ServerWindow) float64 { return float64(w.Seats - w.Taken) }
		running := func(w *result.ServerWindow) float64 { return float64(w.Running) }
		opened := func(w *result.ServerWindow) float64 { return float64(w.Opened) }
		seats := serversPanel(s, r, top+32, top+292, "seats", func(w *result.ServerWindow) float64 { return float64(w.Seats) })
		xs, layers := overServers(r, taken, free)
		seats.stack([]color.RGBA{blue, sky}, xs, layers)
		seats.timeAxis()
		servers := serversPanel(s, r, top+382, p.height-timeAxisHeight-8, "servers", running)
		xs, curves := overServers(r, running, opened)
		servers.timeAxis()
		servers.curve(orange, 1.8, xs, curves[1])
		servers.curve(ink, 1.8, xs, curves[0])
	}
	return p
}

// serversPanel lays a panel that is as high as a value through the day.
func serversPanel(s *sheet, r *result.Result, top, bottom float64, head string, value func(*result.ServerWindow) float64) panel {
	_, ys := overServers(r, value)
	ticks := niceTicks(max(highest(ys...), 7), 6)
	p := newPanel(s, top, bottom, plotRight, 0, r.Span(), ticks[len(ticks)-1].value)
	p.head(head)
	p.yAxis(ticks)
	return p
}

// overServers returns the middles of the quarters of an hour and the values there;
// the first and the last point stand at the edges.
func overServers(r *result.Result, values ...func(*result.ServerWindow) float64) (xs []float64, ys [][]float64) {
	ys = make([][]float64, len(values))
	add := func(x float64, w *result.ServerWindow) {
		xs = append(xs, x)
		for i, value := range values {
			ys[i] = append(ys[i], value(w))
		}
	}
	for i := range r.Servers {
		w := &r.Servers[i]
		from, to := float64(w.T), min(float64(w.T)+result.WindowLength, r.Span())
		if i == 0 {
			add(from, w)
		}
		add((from+to)/2, w)
		if i == len(r.Servers)-1 {
			add(to, w)
		}
	}
	return xs, ys
}

// signalRow is the height of a signal in its picture.
const signalRow = 26

// plotSignals shows what each signal gives to the servers chosen, and how often it
// decides between two.
func plotSignals(r *result.Result) Plot {
	v := r.Summary.Servers
	signals := slices.Clone(v.Signals)
	slices.SortStableFunc(signals, func(a, b outcome.PlacementSignal) int { return cmp.Compare(b.Decided, a.Decided) })
	p := Plot{
		Name:   "signals",
		Title:  "Nobody had two servers to choose from",
		Note:   "by signal: joins that it decided between the two best servers, what it added to the score of the best, and how much more than to the other's",
		height: headingHeight + 44 + signalRow*float64(len(signals)+1) + margin,
	}
	if v.Contest > 0 && len(signals) > 0 {
		p.Title = fmt.Sprintf("%s decides %s of the placements with a choice", signals[0].Name, words.Percent(signals[0].Decided))
		if len(signals) > 1 {
			p.Title += fmt.Sprintf(", %s %s", signals[1].Name, words.Percent(signals[1].Decided))
		}
	}
	p.draw = func(s *sheet, top float64) {
		top += 44
		for i := range signals {
			name := fmt.Sprintf("%s × %s", signals[i].Name, signals[i].Weight)
			s.text(smallFace, ink, 190, top+signalRow*float64(i)+16, toLeft, smallFace.shorten(name, 190-margin))
		}
		if ties := v.ByAge + v.BySequence; ties > 0 {
			s.text(smallFace, muted, margin, top+signalRow*float64(len(signals))+16, toRight,
				fmt.Sprintf("equal scores, the older server wins: %s", words.Percent(ties)))
		}
		column := barList{left: 202, width: 170, row: signalRow, rows: len(signals)}
		column.head, column.colour = "share decided", blue
		column.value = func(i int) (float64, float64, string) {
			share := signals[i].Decided
			return float64(share), 0, words.Percent(share)
		}
		column.draw(s, top, nil)
		column.left, column.head, column.colour = 452, "added to the score", green
		column.value = func(i int) (float64, float64, string) {
			added := float64(signals[i].Contribution)
			return added, 0, fmt.Sprintf("%.2f", added)
		}
		column.draw(s, top, nil)
		column.left, column.head, column.colour = 702, "more than the runner-up", orange
		column.value = func(i int) (float64, float64, string) {
			more := float64(signals[i].Advantage)
			return max(0, more), 0, fmt.Sprintf("%.3f", more) // one below 0 has no bar but its number
		}
		column.draw(s, top, nil)
	}
	return p
}
