package collect

import (
	"slices"

	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// spot has the data of a place that a collector needs, in 4 bytes. Players arrive in random
// order, so reading a player's spot often misses the cache. A small table causes fewer misses.
type spot struct {
	Cell      uint16 // index into the cells of locate
	Continent uint8
}

// mapCell is the position of a cell of the map.
type mapCell struct{ Row, Column int }

// locate returns a spot for every place, and the map cells that contain a place, ordered from
// south to north and then from west to east.
func locate(places []setup.Place) (spots []spot, cells []mapCell) {
	var inhabited [180][360]bool
	for _, p := range places {
		row, column := p.Cell()
		inhabited[row][column] = true
	}
	var index [180][360]uint16
	for row := range inhabited {
		for column, yes := range inhabited[row] {
			if yes {
				index[row][column] = uint16(len(cells))
				cells = append(cells, mapCell{row, column})
			}
		}
	}
	spots = make([]spot, len(places))
	for i, p := range places {
		row, column := p.Cell()
		spots[i] = spot{Cell: index[row][column], Continent: p.Continent}
	}
	return spots, cells
}

// frameSteps are the possible intervals between frames, in minutes. For longer runs, frameStep
// doubles the last one.
var frameSteps = [...]sim.Duration{1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 360, 720, 1440}

// frameStep returns the interval between frames for a run of this duration whose players live in
// this number of map cells. For a day it is 10 minutes.
func frameStep(duration sim.Duration, cells int) sim.Duration {
	limit := sim.Duration(max(1, min(result.FramesMax, result.FrameCellsMax/max(1, cells))))
	for _, minutes := range frameSteps {
		if duration <= limit*minutes*sim.Minute {
			return minutes * sim.Minute
		}
	}
	step := frameSteps[len(frameSteps)-1] * sim.Minute
	for duration > limit*step {
		step *= 2
	}
	return step
}

// A lapse counts the players in matches at the times step, 2*step and so on, and at the time end.
// The counts at one of these times are a frame. When a match is made, it is counted in every
// frame until the match ends, so several frames are open at the same time. An open frame takes 16
// bytes per cell. Counting costs a few ns per player and frame. With frames every 10 minutes, half
// of all 5-minute matches are in no frame and cost nothing.
type lapse struct {
	step  sim.Duration
	end   sim.Duration // the time of the last frame
	count int          // number of frames
	cells []mapCell    // indexed by spot.Cell
	sites []setup.Datacenter
	over  int                // number of complete frames
	open  []*openFrame       // frames after the complete ones; an item is nil if nobody has been counted in its frame yet
	free  []*openFrame       // cleared frames for reuse
	show  func(result.Frame) // is called with every complete frame, in order
}

// openFrame is a frame that is not complete yet.
type openFrame struct {
	load  []int
	cells []presence // indexed by spot.Cell
}

type presence struct{ players, rttTotal uint64 } // rttTotal is in 1/16 ms

func newLapse(step, end sim.Duration, cells []mapCell, sites []setup.Datacenter, show func(result.Frame)) lapse {
	return lapse{step: step, end: end, count: int((end + step - 1) / step), cells: cells, sites: sites, show: show}
}

// matched counts the players of a match in all frames until the match ends.
func (l *lapse) matched(m *sim.Match, spots []spot) {
	first := max(1, int((sim.Duration(m.At)+l.step-1)/l.step))
	l.endBefore(first)
	last := min(l.count, int((sim.Duration(m.Ends)-1)/l.step))
	switch {
	case sim.Duration(m.At) > l.end:
		return
	case sim.Duration(m.Ends) > l.end:
		last = l.count
	}
	for number := first; number <= last; number++ {
		f, now := l.frame(number), sim.Instant(min(sim.Duration(number)*l.step, l.end))
		for i := range m.Players {
			if m.LeftAt(i) <= now {
				continue
			}
			f.load[m.Datacenter]++
			at := &f.cells[spots[m.Players[i].Place].Cell]
			at.players++
			at.rttTotal += uint64(m.Players[i].RTT)
		}
	}
}

// frame returns the open frame with this number. Numbers count from 1.
func (l *lapse) frame(number int) *openFrame {
	i := number - 1 - l.over
	for len(l.open) <= i {
		l.open = append(l.open, nil)
	}
	if l.open[i] == nil {
		if n := len(l.free); n > 0 {
			l.open[i], l.free = l.free[n-1], l.free[:n-1]
		} else {
			l.open[i] = &openFrame{make([]int, len(l.sites)), make([]presence, len(l.cells))}
		}
	}
	return l.open[i]
}

// endBefore completes the frames before this number. The caller knows that all further matches
// will be made after those frames.
func (l *lapse) endBefore(number int) {
	for number = min(number, l.count+1); l.over+1 < number; {
		f := l.frame(l.over + 1)
		l.open = slices.Delete(l.open, 0, 1)
		l.over++
		l.show(l.sumUp(f))
		clear(f.load)
		clear(f.cells)
		l.free = append(l.free, f)
	}
}

// sumUp converts f, which has just been completed and has the number l.over, to the frame of a
// result.
func (l *lapse) sumUp(f *openFrame) result.Frame {
	inhabited := 0
	for i := range f.cells {
		if f.cells[i].players > 0 {
			inhabited++
		}
	}
	frame := result.Frame{
		T:     int(min(sim.Duration(l.over)*l.step, l.end) / sim.Second),
		Cells: make([]result.FrameCell, 0, inhabited),
	}
	for i, site := range l.sites {
		if !site.Unused {
			frame.Load = append(frame.Load, f.load[i])
		}
	}
	for i := range f.cells {
		if at := &f.cells[i]; at.players > 0 {
			frame.Cells = append(frame.Cells, result.FrameCell{
				Latitude:  int16(l.cells[i].Row - 90),
				Longitude: int16(l.cells[i].Column - 180),
				Players:   int32(at.players),
				RTTMean:   int32((at.rttTotal + at.players*sim.RTTUnit/2) / (at.players * sim.RTTUnit)),
			})
		}
	}
	return frame
}

// finish completes the frames before the time that the run reached. A frame at that very time
// would be incomplete.
func (l *lapse) finish(reached sim.Instant) { l.endBefore(int(sim.Duration(reached-1)/l.step) + 1) }

// A Watch observes a run and shows the players in matches at regular steps. It does not keep the
// frames that it has shown.
type Watch struct {
	lapse  lapse
	spots  []spot
	census sim.Census // taken at the end of the last step
}

var _ sim.Observer = (*Watch)(nil)

// NewWatch returns a Watch that calls show with a frame and the census of the same time. It does
// so at every step of the window and at its last whole minute. A step is a whole number of
// minutes. The census is valid only during the call.
func NewWatch(run setup.Run, step sim.Duration, show func(result.Frame, *sim.Census)) *Watch {
	run.Check()
	w := &Watch{}
	var cells []mapCell
	w.spots, cells = locate(run.Places)
	w.lapse = newLapse(step, (run.Duration-1)/sim.Minute*sim.Minute, cells, run.Datacenters, func(f result.Frame) { show(f, &w.census) })
	return w
}

// Entered does nothing, because a Watch shows only matches.
func (w *Watch) Entered(*sim.Search) {}

// Ended does nothing, because a Watch shows only matches.
func (w *Watch) Ended(*sim.Ended) {}

// Matched counts a match in all frames until it ends.
func (w *Watch) Matched(m *sim.Match) { w.lapse.matched(m, w.spots) }

// Sampled shows a frame if c was taken at the end of a step. The census is the last event of its
// time, so the frame is complete.
func (w *Watch) Sampled(c *sim.Census) {
	if step, end := sim.Instant(w.lapse.step), sim.Instant(w.lapse.end); c.At > 0 && (c.At%step == 0 || c.At == end) {
		w.census = *c
		w.lapse.endBefore(int((c.At+step-1)/step) + 1)
	}
}
