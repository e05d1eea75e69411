package clique_test

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/clique"
	"mmsim/matcher/engine/internal/store"
)

// ticket is a party whose players are all alike. Its index in testPool.tickets is its row, and also
// its order by age.
type ticket struct {
	players int
	skill   float64
	build   int     // 0 means none: the ticket may meet every other
	maps    uint    // mask of four maps
	host    float64 // number of one player; the others have 0
	rttMS   [3]float64
}

// testPool is a pool of up to eight tickets with its own simple implementation of the rules.
// It finds matches by trying every group that the rules allow.
type testPool struct {
	tickets              []ticket
	least, seats         int
	skillWithin          float64
	sharedMaps           int
	minHosts, maxHosts   float64
	regionWithin         float64
	oddSkillsMayBeTeamed bool // if not set, a group can be divided into teams only if the sum of its skills is even
}

func draw(r *rand.Rand) *testPool {
	w := &testPool{least: 2 + r.IntN(4), skillWithin: float64(1 + r.IntN(4)), sharedMaps: 1 + r.IntN(2), minHosts: float64(r.IntN(4)),
		regionWithin: 60, oddSkillsMayBeTeamed: r.IntN(2) == 0}
	w.seats, w.maxHosts = w.least+r.IntN(3), w.minHosts+float64(1+r.IntN(3))
	for range 2 + r.IntN(7) {
		t := ticket{players: 1 + r.IntN(2)*r.IntN(2), skill: float64(r.IntN(7)), build: r.IntN(3), maps: 1 + uint(r.IntN(15)), host: float64(r.IntN(3))}
		for i := range t.rttMS {
			t.rttMS[i] = float64(20 * r.IntN(5))
		}
		w.tickets = append(w.tickets, t)
	}
	return w
}

// compile builds the same case from the engine's parts. All tickets are equally old.
func (w *testPool) compile(t *testing.T, budget int) *clique.Search {
	schema := new(matcher.Schema)
	for _, region := range []string{"a", "b", "c"} {
		schema.Region(region)
	}
	skill, build, maps, host := schema.Column("skill"), schema.Column("build"), schema.Column("maps"), schema.Column("host")
	always := matcher.Common{Weight: 1, OptionalAfterMS: matcher.Never}
	set := &matcher.Ruleset{MinPlayers: w.least, MaxPlayers: w.seats, Rules: []matcher.Rule{
		&matcher.NumberDistance{Common: always, Column: skill, Max: matcher.Fixed(w.skillWithin)},
		&matcher.EqualText{Common: always, Column: build, Enabled: matcher.Fixed(0), MissingAny: true},
		&matcher.SetOverlap{Common: always, Column: maps, MinShared: matcher.Fixed(float64(w.sharedMaps))},
		&matcher.MatchTotal{Common: always, Column: host, Min: matcher.Fixed(w.minHosts), Max: matcher.Fixed(w.maxHosts)},
		&matcher.ReachRegion{Common: always, MaxRTTMS: matcher.Fixed(w.regionWithin)},
	}}
	if err := set.Validate(); err != nil {
		t.Fatal(err)
	}
	rules := clique.Compile(set, schema)
	rows := store.New(rules.StageAt)
	for _, made := range w.tickets {
		var all []string
		for i, name := range []string{"canyon", "dust", "harbour", "mill"} {
			if made.maps>>i&1 != 0 {
				all = append(all, name)
			}
		}
		player := matcher.Player{Values: make([]matcher.Value, 4), RTTMS: made.rttMS[:]}
		player.Values[skill], player.Values[maps] = matcher.NumberValue(made.skill), matcher.SetValue(schema.Set(all))
		if made.build > 0 {
			player.Values[build] = matcher.TextValue(schema.Intern([]string{"", "old", "new"}[made.build]))
		}
		players := slices.Repeat([]matcher.Player{player}, made.players)
		players[0].Values = slices.Clone(player.Values)
		players[0].Values[host] = matcher.NumberValue(made.host)
		row := rows.Add(store.Ticket, 0, matcher.Never, made.players)
		for _, c := range rules.All {
			c.Load(row, players)
		}
	}
	rows.Advance(0)
	search := clique.NewSearch(rules, rows, budget)
	search.Teams = &teams{w}
	return search
}

// teams implements Divider for a case.
type teams struct{ w *testPool }

