package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mmsim/reports/outcome"
)

// Files of WriteSketches if one side has events.
const (
	SketchMinutesFile = "minutes.csv"
	SketchEventsFile  = "events.csv"
)

// SideMinute is a row of minutes.csv: means over the runs of a side, by the minute that begins at T. The waits
// are of players matched in it, over the runs that have any.
type SideMinute struct {
	T         int             `csv:"t_s"`
	Searching float64         `csv:"searching"` // players at the time T
	WaitMean  outcome.Seconds `csv:"wait_mean_s"`
	WaitP95   outcome.Seconds `csv:"wait_p95_s"` // not measured if the runs do not know that there is an event
}

// SideEvent is a row of events.csv: an event of a side.
type SideEvent struct {
	Name      string          `csv:"event"` // its number, from 1
	At        outcome.Seconds `csv:"at_s"`
	For       outcome.Seconds `csv:"for_s"`
	Action    string          `csv:"action"`
	UTCOffset outcome.Seconds `csv:"utc_offset_s"` // see outcome.Run
}

// sketchMinute adds up the values of the runs.
type sketchMinute struct{ searching, waitMean, waitP95 meanSum }

// meanSum adds whole thousandths, so that the mean does not depend on the order of the runs. NaN does not count.
type meanSum struct{ n, thousandths int }

func (m *meanSum) add(v float64) {
	if !math.IsNaN(v) {
		m.n++
		m.thousandths += int(math.Round(1000 * v))
	}
}

// mean returns the mean, or NaN without values.
func (m meanSum) mean() float64 { return float64(m.thousandths) / float64(1000*m.n) }

// addAround adds the minutes and the events of a run.
func (k *Sketch) addAround(r *Result) {
	around := r.hasMinutesAround()
	for i := range r.Series {
		m := &r.Series[i]
		p95 := m.WaitP95
		if !around { // the column is 0
			p95 = outcome.Seconds(math.NaN())
		}
		k.addMinute(SideMinute{m.T, float64(m.Searching()), m.WaitMean, p95})
	}
	if k.Events != nil {
		return
	}
	for i := range r.Summary.Events {
		e := &r.Summary.Events[i]
		k.Events = append(k.Events, SideEvent{e.Name, e.At, e.For, e.Action, r.Summary.Run.UTCOffset})
	}
}

func (k *Sketch) addMinute(m SideMinute) {
	if k.minutes == nil {
		k.minutes = map[int]sketchMinute{}
	}
	sum := k.minutes[m.T]
	sum.searching.add(m.Searching)
	sum.waitMean.add(float64(m.WaitMean))
	sum.waitP95.add(float64(m.WaitP95))
	k.minutes[m.T] = sum
}

// Minutes returns the minutes of the runs in order.
func (k *Sketch) Minutes() (list []SideMinute) {
	for t, m := range k.minutes {
		list = append(list, SideMinute{t, m.searching.mean(), outcome.RoundSeconds(m.waitMean.mean()), outcome.RoundSeconds(m.waitP95.mean())})
	}
	slices.SortFunc(list, func(a, b SideMinute) int { return cmp.Compare(a.T, b.T) })
	return list
}

// AroundEvent reports whether the minute that begins at t is around an event: from an hour before it to two hours
// after it.
func (e *SideEvent) AroundEvent(t int) bool {
	return float64(t) > float64(e.At)-BeforeEvent-MinuteLength && float64(t) < float64(e.At+e.For)+AfterEvent
}

// fault describes what is wrong with a minute. It returns "" if nothing is wrong.
func (m *SideMinute) fault(int) string {
	if m.T < 0 || m.T%MinuteLength != 0 || m.Searching < 0 {
		return fmt.Sprintf("%v players search at %d s, want a whole minute and at least 0 players", m.Searching, m.T)
	}
	return ""
}

// fault describes what is wrong with an event. It returns "" if nothing is wrong.
func (e *SideEvent) fault(int) string {
	if e.At < 0 || e.For < 0 {
		return fmt.Sprintf("the event is at %v s for %v s, want at least 0", e.At, e.For)
	}
	return ""
}

// minutesAround returns the minutes around the events of both sides.
func (k *Sketch) minutesAround(sides *[2]Sketch) []SideMinute {
	events := slices.Concat(sides[0].Events, sides[1].Events)
	return slices.DeleteFunc(k.Minutes(), func(m SideMinute) bool {
		return !slices.ContainsFunc(events, func(e SideEvent) bool { return e.AroundEvent(m.T) })
	})
}
