package seating

import "math/bits"

// filter returns the options that may join next, and reports whether every team can still reach
// its minimum.
func (s *Search) filter(dst, from []option) (kept []option, possible bool) {
	e, total, size, open := &s.evaluator, int32(0), int32(-1), uint64(0)
	clear(s.there)
	s.quick.none()
	for _, o := range from {
		players := s.Rules.rows.Players[o.row]
		if players != size {
			size, open = players, s.openTo(players)
		}
		teams := s.joinable(o.row, o.teams&open)
		if teams == 0 {
			continue
		}
		total += players
		dst = append(dst, option{o.row, teams})
		s.quick.add(o.row)
		for ; teams != 0; teams &= teams - 1 {
			s.there[bits.TrailingZeros64(teams)] += players
		}
	}
	short := int32(0)
	for team, least := range s.limits().least {
		lack := int32(least.Low) - e.Counts[team]
		if lack > s.there[team] {
			return dst, false
		}
		short += max(0, lack)
	}
	return dst, short <= total && (e.stage == nil || s.quick.enough(e, s.limits(), len(s.Group), short))
}

// openTo returns the teams with room for a number of players, as bits.
func (s *Search) openTo(players int32) (teams uint64) {
	s.limits()
	for team := range s.evaluator.Counts {
		if s.open(team) >= players {
			teams |= 1 << team
		}
	}
	return teams
}

// joinable returns those of the given teams that a ticket may join. If that does not depend on
// the team, it is tried once.
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
