package quick

import (
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// State has the totals of a group for every number of its tickets.
type State struct {
	*Checks
	Only    uint64 // mask of the regions that the match may use
	teams   int
	stage   *store.Stage
	most    []float64 // largest difference allowed in the stage, for each spread
	capped  []bool    // whether Lets checks each quota
	caps    []float64 // largest number of players with the text in the stage, for each quota
	levels  []int32   // index of the bound that applies in the stage, for each latency rule
	allowed [][]span  // range allowed in the stage, for each layout and sum
	columns []int     // the columns that the sums of layouts read
	depths  []depth   // depths[n] is the state of a group of n tickets
	pairs   pairs
	supply
}

// depth is the totals of a group after a given number of tickets has joined the group.
type depth struct {
	spans    []span             // lowest and highest number, for each spread
	masks    [][]uint64         // common regions, for each latency rule and each of its bounds
	texts    []uint64           // common texts, for each agreement
	have     [QuotasMax][]int32 // for each quota and each of its expressions: number of players with the text
	compared []compared
	layouts  // used if there are Layouts
}

// Begin prepares a new State for groups of the given number of teams. It is called once.
func (q *State) Begin(checks *Checks, teams int) {
	q.Checks, q.Only = checks, expression.Everything
	q.allowed, q.capped = make([][]span, len(q.Layouts)), make([]bool, len(q.Quotas))
	q.columns = checks.summedColumns()
	q.lists = slices.IndexFunc(q.Agreements, func(a Agreement) bool { return a.Lists })
	q.pairs.depth, q.teams, q.barred = q.depth(), teams, make([]Set, len(q.Alone)*teams)
}

// at returns the state of a group of d tickets. The caller must fill it in if it is new.
func (q *State) at(d int) *depth {
	for len(q.depths) <= d {
		q.depths = append(q.depths, q.depth())
	}
	return &q.depths[d]
}

// depth returns new totals.
func (q *State) depth() depth {
	d := depth{spans: make([]span, len(q.Spreads)), texts: make([]uint64, len(q.Agreements))}
	for _, r := range q.Regions {
		d.masks = append(d.masks, make([]uint64, r.Reach.Tickets.Levels()))
	}
	for k := range q.Layouts {
		d.sums = append(d.sums, make([]expression.Progress, len(q.Layouts[k].Sums)))
		d.fits = make([]fit, len(q.Layouts[k].Sizes))
	}
	d.rest, d.compared = make([]span, len(q.columns)), make([]compared, len(q.Compared))
	for k := range q.Quotas {
		d.have[k] = make([]int32, len(q.Quotas[k].Measured))
	}
	return d
}

// Reset sets the state of a group without tickets. The group may already contain session players.
func (q *State) Reset(g *Group) {
	d := q.at(0)
	q.stage = nil
	for i := range q.Spreads {
		d.spans[i] = ranges.None()
	}
	for _, masks := range d.masks {
		for level := range masks {
			masks[level] = expression.Everything
		}
	}
	for i := range q.Agreements {
		d.texts[i] = expression.Everything
	}
	for _, side := range g.Sides {
		for _, member := range side {
			q.join(g, d, d, member)
		}
	}
	q.resetCompared(g, d)
	for k := range q.Quotas {
		of := &q.Quotas[k]
		if q.capped[k] = of.Capped() && g.Columns.Exact(of.Column); q.capped[k] {
			for i, x := range of.Measured {
				d.have[k][i] = int32(g.Holding(x, of.Text).Low)
			}
		}
	}
	q.resetLayouts(g)
}

// Push adds a ticket to a team and reports whether the rules allow it. If they do not, Push adds
// nothing. tickets is the number of tickets in the group, including this one.
func (q *State) Push(g *Group, row Row, team, tickets int) bool {
	q.unbound(g)
	if !q.Lets(g, row, team, tickets-1) {
		return false
	}
	q.Take(g, row, team, tickets)
	q.Bound(g, row, tickets-1)
	return true
}

// unbound allows any number to be added.
func (q *State) unbound(g *Group) {
	for i := range q.Spreads {
		g.Domains[q.Spreads[i].Column] = ranges.Anywhere()
	}
}

// Bound sets the range of numbers that may still be added once a ticket has joined. tickets is the
// number of tickets in the group, without this one.
func (q *State) Bound(g *Group, row Row, tickets int) {
	q.unbound(g)
	for i := range q.Spreads {
		x := q.depths[tickets].spans[i]
		x.Add(g.Columns.Cell(q.Spreads[i].Column, entry(row)).Number)
		g.Domains[q.Spreads[i].Column].Keep(span{Low: x.High - q.most[i], High: x.Low + q.most[i]})
	}
}

// join computes the state of a group after an entry has joined, except for the layouts.
func (q *State) join(g *Group, before, now *depth, member entry) {
	for i := range q.Spreads {
		now.spans[i] = before.spans[i]
		now.spans[i].Add(g.Columns.Cell(q.Spreads[i].Column, member).Number)
	}
	for i := range q.Agreements {
		now.texts[i] = before.texts[i] & g.Columns.Cell(q.Agreements[i].Column, member).All
	}
	for i, r := range q.Regions {
		was, reach := before.masks[i], r.Reach.ByLevel(Row(member))
		masks := now.masks[i][:len(was)]
		for level, mask := range was {
			masks[level] = mask & reach[:len(was)][level]
		}
	}
}

// Take adds a ticket to a team like Push, but does not check the rules.
func (q *State) Take(g *Group, row Row, team, tickets int) {
	now := q.at(tickets)
	before := &q.depths[tickets-1]
	q.join(g, before, now, entry(row))
	for k := range q.Quotas {
		if copy(now.have[k], before.have[k]); q.capped[k] {
			if i := q.Quotas[k].Of[team]; i >= 0 {
				now.have[k][i] += q.Traits[row].Has[k]
			}
		}
	}
	q.takeCompared(g, before, now, row, team)
	if len(q.Layouts) > 0 {
		q.takeLayouts(g, row, team, tickets)
	}
}

// Lets reports whether the rules allow a ticket in a team. tickets is the number of tickets in
// the group, without this one. g must already have the stage that the group gets when the ticket
// joins.
func (q *State) Lets(g *Group, row Row, team, tickets int) bool {
	before := &q.depths[tickets]
	if q.stage != g.Stage {
		q.goBy(g)
	}
	for i := range q.Alone {
		if a := &q.Alone[i]; a.Teams[row]>>team&1 == 0 {
			g.Count(a.Rule, fails)
			return false
		} else if !g.Seated { // otherwise the rule is evaluated as well
			g.Count(a.Rule, undecided)
		}
	}
	for i := range q.Spreads {
		x := &q.Spreads[i]
		if before.spans[i].Exceeds(g.Columns.Cell(x.Column, entry(row)).Number, q.most[i]) {
			g.Count(x.Rule, fails)
			return false
		}
		if x.Rule.Quick { // otherwise the rule is evaluated as well, and counted then
			g.Count(x.Rule, undecided)
		}
	}
	for i := range q.Agreements {
		a := &q.Agreements[i]
		v := g.agrees(a, before.texts[i]&g.Columns.Cell(a.Column, entry(row)).All)
		if g.Columns.Exact(a.Column) { // otherwise the rule is evaluated as well
			g.Count(a.Rule, v)
		}
		if v == fails {
			return false
		}
	}
	common := q.Only
	for i, r := range q.Regions {
		level := q.levels[i]
		mask := before.masks[i][level] & r.Reach.ByLevel(row)[level]
		if r.Enclosing == nil { // latency rules in a compound may hold in different regions
			common &= mask
			mask = common
		}
		if mask == 0 {
			g.Count(r, fails)
			return false
		}
		g.Count(r, undecided)
	}
	for k := range q.Quotas {
		if of := &q.Quotas[k]; q.capped[k] {
			if i := of.Of[team]; i >= 0 && float64(before.have[k][i]+q.Traits[row].Has[k]) > q.caps[k] {
				g.Count(of.Rule, fails)
				return false
			}
			g.Count(of.Rule, undecided)
		}
	}
	if len(q.Layouts) > 0 && !q.leaves(g, row, team, tickets) {
		return false
	}
	for _, r := range q.Summed {
		g.Count(r, undecided)
	}
	return len(q.Compared) == 0 || q.compares(g, before, row, team)
}

// agrees evaluates an agreement. common is a mask of the texts that all players of the group
// share.
func (g *Group) agrees(a *Agreement, common uint64) truth {
	if common == expression.Everything { // no player has texts
		return undecided
	}
	n := ranges.Exactly(float64(bits.OnesCount64(common)))
	switch {
	case n.High == 0:
		return fails
	case !a.Lists:
		return undecided
	}
	if !g.full() {
		n.Low = 0
	}
	return min(g.Bounded(a.Rule, n, 0), undecided)
}

// goBy reads the limits that apply in g's stage. Lets calls it only if the stage has changed,
// which few tickets cause.
func (q *State) goBy(g *Group) {
	q.stage, q.most, q.levels = g.Stage, q.most[:0], q.levels[:0]
	for i := range q.Spreads {
		q.most = append(q.most, q.Spreads[i].Most(g.Stage, g.Anchored))
	}
	for _, r := range q.Regions {
		q.levels = append(q.levels, r.LevelAt(g.Stage, g.Anchored))
	}
	q.caps = q.caps[:0]
	for k := range q.Quotas {
		q.caps = append(q.caps, g.OrFree(q.Quotas[k].Rule.Most, math.Inf(1)).High)
	}
	for k := range q.Layouts {
		q.allowed[k] = q.allowed[k][:0]
		for i := range q.Layouts[k].Sums {
			x, most := &q.Layouts[k].Sums[i], 0.0
			if x.Rule.Most >= 0 {
				most = g.OrFree(x.Rule.Most, math.Inf(1)).High
			}
			q.allowed[k] = append(q.allowed[k], x.Allowed(g.Columns, most))
		}
	}
}
