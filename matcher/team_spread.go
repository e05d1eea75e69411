package matcher

import "math"

// bySpread looks for an assignment with the smallest difference between team
// sizes: for each difference, for each size of the smallest team.
func (t *teamer) bySpread() bool {
	if len(t.gaps) > 0 { // each failure is a whole search: two narrow ones, then all
		for spread := range min(2, t.balance+1) {
			if t.withSpread(spread) {
				return true
			}
		}
		return t.fits(0, MaxTeamPlayers)
	}
	for spread := range t.balance + 1 { // most are even at once; else it is worth asking whether any will do
		if spread == 1 && t.balance >= MaxTeamPlayers && !t.fits(0, MaxTeamPlayers) {
			return false
		}
		if t.withSpread(spread) {
			return true
		}
	}
	return false
}

func (t *teamer) withSpread(spread int) bool {
	n := len(t.sides)
	for least := max(0, (t.players+n-1)/n-spread); least <= t.players/n; least++ {
		if t.fits(least, least+spread) {
			return true
		}
	}
	return false
}

// loadSearch is the state of a search by team loads.
type loadSearch struct {
	sides  []side
	missed map[loads]struct{}
}

// loads is how full the teams are once a number of units are placed: 6 bits of
// players, then one for a large party.
type loads struct {
	placed uint8
	team   [MaxTeamPlayers]uint8
}

// fits looks for an assignment with team sizes in a range.
func (t *teamer) fits(least, most int) bool {
	l := &t.loads
	l.sides = l.sides[:0]
	for i := range t.sides {
		s := t.sides[i]
		s.least, s.most = max(s.least, least), min(s.most, most)
		if s.players > s.most || s.least > s.most {
			return false
		}
		l.sides = append(l.sides, s)
	}
	if len(t.gaps) == 0 && !t.allLarge && t.straight() {
		return true
	}
	clear(l.missed)
	t.window, t.saved = windowBudget, t.saved[:0]
	return t.place(0, t.units)
}

// straight puts every unit into the emptiest side with room for it, which is what place
// tries first, and tells whether that is it; if not it takes all out again.
func (t *teamer) straight() bool {
	l, fits := &t.loads, true
	for k := range t.units {
		best, size := -1, t.units[k].size
		for i := range l.sides {
			if s := &l.sides[i]; s.players+size <= s.most && (best < 0 || s.players < l.sides[best].players) {
				best = i
			}
		}
		if fits = best >= 0; !fits {
			break
		}
		t.team[k] = best
		l.sides[best].players += size
	}
	if fits && t.complete() {
		return true
	}
	for i := range l.sides {
		l.sides[i].players = t.sides[i].players
	}
	return false
}

// place puts units from one on into teams, largest first.
func (t *teamer) place(placed int, left []unit) bool {
	if len(left) == 0 {
		return t.complete()
	}
	if !t.mayFill(left) || !t.mayBalance(left) {
		return false
	}
	if len(t.gaps) > 0 && len(t.units) > exactTickets && t.spent() {
		return false
	}
	var state loads
	if len(t.gaps) == 0 {
		state = t.loads.state(placed)
		if _, missed := t.loads.missed[state]; missed {
			return false
		}
	}
	u := &left[0]
	sides := t.loads.sides
	var tried uint32
	for range sides {
		i := t.emptiest(tried)
		s := &sides[i]
		tried |= 1 << i
		if s.players+u.size > s.most || t.twin(i, tried) {
			continue
		}
		t.team[placed] = i
		large, mark := s.large, len(t.saved)
		t.saved = append(t.saved, s.sum...)
		s.players, s.large = s.players+u.size, large || u.large
		for k, v := range u.value {
			s.sum[k] += v
		}
		if t.place(placed+1, left[1:]) {
			return true
		}
		s.players, s.large = s.players-u.size, large
		copy(s.sum, t.saved[mark:])
		t.saved = t.saved[:mark]
	}
	if len(t.gaps) == 0 {
		if t.loads.missed == nil {
			t.loads.missed = make(map[loads]struct{})
		}
		t.loads.missed[state] = struct{}{}
	}
	return false
}

