package timelapse

import (
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// A Watch observes a run and shows the players in matches at regular steps. It does not keep the
// frames that it has shown.
type Watch struct {
	lapse  Lapse
	spots  []Spot
	census sim.Census // taken at the end of the last step
}

var _ sim.Observer = (*Watch)(nil)

// NewWatch returns a Watch that calls show with a frame and the census of the same time. It does
// so at every step of the window and at its last whole minute. A step is a whole number of
// minutes. The census is valid only during the call.
func NewWatch(run setup.Run, step sim.Duration, show func(result.Frame, *sim.Census)) *Watch {
	run.Check()
	w := &Watch{}
	var cells []Cell
	w.spots, cells = Locate(run.Places)
	w.lapse = New(step, (run.Duration-1)/sim.Minute*sim.Minute, cells, run.Datacenters, func(f result.Frame) { show(f, &w.census) })
	return w
}

// Entered does nothing, because a Watch shows only matches.
func (w *Watch) Entered(*sim.Search) {}

// Ended does nothing, because a Watch shows only matches.
func (w *Watch) Ended(*sim.Ended) {}

// Matched counts a match in all frames until it ends.
func (w *Watch) Matched(m *sim.Match) { w.lapse.Matched(m, w.spots) }

// Sampled shows a frame if c was taken at the end of a step. The census is the last event of its
// time, so the frame is complete.
func (w *Watch) Sampled(c *sim.Census) {
	if step, end := sim.Instant(w.lapse.step), sim.Instant(w.lapse.end); c.At > 0 && (c.At%step == 0 || c.At == end) {
		w.census = *c
		w.lapse.endBefore(int((c.At+step-1)/step) + 1)
	}
}
