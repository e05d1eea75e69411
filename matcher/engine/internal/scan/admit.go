package scan

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/heap"
	"mmsim/matcher/internal/textset"
)

// Search looks for matches around one seed at a time: for each region Begin and Fill, or for a
// session Visit. The result is in Members and Teams.
type Search struct {
	Members []Member // the group, the seed first; for a session only the tickets that joined
	Teams   []Team

	rules   *Rules
	seed    Row
	limits  []Limit   // the seed's
	numbers []float64 // the seed's
	open    bool      // the seed is a session
	region  matcher.Region

	players int  // of the group
	seated  bool // the seed is in a team

	// the conditions for candidates
	wanted [][]matcher.Text // by option: for SharedValue the values that all admitted share; empty: no condition
	own    [][]matcher.Text // by option: see matcher.PivotOption.Own
	people []matcher.Text   // players of the seed and of all admitted
	blocks []matcher.Text   // players blocked by these

	list    []rated          // candidates in rank, as far as they were requested: see have
	heap    heap.Heap[rated] // admitted, not in the list yet
	lazy    bool             // next and the rows after it have not been tested yet
	next    Row
	off     float64 // difference between the key of next and the seed's
	outward candidate.Outward
	rows    []Row // scratch

	division division
}

// rated is an admitted candidate.
type rated struct {
	score   float64
	tieMS   float64 // round-trip time to an open session
	row     Row
	players int32
	reserve bool // ranked after all candidates that are not of the reserve
	used    bool // it is in the group
}

// NewSearch returns a search by rules.
func NewSearch(rules *Rules) *Search {
	n := len(rules.Set.Options)
	return &Search{rules: rules, wanted: make([][]matcher.Text, n), own: make([][]matcher.Text, n)}
}

// few is the number of candidates up to which all are admitted at once. If there are more and
// their order does not matter, they are tested in the order of the distance from the seed's
// key, only until the next candidate in rank is certain.
const few = 24

// Begin lists the candidates of a seed in a region, or NoRegion: those around it in the index,
// and those of a reserve. It returns false if the candidates of the index have fewer players
// than needed.
func (s *Search) Begin(seed Row, region matcher.Region, index *candidate.Index, reserve []Row, need int) bool {
	r := s.rules
	s.seed, s.region, s.open, s.limits, s.numbers = seed, region, r.rows.Kind[seed] == store.Session, r.limits(seed), r.of(seed)
	s.list, s.heap, s.lazy = s.list[:0], s.heap[:0], false
	s.reset()
	chained := s.chained()
	if !chained && s.several() {
		s.rows = index.Append(s.rows[:0])
		s.settle(s.rows)
	}
	switch {
	case chained:
		s.inOrder(index.Append(s.rows[:0]))
	case len(r.Set.Distances) > 0 && index.Reach() > few && !s.open:
		s.outward = index.Outward()
		s.next, s.off, s.lazy = s.outward.Next()
	default:
		s.rows = index.Append(s.rows[:0])
		if !s.admitAll(s.rows, false, need) {
			return false
		}
	}
	if !s.enough(need) {
		return false
	}
	s.admitAll(reserve, true, 0)
	s.rank()
	return true
}

// enough reports whether the candidates have the needed players. It returns true if some
// candidates have not been tested yet.
func (s *Search) enough(need int) bool {
	for _, list := range [...][]rated{s.list, s.heap} {
		for i := range list {
			need -= int(list[i].players)
		}
	}
	return s.lazy || need <= 0
}

// reset sets the conditions for candidates to those of the seed.
func (s *Search) reset() {
	t := &s.rules.traits[s.seed]
	for i := range s.wanted {
		s.wanted[i] = append(s.wanted[i][:0], t.options[i]...)
		s.own[i] = append(s.own[i][:0], t.own[i]...)
	}
	s.people, s.blocks = append(s.people[:0], t.people...), append(s.blocks[:0], t.blocked...)
}

// chained reports whether an admitted candidate may exclude later ones, so that the order in
// which candidates are tested matters.
func (s *Search) chained() bool {
	if s.rules.Set.Blocking == matcher.KeepApart && s.rules.blockers > 0 {
		return true
	}
	return slices.ContainsFunc(s.own, func(own []matcher.Text) bool { return len(own) > 0 })
}

// several reports whether an option asks for one of several values: a candidate with only some
// of them then excludes those with only others.
func (s *Search) several() bool {
	for i := range s.wanted {
		if s.rules.Set.Options[i].Kind == matcher.SharedValue && len(s.wanted[i]) > 1 {
			return true
		}
	}
	return false
}

