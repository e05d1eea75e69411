package collect

import (
	"slices"

	"mmsim/reports/result"
	"mmsim/sim"
)

// frameSteps are the possible intervals between frames, in minutes. Longer runs double the last
// one.
var frameSteps = [...]sim.Duration{1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 360, 720, 1440}

// frameStep returns the interval between frames for the duration of a run and the number of cells
// in which its players live: 10 minutes for a day.
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

// lapse counts players in matches at the instants step, 2 step and so on, and at the end. A match
// is counted once, when it is made, so all frames up to its end are open at the same time; each
// takes 16 bytes per cell. Counting costs a few ns per player and frame. With frames every 10
// minutes, half of the matches of 5 minutes are in no frame and cost nothing.
type lapse struct {
	step  sim.Duration
	end   sim.Duration       // the instant of the last frame
	count int                // number of frames inside the window
	cells []cellTally        // by spot.cell
	load  int                // number of datacenters
	over  int                // frames that are complete
	open  []*openFrame       // the next frames; nil for a frame in which no player was counted yet
	free  []*openFrame       // cleared frames for reuse
	show  func(result.Frame) // receives every complete frame, in order
}

// openFrame is a frame that is still being counted.
type openFrame struct {
	load  []int
	cells []presence // by spot.cell
}

type presence struct{ players, rttTotal uint64 } // rttTotal in 1/16 ms

func newLapse(step, end sim.Duration, cells []cellTally, datacenters int, show func(result.Frame)) lapse {
	return lapse{step: step, end: end, count: int((end + step - 1) / step), cells: cells, load: datacenters, show: show}
}

// matched counts the players of a match in all frames during the match.
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
		f := l.frame(number)
		f.load[m.Datacenter] += len(m.Players)
		for i := range m.Players {
			at := &f.cells[spots[m.Players[i].Place].cell]
			at.players++
			at.rttTotal += uint64(m.Players[i].RTT)
		}
	}
}

// frame returns the open frame with a number, counted from 1.
func (l *lapse) frame(number int) *openFrame {
	i := number - 1 - l.over
	for len(l.open) <= i {
		l.open = append(l.open, nil)
	}
	if l.open[i] == nil {
		if n := len(l.free); n > 0 {
			l.open[i], l.free = l.free[n-1], l.free[:n-1]
		} else {
			l.open[i] = &openFrame{make([]int, l.load), make([]presence, len(l.cells))}
		}
	}
	return l.open[i]
}

// endBefore completes the frames below a number. All matches that are still to come are made after
// those frames.
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

// sumUp returns the result of the frame that was completed last.
func (l *lapse) sumUp(f *openFrame) result.Frame {
	inhabited := 0
	for i := range f.cells {
		if f.cells[i].players > 0 {
			inhabited++
		}
	}
	frame := result.Frame{
		T:     int(min(sim.Duration(l.over)*l.step, l.end) / sim.Second),
		Load:  slices.Clone(f.load),
		Cells: make([]result.FrameCell, 0, inhabited),
	}
	for i := range f.cells {
		if at := &f.cells[i]; at.players > 0 {
			frame.Cells = append(frame.Cells, result.FrameCell{
				Latitude:  int16(l.cells[i].row - 90),
				Longitude: int16(l.cells[i].column - 180),
				Players:   int32(at.players),
				RTTMean:   int32((at.rttTotal + at.players*sim.RTTUnit/2) / (at.players * sim.RTTUnit)),
			})
		}
	}
	return frame
}

// finish completes the frames before the instant that the run reached. A frame at that instant
// itself would be incomplete.
func (l *lapse) finish(reached sim.Instant) { l.endBefore(int(sim.Duration(reached-1)/l.step) + 1) }
