package split

import "math"

// empty removes all units from the teams; seated players stay. Until the next call, each team's size must be
// between low and high and also within the team's own bounds.
func (s *Solver) empty(low, high int) {
	s.teams = append(s.teams[:0], s.seats...)
	s.mayEmpty, s.smallest = s.even != nil && low == 0, math.MaxInt
	for i := range s.teams {
		t := &s.teams[i]
		t.least, t.most = max(t.least, low), min(t.most, high)
		s.smallest = min(s.smallest, max(1, t.least))
	}
}

// windows searches all windows whose sizes differ by at most spread, smallest sizes first. A
// window is a range of team sizes.
func (s *Solver) windows(spread int) (done bool) {
	n := len(s.seats)
	low, last := max(0, (s.players+n-1)/n-spread), s.players/n
	if s.even != nil && s.even.MoreTeams {
		low, last = 0, 0
	}
	if s.inTurn != nil { // search one window so that the first of several equally even assignments is found
		return s.window(low, last+spread)
	}
	for ; low <= last; low++ {
		if s.window(low, low+spread) {
			return true
		}
	}
	return false
}

// window searches the assignments whose team sizes are in a range. It returns true if the search
// is finished.
func (s *Solver) window(low, high int) (done bool) {
	s.empty(low, high)
	clear(s.failed)
	return s.assign(0)
}

// assign assigns units k and later to teams, depth first. It returns true if the search is
// finished.
//
// If units have no values and there is no Check, whether the rest can be assigned depends only on
// the loads. assign then remembers the loads for which it failed.
func (s *Solver) assign(k int) (done bool) {
	if !s.objective.feasible(s, k) {
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
	from, emptyTried, prune := s.order(k), false, s.inTurn == nil || s.inTurn.all
	for at, end := from, len(s.stack); at < end; at++ {
		team := s.stack[at]
		t := &s.teams[team]
		if t.players+u.size > t.most || prune && s.apart && !s.free(k, team, k) {
			continue
		}
		if s.inTurn != nil {
			if prune && t.players == 0 && emptyTried {
				continue
			}
			emptyTried, s.parent = emptyTried || t.players == 0, from
		}
		players, sum, large := t.players, t.sum, t.large // saved because subtracting the unit again would not restore the exact sum
		s.put(k, team)
		t.large = large || u.large
		if s.assign(k + 1) {
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

// loads describes how full the teams are. An element has six bits for a team's number of players
// and one bit for whether it has a large unit. The last element is the number of assigned units.
type loads [MaxPlayers + 1]uint8

func (s *Solver) loads(assigned int) (l loads) {
	for i := range s.teams {
		l[i] = uint8(s.teams[i].players)
		if s.teams[i].large {
			l[i] |= 1 << 6
		}
	}
	l[MaxPlayers] = uint8(assigned)
	return l
}

// order appends to the stack the teams to try for the next unit, lowest sum first. It omits teams
// that are full or equivalent to an earlier one. It returns the stack index of the first team.
func (s *Solver) order(assigned int) (from int) {
	from = len(s.stack)
	if s.inTurn != nil {
		return s.inTurn.order(s, assigned)
	}
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
			twin = t.sum == other.sum && t.players == other.players && s.equivalent(team, list[at], assigned)
			at++
		}
		if twin {
			continue
		}
		list = append(list, team)
		for k := len(list) - 1; k > at; k-- { // there are mostly two teams, for which slices.Insert is slower
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	s.stack = list
	return from
}

// equivalent reports whether two teams are equivalent for the next unit. The caller has compared their
// number of players and sums of the first value. If some units must not be in the same team, only
// empty teams can be equivalent.
func (s *Solver) equivalent(x, y, assigned int) bool {
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
		if s.sum(x, k, assigned) != s.sum(y, k, assigned) {
			return false
		}
	}
	return true
}

// free reports whether Apart and Barred allow a unit in a team. It considers the units in that
// team with an index below others.
func (s *Solver) free(i, team, others int) bool {
	e, unit := s.even, s.units[i].added
	if !s.apart {
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

// mayFill reports whether the remaining units have the right number of players to bring every
// team to an allowed size. It also checks that enough large units remain for the teams that need
// one. If no units remain, it reports whether the teams are valid.
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

// mayBalance reports whether the gap of value k can still come within a limit. It bounds each
// team's final average by filling the team's free seats with the lowest and with the highest
// value per player of the remaining units. These start at index from.
func (s *Solver) mayBalance(k, from int, limit float64) bool {
	low, high := s.rest[from].low, s.rest[from].high
	if k > 0 {
		low, high = math.Inf(1), math.Inf(-1)
		for i := range s.units[from:] {
			u := &s.units[from+i]
			v := s.value(u, k) / float64(u.size)
			low, high = min(low, v), max(high, v)
		}
	}
	floor, ceiling := math.Inf(-1), math.Inf(1) // the highest lower bound and the lowest upper bound
	for i := range s.teams {
		t := &s.teams[i]
		if t.players == 0 && (t.least == 0 || s.mayEmpty) {
			continue
		}
		sum := t.sum
		if k > 0 {
			sum = s.sum(i, k, from)
		}
		size := max(t.least, t.players)
		least, most := averages(sum, t.players, size, low, high)
		if size < t.most {
			lower, higher := averages(sum, t.players, t.most, low, high)
			least, most = min(least, lower), max(most, higher)
		}
		floor, ceiling = max(floor, least), min(ceiling, most)
	}
	return floor-ceiling <= limit+float64(slack*max(1, math.Abs(floor)))
}

// averages returns the lowest and highest average that a team can have. The team's values now add
// up to sum. It grows from players to size, and each new player has a value between low and high.
func averages(sum float64, players, size int, low, high float64) (least, most float64) {
	more := float64(size - players)
	return (sum + float64(more*low)) / float64(size), (sum + float64(more*high)) / float64(size)
}

// put adds a unit to a team.
func (s *Solver) put(i, team int) {
	u, t := &s.units[i], &s.teams[team]
	s.team[i] = team
	t.players, t.sum = t.players+u.size, t.sum+u.value
}
