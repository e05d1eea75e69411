package accelservice

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/around"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/split"
	"mmsim/matcher/engine/internal/store"
)

// Search looks for matches around one seed at a time. For a ticket, the caller calls Begin and
// Fill for each region. For an open session, it calls Visit. The match is then in Members and
// Teams.
type Search struct {
	around.Candidates
	Members []Member // the tickets of the group, starting with the seed; for a session, the tickets that joined
	Teams   []Team

	rules *Rules

	players int  // number of players in the group
	seated  bool // the seed is in a team

	// The following fields are the conditions that the next candidate must satisfy.
	wanted [][]matcher.Text // indexed by option: the seed's values; for SharedValue, those that all admitted candidates share
	own    [][]matcher.Text // indexed by option: the values for PivotOption.Own of the seed and the admitted candidates
	people []matcher.Text   // players of the seed and of all admitted candidates
	blocks []matcher.Text   // players whom the seed or an admitted candidate blocks

	rows []Row                 // scratch space
	kept []candidate.Candidate // scratch space for inOrder

	// The following fields are used by balance.
	solver  split.Solver
	inTurn  split.InTurn
	units   []int  // units[u] is the index in Members of the solver's unit u
	divided []Team // the teams that the solver found
}

// NewSearch returns a Search for the given rules.
func NewSearch(rules *Rules) *Search {
	n := len(rules.Set.Options)
	s := &Search{rules: rules, wanted: make([][]matcher.Text, n), own: make([][]matcher.Text, n)}
	s.Candidates.Use(&rules.Rules, s)
	return s
}

// Begin lists the candidates of a seed in a region, which may be NoRegion. Candidates come from
// a query and from reserve. Begin returns false if those from the query have too few players in
// total: fewer than need.
func (s *Search) Begin(seed Row, region matcher.Region, from *candidate.Query, reserve []Row, need int) bool {
	r := s.rules
	s.Candidates.Begin(seed, region)
	s.reset()
	chained := s.chained()
	if !chained && s.several() {
		s.rows = from.Append(s.rows[:0])
		s.settle(s.rows)
	}
	switch {
	case chained:
		s.inOrder(from.Append(s.rows[:0]))
	case len(r.Set.Distances) > 0 && from.Size() > candidate.Few && !s.Open:
		s.Outward(from.Outward())
	default:
		s.rows = from.Append(s.rows[:0])
		if !s.admitAll(s.rows, false, need) {
			return false
		}
	}
	if !s.Enough(need) {
		return false
	}
	s.admitAll(reserve, true, 0)
	s.Rank()
	return true
}

// reset sets the conditions for candidates to the seed's own values.
func (s *Search) reset() {
	t := &s.rules.Traits[s.Seed]
	for i := range s.wanted {
		s.wanted[i] = append(s.wanted[i][:0], t.Options[i]...)
		s.own[i] = append(s.own[i][:0], t.Own[i]...)
	}
	s.people, s.blocks = append(s.people[:0], t.People...), append(s.blocks[:0], t.Blocked...)
}

// chained reports whether admitting a candidate may exclude later ones even after settle. The
// order in which candidates are tested then matters.
func (s *Search) chained() bool {
	if s.rules.Set.Blocking == matcher.KeepApart && s.rules.blockers > 0 {
		return true
	}
	return slices.ContainsFunc(s.own, func(own []matcher.Text) bool { return len(own) > 0 })
}

// several reports whether the seed has several values under a SharedValue option. A candidate
// that has only some of them then excludes later candidates that have only others.
func (s *Search) several() bool {
	for i := range s.wanted {
		if s.rules.Set.Options[i].Kind == matcher.SharedValue && len(s.wanted[i]) > 1 {
			return true
		}
	}
	return false
}

// settle reduces wanted to the values that all candidates in rows share once they are admitted.
// It is not used if chained returns true.
//
// A candidate changes wanted only if it does not have all wanted values. settle therefore admits
// only such candidates, in order. Every other candidate that passes has all remaining
// values, so the result is the same as if all rows were visited. The reserve, which is tested
// later, cannot exclude any of these candidates. Without settle, such seeds would need inOrder, and a
// pass over 3,000 tickets with several maps would take 1.9 times as many instructions.
func (s *Search) settle(rows []Row) {
	for s.several() {
		first, found := Row(0), false
		for _, row := range rows {
			var c candidate.Candidate
			if (!found || s.compare(row, first) < 0) && s.lacks(row) && s.Test(&c, row) {
				first, found = row, true
			}
		}
		if !found {
			return
		}
		s.admit(first)
	}
}

// lacks reports whether a candidate does not have all wanted values.
func (s *Search) lacks(row Row) bool {
	for i := range s.wanted {
		if s.rules.Set.Options[i].Kind == matcher.SharedValue && !matcher.SetContains(s.rules.Traits[row].Options[i], s.wanted[i]) {
			return true
		}
	}
	return false
}

// admitAll admits every row that passes. It stops and returns false as soon as the remaining rows
// have too few players: fewer than need.
func (s *Search) admitAll(rows []Row, reserve bool, need int) bool {
	spare := -need
	for _, row := range rows {
		spare += int(s.rules.Rows.Players[row])
	}
	for _, row := range rows {
		var c candidate.Candidate
		if s.Test(&c, row) {
			c.Reserve = reserve
			s.Add(c)
			s.admit(row)
		} else if spare -= int(s.rules.Rows.Players[row]); spare < 0 {
			return false
		}
	}
	return true
}