// emptiest returns the side, of those not tried, with the lowest first sum, or
// with the fewest players where no averages matter.
func (t *teamer) emptiest(tried uint32) int {
	best := -1
	for i := range t.loads.sides {
		if tried&(1<<i) != 0 {
			continue
		}
		if best < 0 || t.before(&t.loads.sides[i], &t.loads.sides[best]) {
			best = i
		}
	}
	return best
}

func (t *teamer) before(a, b *side) bool {
	if len(t.gaps) > 0 && a.sum[0] != b.sum[0] {
		return a.sum[0] < b.sum[0]
	}
	return a.players < b.players
}

// twin tells whether a side that was tried stands exactly like another.
func (t *teamer) twin(i int, tried uint32) bool {
	a := &t.loads.sides[i]
	for j := range t.loads.sides {
		b := &t.loads.sides[j]
		if j == i || tried&(1<<j) == 0 {
			continue
		}
		same := a.least == b.least && a.most == b.most && a.players == b.players && a.large == b.large
		for k := range t.gaps {
			same = same && a.sum[k] == b.sum[k]
		}
		if same {
			return true
		}
	}
	return false
}

// mayFill tells whether the units left can bring every side to its least and fit.
func (t *teamer) mayFill(left []unit) bool {
	players, want, room, small := 0, 0, 0, 0
	for i := range left {
		players += left[i].size
	}
	for i := range t.loads.sides {
		s := &t.loads.sides[i]
		want, room = want+max(0, s.least-s.players), room+s.most-s.players
		if t.allLarge && !s.large {
			small++
		}
	}
	for i := 0; i < len(left) && left[i].large; i++ {
		small--
	}
	return want <= players && players <= room && small <= 0
}

// mayBalance tells whether the averages can still come close enough: each side's
// lies between what it would be if all places were filled with the lowest value
// per player left and with the highest.
func (t *teamer) mayBalance(left []unit) bool {
	for k, g := range t.gaps {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range left {
			v := left[i].value[k] / float64(left[i].size)
			low, high = min(low, v), max(high, v)
		}
		floor, ceiling := math.Inf(-1), math.Inf(1) // the highest lower and the lowest upper bound
		for i := range t.loads.sides {
			s := &t.loads.sides[i]
			if s.players == 0 && s.least == 0 {
				continue // it may stay empty
			}
			least, most := math.Inf(1), math.Inf(-1)
			for _, size := range [2]int{max(s.least, s.players), s.most} {
				more := float64(size - s.players)
				least = min(least, (s.sum[k]+more*low)/float64(size))
				most = max(most, (s.sum[k]+more*high)/float64(size))
			}
			floor, ceiling = max(floor, least), min(ceiling, most)
		}
		if floor-ceiling > g.limit+slack*max(1, math.Abs(floor)) {
			return false
		}
	}
	return true
}

// complete tells whether the sides, with everybody placed, keep every rule.
func (t *teamer) complete() bool {
	fewest, largest := math.MaxInt, 0
	for i := range t.loads.sides {
		s := &t.loads.sides[i]
		if s.players < s.least || t.allLarge && !s.large {
			return false
		}
		fewest, largest = min(fewest, s.players), max(largest, s.players)
	}
	return largest-fewest <= t.balance && t.gapsKept(t.loads.sides)
}

// gapsKept tells whether the averages of the sides that have players are close
// enough.
func (t *teamer) gapsKept(sides []side) bool {
	for k, g := range t.gaps {
		lowest, highest := math.Inf(1), math.Inf(-1)
		for i := range sides {
			if s := &sides[i]; s.players > 0 {
				average := s.sum[k] / float64(s.players)
				lowest, highest = min(lowest, average), max(highest, average)
			}
		}
		if highest-lowest > g.limit {
			return false
		}
	}
	return true
}

// state returns how full the teams are.
func (l *loadSearch) state(placed int) loads {
	s := loads{placed: uint8(placed)}
	for i := range l.sides {
		s.team[i] = uint8(l.sides[i].players)
		if l.sides[i].large {
			s.team[i] |= 1 << 6
		}
	}
	return s
}
