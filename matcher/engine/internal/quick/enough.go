package quick

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// supply is the candidates of a search, for State.Enough.
type supply struct {
	groups
	lists    int // index of the first agreement whose values are lists, or -1
	demand   [QuotasMax]Demand
	rows     []Row      // the candidates in order of age
	all      Set        // the set of all of them
	numbered []numbered // scratch space for List
	nears    []near     // the candidates, sorted by near.number if there is a spread
	position []int32    // index in nears, for each row; used if there is a spread
	sorted   Set        // scratch space for byNumber
	stages   []*store.Stage
	window   []stageData
	sliding  ranges.Window
	added    []*[QuotasMax]int32 // scratch space for together: for each candidate in sliding, near.has
	served   choice              // Enough tries it first
}

// choice is a stage, and masks of regions and texts of which a match has one each.
type choice struct {
	stage          *store.Stage
	regions, texts uint64
}

// near contains the data of a candidate that Enough reads.
type near struct {
	number  float64 // the number for the first spread
	stage   *store.Stage
	regions []uint64 // masks for the first latency rule, indexed by its bounds
	texts   uint64   // the texts for the first agreement about lists
	players int32
	has     *[QuotasMax]int32 // Traits.Has
}

// Demand is the number of additional players, with and without a quota's text, that a group
// needs.
type Demand struct{ With, Without int32 }

// numbered is a candidate with its number for the first spread. Sorting rows by a function that looks
// their numbers up took 10 percent of a day with many queues.
type numbered struct {
	number float64
	row    Row
}

// stageData contains the data of a candidate that applies in one stage. enoughIn computes it.
type stageData struct {
	number  float64
	regions uint64
	texts   uint64
	players int32
	has     *[QuotasMax]int32
}

// counts reports whether there is any rule for Enough to check.
func (q *State) counts() bool {
	return len(q.Spreads)+len(q.Regions)+len(q.Quotas) > 0 || q.lists >= 0
}

