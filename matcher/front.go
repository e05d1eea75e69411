package matcher

import "math"

// front is what decides first whether a ticket may meet one that has waited less:
// few numbers, side by side. It forbids only what the rules do.
type front struct {
	number float64 // on the axis of the index; NaN: it has none
	width  float64 // largest difference on the axis to those who have waited less
	narrow float64 // and to those who have waited more
	kind   int32   // of a star: only the like meet
	size   int32   // players; out of bounds for a row without ticket
	need   int32   // players beside it without whom there is no match; 0: it may do without
	level  uint8   // of the region rule, for those who have waited less
}

// nobody is the size of a row that nobody fits beside.
const nobody = math.MaxInt32

// face computes the front of a row in a stage.
func (p *Pool) face(row Row, stage *front) {
	f := &p.fronts[row]
	*f = *stage
	if p.state[row] == rowTicket {
		f.size = p.size[row]
	}
	f.need = max(1, int32(p.rules.MinPlayers)-p.size[row])
	if axis := p.index.axis; axis != nil {
		f.number = axis.number[row]
	}
}

// meets tells whether two may meet, of which the first is the seed.
func (p *Pool) meets(seed, other Row) bool {
	if p.star != nil {
		return p.star.meets(seed, other)
	}
	if p.state[seed] == rowTicket {
		old, young := p.byAge(seed, other)
		a, b := &p.fronts[old], &p.fronts[young]
		if math.Abs(a.number-b.number) > a.width || p.near(old)&p.reach.mask(young, a.level) == 0 {
			return false
		}
		if p.decisive {
			return true
		}
	}
	_, meet := p.pair(seed, other)
	return meet
}

// near returns the regions that a row reaches with those who have waited less.
func (p *Pool) near(row Row) uint64 {
	if p.star != nil {
		return p.reach.mask(row, ownReach)
	}
	return p.reach.mask(row, p.fronts[row].level)
}

// decides tells whether fronts decide alone: no rule but the axis and the region
// looks at pairs, by the longest wait, and none becomes optional.
func (p *Pool) decides() bool {
	for _, c := range p.ranking {
		if c != p.index.axis && (c != p.region || p.reach.levels == nil) || c.shortest || c.optionalAfterMS != Never {
			return false
		}
	}
	return true
}
