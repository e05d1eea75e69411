package engine

import (
	"cmp"
	"fmt"
	"math"
	"mmsim/matcher"
	"slices"
)

// twin is a second implementation of the engine, deliberately simple and slow. It keeps a list of
// tickets, computes every value from the players each time it is needed, compares all pairs, ranks
// by sorting, and keeps no results from one pass to the next. The tests compare its decisions with
// those of the engine.
//
// A new kind of rule needs its cases here:
//
//   - a rule about pairs or groups of tickets: in fits (which panics for an unknown kind), in
//     fitsPair if it compares two tickets, and in distance if it ranks candidates,
//   - a rule about teams: in teamsFit (twinteams_test.go), which panics for an unknown kind,
//   - a rule that lets the engine drop candidates or groups early: in core and feasible as well,
//     because tickets and groups that are dropped early use no budget.
type twin struct {
	rules  *matcher.Ruleset
	schema *matcher.Schema
	nowMS  int64
	all    []*twinEntry // waiting tickets and sessions, in the order in which they were added
	// With a budget, the result depends on which tickets are candidates. The map settled contains
	// the tickets whose own search was completed within the budget and found no match in which they
	// have waited longest. Such a ticket is not a candidate of later seeds. Without a budget,
	// settled is nil, and every ticket is a candidate.
	searched map[*twinEntry]bool
	pool     []*twinEntry // for a pass of a subset, all waiting tickets, see twin.negative
	reserve  []*twinEntry // for a pass with a reserve, the candidates that rank last; otherwise nil
}

type twinEntry struct {
	row       Row
	createdMS int64
	giveUpMS  int64
	players   []matcher.Player
	session   *matcher.Session
}

func (t *twin) wait(w *twinEntry) int64 { return max(0, t.nowMS-w.createdMS) }

func older(a, b *twinEntry) int { return cmp.Compare(a.createdMS, b.createdMS) }

// threshold returns the value of a schedule after a wait, and whether the rule is active then.
// It follows the specification literally: the stage is the number of whole periods waited.
func threshold(s matcher.Schedule, wait int64) (value float64, active bool) {
	stage := 0
	if s.EveryMS > 0 {
		stage = int(wait / s.EveryMS)
	}
	if len(s.List) > 0 {
		o := s.List[min(stage, len(s.List)-1)]
		if o.Inactive {
			return s.Base, false
		}
		return o.Value, true
	}
	value = s.Base
	for range stage {
		next := value + s.Step
		if s.Step > 0 && next > s.Limit || s.Step < 0 && next < s.Limit {
			next = s.Limit
			if s.Step > 0 && next < value || s.Step < 0 && next > value {
				next = value
			}
		}
		value = next
	}
	return value, true
}

// oldestDecides reports whether no rule counts by the wait of the newest ticket.
func (t *twin) oldestDecides() bool {
	return t.rules.ExpansionBasis == matcher.LongestWait && !slices.ContainsFunc(t.rules.Rules, func(rule matcher.Rule) bool {
		b := rule.Settings().Basis
		return b != nil && *b == matcher.ShortestWait
	})
}

// held returns the thresholds that apply to a group, and reports whether the rule is enforced.
func (t *twin) held(rule matcher.Rule, group []*twinEntry) (thresholds []float64, enforced bool) {
	oldest, youngest := slices.MinFunc(group, older), slices.MaxFunc(group, older)
	basis := oldest
	if b := rule.Settings().Basis; b != nil && *b == matcher.ShortestWait || b == nil && t.rules.ExpansionBasis == matcher.ShortestWait {
		basis = youngest
	}
	enforced = true
	for _, s := range rule.Schedules() {
		v, active := threshold(*s, t.wait(basis))
		thresholds = append(thresholds, v)
		enforced = enforced && active
	}
	all, any := true, false
	for _, w := range group {
		optional := t.wait(w) >= rule.Settings().OptionalAfterMS
		all, any = all && optional, any || optional
	}
	if t.rules.OptionalBasis == matcher.AnyWaited {
		return thresholds, enforced && !any
	}
	return thresholds, enforced && !all
}