// settle reduces wanted to the values that all admitted candidates share, unless chained.
// Only candidates that lack a wanted value change it, so settle admits these alone, in scan
// order. The candidates that pass afterwards are the ones that pass a scan of all; they have
// every value that is still wanted, so a reserve may reduce the wanted values without
// excluding any of them.
func (s *Search) settle(rows []Row) {
	for s.several() {
		first, found := Row(0), false
		for _, row := range rows {
			if (!found || s.compare(row, first) < 0) && s.lacks(row) {
				if _, ok := s.passes(row); ok {
					first, found = row, true
				}
			}
		}
		if !found {
			return
		}
		s.admit(first)
	}
}

// lacks reports whether a candidate lacks a wanted value.
func (s *Search) lacks(row Row) bool {
	for i := range s.wanted {
		if s.rules.Set.Options[i].Kind == matcher.SharedValue && !textset.Contains(s.rules.traits[row].options[i], s.wanted[i]) {
			return true
		}
	}
	return false
}

// admitAll admits candidates. It stops and returns false once the needed players are missing.
func (s *Search) admitAll(rows []Row, reserve bool, need int) bool {
	spare := -need
	for _, row := range rows {
		spare += int(s.rules.rows.Players[row])
	}
	for _, row := range rows {
		if c, ok := s.passes(row); ok {
			c.reserve = reserve
			s.list = append(s.list, c)
			s.admit(row)
		} else if spare -= int(s.rules.rows.Players[row]); spare < 0 {
			return false
		}
	}
	return true
}

// compare orders candidates as a scan visits them: by age around a ticket, in the order in
// which the tickets were added around an open session.
func (s *Search) compare(a, b Row) int {
	rows := s.rules.rows
	if s.open {
		return cmp.Compare(rows.Sequence[a], rows.Sequence[b])
	}
	return rows.Compare(a, b)
}

// inOrder admits candidates in scan order. Most candidates fail against the seed alone, so
// they are tested before the sort.
func (s *Search) inOrder(rows []Row) {
	s.rows = rows
	kept := s.list
	for _, row := range rows {
		if c, ok := s.passes(row); ok {
			kept = append(kept, c)
		}
	}
	slices.SortFunc(kept, func(a, b rated) int { return s.compare(a.row, b.row) })
	s.list = kept[:0]
	for _, c := range kept {
		if s.fits(c.row) {
			s.list = append(s.list, c)
			s.admit(c.row)
		}
	}
}

// passes tests a candidate and returns its score. The terms are added in the order of the
// rules, and products are converted before the addition: the bits are equal on every machine.
func (s *Search) passes(row Row) (c rated, ok bool) {
	r, mine, theirs, other := s.rules, s.limits, s.rules.limits(row), s.rules.of(row)
	for i, own := range s.numbers {
		if !mine[i].Active {
			continue
		}
		difference := math.Abs(other[i] - own)
		if difference > mine[i].Bound || difference > r.reference(i, theirs) {
			return c, false
		}
		c.score += cost(&r.Set.Distances[i], difference)
	}
	c.row, c.players = row, r.rows.Players[row]
	if row == s.seed || !s.reaches(row, &mine[r.regions.At], &c) || !s.fits(row) {
		return c, false
	}
	return c, true
}

// reference returns the largest difference that a candidate accepts under a distance: the bound
// of the first of its active rules about this number.
func (r *Rules) reference(distance int, theirs []Limit) float64 {
	for _, k := range r.alike[distance] {
		if theirs[k].Active {
			return theirs[k].Bound
		}
	}
	return math.Inf(1)
}

// cost returns the term of a difference in a candidate's score.
func cost(d *matcher.PivotDistance, difference float64) float64 {
	if d.Scale > 0 {
		return float64(difference / d.Scale * d.Weight)
	}
	return difference
}

// reaches tests the region of a candidate and adds the region's term to its score.
func (s *Search) reaches(row Row, l *Limit, c *rated) bool {
	g := &s.rules.regions
	p := g.Profile(row)
	switch {
	case s.open && s.rules.traits[row].newOnly:
		return false
	case s.region == matcher.NoRegion:
		return true
	case s.open:
		c.tieMS = p.To(s.region)
		return g.Reach(row)>>s.region&1 != 0
	}
	mask := g.Theirs(l, row)
	if mask>>s.region&1 == 0 {
		return false
	}
	if mask != candidate.AllValues && !math.IsInf(g.rule.MaxMS, 1) && g.rule.MaxMS > 0 {
		c.score += float64((p.RTTMS[s.region] - p.BestMS) / g.rule.MaxMS * g.rule.Weight)
	}
	return true
}

