package split

import "math"

// open takes all units out of the teams, which then have sizes in a range besides
// their own.
func (s *Solver) open(low, high int) {
	s.teams = append(s.teams[:0], s.seats...)
	s.mayEmpty, s.smallest = s.even != nil && low == 0, math.MaxInt
	for i := range s.teams {
		t := &s.teams[i]
		t.least, t.most = max(t.least, low), min(t.most, high)
		s.smallest = min(s.smallest, max(1, t.least))
	}
}

// windows searches all ranges of team sizes with a spread, the lowest first.
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

// window searches the assignments with team sizes in a range; true ends the search.
func (s *Solver) window(low, high int) (done bool) {
	s.open(low, high)
	clear(s.failed)
	return s.place(0)
}

// place puts the units from k on into teams, depth first; true ends the search.
//
// Where units have no values and no check, whether it fails depends on nothing but loads.
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
		players, sum, large := t.players, t.sum, t.large // to subtract would round
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

// loads is how full the teams are: six bits of players, then one for a large unit;
// and behind the last team, how many units are placed.
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

// order appends the teams to the stack in the order in which they are tried, the
// lowest sum first, without a team that is the twin of one before; it returns where
// they begin.
func (s *Solver) order(placed int) (from int) {
	from = len(s.stack)
	list := s.stack
	for team := range s.teams {
		t := &s.teams[team]
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
		for k := len(list) - 1; k > at; k-- { // of two teams most often: slices.Insert is slower
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	s.stack = list
	return from
}

// twins tells of two teams with equal sums of the first value and equal players
// whether it makes no difference which of them a unit joins. Where units are kept
// apart, it does as soon as the teams have players.
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

// free tells whether a unit may be in a team with those of the first others that
// are in it.
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

// mayFill tells whether the rest of the units can bring every team to its size, and
// a large unit into every team that needs one, as far as numbers tell. With nothing
// left it tells whether the teams as they stand are valid.
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