// texts returns the distinct texts of a ticket's players.
func texts(r *matcher.EqualText, w *twinEntry) []matcher.Text {
	var list []matcher.Text
	for _, p := range w.players {
		if v := p.Value(r.Column); v.Kind == matcher.IsText {
			list = append(list, v.Text)
		} else if !r.MissingAny {
			list = append(list, r.Default)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// numbersIn returns the numbers of a ticket's players. If any is set, players without a number are
// left out. Otherwise the parameter missing counts for them.
func numbersIn(from matcher.Column, any bool, missing float64, w *twinEntry) []float64 {
	var list []float64
	for _, p := range w.players {
		if v := p.Value(from); v.Kind == matcher.IsNumber {
			list = append(list, v.Number)
		} else if !any {
			list = append(list, missing)
		}
	}
	return list
}

func merged(r *matcher.NumberDistance, w *twinEntry) float64 {
	list := numbersIn(r.Column, r.MissingAny, r.Default, w)
	switch {
	case len(list) == 0:
		return math.NaN()
	case r.Merge == matcher.Lowest:
		return slices.Min(list)
	case r.Merge == matcher.Highest:
		return slices.Max(list)
	}
	return total(list) / float64(len(list))
}

func total(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum
}

// commonTexts returns the texts that all tickets with a set have in common, and the number of these
// tickets.
func commonTexts(r *matcher.SetOverlap, group []*twinEntry) (common []matcher.Text, holders int) {
	for _, w := range group {
		any := false
		for _, p := range w.players {
			set := r.Default
			if v := p.Value(r.Column); v.Kind == matcher.IsSet {
				set = v.Set
			} else if r.MissingAny {
				continue
			}
			if holders == 0 && !any {
				common = slices.Clone(set)
			} else {
				common = slices.DeleteFunc(common, func(text matcher.Text) bool { return !slices.Contains(set, text) })
			}
			any = true
		}
		if any {
			holders++
		}
	}
	return common, holders
}

// worst returns the highest round-trip time of a group's players to a region.
func worst(region matcher.Region, group []*twinEntry) float64 {
	rtt := 0.0
	for _, w := range group {
		if w.session != nil {
			if w.session.Region != matcher.NoRegion && w.session.Region != region {
				return math.Inf(1)
			}
			continue
		}
		for _, p := range w.players {
			if int(region) >= len(p.RTTMS) || math.IsNaN(p.RTTMS[region]) {
				return math.Inf(1)
			}
			rtt = max(rtt, p.RTTMS[region])
		}
	}
	return rtt
}

func sumFor(r *matcher.MatchTotal, group []*twinEntry) float64 {
	sum := 0.0
	for _, w := range group {
		sum += total(numbersIn(r.Column, false, 0, w))
	}
	return sum
}

func (t *twin) negative(r *matcher.MatchTotal) bool {
	negative := func(w *twinEntry) bool { return sumFor(r, []*twinEntry{w}) < 0 }
	return slices.ContainsFunc(t.all, negative) || slices.ContainsFunc(t.pool, negative)
}

// fits reports whether a rule lets a group of two or more tickets be in one match. If final is set,
// it also checks what only a complete match must satisfy, for example a minimum total.
func (t *twin) fits(rule matcher.Rule, group []*twinEntry, final bool) bool {
	switch r := rule.(type) {
	case *matcher.EqualText, *matcher.NumberDistance:
		for i, a := range group {
			for _, b := range group[:i] {
				if !t.fitsPair(rule, a, b) {
					return false
				}
			}
		}
		return true
	case *matcher.SetOverlap:
		v, enforced := t.held(rule, group)
		common, holders := commonTexts(r, group)
		if enforced && v[0] > 0 && slices.ContainsFunc(group, func(w *twinEntry) bool {
			own, holds := commonTexts(r, []*twinEntry{w})
			return holds > 0 && len(own) == 0 // the players of this party have no text in common
		}) {
			return false
		}
		return !enforced || holders < 2 || float64(len(common)) >= v[0]
	case *matcher.MatchTotal:
		v, enforced := t.held(rule, group)
		sum := sumFor(r, group)
		if !enforced {
			return true
		}
		if !final {
			return t.negative(r) || sum <= v[1]+1e-9
		}
		return v[0]-1e-9 <= sum && sum <= v[1]+1e-9
	case *matcher.ReachRegion:
		v, enforced := t.held(rule, group)
		for region := range matcher.Region(t.schema.Regions()) {
			if worst(region, group) <= v[0] {
				return true
			}
		}
		return !enforced
	}
	if matcher.IsTeamRule(rule) {
		return true // teamsFit checks rules about teams
	}
	panic(fmt.Sprintf("the twin does not know %T", rule))
}

func (t *twin) fitsPair(rule matcher.Rule, a, b *twinEntry) bool {
	v, enforced := t.held(rule, []*twinEntry{a, b})
	if !enforced {
		return true
	}
	switch r := rule.(type) {
	case *matcher.EqualText:
		x, y := texts(r, a), texts(r, b)
		return len(x) < 2 && len(y) < 2 && (len(x) == 0 || len(y) == 0 || x[0] == y[0])
	case *matcher.NumberDistance:
		difference := math.Abs(merged(r, a) - merged(r, b))
		return math.IsNaN(difference) || difference <= v[0]+1e-9
	case *matcher.SetOverlap, *matcher.MatchTotal, *matcher.ReachRegion:
		return true // fits checks rules about the whole group
	}
	if matcher.IsTeamRule(rule) {
		return true // teamsFit checks rules about teams
	}
	panic(fmt.Sprintf("the twin does not know %T", rule))
}

func within01(v float64) float64 { return min(1, max(0, v)) }

// distance returns the sum of the weighted distances of all rules between a seed and a candidate.
func (t *twin) distance(a, b *twinEntry) float64 {
	sum := 0.0
	for _, rule := range t.rules.Rules {
		v, _ := t.held(rule, []*twinEntry{a, b})
		d := 0.0
		switch r := rule.(type) {
		case *matcher.EqualText:
			x, y := texts(r, a), texts(r, b)
			if len(x) > 1 || len(y) > 1 || len(x) == 1 && len(y) == 1 && x[0] != y[0] {
				d = 1
			}
		case *matcher.NumberDistance:
			switch difference := math.Abs(merged(r, a) - merged(r, b)); {
			case math.IsNaN(difference):
			case v[0] <= 0 && difference > 0:
				d = 1
			case v[0] > 0:
				d = within01(difference / v[0])
			}
		case *matcher.SetOverlap:
			if common, holders := commonTexts(r, []*twinEntry{a, b}); holders == 2 {
				d = 1 / (1 + float64(len(common)))
			}
		case *matcher.MatchTotal:
			if v[1] > 0 {
				d = within01((v[1] - sumFor(r, []*twinEntry{a, b})) / v[1])
			}
		case *matcher.ReachRegion:
			q := 0.0
			for _, region := range t.regionsByName() {
				if rtt := worst(region, []*twinEntry{a, b}); rtt <= v[0] && v[0] > 0 {
					q += (v[0] - rtt) / v[0]
				}
			}
			d = 1 / (1 + q)
		default:
			if !matcher.IsTeamRule(rule) {
				panic(fmt.Sprintf("the twin does not know %T", rule))
			}
			continue
		}
		sum += float64(rule.Settings().Weight * d)
	}
	return sum
}

func (t *twin) regionsByName() []matcher.Region {
	list := make([]matcher.Region, t.schema.Regions())
	for i := range list {
		list[i] = matcher.Region(i)
	}
	slices.SortFunc(list, func(a, b matcher.Region) int { return cmp.Compare(t.schema.RegionName(a), t.schema.RegionName(b)) })
	return list
}

func players(group []*twinEntry) int {
	n := 0
	for _, w := range group {
		n += len(w.players)
	}
	return n
}

func rowsOf(group []*twinEntry) []Row {
	var rows []Row
	for _, w := range group {
		rows = append(rows, w.row)
	}
	return rows
}

// twinOutcome is the result of a pass of the twin. Each group begins with its seed.
type twinOutcome struct {
	groups  [][]*twinEntry
	expired []Row
	hits    []Row
}

func (t *twin) pass(nowMS int64) twinOutcome {
	var out twinOutcome
	t.nowMS = nowMS
	order := slices.Clone(t.all)
	slices.SortStableFunc(order, func(a, b *twinEntry) int {
		if (a.session == nil) != (b.session == nil) {
			if a.session != nil {
				return -1
			}
			return 1
		}
		return older(a, b)
	})
	for _, w := range order {
		if w.session == nil && w.giveUpMS > 0 && nowMS-w.createdMS >= w.giveUpMS {
			out.expired = append(out.expired, w.row)
			t.leave(w)
		}
	}
	if t.searched = nil; t.rules.Budget > 0 {
		t.searched = make(map[*twinEntry]bool)
	}
	for _, seed := range order {
		if !slices.Contains(t.all, seed) {
			continue
		}
		group, hit := t.search(seed)
		if hit {
			out.hits = append(out.hits, seed.row)
		}
		if t.searched != nil && group == nil && !hit && seed.session == nil && t.oldestDecides() {
			t.searched[seed] = true
		}
		if group != nil {
			out.groups = append(out.groups, group)
			for _, w := range group {
				t.leave(w)
			}
		}
	}
	return out
}

func (t *twin) leave(w *twinEntry) {
	gone := func(other *twinEntry) bool { return other == w }
	t.all, t.pool, t.reserve = slices.DeleteFunc(t.all, gone), slices.DeleteFunc(t.pool, gone), slices.DeleteFunc(t.reserve, gone)
}

func (t *twin) inReserve(w *twinEntry) int {
	if slices.Contains(t.reserve, w) {
		return 1
	}
	return 0
}

// compareNearly compares two distances. Distances with a relative difference of up to 1e-12 are
// equal.
func compareNearly(a, b float64) int {
	if math.Abs(a-b) <= 1e-12*max(a, b) {
		return 0
	}
	return cmp.Compare(a, b)
}

// search looks for a match around a seed and reports whether the budget ended the search.
func (t *twin) search(seed *twinEntry) (match []*twinEntry, hit bool) {
	var ranked []*twinEntry
	for _, w := range slices.Concat(t.all, t.reserve) {
		if t.reserve != nil && !slices.Contains(t.reserve, w) && slices.Index(t.all, w) < slices.Index(t.all, seed) {
			continue // in a pass with a reserve, t.all is in order of age, so this ticket is older than the seed
		}
		if w != seed && w.session == nil && (seed.session != nil || !t.searched[w]) && t.allFit([]*twinEntry{seed, w}, false) {
			ranked = append(ranked, w)
		}
	}
	slices.SortStableFunc(ranked, func(a, b *twinEntry) int {
		return cmp.Or(t.inReserve(a)-t.inReserve(b), compareNearly(t.distance(seed, a), t.distance(seed, b)), older(a, b))
	})
	seats, budget := t.rules.MaxPlayers, cmp.Or(t.rules.Budget, matcher.DefaultBudget)
	if seed.session != nil && seed.session.Capacity > 0 {
		seats = min(seats, seed.session.Capacity)
	}
	ranked = t.core(seed, ranked, seats)
	steps := 0
	var extend func(group []*twinEntry, from int) []*twinEntry
	extend = func(group []*twinEntry, from int) []*twinEntry {
		for k := from; k < len(ranked) && !hit; k++ {
			more := append(slices.Clone(group), ranked[k])
			if players(more) > seats || !t.allFit(more, false) || !t.feasible(more, ranked[k+1:], seats) {
				continue
			}
			if steps++; steps > budget {
				hit = true
				return nil
			}
			if match := extend(more, k+1); match != nil {
				return match
			}
		}
		if hit || len(group) < 2 || players(group) < t.rules.MinPlayers {
			return nil
		}
		if steps++; steps > budget {
			hit = true
			return nil
		}
		if t.allFit(group, true) && t.anyTeams(group) {
			return group
		}
		return nil
	}
	return extend([]*twinEntry{seed}, 0), hit
}

func (t *twin) allFit(group []*twinEntry, final bool) bool {
	for _, rule := range t.rules.Rules {
		if !t.fits(rule, group, final) {
			return false
		}
	}
	return true
}

// always reports whether a rule is enforced in every group that contains the seed.
func (t *twin) always(rule matcher.Rule, seed *twinEntry) bool {
	for _, s := range rule.Schedules() {
		if slices.ContainsFunc(s.List, func(o matcher.Override) bool { return o.Inactive }) {
			return false
		}
	}
	after := rule.Settings().OptionalAfterMS
	return after == matcher.Never || t.rules.OptionalBasis == matcher.AllWaited && t.wait(seed) < after
}

// longest reports whether the seed has waited longer than all its candidates.
func (t *twin) longest(seed *twinEntry) bool {
	return t.searched != nil && t.oldestDecides() && seed.session == nil &&
		!slices.ContainsFunc(t.all, func(w *twinEntry) bool {
			if w.session != nil || t.searched[w] || w == seed {
				return false
			}
			return cmp.Or(older(w, seed), cmp.Compare(slices.Index(t.all, w), slices.Index(t.all, seed))) < 0
		})
}

// stages returns the thresholds of the first 64 stages of a schedule. No test reaches a later
// stage.
func stages(s matcher.Schedule) []float64 {
	var list []float64
	for stage := range int64(64) {
		v, _ := threshold(s, stage*max(1, s.EveryMS))
		list = append(list, v)
	}
	return list
}

// core returns the candidates that may be in a match with the seed. The doc comment of type core in
// package clique defines them.
func (t *twin) core(seed *twinEntry, candidates []*twinEntry, seats int) (kept []*twinEntry) {
	need := t.rules.MinPlayers - len(seed.players)
	if need <= 0 || len(candidates) > 64 {
		return candidates
	}
	stay := make(map[*twinEntry]bool)
	var visit func(set []*twinEntry, rules [][]value)
	visit = func(set []*twinEntry, rules [][]value) {
		if len(rules) > 0 {
			for _, has := range rules[0] {
				visit(slices.DeleteFunc(slices.Clone(set), func(w *twinEntry) bool { return !has(w) }), rules[1:])
			}
			return
		}
		for before := -1; before != len(set); {
			before = len(set)
			others := slices.Clone(set)
			set = slices.DeleteFunc(set, func(w *twinEntry) bool {
				return players(slices.DeleteFunc(slices.Clone(others), func(other *twinEntry) bool { return other != w && !t.meetsAll(w, []*twinEntry{other}) })) < need
			})
		}
		for _, w := range set {
			stay[w] = true
		}
	}
	fit := slices.DeleteFunc(slices.Clone(candidates), func(w *twinEntry) bool { return len(seed.players)+len(w.players) > seats })
	visit(fit, t.valuesOf(seed))
	return slices.DeleteFunc(candidates, func(w *twinEntry) bool { return !stay[w] })
}

// feasible reports whether a group can still become a match with candidates of a lower rank. The
// doc comment of type feasibility in package clique defines this.
func (t *twin) feasible(group, follow []*twinEntry, seats int) bool {
	seed := group[0]
	var helpers []*twinEntry
	for _, w := range follow {
		if players(group)+len(w.players) <= seats && t.meetsAll(w, group) {
			helpers = append(helpers, w)
		}
	}
	if need := t.rules.MinPlayers - players(group); need > 0 && !t.enough(group, helpers, need, t.valuesOf(seed)) {
		return false
	}
	for _, rule := range t.rules.Rules {
		r, ok := rule.(*matcher.MatchTotal)
		if !ok || !t.always(rule, seed) {
			continue
		}
		sum := sumFor(r, group)
		for _, w := range helpers {
			sum += max(0, sumFor(r, []*twinEntry{w}))
		}
		if sum < slices.Min(stages(r.Min))-1e-9 {
			return false
		}
	}
	return true
}

// value is a function that reports whether a ticket has a certain value of the seed.
type value func(w *twinEntry) bool

// valuesOf returns the seed's values under each rule that requires a common value and is enforced
// in every group of the seed.
func (t *twin) valuesOf(seed *twinEntry) (rules [][]value) {
	for _, rule := range t.rules.Rules {
		if !t.always(rule, seed) {
			continue
		}
		switch r := rule.(type) {
		case *matcher.ReachRegion:
			limit := t.limit(r.MaxRTTMS, seed, slices.Max[[]float64])
			var values []value
			for region := range matcher.Region(t.schema.Regions()) {
				has := func(w *twinEntry) bool { return worst(region, []*twinEntry{w}) <= limit }
				if has(seed) {
					values = append(values, has)
				}
			}
			rules = append(rules, values)
		case *matcher.SetOverlap:
			limit := t.limit(r.MinShared, seed, slices.Min[[]float64])
			own, holders := commonTexts(r, []*twinEntry{seed})
			if holders == 0 || limit <= 0 {
				continue
			}
			var values []value
			for _, text := range own {
				values = append(values, func(w *twinEntry) bool {
					set, holders := commonTexts(r, []*twinEntry{w})
					return holders == 0 || slices.Contains(set, text)
				})
			}
			rules = append(rules, values)
		}
	}
	return rules
}

// limit returns a threshold that is valid for every group of a seed. It is the seed's own threshold
// if the seed has waited longest, and otherwise the loosest threshold of all stages.
func (t *twin) limit(s matcher.Schedule, seed *twinEntry, loosest func([]float64) float64) float64 {
	if t.longest(seed) {
		v, _ := threshold(s, t.wait(seed))
		return v
	}
	return loosest(stages(s))
}

// enough reports whether one value can be chosen for each rule so that two conditions hold. All
// tickets of the group have these values, and the helpers that have them too supply the players
// that are missing.
func (t *twin) enough(group, helpers []*twinEntry, need int, rules [][]value) bool {
	if len(rules) == 0 {
		if players(helpers) < need {
			return false
		}
		for _, rule := range t.rules.Rules {
			if r, ok := rule.(*matcher.NumberDistance); ok && t.mostInWindow(r, group, helpers) < players(group)+need {
				return false
			}
		}
		return true
	}
	for _, has := range rules[0] {
		if slices.ContainsFunc(group, func(w *twinEntry) bool { return !has(w) }) {
			continue
		}
		with := slices.DeleteFunc(slices.Clone(helpers), func(w *twinEntry) bool { return !has(w) })
		if t.enough(group, with, need, rules[1:]) {
			return true
		}
	}
	return false
}

// spread returns the largest difference that a rule allows between two tickets of a match with a
// seed. It is +Inf if the rule is not always enforced.
func (t *twin) spread(r *matcher.NumberDistance, seed *twinEntry) float64 {
	for _, o := range r.Max.List {
		if o.Inactive {
			return math.Inf(1)
		}
	}
	if r.OptionalAfterMS != matcher.Never {
		return math.Inf(1)
	}
	rising := len(r.Max.List) > 0 || r.Max.Step >= 0
	for i := 1; i < len(r.Max.List); i++ {
		rising = rising && r.Max.List[i].Value >= r.Max.List[i-1].Value
	}
	if rising && t.longest(seed) {
		v, _ := threshold(r.Max, t.wait(seed))
		return v + 1e-9
	}
	return slices.Max(stages(r.Max)) + 1e-9
}

// mostInWindow returns the largest number of players, among the group and the helpers, whose
// numbers are all within one window. The window is as wide as the rule's spread. A ticket without a
// number is in every window.
func (t *twin) mostInWindow(r *matcher.NumberDistance, group, helpers []*twinEntry) int {
	spread, most := t.spread(r, group[0]), 0
	if math.IsInf(spread, 1) {
		return math.MaxInt
	}
	for _, first := range slices.Concat(group, helpers, []*twinEntry{nil}) {
		begin := math.NaN()
		if first != nil {
			if begin = merged(r, first); math.IsNaN(begin) {
				continue
			}
		}
		inside := func(w *twinEntry) bool {
			number := merged(r, w)
			return math.IsNaN(number) || number >= begin && number-begin <= spread
		}
		if slices.ContainsFunc(group, func(w *twinEntry) bool { return !inside(w) }) {
			continue
		}
		count := players(group)
		for _, w := range helpers {
			if inside(w) {
				count += len(w.players)
			}
		}
		most = max(most, count)
	}
	return most
}

func (t *twin) meetsAll(w *twinEntry, group []*twinEntry) bool {
	for _, rule := range t.rules.Rules {
		for _, other := range group {
			if !t.fitsPair(rule, w, other) {
				return false
			}
		}
	}
	return true
}