// fits makes the tests that admitted candidates may have affected, and those of attributes.
func (s *Search) fits(row Row) bool {
	r := s.rules
	t, seed := &r.traits[row], &r.traits[s.seed]
	if len(t.people) > 0 && textset.Meet(t.people, seed.people) {
		return false
	}
	for i := range s.wanted {
		if !optionPasses(r.Set.Options[i].Kind, s.wanted[i], s.own[i], t.options[i], t.own[i]) {
			return false
		}
	}
	return r.sameAttributes(s.seed, row) && (r.Set.Blocking != matcher.KeepApart || r.blockers == 0 ||
		!anyIn(t.blocked, s.people) && !anyIn(t.people, s.blocks))
}

// optionPasses tests a candidate's values of an option. wanted is empty if the seed does not
// have the option.
func optionPasses(kind matcher.OptionKind, wanted, own, theirs, theirOwn []matcher.Text) bool {
	switch {
	case len(own) > 0 && kind == matcher.SharedValue:
		return len(theirOwn) > 0 && textset.Contains(theirs, own) && textset.Contains(wanted, theirOwn) && textset.Meet(wanted, theirs)
	case len(wanted) == 0:
		return true
	case len(theirs) == 0:
		return false
	case kind == matcher.SharedValue:
		return textset.Meet(wanted, theirs)
	case kind == matcher.SameSet:
		return textset.Contains(theirs, wanted)
	}
	return !textset.Meet(wanted, theirs)
}

// sameAttributes tests the seed's conditions on the other attributes of a candidate.
func (r *Rules) sameAttributes(seed, row Row) bool {
	a, b := &r.traits[seed], &r.traits[row]
	for i := range a.equal {
		mine, theirs := &a.equal[i], &b.equal[i]
		switch empty := mine.Kind == matcher.IsText && r.schema.TextString(mine.Text) == ""; {
		case mine.Kind != matcher.IsText, empty && r.rows.Kind[seed] == store.Session:
		case empty && theirs.Kind != matcher.IsText:
		case theirs.Kind != matcher.IsText || theirs.Text != mine.Text:
			return false
		}
	}
	return len(a.others) == 0 || textset.Contains(b.others, a.others)
}

// anyIn reports whether two unsorted lists have a common element.
func anyIn(list, other []matcher.Text) bool {
	for _, text := range list {
		if slices.Contains(other, text) {
			return true
		}
	}
	return false
}

// admit updates the conditions for later candidates.
func (s *Search) admit(row Row) {
	r := s.rules
	t := &r.traits[row]
	for i := range s.wanted {
		if r.Set.Options[i].Kind != matcher.SharedValue || len(s.wanted[i]) == 0 {
			continue
		}
		s.wanted[i] = textset.Intersect(s.wanted[i][:0], s.wanted[i], t.options[i])
		if len(s.own[i]) > 0 {
			s.own[i] = append(s.own[i], t.own[i]...)
			slices.Sort(s.own[i])
			s.own[i] = slices.Compact(s.own[i])
		}
	}
	if r.Set.Blocking == matcher.KeepApart && r.blockers > 0 {
		s.people, s.blocks = append(s.people, t.people...), append(s.blocks, t.blocked...)
	}
}

// rank sorts the candidates by score, ties by age. If there are many, have continues the sort.
func (s *Search) rank() {
	if s.lazy || len(s.list) > few {
		s.heap = append(s.heap, s.list...)
		s.list = s.list[:0]
		s.heap.Init(s.before)
		return
	}
	list := s.list
	for i := range list {
		c, at := list[i], i
		for ; at > 0 && s.before(&c, &list[at-1]); at-- {
			list[at] = list[at-1]
		}
		list[at] = c
	}
}

func (s *Search) before(a, b *rated) bool {
	switch {
	case a.reserve != b.reserve:
		return b.reserve
	case a.score != b.score:
		return a.score < b.score
	case a.tieMS != b.tieMS:
		return a.tieMS < b.tieMS
	}
	return s.rules.rows.Older(a.row, b.row)
}

// have extends the list up to the k-th candidate and reports whether it exists.
func (s *Search) have(k int) bool {
	for len(s.list) <= k {
		s.outwards()
		if len(s.heap) == 0 {
			return false
		}
		s.list = append(s.list, s.heap.Pop(s.before))
	}
	return true
}

// outwards tests candidates, from the seed's key outwards, until the first one in the heap
// precedes all remaining ones. The score of these is at least the term of the first number,
// because no term is negative.
func (s *Search) outwards() {
	for s.lazy {
		least := 0.0
		if s.rules.limits(s.seed)[0].Active {
			least = cost(&s.rules.Set.Distances[0], s.off)
		}
		if len(s.heap) > 0 && !s.heap[0].reserve && s.heap[0].score < least {
			return
		}
		if c, ok := s.passes(s.next); ok {
			s.heap.Push(c, s.before)
		}
		s.next, s.off, s.lazy = s.outward.Next()
	}
}
