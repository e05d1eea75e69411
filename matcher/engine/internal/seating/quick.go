package seating

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// quick checks some rules incrementally, so that the search need not read all seated players
// again for every ticket. These are the rules about differences between numbers, common regions,
// common texts, and sums. When they were evaluated like other rules, that took half of the time
// of a pass over 10,000 tickets.
type quick struct {
	numbers  []spread
	regions  []*rule
	texts    []*agreement
	layouts  []layout
	summed   []*rule // see Rules.summed
	lists    int     // index of the first element of texts whose values are lists, or -1
	quotas   []quota
	demand   [quotasMax]demand
	only     uint64 // mask of the regions that the match may use
	stage    *store.Stage
	most     []float64 // largest difference allowed in the stage, for each element of numbers
	capped   []bool    // whether each element of quotas is checked by lets
	caps     []float64 // largest number of players with the text in the stage, for each element of quotas
	levels   []int32   // index of the bound that applies in the stage, for each element of regions
	allowed  [][]span  // range allowed in the stage, for each layout and sum
	depths   []depth   // depths[n] is the state of a group of n tickets
	nears    []near    // the candidates of a search, sorted by near.number
	position []int32   // index in nears, for each row
	alive    []uint64  // bit i is set if nears[i] may still join
	stages   []*store.Stage
	window   []stageData
}

// depth is the state of the search after a given number of tickets has joined the group.
type depth struct {
	spans   []span                  // lowest and highest number, for each element of quick.numbers
	masks   [][]uint64              // common regions, for each element of quick.regions and each of its bounds
	texts   []uint64                // common texts, for each element of quick.texts
	have    [quotasMax][]int32      // for each quota and each of its expressions: number of players with the text
	layouts uint64                  // mask of the layouts that are still possible
	counts  []int32                 // number of players of each team
	sums    [][]expression.Progress // indexed by layout and sum
}

// near contains the data of a candidate that quick.enough reads.
type near struct {
	number  float64 // the number for the first element of quick.numbers
	stage   *store.Stage
	regions []uint64 // masks for the first element of quick.regions, indexed by its bounds
	texts   uint64   // the texts for the first agreement about lists
	players int32
	has     [quotasMax]int32 // result of quick.has
}

// stageData contains the data of a candidate that applies in one stage. enoughIn computes it.
type stageData struct {
	number  float64
	regions uint64
	texts   uint64
	players int32
	has     *[quotasMax]int32
}

// begin sets the rules to check.
func (q *quick) begin(rules *Rules) {
	q.numbers, q.regions, q.texts, q.quotas, q.only = rules.spreads, rules.regions, rules.agreements, rules.quotas, expression.Everything
	q.layouts, q.summed, q.allowed = rules.layouts, rules.summed, make([][]span, len(rules.layouts))
	q.lists = slices.IndexFunc(q.texts, func(a *agreement) bool { return a.lists })
	q.capped = make([]bool, len(q.quotas))
}

// at returns the state of a group of d tickets. The caller must fill it in if it is new.
func (q *quick) at(d int) *depth {
	for len(q.depths) <= d {
		masks := make([][]uint64, len(q.regions))
		for i, r := range q.regions {
			masks[i] = make([]uint64, r.reach.Tickets.Levels())
		}
		sums := make([][]expression.Progress, len(q.layouts))
		for k := range sums {
			sums[k] = make([]expression.Progress, len(q.layouts[k].sums))
		}
		d := depth{spans: make([]span, len(q.numbers)), masks: masks, texts: make([]uint64, len(q.texts)), sums: sums}
		for k := range q.quotas {
			d.have[k] = make([]int32, len(q.quotas[k].measured))
		}
		q.depths = append(q.depths, d)
	}
	return &q.depths[d]
}

// reset sets the state of a group without tickets. The group may already contain session players.
func (q *quick) reset(e *evaluator) {
	d := q.at(0)
	q.stage = nil
	for i := range q.numbers {
		d.spans[i] = ranges.None()
	}
	for _, masks := range d.masks {
		for level := range masks {
			masks[level] = expression.Everything
		}
	}
	for i := range q.texts {
		d.texts[i] = expression.Everything
	}
	for _, side := range e.Sides {
		for _, member := range side {
			q.join(e, d, d, member)
		}
	}
	for k := range q.quotas {
		of := &q.quotas[k]
		if q.capped[k] = of.capped() && e.Columns.Exact(of.column); q.capped[k] {
			for i, x := range of.measured {
				d.have[k][i] = int32(e.Holding(x, of.text).Low)
			}
		}
	}
	d.layouts, d.counts = 1<<len(q.layouts)-1, append(d.counts[:0], e.Counts...)
	for k := range q.layouts {
		x := &q.layouts[k]
		for i := range x.sums {
			d.sums[k][i] = e.Start(&x.sums[i].Bound, x.sizes)
		}
	}
}

