package collect

import (
	"math"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// series counts by time. It has a row per minute and a row per window, a quarter of an hour.
// Events arrive in order of time, so only the current minute and the current window need
// histograms.
type series struct {
	minutes []result.Minute
	windows []result.Window

	minute    int  // index of the current minute
	now       sums // over the players matched in the current minute
	minuteRTT histogram.Histogram

	around     []bool              // by minute, whether it is around an event; nil without events
	minuteWait histogram.Histogram // only around events

	window   int               // index of the current window
	searches searchTally       // of players matched in the current window
	states   [searchStates]int // the same players by the state in which they were matched
}

func newSeries(duration sim.Duration, events []setup.Span) series {
	s := series{
		minutes: make([]result.Minute, result.RowsUpTo(sim.Instant(duration), result.MinuteLength)),
		windows: make([]result.Window, result.RowsUpTo(sim.Instant(duration), result.WindowLength)),
	}
	for _, e := range events {
		if s.around == nil {
			s.around = make([]bool, len(s.minutes))
		}
		const before, after = result.BeforeEvent * sim.Second, result.AfterEvent * sim.Second
		for t := max(0, e.From.Add(-before)); t < min(e.Until.Add(after), sim.Instant(duration)); t = t.Add(sim.Minute) {
			s.around[t/sim.Instant(sim.Minute)] = true
		}
	}
	s.endMinute() // rows without matches keep what these two write
	s.endWindow()
	for i := range s.minutes {
		s.minutes[i] = s.minutes[0]
		s.minutes[i].T = i * result.MinuteLength
	}
	for i := range s.windows {
		s.windows[i] = s.windows[0]
		s.windows[i].T = i * result.WindowLength
	}
	return s
}

// at returns the row of the minute that contains t.
func (s *series) at(t sim.Instant) *result.Minute { return &s.minutes[t/sim.Instant(sim.Minute)] }

func (s *series) entered(t sim.Instant, players int, back bool) {
	if m := s.at(t); back {
		m.Returns += players
	} else {
		m.Joins += players
	}
}

func (s *series) failed(t sim.Instant, players int) { s.at(t).Failed += players }

// sampled stores a census that was taken on a whole minute. Any other census, and the one at the
// end of the run, has no row.
func (s *series) sampled(c *sim.Census) {
	if c.At%sim.Instant(sim.Minute) != 0 || int(c.At/sim.Instant(sim.Minute)) >= len(s.minutes) {
		return
	}
	m := s.at(c.At)
	m.Playing, m.Between, m.Bots = c.Playing, c.Between, c.Bots
	m.Ideal, m.Expand, m.WarmBody, m.Waiting = c.Ideal, c.Expand, c.WarmBody, c.Waiting
}

func (s *series) matched(m *sim.Match) {
	if minute := int(m.At / sim.Instant(sim.Minute)); minute != s.minute {
		s.endMinute()
		if window := minute / (result.WindowLength / result.MinuteLength); window != s.window {
			s.endWindow()
			s.window = window
		}
		s.minute = minute
	}
	around := s.isAround()
	for i := range m.Players {
		p := &m.Players[i]
		rtt := uint64(p.RTT)
		s.minuteRTT.Add(rtt)
		s.now.addRTT(rtt)
		s.searches.add(p, m.At)
		s.states[p.State]++
		if p.Began >= 0 {
			wait := uint64(m.At.Sub(p.Began))
			s.now.addWait(wait)
			if around {
				s.minuteWait.Add(wait)
			}
		}
	}
}

// isAround reports whether the current minute is around an event.
func (s *series) isAround() bool { return s.around != nil && s.around[s.minute] }

// endMinute writes the statistics of the current minute into its row. Those of a minute without matches
// are NaN.
func (s *series) endMinute() {
	m := &s.minutes[s.minute]
	m.WaitMean, m.RTTMean, m.RTTP90 = s.now.waitMean(), s.now.rttMean(), outcome.Millis(math.NaN())
	if s.now.matched > 0 {
		m.RTTP90 = rttMillis(float64(s.minuteRTT.Ranked(histogram.NearestRank(90, uint64(s.now.matched)))))
	}
	if s.around != nil {
		m.WaitP95 = outcome.Seconds(math.NaN())
	}
	if s.isAround() && s.now.waited > 0 {
		m.WaitP95 = waitSeconds(float64(s.minuteWait.Ranked(histogram.NearestRank(95, uint64(s.now.waited)))))
		s.minuteWait.Reset()
	}
	s.minuteRTT.Reset()
	s.now = sums{}
}

// endWindow writes the statistics of the current window into its row.
func (s *series) endWindow() {
	w := &s.windows[s.window]
	w.Ideal, w.Expand, w.WarmBody = s.states[sim.StateIdeal], s.states[sim.StateExpand], s.states[sim.StateWarmBody]
	w.Waiting = s.states[sim.StateWaiting]
	w.Matched = w.Ideal + w.Expand + w.WarmBody + w.Waiting
	s.searches.total()
	w.First = int(s.searches[result.MeasureWaitFirst].Count())
	w.WaitP50, w.WaitP90, w.WaitP99 = percentiles(&s.searches[result.MeasureWait], waitSeconds)
	w.WaitFirstP50, w.WaitFirstP90, w.WaitFirstP99 = percentiles(&s.searches[result.MeasureWaitFirst], waitSeconds)
	w.RTTP50, w.RTTP90, w.RTTP99 = percentiles(&s.searches[result.MeasureRTT], rttMillis)
	for m := range s.searches {
		s.searches[m].Reset()
	}
	s.states = [searchStates]int{}
}

// percentiles returns the median, the 90th and the 99th percentile, or NaNs if nothing was counted.
func percentiles[T ~float64](h *histogram.Histogram, in func(float64) T) (p50, p90, p99 T) {
	if h.Count() == 0 {
		nan := T(math.NaN())
		return nan, nan, nan
	}
	p := h.Percentiles(50, 90, 99)
	return in(float64(p[0])), in(float64(p[1])), in(float64(p[2]))
}

// finish ends the current minute and window. It returns the rows, without those that an
// interrupted run did not reach.
func (s *series) finish(reached sim.Instant) ([]result.Minute, []result.Window) {
	s.endMinute()
	s.endWindow()
	minutes, windows := result.RowsUpTo(reached, result.MinuteLength), result.RowsUpTo(reached, result.WindowLength)
	return s.minutes[:min(minutes, len(s.minutes))], s.windows[:min(windows, len(s.windows))]
}
