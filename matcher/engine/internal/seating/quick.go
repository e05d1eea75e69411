package seating

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// quick are the rules that a group is checked against step by step, without a look at all
// who sit in it: how far apart numbers are, and the regions that all reach. Evaluated like
// the other rules they took half of a pass over 10,000 tickets.
type quick struct {
	numbers []*rule
	regions []*rule
	depths  []depth // the first: before any ticket joined
	nears   []near
	stages  []*store.Stage
}

// depth is what a group of so many tickets adds up to.
type depth struct {
	spans  []span    // by rule about numbers
	masks  []uint64  // by rule about regions
	bounds []float64 // by which the masks are
}

// begin finds the rules.
func (q *quick) begin(rules []*rule) {
	for _, r := range rules {
		switch of := r.of.(type) {
		case *matcher.BatchDistance:
			if len(of.Max) > 0 {
				q.numbers, r.quick = append(q.numbers, r), true
			}
		case *matcher.Latency:
			if len(of.MaxDistance) == 0 {
				q.regions, r.quick = append(q.regions, r), true
			}
		}
	}
}

// at returns the sums of a depth, to be filled in.
func (q *quick) at(d int) *depth {
	for len(q.depths) <= d {
		q.depths = append(q.depths, depth{make([]span, len(q.numbers)), make([]uint64, len(q.regions)), make([]float64, len(q.regions))})
	}
	return &q.depths[d]
}

// reset begins with the players of a session, if there are any.
func (q *quick) reset(e *evaluator) {
	d := q.at(0)
	for i, r := range q.numbers {
		d.spans[i] = span{math.Inf(1), math.Inf(-1)}
		for _, side := range e.sides {
			for _, who := range side {
				d.spans[i].add(e.columns.cell(r.column, who).number)
			}
		}
	}
	for i := range q.regions {
		d.bounds[i] = math.NaN()
	}
}

func (s *span) add(x float64) { *s = span{min(s.low, x), max(s.high, x)} }

// push takes in a ticket, the last of a group of so many, and tells whether the rules let it
// be.
func (q *quick) push(e *evaluator, row Row, tickets int) bool {
	now := q.at(tickets)
	before := &q.depths[tickets-1]
	for i, r := range q.numbers {
		now.spans[i] = before.spans[i]
		now.spans[i].add(e.columns.cell(r.column, entry(row)).number)
		most := e.limits(r.most).high
		if now.spans[i].high-now.spans[i].low > most+tolerance {
			e.count(r, fails)
			return false
		}
		e.count(r, open)
	}
	common := ^uint64(0)
	for i, r := range q.regions {
		bound := e.orFree(e.limits(r.most), math.Inf(1)).high
		now.bounds[i] = bound
		if before.bounds[i] == bound {
			now.masks[i] = before.masks[i] & e.reach(r, entry(row), bound)
		} else {
			now.masks[i] = ^uint64(0)
			for _, side := range e.sides {
				for _, who := range side {
					now.masks[i] &= e.reach(r, who, bound)
				}
			}
		}
		if common &= now.masks[i]; common == 0 {
			e.count(r, fails)
			return false
		}
		e.count(r, open)
	}
	return true
}

// reach returns the regions within a bound as bits.
func (e *evaluator) reach(r *rule, who entry, bound float64) (mask uint64) {
	rtts := e.columns.rttOf(r.column, who)
	if rtts == nil && who < 0 {
		return ^uint64(0)
	}
	for region, ms := range rtts {
		if ms <= bound {
			mask |= 1 << region
		}
	}
	return mask
}

// near is an option as enough looks at it.
type near struct {
	number  float64
	players int32
	regions uint64
}

// enough tells whether so many players of some options may join the group together: in some
// stage that its newest ticket may then be in, there is a region that the whole group
// reaches, and they do, and they stand with the group within the first limit about numbers.
func (s *Search) enough(options []option, need int32) bool {
	q, e := &s.quick, &s.evaluator
	if need <= 0 || len(q.numbers)+len(q.regions) == 0 {
		return true
	}
	q.stages = append(q.stages[:0], s.stage)
	if !s.Rules.Set.Oldest {
		for _, o := range options {
			if stage := s.Rules.rows.Stage[o.row]; stage.UntilMS < s.stage.UntilMS && !slices.Contains(q.stages, stage) {
				q.stages = append(q.stages, stage)
			}
		}
	}
	group := exactly(0)
	if len(q.numbers) > 0 {
		group = q.depths[len(s.Group)].spans[0]
		column := q.numbers[0].column
		slices.SortFunc(options, func(a, b option) int {
			return cmp.Compare(e.columns.cell(column, entry(a.row)).number, e.columns.cell(column, entry(b.row)).number)
		})
	}
	for _, stage := range q.stages {
		if s.enoughIn(stage, options, group, need) {
			return true
		}
	}
	return false
}

// enoughIn is enough in one stage. Tickets of younger stages are left out: with one of them
// the group would go by another stage.
func (s *Search) enoughIn(stage *store.Stage, options []option, group span, need int32) bool {
	q, e, rows := &s.quick, &s.evaluator, s.Rules.rows
	width, bound, common := math.Inf(1), math.Inf(1), uint64(1)
	if len(q.numbers) > 0 {
		width = s.Rules.limitsAt(stage, !s.Rules.Set.Oldest, q.numbers[0].most).high + tolerance
		if group.high-group.low > width {
			return false
		}
	}
	if len(q.regions) > 0 {
		bound, common = s.Rules.limitsAt(stage, !s.Rules.Set.Oldest, q.regions[0].most).high, ^uint64(0)
		for _, side := range e.sides {
			for _, who := range side {
				common &= e.reach(q.regions[0], who, bound)
			}
		}
	}
	q.nears = q.nears[:0]
	total := int32(0)
	for _, o := range options {
		if !s.Rules.Set.Oldest && rows.Stage[o.row].UntilMS < stage.UntilMS {
			continue
		}
		n := near{players: rows.Players[o.row], regions: common}
		if len(q.regions) > 0 {
			if n.regions &= e.reach(q.regions[0], entry(o.row), bound); n.regions == 0 {
				continue
			}
		}
		if len(q.numbers) > 0 {
			n.number = e.columns.cell(q.numbers[0].column, entry(o.row)).number
		}
		total += n.players
		q.nears = append(q.nears, n)
	}
	if total < need {
		return false
	}
	for ; common != 0; common &= common - 1 {
		if q.together(common&-common, group, width, need) {
			return true
		}
	}
	return false
}

// together tells whether so many players who reach a region stand within a width, the group
// among them.
func (q *quick) together(region uint64, group span, width float64, need int32) bool {
	first, inside := 0, int32(0)
	for i := range q.nears {
		n := &q.nears[i]
		if n.regions&region == 0 {
			continue
		}
		inside += n.players
		for max(n.number, group.high)-min(q.nears[first].number, group.low) > width && first < i {
			if q.nears[first].regions&region != 0 {
				inside -= q.nears[first].players
			}
			first++
		}
		if inside >= need {
			return true
		}
	}
	return false
}
