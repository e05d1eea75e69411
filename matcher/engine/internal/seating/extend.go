package seating

import (
	"math"
	"math/bits"

	"mmsim/matcher/engine/internal/quick"
)

// search tries all groups around the seed until one is a match.
func (s *Search) search() Verdict {
	s.list()
	if s.quick.AnyTeam(&s.evaluator.Group, &s.any); !s.filter(&s.kept, &s.any, s.quick.All()) {
		if s.spent() {
			return Exhausted
		}
		return Nothing
	}
	s.quick.Pairs(len(s.Group), s.deciding(), &s.kept)
	return s.extend(&s.kept)
}

// frame is what the method extend remembers while it tries an option.
type frame struct {
	later quick.Set     // the options after it that may be in a match with it
	next  quick.Options // those of them that may still join
}

// extend tries every group that consists of the current one and some of the options. It tries
// larger groups before the current one.
func (s *Search) extend(options *quick.Options) Verdict {
	depth := len(s.Group)
	for len(s.frames) <= depth {
		s.frames = append(s.frames, &frame{})
	}
	missing := s.missing()
	for at := range s.quick.All() {
		words := options.At(at)
		for rest := words.Any(); rest != 0; {
			bit := bits.TrailingZeros64(rest)
			rest &= rest - 1
			if v := s.extendBy(64*at+bit, words.Teams(bit), options, s.later(options, at, rest), missing); v != Nothing {
				return v
			}
		}
	}
	if s.steps++; s.spent() {
		return Exhausted
	}
	if s.check() {
		return Found
	}
	return Nothing
}

// later returns the options after a candidate: those in the rest of a word, and in all words after it.
func (s *Search) later(options *quick.Options, at int, rest uint64) quick.Set {
	f := s.frames[len(s.Group)]
	f.later = append(f.later[:0], s.quick.All()...)
	clear(f.later[:at])
	f.later[at] = rest
	for k := at + 1; k < len(f.later); k++ {
		f.later[k] = options.At(k).Any()
	}
	return f.later
}

// extendBy does the work of extend for one option and the teams that it may join. later contains the options after
// it, and missing is the number of players who must still join.
func (s *Search) extendBy(candidate int, teams uint64, options *quick.Options, later quick.Set, missing int32) Verdict {
	var few [8]int
	row, players, next := s.candidates[candidate], int32(math.MaxInt32), &s.frames[len(s.Group)].next
	if !s.Unfiltered {
		players = s.quick.Meeting(&s.evaluator.Group, later, candidate) + s.Rules.rows.Players[row]
	}
	for _, team := range s.seats(few[:0], s.Rules.rows.Players[row]) {
		if teams>>team&1 == 0 {
			continue
		}
		s.steps++
		if s.looks++; s.spent() {
			return Exhausted
		}
		if players < missing {
			continue
		}
		v := Nothing
		if s.push(row, team) && s.filter(next, options, later) {
			v = s.extend(next)
		}
		if v != Nothing {
			return v
		}
		s.pop()
	}
	return Nothing
}

// filter sets kept to those of the options whose tickets are in a set and may still join. possible is false if
// these options have too few players to bring every team to its minimum, or if the budget is used up.
func (s *Search) filter(kept, of *quick.Options, set quick.Set) (possible bool) {
	e := &s.evaluator
	if !s.quick.Narrow(&e.Group, set, len(s.Group)) {
		return false
	}
	kept.Among(of, set)
	for team := range e.Counts {
		s.quick.Fit(kept, team, s.free(team))
	}
	var filled quick.Filled
	oneByOne := false // the budget may end the search at any option
	if s.closes {     // each option that is closed costs a look, as if joinable had tried it
		filled = s.quick.Filled(&e.Group, len(s.Group))
		if oneByOne = s.looks+64*len(set)*len(e.Sides) > looksPerStep*s.Budget; !oneByOne {
			s.looks += s.quick.Close(&e.Group, &filled, kept, 0, len(set), ^uint64(0))
		}
	}
	total := int32(0)
	clear(s.there)
	s.left = s.left[:0]
	for at := range set {
		words := kept.At(at)
		left := words.Any()
		for rest := left; rest != 0; rest &= rest - 1 {
			if s.spent() {
				return false
			}
			bit := bits.TrailingZeros64(rest)
			if oneByOne {
				s.looks += s.quick.Close(&e.Group, &filled, kept, at, at+1, 1<<bit)
			}
			row, teams := s.candidates[64*at+bit], words.Teams(bit)
			open := s.joinable(row, teams)
			words.Remove(bit, teams&^open)
			if open == 0 {
				left &^= rest & -rest
				continue
			}
			players := s.Rules.rows.Players[row]
			for total += players; open != 0; open &= open - 1 {
				s.there[bits.TrailingZeros64(open)] += players
			}
		}
		s.left = append(s.left, left)
	}
	short := int32(0)
	for team, n := range e.Counts {
		lack := int32(e.Requires(team).Low) - n
		if lack > s.there[team] {
			return false
		}
		short += max(0, lack)
	}
	return short <= total && (len(s.Group) == 0 || s.quick.Enough(&e.Group, len(s.Group), s.left, short))
}

// joinable returns a mask of those among the given teams that a ticket may join. If no rule
// distinguishes the teams, the first team that the ticket may join stands for all teams after it.
func (s *Search) joinable(row Row, teams uint64) uint64 {
	for rest := teams; rest != 0; rest &= rest - 1 {
		team := bits.TrailingZeros64(rest)
		s.looks++
		may := s.may(row, team)
		switch {
		case may && s.alike:
			return rest
		case !may && s.alike && s.plain:
			return 0
		case !may:
			teams &^= 1 << team
		}
	}
	return teams
}
