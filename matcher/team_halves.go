package matcher

import "math"

// subset is some units of one half that go to the first team.
type subset struct {
	sum  float64 // of the first gap's values
	mask uint32  // units, counted from the first of the half
}

// Classes of subsets: players in the first team, and a bit for each team that has
// a large party.
const (
	flagFirst  = 1
	flagSecond = 2
	classes    = (MaxTeamPlayers + 1) * 4
)

// halves divides units into two teams by meeting in the middle: all subsets of
// each half, by class in the order of sums, then for each team size the two that
// together come closest to equal averages. 32 solos are 65,536 subsets a half
// instead of four billion assignments; lists stay sorted by merging, one unit at a
// time.
type halves struct {
	lists [2][classes][]subset
	next  [classes][]subset
	best  float64
	mask  uint64
}

// solve finds the assignment with the smallest difference in sizes, and of those
// the smallest in the first gap, that keeps all rules.
func (h *halves) solve(t *teamer) bool {
	middle := len(t.units) / 2
	h.enumerate(0, t.units[:middle])
	h.enumerate(1, t.units[middle:])
	t.window = TeamBudget
	first, second := &t.sides[0], &t.sides[1]
	for spread := t.players % 2; spread <= min(t.balance, t.players); spread += 2 {
		for _, players := range [2]int{(t.players - spread) / 2, (t.players + spread) / 2} {
			rest := t.players - players
			if players < max(first.least, first.players) || players > first.most || rest < max(second.least, second.players) || rest > second.most {
				continue
			}
			if h.best = math.Inf(1); h.closest(t, players, middle) {
				for i := range t.units {
					t.team[i] = 1 - int(h.mask>>i&1)
				}
				return true
			}
			if spread == 0 {
				break
			}
		}
	}
	return false
}

// enumerate fills the lists of a half.
func (h *halves) enumerate(half int, units []unit) {
	lists := &h.lists[half]
	for i := range lists {
		lists[i] = lists[i][:0]
	}
	lists[0] = append(lists[0], subset{})
	players := 0
	for i := range units {
		u := &units[i]
		players += u.size
		for class := range (players + 1) * 4 {
			h.next[class] = h.next[class][:0]
		}
		for class := range (players - u.size + 1) * 4 {
			list := lists[class]
			if len(list) == 0 {
				continue
			}
			with, without := class+4*u.size, class
			if u.large {
				with, without = with|flagFirst, without|flagSecond
			}
			h.next[without] = mergeInto(h.next[without], list, 0, 0)
			h.next[with] = mergeInto(h.next[with], list, u.value[0], 1<<i)
		}
		for class := range (players + 1) * 4 {
			lists[class], h.next[class] = h.next[class], lists[class]
		}
	}
}

// mergeInto merges a sorted list, shifted by one unit, into another, from the back.
func mergeInto(dst, list []subset, value float64, unit uint32) []subset {
	i, j := len(dst)-1, len(list)-1
	dst = append(dst, list...)
	for k := len(dst) - 1; j >= 0; k-- {
		shifted := subset{list[j].sum + value, list[j].mask | unit}
		if i >= 0 && dst[i].sum > shifted.sum {
			dst[k] = dst[i]
			i--
		} else {
			dst[k] = shifted
			j--
		}
	}
	return dst
}

// closest looks for the best assignment with a number of players in the first
// team; false when none keeps all rules.
func (h *halves) closest(t *teamer, players, middle int) bool {
	joining := players - t.sides[0].players
	for a := range h.lists[0] {
		if len(h.lists[0][a]) == 0 || a/4 > joining {
			continue
		}
		for flags := range 4 {
			b := (joining-a/4)*4 + flags
			if b >= classes || len(h.lists[1][b]) == 0 || t.allLarge && (a|b)&3 != flagFirst|flagSecond {
				continue
			}
			h.pair(t, h.lists[0][a], h.lists[1][b], players, middle)
		}
	}
	return h.best < math.Inf(1)
}

// pair walks two sorted lists, one up and one down, past all pairs that come
// closest to equal averages. Where several rules bind, it also looks at all pairs
// that keep the first.
func (h *halves) pair(t *teamer, up, down []subset, players, middle int) {
	rest := t.players - players
	total := t.sides[0].sum[0] + t.sides[1].sum[0]
	for i := range t.units {
		total += t.units[i].value[0]
	}
	target, scale := math.Inf(1), 0.0 // of the first team's joining sum; gap by distance from it
	if players > 0 && rest > 0 {
		target = total*float64(players)/float64(t.players) - t.sides[0].sum[0]
		scale = float64(t.players) / (float64(players) * float64(rest))
	}
	bound := len(t.gaps) > 1 && !math.IsInf(t.gaps[1].limit, 1)
	hopeless := func(i, j int) bool {
		return math.Abs(up[i].sum+down[j].sum-target)*scale > h.best+slack*max(1, math.Abs(target))
	}
	j := len(down) - 1
	for i := range up {
		for j > 0 && up[i].sum+down[j].sum > target {
			j--
		}
		for k := j; k < min(j+2, len(down)); k++ {
			if scale == 0 || !hopeless(i, k) {
				h.offer(t, up[i], down[k], middle)
			}
		}
		if !bound || scale == 0 {
			continue
		}
		reach := t.gaps[0].limit/scale + slack*max(1, math.Abs(target))
		for k := j - 1; k >= 0 && target-up[i].sum-down[k].sum <= reach && !t.spent(); k-- {
			h.offer(t, up[i], down[k], middle)
		}
		for k := j + 2; k < len(down) && up[i].sum+down[k].sum-target <= reach && !t.spent(); k++ {
			h.offer(t, up[i], down[k], middle)
		}
	}
}

// offer takes an assignment if it keeps all rules and is better than the best.
func (h *halves) offer(t *teamer, a, b subset, middle int) {
	mask := uint64(a.mask) | uint64(b.mask)<<middle
	if gap, kept := h.gapsOf(t, mask); kept && gap < h.best {
		h.best, h.mask = gap, mask
	}
}

// gapsOf returns the first gap of an assignment and whether all are kept.
func (h *halves) gapsOf(t *teamer, mask uint64) (first float64, kept bool) {
	for k, g := range t.gaps {
		var sum [2]float64
		var players [2]int
		for i := range sum {
			sum[i], players[i] = t.sides[i].sum[k], t.sides[i].players
		}
		for i := range t.units {
			team := 1 - mask>>i&1
			sum[team] += t.units[i].value[k]
			players[team] += t.units[i].size
		}
		gap := 0.0
		if players[0] > 0 && players[1] > 0 {
			gap = math.Abs(sum[0]/float64(players[0]) - sum[1]/float64(players[1]))
		}
		if gap > g.limit {
			return 0, false
		}
		if k == 0 {
			first = gap
		}
	}
	return first, true
}