func (d *teams) Begin() {}
func (d *teams) Divide(group []store.Row, _, _ store.Row) bool {
	var list []int
	for _, row := range group {
		list = append(list, int(row))
	}
	return d.w.divides(list)
}

func (w *testPool) divides(group []int) bool {
	sum := 0
	for _, i := range group {
		sum += int(w.tickets[i].skill)
	}
	return w.oddSkillsMayBeTeamed || sum%2 == 0
}

// meet reports whether the rules about pairs allow two tickets in one match.
func (w *testPool) meet(a, b int) bool {
	x, y := &w.tickets[a], &w.tickets[b]
	return math.Abs(x.skill-y.skill) <= w.skillWithin && (x.build == y.build || x.build == 0 || y.build == 0)
}

func (w *testPool) players(group []int) (players int) {
	for _, i := range group {
		players += w.tickets[i].players
	}
	return players
}

func (w *testPool) hosts(group []int) (hosts float64) {
	for _, i := range group {
		hosts += w.tickets[i].host
	}
	return hosts
}

// common returns masks of the maps that all tickets of a group have and of the regions that all
// reach.
func (w *testPool) common(group []int) (maps, regions uint) {
	maps, regions = 15, 7
	for _, i := range group {
		maps &= w.tickets[i].maps
		for region, rtt := range w.tickets[i].rttMS {
			if rtt > w.regionWithin {
				regions &^= 1 << region
			}
		}
	}
	return maps, regions
}

// fits reports whether a group may be part of a match.
func (w *testPool) fits(group []int) bool {
	for i := range group {
		for k := range i {
			if !w.meet(group[i], group[k]) {
				return false
			}
		}
	}
	maps, regions := w.common(group)
	return w.players(group) <= w.seats && bits.OnesCount(maps) >= w.sharedMaps && regions != 0 && w.hosts(group) <= w.maxHosts
}

func (w *testPool) matches(group []int) bool {
	return len(group) > 1 && w.fits(group) && w.players(group) >= w.least && w.hosts(group) >= w.minHosts && w.divides(group)
}

// ranked returns the candidates of a seed, nearest first. Ties are ordered by age.
func (w *testPool) ranked(seed int) (list []int) {
	distance := make([]float64, len(w.tickets))
	for i := range w.tickets {
		if i == seed || !w.meetsSeed(seed, i) {
			continue
		}
		list = append(list, i)
		maps, regions := w.common([]int{seed, i})
		quality := 0.0
		for region := range 3 {
			if regions>>region&1 != 0 {
				worst := max(w.tickets[seed].rttMS[region], w.tickets[i].rttMS[region])
				quality += (w.regionWithin - worst) / w.regionWithin
			}
		}
		distance[i] = math.Abs(w.tickets[seed].skill-w.tickets[i].skill)/w.skillWithin + 1/(1+float64(bits.OnesCount(maps)))
		distance[i] = distance[i] + (w.maxHosts-w.hosts([]int{seed, i}))/w.maxHosts + 1/(1+quality)
	}
	slices.SortStableFunc(list, func(a, b int) int {
		if math.Abs(distance[a]-distance[b]) <= 1e-12*max(distance[a], distance[b]) {
			return 0 // equal except for rounding errors of the sum
		}
		return cmp.Compare(distance[a], distance[b])
	})
	return list
}

// meetsSeed reports whether two tickets may meet. It ignores the number of seats.
func (w *testPool) meetsSeed(seed, other int) bool {
	seats := w.seats
	defer func() { w.seats = seats }()
	w.seats = math.MaxInt
	return w.fits([]int{seed, other})
}

// first tries all groups of a seed, depth first in the rank of the candidates. It returns the
// first group that is a match, or nil if there is none.
func (w *testPool) first(group, candidates []int) []int {
	for k, candidate := range candidates {
		if grown := append(slices.Clone(group), candidate); w.fits(grown) {
			if found := w.first(grown, candidates[k+1:]); found != nil {
				return found
			}
		}
	}
	if w.matches(group) {
		return group
	}
	return nil
}

