// Package reach determines which regions tickets and sessions reach. It combines the round-trip
// times of a ticket's players to one time for each region, and stores the regions within each
// threshold of a rule as a mask. A search can then intersect masks instead of comparing times.
//
// The regions are in the order of their names, in masks as well as in lists of times. Results
// therefore do not depend on the order in which the schema learned the names.
package reach

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Row is an alias of store.Row.
type Row = store.Row

// Reduction is how the times of a ticket's players to a region become one time. If any player has
// no measurement of a region, the time is +Inf.
type Reduction uint8

// The reductions.
const (
	Worst          Reduction = iota // the highest time
	Lowest                          // the lowest time
	Mean                            // the mean
	MeanOfMeasured                  // the mean; players who have not measured any region do not count
	Sum                             // the sum
)

// Table contains the round-trip times of rows in ms, and the masks of regions within thresholds.
// Tickets with the same Place share a profile of times. Use New to create a Table.
type Table struct {
	order
	by         Reduction
	thresholds []float64 // in ascending order
	levels     Row       // number of thresholds
	limitMS    func(thresholdMS, bestMS float64) float64

	profiles []profile

	// These slices are indexed by row.
	profile []int32     // index in profiles
	own     []int32     // a profile that only this row uses, or 0 if it has not needed one yet
	rtts    [][]float64 // the profile's times
	byRow   []uint64    // a copy of the profile's masks; see show

	counted []matcher.Player // scratch space for load
	limits  []float64        // scratch space for mark
}

// profile contains the times of a place, or of a row without a place.
type profile struct {
	rtts     []float64 // indexed by bit
	masks    []uint64  // indexed by threshold
	bestMS   float64   // lowest time to any region, or +Inf
	counts   bool      // the times of at least one player count
	anywhere bool      // a session that may be in any region, including new ones
}

// New returns an empty table. The thresholds must be in ascending order. limitMS returns the highest
// time within a threshold for a row whose lowest time is bestMS. If it is nil, that is the threshold. It
// must not decrease as the threshold grows.
func New(schema *matcher.Schema, by Reduction, thresholds []float64, limitMS func(thresholdMS, bestMS float64) float64) *Table {
	t := &Table{order: order{schema: schema}, by: by, thresholds: thresholds, levels: Row(len(thresholds)), limitMS: limitMS}
	t.add() // for NoPlace
	return t
}

// maxStored is the largest number of thresholds that Thresholds returns.
const maxStored = 32

// Thresholds returns thresholds of a schedule in ascending order. A threshold above most counts as
// most. If the schedule has too many thresholds, those of its later stages are missing.
func Thresholds(s *matcher.Schedule, most float64) (list []float64) {
	wait := int64(0)
	for range maxStored {
		threshold, _ := s.At(wait)
		if at, known := slices.BinarySearch(list, min(threshold, most)); !known {
			list = slices.Insert(list, at, min(threshold, most))
		}
		if wait = s.NextChange(wait); wait == matcher.Never {
			break
		}
	}
	return list
}

// Level returns the number of a threshold, which Limit.Level contains. It returns 0 if the table
// does not store the masks of this threshold and has to compute them each time.
func (t *Table) Level(threshold float64) int32 {
	if at, known := slices.BinarySearch(t.thresholds, threshold); known {
		return int32(at + 1)
	}
	return 0
}

// Levels returns the number of thresholds.
func (t *Table) Levels() int { return len(t.thresholds) }

// Learn adds regions that are new in the schema, and reports whether there were any. Bits then have
// other meanings than before.
func (t *Table) Learn() bool { return len(t.byName) != t.schema.Regions() && t.relearn() }

// relearn is a function of its own so that the compiler can inline Learn.
func (t *Table) relearn() bool {
	before := t.byName
	t.learn()
	for p := range t.profiles {
		x := &t.profiles[p]
		old := x.rtts
		x.rtts = make([]float64, len(t.byName)) // tables may share the old times
		for bit := range x.rtts {
			if x.rtts[bit] = math.Inf(1); x.anywhere {
				x.rtts[bit] = 0
			}
		}
		for bit, rtt := range old {
			x.rtts[t.bits[before[bit]]] = rtt
		}
		t.mark(x)
	}
	for row := range t.profile {
		t.show(Row(row), t.profile[row])
	}
	return true
}

