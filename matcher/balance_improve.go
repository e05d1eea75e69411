package matcher

import (
	"cmp"
	"slices"
)

// improveSteps bounds the exchanges that are tried for one match.
const improveSteps = 100_000

// evenness is what a division is judged by: less is better, the sizes first.
type evenness struct {
	sizeGap    int
	averageGap float64
}

func (e evenness) better(than evenness) bool {
	if e.sizeGap != than.sizeGap {
		return e.sizeGap < than.sizeGap
	}
	return e.averageGap < than.averageGap-slack
}

// improve moves and exchanges units as long as that makes teams more even. It
// starts from the teams that the units have, or from dealing them out anew.
func (b *balancer) improve() {
	given := make([]int, len(b.units))
	for i := range b.units {
		given[i] = b.units[i].team
		b.put(i, 1)
	}
	now := b.judge()
	if len(b.best) == 0 {
		copy(b.teams, b.fixed)
		if b.deal() && b.judge().better(now) {
			now = b.judge()
		} else {
			copy(b.teams, b.fixed)
			for i := range b.units {
				b.units[i].team = given[i]
				b.put(i, 1)
			}
		}
	}
	for steps, better := improveSteps, true; better; {
		better = false
		for i := range b.units {
			for k := range i {
				if steps -= len(b.teams); steps < 0 {
					return
				}
				if b.exchange(i, k) {
					if next := b.judge(); b.valid() && next.better(now) {
						now, better = next, true
					} else {
						b.exchange(i, k)
					}
				}
			}
			for team := range b.teams {
				if steps -= len(b.teams); steps < 0 {
					return
				}
				home := b.units[i].team
				if team != home && b.free(i, team, len(b.units)) {
					b.move(i, team)
					if next := b.judge(); b.valid() && next.better(now) {
						now, better = next, true
					} else {
						b.move(i, home)
					}
				}
			}
		}
	}
}

// deal puts the units, the largest first, into the team with the fewest players,
// of several the weakest; false when somebody finds none.
func (b *balancer) deal() bool {
	order := make([]int, len(b.units))
	for i := range order {
		order[i] = i
		b.units[i].team = -1
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(b.units[y].size, b.units[x].size) })
	for _, i := range order {
		u, best := &b.units[i], -1
		for team := range b.teams {
			t := &b.teams[team]
			if t.size+u.size > b.sizes.MaxPlayers || !b.free(i, team, len(b.units)) {
				continue
			}
			if best < 0 || t.size < b.teams[best].size || t.size == b.teams[best].size && t.sum < b.teams[best].sum {
				best = team
			}
		}
		if best < 0 {
			return false
		}
		u.team = best
		b.put(i, 1)
	}
	return b.valid()
}

// put adds a unit to its team, or takes it out.
func (b *balancer) put(i int, sign int) {
	u := &b.units[i]
	t := &b.teams[u.team]
	t.size, t.sum = t.size+sign*u.size, t.sum+float64(sign)*u.value
}

func (b *balancer) move(i, team int) {
	b.put(i, -1)
	b.units[i].team = team
	b.put(i, 1)
}

// exchange makes two units change teams, if they may.
func (b *balancer) exchange(i, k int) bool {
	x, y := b.units[i].team, b.units[k].team
	if x == y {
		return false
	}
	b.move(i, y)
	b.move(k, x)
	if b.free(i, y, len(b.units)) && b.free(k, x, len(b.units)) {
		return true
	}
	b.move(i, x)
	b.move(k, y)
	return false
}

// judge returns how even the teams are as they stand.
func (b *balancer) judge() evenness {
	least, most := b.extremes()
	return evenness{most - least, b.averageGap()}
}

// valid tells whether the teams as they stand make a match.
func (b *balancer) valid() bool {
	filled := 0
	for i := range b.teams {
		size := b.teams[i].size
		if size > b.sizes.MaxPlayers || size > 0 && size < b.sizes.MinPlayers {
			return false
		}
		if size > 0 {
			filled++
		}
	}
	return filled >= b.sizes.MinTeams
}
