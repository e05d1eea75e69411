package matcher

import "math"

// rulerCells is how finely an axis is divided.
const rulerCells = 255

// ruler divides the numbers of a gathering into cells of equal width, so that who stands
// where is known roughly without a search.
type ruler struct {
	lowest, highest float64               // the numbers that there are cells for; none while highest < lowest
	perCell         float64               // 1 / width of a cell
	outlined        [rulerCells + 2]int32 // by cell: the first place that is not before it
	arrived         [rulerCells + 2]int32 // by cell: those who came and are before it
	numberless      int32                 // those who came without a number
	sorted          []stand               // scratch
}

// extent is the cells of a window.
type extent struct {
	asOf     uint64 // Pool.touched when it was computed, 0: it was not
	from, to uint8
	whole    bool // all, those without number included
}

// holds tells whether there are cells for all who came.
func (r *ruler) holds(came []stand) bool {
	for i := range came {
		if n := came[i].number; n < r.lowest || n > r.highest {
			return false
		}
	}
	return r.perCell > 0
}

// stretch divides the axis anew for all numbers, with some room for more.
func (r *ruler) stretch(stands, came []stand) {
	r.lowest, r.highest = math.Inf(1), math.Inf(-1)
	for _, list := range [][]stand{stands, came} {
		for i := range list {
			if n := list[i].number; !math.IsNaN(n) {
				r.lowest, r.highest = min(r.lowest, n), max(r.highest, n)
			}
		}
	}
	if r.lowest > r.highest {
		r.lowest, r.highest = 0, 0
	}
	margin := max((r.highest-r.lowest)/8, math.Abs(r.lowest)*slack, slack)
	r.lowest, r.highest = r.lowest-margin, r.highest+margin
	r.perCell = rulerCells / (r.highest - r.lowest)
}

// cell returns the cell of a number; the outermost hold all beyond.
func (r *ruler) cell(number float64) uint8 {
	at := (number - r.lowest) * r.perCell
	if !(at > 0) {
		return 0
	}
	return uint8(min(at, rulerCells-1))
}

// extent returns the cells of those whom a width lets a row meet, and maybe those at its
// ends.
func (r *ruler) extent(f *front) extent {
	if math.IsNaN(f.number) || math.IsInf(f.width, 1) {
		return extent{whole: true}
	}
	width := f.width + (math.Abs(f.number)+f.width)*slack // of rounding
	s := extent{from: r.cell(f.number - width), to: r.cell(f.number + width)}
	s.to = max(s.from, s.to)
	return s
}

// sort brings those who came into the order of their numbers, those without one first,
// and counts them: by cell, then within each.
func (r *ruler) sort(came []stand) []stand {
	r.numberless = 0
	clear(r.arrived[:])
	for i := range came {
		if math.IsNaN(came[i].number) {
			r.numberless++
			continue
		}
		came[i].cell = r.cell(came[i].number)
		r.arrived[came[i].cell+1]++
	}
	for cell := range rulerCells + 1 {
		r.arrived[cell+1] += r.arrived[cell]
	}
	r.sorted = append(r.sorted[:0], came...)
	next, free := r.arrived, int32(0)
	for i := range came {
		if math.IsNaN(came[i].number) {
			r.sorted[free] = came[i]
			free++
			continue
		}
		at := r.numberless + next[came[i].cell]
		next[came[i].cell]++
		for first := r.numberless + r.arrived[came[i].cell]; at > first && r.sorted[at-1].number > came[i].number; at-- {
			r.sorted[at] = r.sorted[at-1]
		}
		r.sorted[at] = came[i]
	}
	return append(came[:0], r.sorted...)
}

// draw notes where each cell begins, given all who stand there.
func (r *ruler) draw(numberless int, stands []stand) {
	clear(r.outlined[:])
	for k := numberless; k < len(stands); k++ {
		r.outlined[int(stands[k].cell)+1] = int32(k + 1)
	}
	last := int32(numberless)
	for cell := range r.outlined { // where nobody stands the next one begins with the one before
		last = max(last, r.outlined[cell])
		r.outlined[cell] = last
	}
}