// add adds a profile without times, and returns its index.
func (t *Table) add() int32 {
	t.profiles = append(t.profiles, profile{masks: make([]uint64, len(t.thresholds)), bestMS: math.Inf(1)})
	return int32(len(t.profiles) - 1)
}

// load sets a profile to the times of players.
func (t *Table) load(x *profile, players []matcher.Player) {
	if t.by == MeanOfMeasured {
		t.counted = t.counted[:0]
		for i := range players {
			if players[i].BestRegion() != matcher.NoRegion {
				t.counted = append(t.counted, players[i])
			}
		}
		players = t.counted
	}
	x.counts, x.anywhere, x.rtts = len(players) > 0, false, slices.Grow(x.rtts[:0], len(t.byName))[:len(t.byName)]
	if !x.counts {
		t.first(x.rtts, nil)
	}
	for i := range players {
		if i == 0 {
			t.first(x.rtts, players[i].RTTMS)
		} else {
			t.reduce(x.rtts, players[i].RTTMS)
		}
	}
	if n := len(players); n > 1 && (t.by == Mean || t.by == MeanOfMeasured) {
		for bit := range x.rtts {
			x.rtts[bit] /= float64(n)
		}
	}
	t.mark(x)
}

// first sets the times of a profile to those of its first player. Most profiles have only one.
func (t *Table) first(all, rtts []float64) {
	for bit, region := range t.byName {
		rtt := math.Inf(1)
		if int(region) < len(rtts) && !math.IsNaN(rtts[region]) {
			rtt = rtts[region]
		}
		all[bit] = rtt
	}
}

// reduce combines the times of a further player with those of the players before it, which are in all.
// Every table loads every party, so the loop over the regions does as little as possible.
func (t *Table) reduce(all, rtts []float64) {
	for bit, region := range t.byName {
		if int(region) >= len(rtts) || math.IsNaN(rtts[region]) {
			all[bit] = math.Inf(1)
			continue
		}
		switch rtt, before := rtts[region], all[bit]; {
		case t.by == Worst:
			if rtt > before { // neither is NaN, and max() would take more instructions because it handles NaN
				all[bit] = rtt
			}
		case t.by == Lowest:
			if rtt < before && before < math.Inf(1) { // +Inf: an earlier player has not measured the region
				all[bit] = rtt
			}
		default:
			all[bit] = before + rtt
		}
	}
}

// mark computes the lowest time and the masks of a profile. It is called for every place and for every
// party, so it does as little as possible for each region.
func (t *Table) mark(x *profile) {
	best := math.Inf(1)
	for _, rtt := range x.rtts {
		if rtt < best { // not min(), for the same reason as in reduce
			best = rtt
		}
	}
	x.bestMS = best
	limits := t.thresholds
	if t.limitMS != nil {
		limits = t.limits[:0]
		for _, threshold := range t.thresholds {
			limits = append(limits, t.limitMS(threshold, x.bestMS))
		}
		t.limits = limits
	}
	masks, half, bit := x.masks[:len(limits)], len(limits)/2, uint64(1)
	clear(masks)
	for _, rtt := range x.rtts {
		level := 0
		if half > 0 && limits[half] < rtt {
			level = half + 1
		}
		for level < len(limits) && limits[level] < rtt { // limits are few, so a binary search would take more instructions
			level++
		}
		if level < len(masks) && rtt < math.Inf(1) {
			masks[level] |= bit
		}
		bit <<= 1
	}
	within := uint64(0)
	for level, mask := range masks {
		within |= mask
		masks[level] = within
	}
}

// Within computes the regions of a row within a limit, whether or not the table stores them.
func (t *Table) Within(l *store.Limit, row Row) (mask uint64) {
	x, limitMS := &t.profiles[t.profile[row]], l.Bound
	if t.limitMS != nil {
		limitMS = t.limitMS(l.Bound, x.bestMS)
	}
	for bit, rtt := range x.rtts {
		if rtt <= limitMS && rtt < math.Inf(1) {
			mask |= 1 << bit
		}
	}
	return mask
}

// show assigns a profile to a row and copies the profile's masks. There are fewer rows than
// profiles, so the masks of rows stay in the processor's cache. In package seating, such a copy
// saves 7 % of the time of two hours of a FlexMatch day.
func (t *Table) show(row Row, p int32) {
	x := &t.profiles[p]
	t.profile[row], t.rtts[row] = p, x.rtts
	copy(t.byRow[int(row)*len(t.thresholds):], x.masks)
}

