package reports

import (
	"encoding/json"
	"html/template"
	"io"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// A Live observes a run and tells, step by step, who is in a match and where, in the
// words of the page that WritePage writes. It keeps nothing of what it told.
type Live struct {
	lapse lapse
	spots []spot
	cells cellSet
	world pageData

	census sim.Census // of the step
	show   func(text []byte)
}

var _ sim.Observer = (*Live)(nil)

// NewLive returns a Live that hands a text to show for every step of the window, which
// is a whole number of minutes. The text is the listener's to keep.
func NewLive(run setup.Run, coast Coast, step sim.Duration, show func(text []byte)) *Live {
	run.Check()
	l := &Live{show: show}
	var cells []cellTally
	l.spots, cells = locate(run.Places)
	l.lapse = newLapse(step, run.Duration, cells, len(run.Datacenters), l.tell)
	for i := range cells {
		l.cells.add(cells[i].row-90, cells[i].column-180)
	}
	thresholds := outcome.Thresholds{Ideal: rttMillis(float64(run.Ideal)), Expand: rttMillis(float64(run.Expand))}
	l.world = pageData{Classes: newRTTClasses(&thresholds), Thresholds: thresholds, Coast: tenths(coast)}
	for _, site := range run.Datacenters {
		l.world.Datacenters = append(l.world.Datacenters, siteData{site.Name, outcome.RoundDegrees(site.Latitude), outcome.RoundDegrees(site.Longitude)})
	}
	l.world.Lapse = &lapseData{Step: int(step / sim.Second), Frames: 1, Load: [][]int{make([]int, len(run.Datacenters))}, InMatch: []int{0}}
	l.world.Lapse.Latitudes, l.world.Lapse.Longitudes = l.cells.number()
	return l
}

// Entered does nothing: a search is no match.
func (l *Live) Entered(*sim.Search) {}

// Ended does nothing: such a search never became a match.
func (l *Live) Ended(*sim.Ended) {}

// Matched counts a match while it lasts.
func (l *Live) Matched(m *sim.Match) { l.lapse.matched(m, l.spots) }

// Sampled tells of the instant, if it is the end of a step: nothing more happens then.
func (l *Live) Sampled(c *sim.Census) {
	if step := sim.Instant(l.lapse.step); c.At > 0 && c.At%step == 0 {
		l.census = *c
		l.lapse.endBefore(int(c.At/step) + 1)
	}
}

// liveFrame is one step of the live page. Packed are the planes of appendPlanes, one
// behind the other.
type liveFrame struct {
	T         int    `json:"t"`
	InMatch   int    `json:"in_match"`
	Searching int    `json:"searching"`
	Load      []int  `json:"load"`
	Packed    []byte `json:"packed"`
}

func (l *Live) tell(f result.Frame) {
	players, rtts := l.cells.appendPlanes(nil, nil, &f)
	text, err := json.Marshal(liveFrame{f.T, l.census.Playing, l.census.Searching(), f.Load, append(players, rtts...)})
	if err != nil {
		panic("reports: a live frame has no JSON: " + err.Error())
	}
	l.show(text)
}

// WritePage writes the page that shows what is told. It asks for EventsPath of the
// place that it comes from, and for nothing else.
func (l *Live) WritePage(w io.Writer) error {
	return pageTemplate.ExecuteTemplate(w, "live.html", &document{
		Title: "A run as it happens", Policy: livePolicy, Style: pageStyle,
		Scripts: []template.JS{liveScript}, Classes: pageClasses(&l.world.Thresholds), Data: &l.world,
	})
}

// EventsPath is where the live page listens: a stream of server-sent events, of which
// every one without a name is a text of NewLive, and one named end is the last.
const EventsPath = "events"