// push adds a ticket to a team and reports whether the rules allow it. If they do not, push adds
// nothing. tickets is the number of tickets in the group, including this one.
func (q *quick) push(e *evaluator, row Row, team, tickets int) bool {
	q.unbound(e)
	if !q.lets(e, row, team, tickets-1) {
		return false
	}
	q.take(e, row, team, tickets)
	q.bound(e, row, tickets-1)
	return true
}

// unbound allows any number to be added.
func (q *quick) unbound(e *evaluator) {
	for i := range q.numbers {
		e.Domains[q.numbers[i].column] = ranges.Anywhere()
	}
}

// bound sets the range of numbers that may still be added once a ticket has joined. tickets is the
// number of tickets in the group, without this one.
func (q *quick) bound(e *evaluator, row Row, tickets int) {
	q.unbound(e)
	for i := range q.numbers {
		x := q.depths[tickets].spans[i]
		x.Add(e.Columns.Cell(q.numbers[i].column, entry(row)).Number)
		e.Domains[q.numbers[i].column].Keep(span{Low: x.High - q.most[i], High: x.Low + q.most[i]})
	}
}

// join computes the state of a group after an entry has joined, except for the layouts.
func (q *quick) join(e *evaluator, before, now *depth, member entry) {
	for i := range q.numbers {
		now.spans[i] = before.spans[i]
		now.spans[i].Add(e.Columns.Cell(q.numbers[i].column, member).Number)
	}
	for i := range q.texts {
		now.texts[i] = before.texts[i] & e.Columns.Cell(q.texts[i].column, member).All
	}
	for i, r := range q.regions {
		reach := r.reach.ByLevel(Row(member))
		for level, mask := range before.masks[i] {
			now.masks[i][level] = mask & reach[level]
		}
	}
}

// take adds a ticket to a team like push, but does not check the rules.
func (q *quick) take(e *evaluator, row Row, team, tickets int) {
	now := q.at(tickets)
	before := &q.depths[tickets-1]
	q.join(e, before, now, entry(row))
	for k := range q.quotas {
		if copy(now.have[k], before.have[k]); q.capped[k] {
			if i := q.quotas[k].of[team]; i >= 0 {
				now.have[k][i] += q.quotas[k].has(e, row)
			}
		}
	}
	if len(q.layouts) == 0 {
		return
	}
	now.layouts, now.counts = before.layouts, append(now.counts[:0], e.Counts...)
	for k := range q.layouts {
		x := &q.layouts[k]
		if float64(now.counts[team]) > x.sizes[team] {
			now.layouts &^= 1 << k
		}
		for i := 0; i < len(x.sums) && now.layouts>>k&1 == 1; i++ {
			now.sums[k][i] = e.Join(&x.sums[i].Bound, before.sums[k][i], x.sizes, entry(row), team)
		}
	}
}

// lets reports whether the rules allow a ticket in a team. tickets is the number of tickets in
// the group, without this one. e must already have the stage that the group gets when the ticket
// joins.
func (q *quick) lets(e *evaluator, row Row, team, tickets int) bool {
	before := &q.depths[tickets]
	if q.stage != e.stage {
		q.goBy(e)
	}
	for i := range q.numbers {
		x, s := &q.numbers[i], before.spans[i]
		s.Add(e.Columns.Cell(x.column, entry(row)).Number)
		if s.High-s.Low > q.most[i] {
			e.count(x.rule, fails)
			return false
		}
		if x.rule.quick { // otherwise the evaluator also evaluates the rule and counts it
			e.count(x.rule, undecided)
		}
	}
	for i := range q.texts {
		a := q.texts[i]
		v := e.agrees(a, before.texts[i]&e.Columns.Cell(a.column, entry(row)).All)
		if e.Columns.Exact(a.column) { // see settled
			e.count(a.rule, v)
		}
		if v == fails {
			return false
		}
	}
	common := q.only
	for i, r := range q.regions {
		level := q.levels[i]
		mask := before.masks[i][level] & r.reach.ByLevel(row)[level]
		if r.enclosing == nil { // latency rules in a compound may hold in different regions
			common &= mask
			mask = common
		}
		if mask == 0 {
			e.count(r, fails)
			return false
		}
		e.count(r, undecided)
	}
	for k := range q.quotas {
		if of := &q.quotas[k]; q.capped[k] {
			if i := of.of[team]; i >= 0 && float64(before.have[k][i]+of.has(e, row)) > q.caps[k] {
				e.count(of.rule, fails)
				return false
			}
			e.count(of.rule, undecided)
		}
	}
	if len(q.layouts) > 0 && !q.leaves(e, before, row, team) {
		return false
	}
	for _, r := range q.summed {
		e.count(r, undecided)
	}
	return true
}