// List sets the candidates of a search, in order of age. byKey contains the same rows in the order of the
// index. It is nil if that order is unknown.
func (q *State) List(g *Group, rows, byKey []Row) {
	q.rows, q.all = rows, q.all.all(len(rows))
	if !q.counts() {
		return
	}
	known := q.Sorted && byKey != nil
	if len(q.Spreads) > 0 && known {
		rows = byKey
	}
	list := slices.Grow(q.numbered[:0], len(rows))
	for _, row := range rows {
		x := numbered{row: row}
		if len(q.Spreads) > 0 {
			x.number = g.Columns.Cell(q.Spreads[0].Column, entry(row)).Number
		}
		list = append(list, x)
	}
	if len(q.Spreads) > 0 && !known {
		slices.SortFunc(list, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	}
	q.numbered, q.nears = list, slices.Grow(q.nears[:0], len(rows))[:len(rows)]
	for k, x := range list {
		n, row := &q.nears[k], x.row
		n.number, n.stage, n.players, n.has = x.number, g.Rows.Stage[row], g.Rows.Players[row], &q.Traits[row].Has
		if len(q.Spreads) > 0 {
			q.position = expression.Grow(q.position, int(row))
			q.position[row] = int32(k)
		}
		if len(q.Regions) > 0 {
			n.regions = q.Regions[0].Reach.ByLevel(row)
		}
		if q.lists >= 0 {
			n.texts = g.Columns.Cell(q.Agreements[q.lists].Column, entry(row)).All
		}
	}
}

// All returns the set of all candidates.
func (q *State) All() Set { return q.all }

// byNumber converts a set of candidates to a set of indexes in nears. These are the same for all candidates.
func (q *State) byNumber(set Set) Set {
	if len(q.Spreads) == 0 || len(set) > 0 && &set[0] == &q.all[0] {
		return set
	}
	q.sorted = q.sorted.empty(len(q.rows))
	for at, word := range set {
		for ; word != 0; word &= word - 1 {
			q.sorted.add(int(q.position[q.rows[64*at+bits.TrailingZeros64(word)]]))
		}
	}
	return q.sorted
}

// Enough reports whether some of a set of candidates could join the group and bring it the needed
// players. They and the group must reach a common region, share a text, satisfy the first
// spread, and meet the demand of every quota. The method tries every stage that the group may have
// after they join. tickets is the number of tickets in the group.
//
// What sufficed last time often suffices again. Enough therefore tries it first, which takes one look at
// each candidate instead of one for each region.
func (q *State) Enough(g *Group, tickets int, set Set, need int32) bool {
	if need <= 0 || !q.counts() {
		return true
	}
	q.demand = q.Demands(g)
	newest, set := !q.Oldest, q.byNumber(set)
	if s := q.served.stage; s == g.Stage || s != nil && newest && s.UntilMS < g.Stage.UntilMS {
		if q.enoughIn(g, tickets, set, q.served, need) {
			return true
		}
	}
	q.stages = append(q.stages[:0], g.Stage)
	for k, word := range set {
		for ; word != 0 && newest; word &= word - 1 {
			stage := q.nears[64*k+bits.TrailingZeros64(word)].stage
			if stage.UntilMS < g.Stage.UntilMS && !slices.Contains(q.stages, stage) {
				q.stages = append(q.stages, stage)
			}
		}
	}
	for _, stage := range slices.Backward(q.stages) { // few candidates are in the group's own stage
		if q.enoughIn(g, tickets, set, choice{stage, expression.Everything, expression.Everything}, need) {
			return true
		}
	}
	return false
}

// enoughIn does the work of Enough for one stage and some regions and texts. It returns false if the
// group cannot get to that stage. If the newest ticket decides the stage, it skips candidates that would
// bring the group to an earlier stage.
func (q *State) enoughIn(g *Group, tickets int, set Set, c choice, need int32) bool {
	group, texts, stage := ranges.Exactly(0), expression.Everything, c.stage
	if q.lists >= 0 {
		texts = q.depths[tickets].texts[q.lists]
	}
	if len(q.Spreads) > 0 {
		group = q.depths[tickets].spans[0]
	}
	newest := !q.Oldest
	known := newest || g.Anchored
	width, level, common := math.Inf(1), int32(0), uint64(1)
	if len(q.Spreads) > 0 {
		width = q.Spreads[0].Most(stage, known)
		if group.High-group.Low > width {
			return false
		}
	}
	if len(q.Regions) > 0 {
		level = q.Regions[0].LevelAt(stage, known)
		common = q.depths[tickets].masks[0][level]
	}
	common &= c.regions
	q.window = q.window[:0]
	total, reached, have := int32(0), stage == g.Stage, [QuotasMax]int32{}
	for k, word := range set {
		for ; word != 0; word &= word - 1 {
			n := &q.nears[64*k+bits.TrailingZeros64(word)]
			if newest && n.stage.UntilMS < stage.UntilMS {
				continue
			}
			reached = reached || n.stage == stage
			regions, shared := common, texts
			if len(n.regions) > 0 {
				regions &= n.regions[level]
			}
			if q.lists >= 0 {
				shared &= n.texts
			}
			if regions == 0 || shared == 0 || group.Exceeds(n.number, width) {
				continue
			}
			total += n.players
			for k := range q.Quotas {
				have[k] += n.has[k]
			}
			q.window = append(q.window, stageData{n.number, regions, shared, n.players, n.has})
		}
	}
	if total < need || !reached || !q.supplied(total, &have) {
		return false
	}
	if texts == expression.Everything {
		texts = 1
	}
	texts &= c.texts
	for ; common != 0; common &= common - 1 {
		for rest := texts; rest != 0; rest &= rest - 1 {
			if q.together(common&-common, rest&-rest, group, width, need) {
				q.served = choice{stage, common & -common, rest & -rest}
				return true
			}
		}
	}
	return false
}

// together reports whether enough candidates could join the group in one region and with one
// shared text. region and text are masks with one bit. The numbers of the candidates and the
// group must differ by at most width.
func (q *State) together(region, text uint64, group span, width float64, need int32) bool {
	players, have, left := int32(0), [QuotasMax]int32{}, 0 // left is the number of candidates that left the window
	slides := len(q.Spreads) > 0
	q.sliding.Begin(group, width)
	q.added = q.added[:0]
	for i := range q.window {
		n := &q.window[i]
		if n.regions&region == 0 || n.texts&text == 0 {
			continue
		}
		for k := range q.Quotas {
			have[k] += n.has[k]
		}
		if players += n.players; slides {
			leaves := q.sliding.Add(n.number, n.players)
			players = q.sliding.Players
			if len(q.Quotas) > 0 {
				q.added = append(q.added, n.has)
				for _, gone := range q.added[left : left+leaves] {
					for k := range q.Quotas {
						have[k] -= gone[k]
					}
				}
				left += leaves
			}
		}
		if players >= need && q.supplied(players, &have) {
			return true
		}
	}
	return false
}

// supplied reports whether a number of players meets the demand of every quota. have[k] of these
// players have the text of quota k.
func (q *State) supplied(players int32, have *[QuotasMax]int32) bool {
	for k := range q.Quotas {
		if have[k] < q.demand[k].With || players-have[k] < q.demand[k].Without {
			return false
		}
	}
	return true
}

// Demands returns the demand of each quota. If the group's stage may still change, it returns the
// smallest demand over all possible stages.
func (q *State) Demands(g *Group) (list [QuotasMax]Demand) {
	for k := range q.Quotas {
		of, d := &q.Quotas[k], &list[k]
		least, most := max(0, g.OrFree(of.Rule.Least, 0).Low), g.OrFree(of.Rule.Most, math.Inf(1)).High
		for i, x := range of.Measured {
			if !x.Exact(g.Columns) {
				*d = Demand{}
				break
			}
			have := g.Holding(x, of.Text).Low
			d.With += int32(max(0, least-have))
			lack := 0.0
			for team, reader := range of.Of {
				if reader == i {
					lack += max(0, g.Requires(team).Low-float64(g.Counts[team]))
				}
			}
			d.Without += int32(max(0, lack-(most-have)))
		}
	}
	return list
}
