package reports

import (
	"slices"

	"mmsim/sim"
)

// Frame is one picture of the time-lapse: who was in a match at one instant, after
// everything else that happened then. A player is where the player lives. Those whose
// match began in the warm-up period are missing, since nobody was told of them: so
// many as Minute.Playing is higher than the sum over the cells.
type Frame struct {
	T     int         // s since the start of the window; frames are equally far apart, the first one is not at 0
	Load  []int       // players in match by datacenter, in the order of the datacenter list
	Cells []FrameCell // those with somebody in a match, from the south and from the west
}

// FrameCell is the players in match who live in the cell of one degree with this
// south-west corner.
type FrameCell struct {
	Latitude, Longitude int16 // degrees: -90..89, -180..179
	Players             int32
	RTTMean             int32 // ms, rounded
}

// The time-lapse has at most so many frames, and so many cells over all frames: a
// page holds them, and a run of any length keeps them in memory.
const (
	framesMax     = 150
	frameCellsMax = 900_000
)

// frameSteps are the possible distances of frames in minutes; beyond the last one
// they double.
var frameSteps = [...]sim.Duration{1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 360, 720, 1440}

// frameStep returns the distance of the frames of a run whose players live in this
// many cells: 10 minutes for a day.
func frameStep(duration sim.Duration, cells int) sim.Duration {
	limit := sim.Duration(max(1, min(framesMax, frameCellsMax/max(1, cells))))
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

// lapse counts players in match at the instants step, 2 step and so on. A match is
// told when it is made, so the frames up to its end are open at once: cells of 16
// bytes for each of them. Counting costs a few ns a player and frame; of matches of
// 5 minutes every second one is in no frame and costs nothing.
type lapse struct {
	step  sim.Duration
	count int          // of frames inside the window
	cells []cellTally  // by spot.cell
	load  int          // datacenters
	over  int          // frames that are over
	open  []*openFrame // the next ones, nil where nobody was counted yet
	free  []*openFrame // zeroed
	show  func(Frame)  // is shown every frame that is over, in turn
}

// openFrame is a frame that is still being counted.
type openFrame struct {
	load  []int
	cells []presence // by spot.cell
}

type presence struct{ players, rttTotal uint64 } // rttTotal in 1/16 ms

func newLapse(step, duration sim.Duration, cells []cellTally, datacenters int, show func(Frame)) lapse {
	return lapse{step: step, count: int((duration - 1) / step), cells: cells, load: datacenters, show: show}
}

// matched counts the players of a match in the frames while it lasts.
func (l *lapse) matched(m *sim.Match, spots []spot) {
	first := max(1, int((sim.Duration(m.At)+l.step-1)/l.step))
	l.endBefore(first)
	last := min(l.count, int((sim.Duration(m.Ends)-1)/l.step))
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

// frame returns the open frame of a number; the first one has 1.
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

// endBefore ends the frames below a number: no match that is told from now on was
// made before them.
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

// sumUp returns what was counted in the frame that was over last.
func (l *lapse) sumUp(f *openFrame) Frame {
	inhabited := 0
	for i := range f.cells {
		if f.cells[i].players > 0 {
			inhabited++
		}
	}
	frame := Frame{
		T:     l.over * int(l.step/sim.Second),
		Load:  slices.Clone(f.load),
		Cells: make([]FrameCell, 0, inhabited),
	}
	for i := range f.cells {
		if at := &f.cells[i]; at.players > 0 {
			frame.Cells = append(frame.Cells, FrameCell{
				Latitude:  int16(l.cells[i].row - 90),
				Longitude: int16(l.cells[i].column - 180),
				Players:   int32(at.players),
				RTTMean:   int32((at.rttTotal + at.players*sim.RTTUnit/2) / (at.players * sim.RTTUnit)),
			})
		}
	}
	return frame
}

// finish ends the frames before the instant that was reached: what would have happened
// at that instant itself is not known.
func (l *lapse) finish(reached sim.Instant) { l.endBefore(int(sim.Duration(reached-1)/l.step) + 1) }