// leaves reports whether at least one layout remains possible if a ticket joins a team.
func (q *quick) leaves(e *evaluator, before *depth, row Row, team int) bool {
	var broken *rule
	if len(q.summed) > 0 {
		broken = q.summed[0]
	}
	players := float64(e.rules.rows.Players[row])
next:
	for k := range q.layouts {
		x := &q.layouts[k]
		if before.layouts>>k&1 == 0 || float64(before.counts[team])+players > x.sizes[team] {
			continue
		}
		for i := range x.sums {
			if !e.Lets(&x.sums[i].Bound, &before.sums[k][i], q.allowed[k][i], entry(row), team) {
				broken = x.sums[i].rule
				continue next
			}
		}
		return true
	}
	if broken != nil {
		e.count(broken, fails)
	}
	return false
}

// goBy reads the limits that apply in e's stage. lets calls it only if the stage has changed,
// which few tickets cause.
func (q *quick) goBy(e *evaluator) {
	q.stage, q.most, q.levels = e.stage, q.most[:0], q.levels[:0]
	for i := range q.numbers {
		q.most = append(q.most, q.numbers[i].most(e.rules, e.stage, e.anchored))
	}
	for _, r := range q.regions {
		q.levels = append(q.levels, e.rules.levelAt(e.stage, e.anchored, r))
	}
	q.caps = q.caps[:0]
	for k := range q.quotas {
		most := math.Inf(1)
		if r := q.quotas[k].rule; r.most >= 0 {
			most = e.orFree(e.rules.limitsAt(e.stage, e.anchored, r.most), math.Inf(1)).High
		}
		q.caps = append(q.caps, most)
	}
	for k := range q.layouts {
		q.allowed[k] = q.allowed[k][:0]
		for i := range q.layouts[k].sums {
			x, most := &q.layouts[k].sums[i], 0.0
			if x.rule.most >= 0 {
				most = e.orFree(e.rules.limitsAt(e.stage, e.anchored, x.rule.most), math.Inf(1)).High
			}
			q.allowed[k] = append(q.allowed[k], x.Allowed(e.Columns, most))
		}
	}
}

// narrow removes the layouts for which the options have too few players. For the other layouts,
// it updates the range of numbers that may still join. It reports whether any layout remains.
func (q *quick) narrow(e *evaluator, options []option, tickets int) bool {
	d, players := &q.depths[tickets], int32(0)
	for _, o := range options {
		players += e.rules.rows.Players[o.row]
	}
	for k := range q.layouts {
		x, lacking := &q.layouts[k], -float64(players)
		for team, n := range x.sizes {
			lacking += n - float64(e.Counts[team])
		}
		if lacking > 0 {
			d.layouts &^= 1 << k
		}
		column, rest := -1, span{}
		for i := 0; i < len(x.sums) && d.layouts>>k&1 == 1; i++ {
			if b := &x.sums[i]; b.Column != column {
				column, rest = b.Column, ranges.None()
				for _, o := range options {
					rest.Add(e.Columns.Cell(column, entry(o.row)).Number)
				}
			}
			e.Narrow(&x.sums[i].Bound, &d.sums[k][i], x.sizes, rest)
		}
	}
	return d.layouts != 0
}

// counts reports whether there is any rule for the method enough to check.
func (q *quick) counts() bool { return len(q.numbers)+len(q.regions)+len(q.quotas) > 0 || q.lists >= 0 }

// list prepares the candidates for the method enough. byKey contains the same rows in the order
// of the index. It is nil if that order is unknown.
func (q *quick) list(e *evaluator, rows, byKey []Row) {
	q.nears, q.alive = q.nears[:0], q.alive[:0]
	if !q.counts() {
		return
	}
	number := func(row Row) float64 { return 0 }
	if len(q.numbers) > 0 {
		number = func(row Row) float64 { return e.Columns.Cell(q.numbers[0].column, entry(row)).Number }
		if byKey == nil || e.rules.ByAge {
			byKey = slices.Clone(rows)
			slices.SortFunc(byKey, func(a, b Row) int { return cmp.Compare(number(a), number(b)) })
		}
		rows = byKey
	}
	for k, row := range rows {
		n := near{number: number(row), stage: e.rules.rows.Stage[row], players: e.rules.rows.Players[row], has: q.has(e, row)}
		if len(q.regions) > 0 {
			n.regions = q.regions[0].reach.ByLevel(row)
		}
		if q.lists >= 0 {
			n.texts = e.Columns.Cell(q.texts[q.lists].column, entry(row)).All
		}
		q.nears = append(q.nears, n)
		q.position = expression.Grow(q.position, int(row))
		q.position[row] = int32(k)
	}
	for range (len(rows) + 63) / 64 {
		q.alive = append(q.alive, 0)
	}
}

