package matcher

import "math"

// slack is taken off a lower bound that comes from another threshold than the
// distances will: rounding may then go either way.
const slack = 1e-9

// widest is what is known of a rule over all waits that a pair of the seed with
// somebody may go by.
type widest struct {
	bound    float64
	inactive bool // the rule may be inactive
	optional bool // the rule may be optional
}

// bounds is what is known of all candidates of a seed before looking at any.
type bounds struct {
	older []widest  // by ranking rule, over the tickets older than the seed of this pass
	now   []widest  // by ranking rule, for the seed at hand
	least []float64 // by ranking rule: weight times the smallest distance to anybody
	exact bool      // the region rule holds for all pairs as it does for the seed
}

// forget starts a pass: no ticket has been the seed yet.
func (b *bounds) forget(p *Pool) {
	b.older = b.older[:0]
	for range p.ranking {
		b.older = append(b.older, widest{bound: math.Inf(-1)})
	}
}

// pass takes a ticket in, in order of age, that stays behind as a candidate.
func (b *bounds) pass(p *Pool, row Row) {
	for i, c := range p.ranking {
		f := &c.force[row]
		o := &b.older[i]
		o.bound = max(o.bound, f.bound)
		o.inactive = o.inactive || !f.active
		o.optional = o.optional || f.optional
	}
}

// set computes the bounds for a seed. inOrder tells that every older ticket was
// passed: with the longest wait as basis, pairs then go by the seed's own stage or
// by that of a ticket passed; otherwise by any stage at all.
func (b *bounds) set(p *Pool, seed Row, inOrder bool) {
	b.now, b.least = b.now[:0], b.least[:0]
	for i, c := range p.ranking {
		f := &c.force[seed]
		w := widest{bound: c.largest, inactive: c.everInactive, optional: c.optionalAfterMS != Never}
		if inOrder && !c.shortest {
			w.bound = max(f.bound, b.older[i].bound)
			w.inactive = !f.active || b.older[i].inactive
		}
		switch {
		case !c.any: // optional only if both are
			w.optional = f.optional
		case inOrder: // optional if the older one is
			w.optional = f.optional || b.older[i].optional
		}
		b.now = append(b.now, w)
		if c == p.region {
			b.exact = c.constant() || w.bound == c.force[seed].bound && inOrder && !c.shortest
		}
		b.least = append(b.least, float64(c.weight*p.leastDistance(c, seed, w)))
	}
}

// leastDistance returns a lower bound of the distance between a seed and anybody.
// It must hold in floating point: where the threshold is the same, each step of
// the sum is monotone; where it is not, slack is taken off.
func (p *Pool) leastDistance(c *column, seed Row, w widest) float64 {
	switch c.kind {
	case setOverlap:
		if set := c.set[seed]; set != nil && !c.rule.(*SetOverlap).MissingAny {
			return 1 / (1 + float64(len(set)))
		}
	case matchTotal:
		least := openShare(c.number[seed]+c.highest, c.smallest)
		if !c.constant() {
			least -= slack
		}
		return max(0, least)
	}
	return 0
}

// inLane returns weight times the smallest region distance between a seed and
// anybody in a lane, or anybody at all without one, and whether any of them may
// share a region with it.
func (b *bounds) inLane(p *Pool, i int, seed Row, l *lane) (least float64, share bool) {
	quality, limitMS := 0.0, b.now[i].bound
	for k, rtt := range p.reach.row(seed) {
		if l != nil {
			rtt = max(rtt, l.to(p.reach.order[k]))
		}
		if rtt <= limitMS && rtt < math.Inf(1) {
			share = true
			quality += regionQuality(rtt, limitMS)
		}
	}
	least = 1 / (1 + quality)
	if !b.exact {
		least = max(0, least-slack)
	}
	return float64(p.region.weight * least), share
}

// enforced tells whether the i-th rule certainly holds between the seed and
// whomever it meets.
func (b *bounds) enforced(i int) bool { return !b.now[i].inactive && !b.now[i].optional }

// total returns a lower bound of the total distance to tickets at least as far on
// the axis as a difference, and in regions as a weighted distance.
func (b *bounds) total(p *Pool, axis int, difference float64, region int, regional float64) float64 {
	sum := 0.0
	for i, least := range b.least {
		switch i {
		case axis:
			least = float64(p.ranking[i].weight * share(difference, b.now[i].bound))
		case region:
			least = regional
		}
		sum += least
	}
	return sum
}
