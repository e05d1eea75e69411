package split

import "math"

// open removes all units from the teams. The sizes of the teams are then limited to a range in
// addition to their own limits.
func (s *Solver) open(low, high int) {
	s.teams = append(s.teams[:0], s.seats...)
	s.mayEmpty, s.smallest = s.even != nil && low == 0, math.MaxInt
	for i := range s.teams {
		t := &s.teams[i]
		t.least, t.most = max(t.least, low), min(t.most, high)
		s.smallest = min(s.smallest, max(1, t.least))
	}
}

// windows searches all ranges of team sizes with a given spread, the lowest first.
func (s *Solver) windows(spread int) (done bool) {
	n := len(s.seats)
	low, last := max(0, (s.players+n-1)/n-spread), s.players/n
	if s.even != nil && s.even.MoreTeams {
		low, last = 0, 0
	}
	for ; low <= last; low++ {
		if s.window(low, low+spread) {
			return true
		}
	}
	return false
}

// window searches the assignments with team sizes in a range. It returns true if the search is
// finished.
func (s *Solver) window(low, high int) (done bool) {
	s.open(low, high)
	clear(s.failed)
	return s.place(0)
}

// place assigns the units from k on to teams, depth first. It returns true if the search is
// finished.
//
// If units have no values and there is no check, a failure depends only on the loads.
func (s *Solver) place(k int) (done bool) {
	if !s.objective.promising(s, k) {
		return false
	}
	if k == len(s.units) {
		return s.objective.complete(s)
	}
	remember := s.even == nil && s.width == 0 && !s.checked
	if remember && len(s.failed) > 0 {
		if _, failed := s.failed[s.loads(k)]; failed {
			return false
		}
	}
	u := &s.units[k]
	from := s.order(k)
	for at, end := from, len(s.stack); at < end; at++ {
		team := s.stack[at]
		t := &s.teams[team]
		if t.players+u.size > t.most || !s.free(k, team, k) {
			continue
		}
		players, sum, large := t.players, t.sum, t.large // subtraction would not restore the exact sum
		s.put(k, team)
		t.large = large || u.large
		if s.place(k + 1) {
			return true
		}
		t.players, t.sum, t.large = players, sum, large
	}
	s.stack = s.stack[:from]
	if remember {
		if s.failed == nil {
			s.failed = make(map[loads]struct{})
		}
		s.failed[s.loads(k)] = struct{}{}
	}
	return false
}

// loads describes how full the teams are: six bits for the players of each team and one for a
// large unit. The last element is the number of placed units.
type loads [MaxPlayers + 1]uint8

func (s *Solver) loads(placed int) (l loads) {
	for i := range s.teams {
		l[i] = uint8(s.teams[i].players)
		if s.teams[i].large {
			l[i] |= 1 << 6
		}
	}
	l[MaxPlayers] = uint8(placed)
	return l
}

// order appends the teams to the stack in the order in which they are tried, the lowest sum
// first. It omits teams that are full or equivalent to an earlier one. It returns the index of
// the first.
func (s *Solver) order(placed int) (from int) {
	from = len(s.stack)
	list := s.stack
	for team := range s.teams {
		t := &s.teams[team]
		if t.players >= t.most {
			continue
		}
		at, twin := from, false
		for at < len(list) && !twin {
			other := &s.teams[list[at]]
			if t.sum < other.sum || s.even == nil && t.sum == other.sum && t.players < other.players {
				break
			}
			twin = t.sum == other.sum && t.players == other.players && s.twins(team, list[at], placed)
			at++
		}
		if twin {
			continue
		}
		list = append(list, team)
		for k := len(list) - 1; k > at; k-- { // mostly for two teams: slices.Insert is slower
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	s.stack = list
	return from
}

// twins reports whether two teams are equivalent for a unit that joins, given that their
// players and the sums of the first value are equal. If some units must not be in the same
// team, teams with players are never equivalent.
func (s *Solver) twins(x, y, placed int) bool {
	a, b := &s.teams[x], &s.teams[y]
	if a.least != b.least || a.most != b.most || a.large != b.large {
		return false
	}
	if s.checked && a.players > 0 {
		return false
	}
	if s.even != nil && (a.seated || b.seated || s.even.Apart != nil && a.players > 0) {
		return false
	}
	for k := 1; k < s.width; k++ {
		if s.sum(x, k, placed) != s.sum(y, k, placed) {
			return false
		}
	}
	return true
}

// free reports whether a unit may be in a team, given the units before index others that are
// already in it.
func (s *Solver) free(i, team, others int) bool {
	e, unit := s.even, s.units[i].added
	if e == nil || e.Apart == nil && e.Barred == nil {
		return true
	}
	if e.Barred != nil && e.Barred(unit, team) {
		return false
	}
	for k := 0; e.Apart != nil && k < others; k++ {
		if k != i && s.team[k] == team && e.Apart(unit, s.units[k].added) {
			return false
		}
	}
	return true
}

// mayFill reports whether the remaining units can bring every team to its size, and a large
// unit into every team that needs one, judging by numbers alone. If no units remain, it reports
// whether the teams are valid.
func (s *Solver) mayFill(rest rest) bool {
	missing, room, filled, small := 0, 0, 0, 0
	for i := range s.teams {
		t := &s.teams[i]
		if t.players > t.most {
			return false
		}
		room += t.most - t.players
		if t.players > 0 {
			filled++
		}
		if t.players > 0 || !s.mayEmpty {
			missing += max(0, t.least-t.players)
		}
		if !t.large {
			small++
		}
	}
	if s.mayEmpty && filled < s.even.MinTeams {
		missing += (s.even.MinTeams - filled) * s.smallest
	}
	return missing <= rest.players && rest.players <= room && (!s.allLarge || small <= rest.large)
}

// put adds a unit to a team.
func (s *Solver) put(i, team int) {
	u, t := &s.units[i], &s.teams[team]
	s.team[i] = team
	t.players, t.sum = t.players+u.size, t.sum+u.value
}
