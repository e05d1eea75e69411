package criterion

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
)

// Region is a ReachRegion rule. It orders regions, and the bits of masks, by the names of the
// regions.
type Region struct {
	base
	schema   *matcher.Schema
	profiles profiles
	profile  []int32  // index in profiles of each row's profile
	own      []int32  // indexed by row: a profile that only this row uses, or 0 if it has not needed one yet
	masks    []uint64 // indexed by row and threshold: a copy of its profile's masks; see show

	groups  []within // regions of the pushed group, at each depth
	choices []choice // scratch space for Choices
}

// within contains the regions of a group.
type within struct {
	mask    uint64
	boundMS float64
}

func newRegion(b base, schema *matcher.Schema) *Region {
	c := &Region{base: b, schema: schema}
	c.profiles.thresholds = thresholdsOf(&c.bound)
	c.profiles.add() // for Place 0, which no ticket uses
	return c
}

// maxThresholds is the largest number of thresholds for which the regions of every row are stored. A
// rule with more thresholds computes the regions each time.
const maxThresholds = 32

// thresholdsOf returns the thresholds of a schedule in ascending order, or nil if there are too many.
func thresholdsOf(s *matcher.Schedule) []float64 {
	var list []float64
	for wait := int64(0); wait != matcher.Never; wait = s.NextChange(wait) {
		bound, _ := s.At(wait)
		if at, known := slices.BinarySearch(list, bound); !known {
			list = slices.Insert(list, at, bound)
		}
		if len(list) > maxThresholds {
			return nil
		}
	}
	return list
}

// At returns the state of the rule after a wait.
func (c *Region) At(waitMS int64) (l Limit, untilMS int64) {
	l, untilMS = c.base.At(waitMS)
	if at, known := slices.BinarySearch(c.profiles.thresholds, l.Bound); known {
		l.Level = int32(at + 1)
	}
	return l, untilMS
}

// Learn adds regions that are new in the schema, and reports whether there were any.
func (c *Region) Learn() bool {
	if len(c.profiles.order) == c.schema.Regions() {
		return false
	}
	c.profiles.widen(c.schema)
	for row := range c.profile {
		c.show(Row(row), c.profile[row])
	}
	return true
}

// AddPlace stores the round-trip times of a place and returns the number of the place.
func (c *Region) AddPlace(rttMS []float64) int32 {
	c.Learn()
	p := c.profiles.add()
	c.profiles.load(p, []matcher.Player{{RTTMS: rttMS}})
	return p
}

// Load reads the round-trip times of a row's players.
func (c *Region) Load(row Row, players []matcher.Player) {
	p := c.ownProfile(row)
	c.profiles.load(p, players)
	c.show(row, p)
}

// LoadPlace assigns to a row the round-trip times of a place.
func (c *Region) LoadPlace(row Row, place int32) {
	c.growTo(row)
	c.show(row, place)
}

// LoadSession assigns to a row the round-trip times of a session. They are 0 to the session's
// region, or to all regions if its region is not known, and +Inf otherwise.
func (c *Region) LoadSession(row Row, at matcher.Region) {
	p := c.ownProfile(row)
	c.profiles.loadSession(p, at)
	c.show(row, p)
}

func (c *Region) growTo(row Row) {
	c.Learn()
	c.profile, c.own = grow(c.profile, row), grow(c.own, row)
}

// worstOf returns the worst round-trip times of a row to all regions.
func (c *Region) worstOf(row Row) []float64 {
	return c.profiles.worstOf(c.profile[row])
}

func (c *Region) ownProfile(row Row) int32 {
	c.growTo(row)
	if c.own[row] == 0 {
		c.own[row] = c.profiles.add()
	}
	return c.own[row]
}

// show assigns a profile to a row and copies the profile's masks. There are fewer rows than
// profiles, so the masks of rows stay in the processor's cache. In package seating, such a copy
// saves 7 % of the time of two hours of a FlexMatch day.
func (c *Region) show(row Row, p int32) {
	c.profile[row] = p
	if n := len(c.profiles.thresholds); n > 0 {
		c.masks = grow(c.masks, row*Row(n)+Row(n)-1)
		copy(c.masks[int(row)*n:], c.profiles.masks[int(p)*n:][:n])
	}
}

// Mask returns the regions of a row within a limit.
func (c *Region) Mask(l *Limit, row Row) uint64 {
	if l.Level == 0 {
		return c.reach(row, l.Bound)
	}
	return c.masks[int(row)*len(c.profiles.thresholds)+int(l.Level)-1]
}

// Masks stores, for each row, the regions within a limit in masks.
func (c *Region) Masks(masks []uint64, l *Limit, rows []Row) {
	if l.Level == 0 {
		for i, row := range rows {
			masks[i] = c.reach(row, l.Bound)
		}
		return
	}
	// Local variables instead of fields of c save a third of the instructions.
	all, levels := c.masks[l.Level-1:], len(c.profiles.thresholds)
	masks = masks[:len(rows)]
	for i, row := range rows {
		masks[i] = all[int(row)*levels]
	}
}

// reach computes the regions of a row within a limit.
func (c *Region) reach(row Row, limitMS float64) uint64 {
	mask := uint64(0)
	for i, rtt := range c.worstOf(row) {
		if rtt <= limitMS && rtt < math.Inf(1) {
			mask |= 1 << i
		}
	}
	return mask
}

func (c *Region) Filters(*Limit) bool { return true }

func (c *Region) Exact(*Limit, Row) bool { return true }