// all marks every candidate as alive. Candidates that are not alive are ignored by quick.enough.
func (q *quick) all() {
	for k := range q.alive {
		q.alive[k] = ^uint64(0) >> max(0, 64*(k+1)-len(q.nears))
	}
}

// none marks no candidate as alive.
func (q *quick) none() { clear(q.alive) }

// add marks a candidate as alive.
func (q *quick) add(row Row) {
	if len(q.alive) > 0 {
		q.alive[q.position[row]/64] |= 1 << (q.position[row] % 64)
	}
}

// enough reports whether some set of alive candidates could join the group and bring it the needed
// players. The candidates and the group must reach a common region, share a text, satisfy the first
// spread, and meet the demand of every quota. The method tries every stage that the group may have
// after they join. tickets is the number of tickets in the group.
func (q *quick) enough(e *evaluator, tickets int, need int32) bool {
	if need <= 0 || !q.counts() {
		return true
	}
	q.demand = q.demands(e)
	newest := !e.rules.Set.Oldest
	q.stages = append(q.stages[:0], e.stage)
	for k, word := range q.alive {
		for ; word != 0 && newest; word &= word - 1 {
			stage := q.nears[64*k+bits.TrailingZeros64(word)].stage
			if stage.UntilMS < e.stage.UntilMS && !slices.Contains(q.stages, stage) {
				q.stages = append(q.stages, stage)
			}
		}
	}
	group, texts := ranges.Exactly(0), expression.Everything
	if q.lists >= 0 {
		texts = q.depths[tickets].texts[q.lists]
	}
	if len(q.numbers) > 0 {
		group = q.depths[tickets].spans[0]
	}
	for _, stage := range q.stages {
		if q.enoughIn(e, tickets, stage, group, texts, need) {
			return true
		}
	}
	return false
}

// enoughIn does the work of the method enough for one stage. If the newest ticket decides the
// stage, it skips candidates that would bring the group to an earlier stage.
func (q *quick) enoughIn(e *evaluator, tickets int, stage *store.Stage, group span, texts uint64, need int32) bool {
	newest := !e.rules.Set.Oldest
	known := newest || e.anchored
	width, level, common := math.Inf(1), int32(0), uint64(1)
	if len(q.numbers) > 0 {
		width = q.numbers[0].most(e.rules, stage, known)
		if group.High-group.Low > width {
			return false
		}
	}
	if len(q.regions) > 0 {
		level = e.rules.levelAt(stage, known, q.regions[0])
		common = q.depths[tickets].masks[0][level]
	}
	q.window = q.window[:0]
	total := int32(0)
	for k, word := range q.alive {
		for ; word != 0; word &= word - 1 {
			n := &q.nears[64*k+bits.TrailingZeros64(word)]
			if newest && n.stage.UntilMS < stage.UntilMS {
				continue
			}
			one := stageData{players: n.players, regions: common, texts: texts, has: &n.has}
			if len(q.regions) > 0 {
				one.regions &= n.regions[level]
			}
			if q.lists >= 0 {
				one.texts &= n.texts
			}
			if len(q.numbers) > 0 {
				one.number = n.number
			}
			if one.regions == 0 || one.texts == 0 || max(group.High, one.number)-min(group.Low, one.number) > width {
				continue
			}
			total += n.players
			q.window = append(q.window, one)
		}
	}
	if total < need {
		return false
	}
	if texts == expression.Everything {
		texts = 1
	}
	for ; common != 0; common &= common - 1 {
		for rest := texts; rest != 0; rest &= rest - 1 {
			if q.together(common&-common, rest&-rest, group, width, need) {
				return true
			}
		}
	}
	return false
}

// together reports whether enough candidates could join the group in one region and with one
// shared text. region and text are masks with one bit. The numbers of the candidates and the
// group must differ by at most width.
func (q *quick) together(region, text uint64, group span, width float64, need int32) bool {
	first, inside, have := 0, int32(0), [quotasMax]int32{}
	for i := range q.window {
		n := &q.window[i]
		if n.regions&region == 0 || n.texts&text == 0 {
			continue
		}
		inside += n.players
		for k := range q.quotas {
			have[k] += n.has[k]
		}
		for max(n.number, group.High)-min(q.window[first].number, group.Low) > width && first < i {
			if gone := &q.window[first]; gone.regions&region != 0 && gone.texts&text != 0 {
				inside -= gone.players
				for k := range q.quotas {
					have[k] -= gone.has[k]
				}
			}
			first++
		}
		if inside >= need && q.supplied(inside, &have) {
			return true
		}
	}
	return false
}

// supplied reports whether a number of players meets the demand of every quota. have[k] of these
// players have the text of quota k.
func (q *quick) supplied(players int32, have *[quotasMax]int32) bool {
	for k := range q.quotas {
		if have[k] < q.demand[k].with || players-have[k] < q.demand[k].without {
			return false
		}
	}
	return true
}