// grow adds rows, at least up to the given one. Adding many at once takes fewer instructions than
// adding each when it is loaded.
func (t *Table) grow(row Row) {
	if n := max(64, 2*len(t.profile), int(row)+1) - len(t.profile); int(row) >= len(t.profile) {
		t.profile, t.own, t.rtts = append(t.profile, make([]int32, n)...), append(t.own, make([]int32, n)...), append(t.rtts, make([][]float64, n)...)
		t.byRow = append(t.byRow, make([]uint64, n*len(t.thresholds))...)
	}
}

func (t *Table) ownProfile(row Row) int32 {
	t.Learn()
	t.grow(row)
	if t.own[row] == 0 {
		t.own[row] = t.add()
	}
	return t.own[row]
}

// AddPlace stores the times of a place in tables, which share them, and returns the place's number.
// The tables must have received the same calls of AddPlace and Load before.
func AddPlace(rttMS []float64, tables ...*Table) (place matcher.Place) {
	for i, t := range tables {
		t.Learn()
		place = matcher.Place(t.add())
		x := &t.profiles[place]
		if i == 0 {
			t.load(x, []matcher.Player{{RTTMS: rttMS}})
			continue
		}
		first := &tables[0].profiles[place]
		x.rtts, x.counts = first.rtts, first.counts // no reduction changes the times of one player
		t.mark(x)
	}
	return place
}

// Load reads the times of a ticket's players, or of its place if that is not NoPlace.
func (t *Table) Load(row Row, players []matcher.Player, from matcher.Place) {
	if from != matcher.NoPlace {
		t.Learn()
		if int(row) >= len(t.profile) {
			t.grow(row)
		}
		t.show(row, int32(from))
		return
	}
	p := t.ownProfile(row)
	t.load(&t.profiles[p], players)
	t.show(row, p)
}

// LoadSession assigns to a row the times of a session. They are 0 to the session's region, or to all
// regions if its region is not known, and +Inf otherwise.
func (t *Table) LoadSession(row Row, at matcher.Region) {
	p := t.ownProfile(row)
	x := &t.profiles[p]
	x.counts, x.anywhere, x.rtts = false, at == matcher.NoRegion, x.rtts[:0]
	for _, region := range t.byName {
		rtt := 0.0
		if at != matcher.NoRegion && at != region {
			rtt = math.Inf(1)
		}
		x.rtts = append(x.rtts, rtt)
	}
	t.mark(x)
	t.show(row, p)
}

// Mask returns the regions of a row within a limit. It is short enough for the compiler to inline it.
func (t *Table) Mask(l *store.Limit, row Row) uint64 {
	if l.Level > 0 {
		return t.byRow[row*t.levels+Row(l.Level)-1]
	}
	return t.Within(l, row)
}

// Masks stores, for each row, the regions within a limit in masks.
func (t *Table) Masks(masks []uint64, l *store.Limit, rows []Row) {
	if l.Level == 0 {
		for i, row := range rows {
			masks[i] = t.Within(l, row)
		}
		return
	}
	// Local variables instead of fields of t save a third of the instructions.
	all, levels := t.byRow[l.Level-1:], len(t.thresholds)
	masks = masks[:len(rows)]
	for i, row := range rows {
		masks[i] = all[int(row)*levels]
	}
}

// ByLevel returns a row's masks for all thresholds. The mask of a level is at index level-1.
func (t *Table) ByLevel(row Row) []uint64 {
	n := len(t.thresholds)
	return t.byRow[int(row)*n:][:n]
}

// Of returns the times of a row, indexed by bit. A region that the row does not reach has +Inf.
func (t *Table) Of(row Row) []float64 { return t.rtts[row] }

// Best returns a row's lowest time, or +Inf if it has none.
func (t *Table) Best(row Row) float64 { return t.profiles[t.profile[row]].bestMS }

// Measured reports whether the times of at least one player of a row count.
func (t *Table) Measured(row Row) bool { return t.profiles[t.profile[row]].counts }

// Measure returns the lowest time of players who are not in the table, or of a place, and reports
// whether the times of at least one player count.
func (t *Table) Measure(players []matcher.Player, from matcher.Place) (bestMS float64, measured bool) {
	if from == matcher.NoPlace {
		t.Learn()
		t.load(&t.profiles[from], players)
	}
	return t.profiles[from].bestMS, t.profiles[from].counts
}