func (c *Region) Meet(l *Limit, a, b Row) bool { return c.Mask(l, a)&c.Mask(l, b) != 0 }

func (c *Region) Distance(l *Limit, a, b Row) float64 {
	return 1 / (1 + c.quality(l.Bound, c.Mask(l, a)&c.Mask(l, b), a, b))
}

// quality returns the sum of (limit − worst)/limit over the regions that two rows reach within a
// limit.
func (c *Region) quality(limitMS float64, both uint64, a, b Row) float64 {
	switch {
	case math.IsInf(limitMS, 1):
		return float64(bits.OnesCount64(both))
	case limitMS <= 0:
		return 0
	}
	quality := 0.0
	mine, other := c.worstOf(a), c.worstOf(b)
	for ; both != 0; both &= both - 1 {
		i := bits.TrailingZeros64(both)
		worst := mine[i]
		if other[i] > worst { // neither is NaN, and max() would take more instructions because it handles NaN
			worst = other[i]
		}
		quality += (limitMS - worst) / limitMS
	}
	return quality
}

func (c *Region) Observed(a, b Row) float64 {
	best, other := math.Inf(1), c.worstOf(b)
	for i, rtt := range c.worstOf(a) {
		best = min(best, max(rtt, other[i]))
	}
	return best
}

func (c *Region) Words(rttMS, limitMS float64) string {
	if math.IsInf(rttMS, 1) {
		return "no region in common"
	}
	return fmt.Sprintf("best common region %.6g ms, at most %.6g ms", rttMS, limitMS)
}

func (c *Region) Nearest(l *Limit, row Row) float64 {
	least := 1 / (1 + c.quality(l.Bound, c.reach(row, l.Bound), row, row))
	return max(0, least-slack)
}

func (c *Region) Push(l *Limit, group []Row) bool {
	depth := len(group) - 1
	c.groups = grow(c.groups, Row(depth))
	g := &c.groups[depth]
	g.mask, g.boundMS = c.Mask(l, group[depth]), l.Bound
	switch {
	case depth == 0:
	case c.groups[depth-1].boundMS == l.Bound:
		g.mask &= c.groups[depth-1].mask
	default: // the group's stage has changed
		for _, row := range group[:depth] {
			g.mask &= c.Mask(l, row)
		}
	}
	return g.mask != 0
}

func (c *Region) Loosest() Limit {
	return Limit{Bound: c.largest, Active: true, Level: int32(len(c.profiles.thresholds))}
}

func (c *Region) Values(l *Limit, seed Row) int { return bits.OnesCount64(c.Mask(l, seed)) }

func (c *Region) Common(sets []uint64, l *Limit, seed Row, rows []Row) {
	var masks [64]uint64
	c.Masks(masks[:len(rows)], l, rows)
	values := c.Mask(l, seed)
	for k := range sets {
		value, set := bits.TrailingZeros64(values)%64, uint64(0)
		for i, mask := range masks[:len(rows)] {
			set |= mask >> value & 1 << (i % 64)
		}
		sets[k] |= set
		values &= values - 1
	}
}

func (c *Region) Final(*Limit, int) bool { return true }

// Suits reports whether a group can play in a region. For NoRegion, it reports whether there is any
// region in which the group can play.
func (c *Region) Suits(l *Limit, group []Row, region matcher.Region) bool {
	mask := allRows
	for _, row := range group {
		mask &= c.Mask(l, row)
	}
	if region == matcher.NoRegion {
		return mask != 0
	}
	at := slices.Index(c.profiles.order, region)
	return at >= 0 && mask>>at&1 != 0
}

// Choices appends the regions in which a pushed group can play, the best first. They are ordered by
// the worst round-trip time, then by the mean over players, then by name. If no region is within
// the limit and the rule is not enforced, Choices appends all regions that every player measured.
func (c *Region) Choices(dst []matcher.Region, group []Row, players int, enforced bool) []matcher.Region {
	mask := c.groups[len(group)-1].mask
	if mask == 0 && !enforced {
		mask = allRows
		for _, row := range group {
			mask &= c.reach(row, math.MaxFloat64)
		}
	}
	c.choices = c.choices[:0]
	for ; mask != 0; mask &= mask - 1 {
		c.choices = append(c.choices, choice{at: bits.TrailingZeros64(mask)})
	}
	for _, row := range group {
		worst := c.worstOf(row)
		sums := worst
		if !c.profiles.solo[c.profile[row]] {
			sums = c.profiles.sumOf(c.profile[row])
		}
		for i := range c.choices {
			x := &c.choices[i]
			x.worst, x.mean = max(x.worst, worst[x.at]), x.mean+sums[x.at]
		}
	}
	for i := range c.choices {
		c.choices[i].mean /= float64(max(1, players))
		for k := i; k > 0 && c.choices[k].before(&c.choices[k-1]); k-- { // insertion sort, because there are few choices
			c.choices[k], c.choices[k-1] = c.choices[k-1], c.choices[k]
		}
	}
	for i := range c.choices {
		dst = append(dst, c.profiles.order[c.choices[i].at])
	}
	return dst
}

// choice is a region in which a group could play.
type choice struct {
	at          int     // index in profiles.order, which is sorted by name
	worst, mean float64 // round-trip times over the players, ms
}

// before reports whether region x is better than region other. Region other comes first by name, so
// x must be strictly better.
func (x *choice) before(other *choice) bool {
	if x.worst != other.worst {
		return x.worst < other.worst
	}
	return x.mean < other.mean
}