// feasible implements the definition in the documentation of the type feasibility.
func (w *testPool) feasible(group, behind []int) bool {
	var helpers []int
	for _, i := range behind {
		meets := !slices.ContainsFunc(group[1:], func(k int) bool { return !w.meet(i, k) })
		if meets && w.players(group)+w.tickets[i].players <= w.seats {
			helpers = append(helpers, i)
		}
	}
	if w.hosts(group)+w.hosts(helpers) < w.minHosts {
		return false
	}
	if w.players(group) >= w.least {
		return true
	}
	for aMap := range 4 {
		for region := range 3 {
			has := func(i int) bool {
				return w.tickets[i].maps>>aMap&1 != 0 && w.tickets[i].rttMS[region] <= w.regionWithin
			}
			if slices.ContainsFunc(group, func(i int) bool { return !has(i) }) {
				continue
			}
			for low := range 7 { // every range of skills, by its lowest skill
				inside := func(i int) bool {
					return w.tickets[i].skill >= float64(low) && w.tickets[i].skill <= float64(low)+w.skillWithin
				}
				together := slices.DeleteFunc(slices.Clone(helpers), func(i int) bool { return !has(i) || !inside(i) })
				if !slices.ContainsFunc(group, func(i int) bool { return !inside(i) }) && w.players(group)+w.players(together) >= w.least {
					return true
				}
			}
		}
	}
	return false
}

// core returns the candidates of a seed that may be in a match with it. It implements the
// definition in the documentation of the engine's type core.
func (w *testPool) core(seed int, candidates []int) (kept []int) {
	need := w.least - w.tickets[seed].players
	if need <= 0 {
		return candidates
	}
	for value := range uint(12) {
		has := func(i int) bool {
			maps, regions := w.common([]int{i})
			return maps>>(value/3)&1 != 0 && regions>>(value%3)&1 != 0
		}
		if !has(seed) {
			continue
		}
		set := slices.DeleteFunc(slices.Clone(candidates), func(i int) bool { return !has(i) || w.tickets[i].players > w.seats-w.tickets[seed].players })
		for before := -1; before != len(set); {
			before = len(set)
			others := slices.Clone(set)
			set = slices.DeleteFunc(set, func(i int) bool {
				return w.players(slices.DeleteFunc(slices.Clone(others), func(k int) bool { return k != i && !w.meet(i, k) })) < need
			})
		}
		kept = append(kept, set...)
	}
	return slices.DeleteFunc(slices.Clone(candidates), func(i int) bool { return !slices.Contains(kept, i) })
}

// The search must return the same match as trying all groups. If no group can become a match, the
// search must use no steps.
func TestSearchAgainstAllGroups(t *testing.T) {
	found, nothing, free := 0, 0, 0
	for seed := range uint64(3000) {
		w := draw(rand.New(rand.NewPCG(seed, 5)))
		search := w.compile(t, 1_000_000)
		frugal := w.compile(t, 0)
		for i := range w.tickets {
			candidates := w.ranked(i)
			run := func(s *clique.Search) clique.Verdict {
				var others []store.Row
				for k := range w.tickets {
					if k != i {
						others = append(others, store.Row(k))
					}
				}
				s.Begin(store.Row(i), int32(w.seats), true)
				if others = s.Meeting(others, false); seed%2 == 0 { // if the seed is odd, Run calls Core
					others = s.Core(others)
				}
				s.Rank(others)
				return s.Run()
			}
			want := w.first([]int{i}, candidates)
			verdict := run(search)
			var group []int
			for _, row := range search.Group {
				group = append(group, int(row))
			}
			if (verdict == clique.Found) != (want != nil) || want != nil && !slices.Equal(group, want) {
				t.Fatalf("case %d, seed ticket %d: got group %v with verdict %d, want %v: %+v", seed, i, group, verdict, want, w)
			}
			some := len(candidates) > 0
			candidates = w.core(i, candidates)
			step := w.feasible([]int{i}, candidates)
			step = step && slices.ContainsFunc(candidates, func(k int) bool {
				grown := []int{i, k}
				return w.fits(grown) && w.feasible(grown, candidates[slices.Index(candidates, k)+1:])
			})
			if got := run(frugal); (got == clique.Exhausted) != step {
				t.Fatalf("case %d, seed ticket %d: got verdict %d with a budget of 0 steps, want Exhausted: %v: %+v", seed, i, got, step, w)
			}
			switch {
			case want != nil && !step:
				t.Fatalf("case %d, seed ticket %d: match %v exists, but the search was ruled out as not feasible", seed, i, want)
			case want != nil:
				found++
			case step:
				nothing++
			case some:
				free++
			}
		}
	}
	if found < 1000 || nothing < 300 || free < 1000 {
		t.Errorf("got %d matches, %d failed searches and %d ruled out, want at least 1000, 300 and 1000", found, nothing, free)
	}
}
