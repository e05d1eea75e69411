package page

import (
	"encoding/json"
	"html/template"
	"io"

	"mmsim/reports/collect"
	"mmsim/reports/figure"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/reports/words"
	"mmsim/sim"
)

// A Live observes a run and shows the players in match, step by step. Each step is text in the
// format that the page of WritePage reads.
type Live struct {
	*collect.Watch
	cells cellSet
	page  pageData
	zone  string
	show  func(text []byte)
}

// NewLive returns a Live that calls show with the text of every step of the window, and with the
// text of the window's last minute. A step is a whole number of minutes. show may keep the text.
func NewLive(run setup.Run, coast figure.Coast, step sim.Duration, show func(text []byte)) *Live {
	l := &Live{show: show, zone: words.Zone(run.TimeZone)}
	l.Watch = collect.NewWatch(run, step, l.send)
	for _, place := range run.Places {
		row, column := place.Cell()
		l.cells.add(row-90, column-180)
	}
	thresholds := outcome.Thresholds{Ideal: outcome.RoundMillis(float64(run.Ideal) / sim.RTTUnit), Expand: outcome.RoundMillis(float64(run.Expand) / sim.RTTUnit)}
	limits := grade.RTTsOf(thresholds, run.Limits)
	l.page = pageData{Classes: limits.Classes(), Queues: len(run.Queues) > 1, Coast: tenths(coast)}
	used := run.Used()
	for _, datacenter := range used {
		l.page.Datacenters = append(l.page.Datacenters, datacenterData{datacenter.Name, outcome.RoundDegrees(datacenter.Latitude), outcome.RoundDegrees(datacenter.Longitude)})
	}
	for _, e := range run.Events {
		l.page.addOutage(outcome.RoundSeconds(e.From.Seconds()), outcome.RoundSeconds(e.Until.Seconds()), run.Down(e.Outage))
	}
	l.page.Lapse = &lapseData{Step: int(step / sim.Second), Frames: 1, Load: [][]int{make([]int, len(used))}, InMatch: []int{0}}
	l.page.Lapse.Latitudes, l.page.Lapse.Longitudes = l.cells.number()
	return l
}

// liveFrame is one step of the live page. Packed has the two results of appendPlanes, players
// before RTTs.
type liveFrame struct {
	T         int    `json:"t"`
	InMatch   int    `json:"in_match"`
	Searching int    `json:"searching"`
	Load      []int  `json:"load"`
	Packed    []byte `json:"packed"`
}

func (l *Live) send(f result.Frame, census *sim.Census) {
	players, rtts := l.cells.appendPlanes(nil, nil, &f)
	text, err := json.Marshal(liveFrame{f.T, census.Playing, census.Searching(), f.Load, append(players, rtts...)})
	if err != nil {
		panic("page: a live frame has no JSON: " + err.Error())
	}
	l.show(text)
}

// WritePage writes the page that shows the steps. The page requests only EventsPath, and only
// from the server that it was loaded from.
func (l *Live) WritePage(w io.Writer) error {
	return pageTemplate.ExecuteTemplate(w, "live.html", &document{
		Title: "A run as it happens", Zone: l.zone, Policy: livePolicy(), Style: pageStyle,
		Scripts: []template.JS{liveScript}, Classes: pageClasses(l.page.Classes), Data: &l.page,
	})
}

// EventsPath is the path of the server-sent events that the live page reads. An event without a
// name contains a text that was passed to the function show of NewLive. Events with the name "waits"
// describe the waits so far. The last event has the name "end".
const EventsPath = "events"