// compare orders candidates in the order in which they are visited. For a ticket, that is from oldest to newest.
// For an open session, it is the order in which the tickets entered the pool.
func (s *Search) compare(a, b Row) int {
	rows := s.rules.Rows
	if s.Open {
		return cmp.Compare(rows.Sequence[a], rows.Sequence[b])
	}
	return rows.Compare(a, b)
}

// inOrder admits candidates in order. It first tests every row against the seed alone,
// because most fail there and need not be sorted.
func (s *Search) inOrder(rows []Row) {
	s.rows, s.kept = rows, s.kept[:0]
	for _, row := range rows {
		var c candidate.Candidate
		if s.Test(&c, row) {
			s.kept = append(s.kept, c)
		}
	}
	slices.SortFunc(s.kept, func(a, b candidate.Candidate) int { return s.compare(a.Row, b.Row) })
	for _, c := range s.kept {
		if s.fits(c.Row) {
			s.Add(c)
			s.admit(c.Row)
		}
	}
}

// Test implements candidate.Tester. The terms of the cost are added in the order of the rules. Each
// product is converted to float64 first, so that the sum is the same on every machine.
func (s *Search) Test(c *candidate.Candidate, row Row) bool {
	*c = candidate.Candidate{Row: row, Players: s.rules.Rows.Players[row]}
	r, ofSeed, ofCandidate, other := s.rules, s.Limits, s.rules.Limits(row), s.rules.Numbers(row)
	for i, own := range s.Numbers {
		if !ofSeed[i].Active {
			continue
		}
		difference := math.Abs(other[i] - own)
		if difference > ofSeed[i].Bound || difference > r.reference(i, ofCandidate) {
			return false
		}
		c.Cost += r.Set.Distances[i].Cost(difference)
	}
	return row != s.Seed && s.Reaches(c, &ofSeed[r.Regions.At], &ofCandidate[r.Regions.At]) && s.fits(row)
}

// fits tests a candidate's attributes against the seed and the conditions from candidates that
// were already admitted.
func (s *Search) fits(row Row) bool {
	r := s.rules
	t, seed := &r.Traits[row], &r.Traits[s.Seed]
	if len(t.People) > 0 && matcher.SetsMeet(t.People, seed.People) {
		return false
	}
	for i := range s.wanted {
		if !optionPasses(r.Set.Options[i].Kind, s.wanted[i], s.own[i], t.Options[i], t.Own[i]) {
			return false
		}
	}
	return r.sameAttributes(s.Seed, row) && (r.Set.Blocking != matcher.KeepApart || r.blockers == 0 ||
		!anyIn(t.Blocked, s.people) && !anyIn(t.People, s.blocks))
}

// optionPasses reports whether a candidate's values satisfy an option. wanted is empty if the
// seed has no values for the option.
func optionPasses(kind matcher.OptionKind, wanted, own, ofCandidate, ownOfCandidate []matcher.Text) bool {
	switch {
	case len(own) > 0 && kind == matcher.SharedValue:
		return len(ownOfCandidate) > 0 && matcher.SetContains(ofCandidate, own) && matcher.SetContains(wanted, ownOfCandidate) && matcher.SetsMeet(wanted, ofCandidate)
	case len(wanted) == 0:
		return true
	case len(ofCandidate) == 0:
		return false
	case kind == matcher.SharedValue:
		return matcher.SetsMeet(wanted, ofCandidate)
	case kind == matcher.SameSet:
		return matcher.SetContains(ofCandidate, wanted)
	}
	return !matcher.SetsMeet(wanted, ofCandidate)
}

// sameAttributes reports whether a candidate has the values that the seed requires under
// InTurn.Equal and InTurn.Others.
func (r *Rules) sameAttributes(seed, row Row) bool {
	a, b := &r.attributes[seed], &r.attributes[row]
	for i := range a.equal {
		ofSeed, ofCandidate := &a.equal[i], &b.equal[i]
		switch empty := ofSeed.Kind == matcher.IsText && r.Schema.TextString(ofSeed.Text) == ""; {
		case ofSeed.Kind != matcher.IsText, empty && r.Rows.Kind[seed] == store.Session:
		case empty && ofCandidate.Kind != matcher.IsText:
		case ofCandidate.Kind != matcher.IsText || ofCandidate.Text != ofSeed.Text:
			return false
		}
	}
	return len(a.others) == 0 || matcher.SetContains(b.others, a.others)
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

// admit adds a candidate's values to the conditions for later candidates.
func (s *Search) admit(row Row) {
	r := s.rules
	t := &r.Traits[row]
	for i := range s.wanted {
		if r.Set.Options[i].Kind != matcher.SharedValue || len(s.wanted[i]) == 0 {
			continue
		}
		s.wanted[i] = matcher.IntersectSets(s.wanted[i][:0], s.wanted[i], t.Options[i])
		if len(s.own[i]) > 0 {
			s.own[i] = append(s.own[i], t.Own[i]...)
			slices.Sort(s.own[i])
			s.own[i] = slices.Compact(s.own[i])
		}
	}
	if r.Set.Blocking == matcher.KeepApart && r.blockers > 0 {
		s.people, s.blocks = append(s.people, t.People...), append(s.blocks, t.Blocked...)
	}
}
