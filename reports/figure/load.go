package figure

import (
	"cmp"
	"fmt"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// loadRow is the height of a datacenter's row in the picture of loads.
const loadRow = 22

// loadLeft and loadRight are the edges of the areas. Names are to the left, peaks to the right.
const (
	loadLeft  = 162
	loadRight = chart.PlotRight - 162
)

// load is the number of players in the matches of one datacenter, by frame.
type load struct {
	name    string
	players []int
	peak    int // index of the frame with the most players
	mean    float64
}

func (l *load) most() int { return l.players[l.peak] }

// loadPoints limits the points of an area, because a page has an area for every datacenter.
const loadPoints = 76

// drawn returns the indices of the frames to draw: the first, the last, and between them the one
// with the most players of every few frames.
func (l *load) drawn() []int {
	n := len(l.players)
	per := (n + loadPoints - 1) / loadPoints
	frames := []int{0}
	for first := 1; first < n-1; first += per {
		most := first
		for k := first; k < min(first+per, n-1); k++ {
			if l.players[k] > l.players[most] {
				most = k
			}
		}
		frames = append(frames, most)
	}
	if n > 1 {
		frames = append(frames, n-1)
	}
	return frames
}

// loadsOf returns the loads of the datacenters that have players in any frame, the one with the
// highest peak first.
func loadsOf(r *result.Result) (loads []load) {
	for dc := range r.Summary.ByDatacenter {
		l := load{name: r.Summary.ByDatacenter[dc].Name}
		for i := range r.Timelapse {
			n := r.Timelapse[i].Load[dc]
			l.players = append(l.players, n)
			l.mean += float64(n) / float64(len(r.Timelapse))
			if n > l.most() {
				l.peak = i
			}
		}
		if l.mean > 0 {
			loads = append(loads, l)
		}
	}
	slices.SortStableFunc(loads, func(a, b load) int { return cmp.Compare(b.most(), a.most()) })
	return loads
}

// plotLoad shows the players in matches of every datacenter through the day. It returns no picture
// if no frame has players.
func plotLoad(r *result.Result, _ Coast) []chart.Plot {
	loads := loadsOf(r)
	if len(loads) == 0 {
		return nil
	}
	return []chart.Plot{{
		Name: "load", Section: PlacesSection,
		Title: loadTitle(r.Timelapse, loads, words.Zone(r.Summary.Run.TimeZone)),
		Note: fmt.Sprintf("players in matches every %s, by datacenter, the height of a row is its own peak, on the right with the mean in percent of it; datacenters without players are omitted",
			words.Span(outcome.Seconds(r.Timelapse[0].T))),
		Height: chart.HeadingHeight + 32 + float64(loadRow*float64(len(loads))) + chart.TimeAxisHeight + 8,
		Draw: func(s *chart.Canvas, top float64) {
			top += 32
			drawLoads(s, top, r, loads)
		},
	}}
}

func drawLoads(s *chart.Canvas, top float64, r *result.Result, loads []load) {
	bottom, head := top+float64(loadRow*float64(len(loads))), top-8-s.BandRoom()
	x := chart.Scale{Min: 0, Max: r.Span(), Lo: loadLeft, Hi: loadRight}
	s.Text(chart.HeadFace, chart.Ink, loadLeft, head, chart.ToRight, "players in matches")
	s.Text(chart.HeadFace, chart.Ink, chart.PlotRight, head, chart.ToLeft, "peak, mean")
	for i := range loads {
		l, base := &loads[i], top+float64(loadRow*float64(i+1))
		y := chart.Scale{Min: 0, Max: float64(l.most()), Lo: base, Hi: base - loadRow + 3}
		outline := []chart.Point{{X: x.At(float64(r.Timelapse[0].T)), Y: base}}
		for _, k := range l.drawn() {
			outline = append(outline, chart.Point{X: x.At(float64(r.Timelapse[k].T)), Y: y.At(float64(l.players[k]))})
		}
		last := outline[len(outline)-1]
		s.Polygons(chart.Sky, append(outline, chart.Point{X: last.X, Y: base}))
		s.Line(chart.Grid, 1, loadLeft, base, loadRight, base)
		s.Circles(chart.Blue, []chart.Circle{{Point: chart.Point{X: x.At(float64(r.Timelapse[l.peak].T)), Y: y.Hi}, Radius: 2}})
		s.Text(chart.SmallFace, chart.Ink, loadLeft-10, base-6, chart.ToLeft, chart.SmallFace.ShortenName(l.name, loadLeft-10-chart.Margin))
		s.Text(chart.SmallFace, chart.Ink, chart.PlotRight-52, base-6, chart.ToLeft,
			fmt.Sprintf("%s at %s", words.Thousands(l.most()), words.Clock(outcome.Seconds(r.Timelapse[l.peak].T), words.Zone(r.Summary.Run.TimeZone))))
		s.Text(chart.SmallFace, chart.Muted, chart.PlotRight, base-6, chart.ToLeft, words.Percent(outcome.RoundShare(l.mean/float64(l.most()))))
	}
	axis := chart.Panel{Canvas: s, X: x, Y: chart.Scale{Lo: bottom, Hi: top}}
	axis.TimeAxis()
}

// loadTitle says when the busiest datacenter has most players, and how much of the room is used if
// every datacenter has room for its own peak.
func loadTitle(frames []result.Frame, loads []load, zone string) string {
	busiest := &loads[0]
	title := fmt.Sprintf("The highest peak is %s in %s (%s)", words.Plural(busiest.most(), "player"),
		chart.SmallFace.ShortenName(words.Printable(busiest.name), 150), words.Clock(outcome.Seconds(frames[busiest.peak].T), zone))
	if len(loads) == 1 {
		return title + fmt.Sprintf("; its mean is %s of that", words.Percent(outcome.RoundShare(busiest.mean/float64(busiest.most()))))
	}
	peaks, mean := 0, 0.0
	for i := range loads {
		peaks, mean = peaks+loads[i].most(), mean+loads[i].mean
	}
	return title + fmt.Sprintf("; room for the peaks of all datacenters, %s players, would be %s full on average", words.Thousands(peaks), words.Percent(outcome.RoundShare(mean/float64(peaks))))
}
