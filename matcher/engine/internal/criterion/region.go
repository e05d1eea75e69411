package criterion

import (
	"fmt"
	"math"
	"math/bits"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/reach"
)

// Region is a ReachRegion rule.
type Region struct {
	base
	worst *reach.Table // the highest round-trip time of a row's players to each region
	sum   *reach.Table // the sum of these times, for Choices

	groups []groupRegions // regions of the pushed group, at each depth
}

// groupRegions contains the regions of a group.
type groupRegions struct {
	mask    uint64
	boundMS float64
}

func newRegion(b base, schema *matcher.Schema) *Region {
	worst := reach.New(schema, reach.Worst, reach.Thresholds(&b.bound, math.Inf(1)), nil)
	return &Region{base: b, worst: worst, sum: reach.New(schema, reach.Sum, nil, nil)}
}

// At returns the state of the rule after a wait.
func (c *Region) At(waitMS int64) (l Limit, untilMS int64) {
	l, untilMS = c.base.At(waitMS)
	l.Level = c.worst.Level(l.Bound)
	return l, untilMS
}

// AddPlace stores the round-trip times of a place and returns the number of the place.
func (c *Region) AddPlace(rttMS []float64) matcher.Place {
	return reach.AddPlace(rttMS, c.worst, c.sum)
}

// Load reads the round-trip times of a row's players.
func (c *Region) Load(row Row, players []matcher.Player) { c.LoadTicket(row, players, matcher.NoPlace) }

// LoadTicket reads the round-trip times of a ticket's players or of its place.
func (c *Region) LoadTicket(row Row, players []matcher.Player, from matcher.Place) {
	c.worst.Load(row, players, from)
	c.sum.Load(row, players, from)
}

// LoadSession assigns to a row the round-trip times of a session.
func (c *Region) LoadSession(row Row, at matcher.Region) {
	c.worst.LoadSession(row, at)
	c.sum.LoadSession(row, at)
}

// Mask returns the regions of a row within a limit.
func (c *Region) Mask(l *Limit, row Row) uint64 { return c.worst.Mask(l, row) }

// Masks stores, for each row, the regions within a limit in masks.
func (c *Region) Masks(masks []uint64, l *Limit, rows []Row) { c.worst.Masks(masks, l, rows) }

func (c *Region) Filters(*Limit) bool { return true }

func (c *Region) Exact(*Limit, Row) bool { return true }

func (c *Region) Meet(l *Limit, a, b Row) bool { return c.worst.Mask(l, a)&c.worst.Mask(l, b) != 0 }

func (c *Region) Distance(l *Limit, a, b Row) float64 {
	return 1 / (1 + c.quality(l.Bound, c.worst.Mask(l, a)&c.worst.Mask(l, b), a, b))
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
	mine, other := c.worst.Of(a), c.worst.Of(b)
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
	best, other := math.Inf(1), c.worst.Of(b)
	for i, rtt := range c.worst.Of(a) {
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
	least := 1 / (1 + c.quality(l.Bound, c.Mask(l, row), row, row))
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
	return Limit{Bound: c.largest, Active: true, Level: c.worst.Level(c.largest)}
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
	return mask&c.worst.Only(region) != 0
}

// Choices appends the regions in which a pushed group can play, the best first. They are ordered by
// the worst round-trip time, then by the mean over players, then by name. If no region is within
// the limit and the rule is not enforced, Choices appends all regions that every player measured.
func (c *Region) Choices(dst []matcher.Region, group []Row, players int, enforced bool) []matcher.Region {
	mask := c.groups[len(group)-1].mask
	if mask == 0 && !enforced {
		mask = allRows
		for _, row := range group {
			mask &= c.worst.Within(&Limit{Bound: math.MaxFloat64}, row)
		}
	}
	var worst, mean [64]float64
	for _, row := range group {
		highest, sums := c.worst.Of(row), c.sum.Of(row)
		for rest := mask; rest != 0; rest &= rest - 1 {
			bit := bits.TrailingZeros64(rest) % 64
			if highest[bit] > worst[bit] { // not max(), as in quality
				worst[bit] = highest[bit]
			}
			mean[bit] += sums[bit]
		}
	}
	for rest := mask; rest != 0; rest &= rest - 1 {
		mean[bits.TrailingZeros64(rest)%64] /= float64(max(1, players))
	}
	return c.worst.Append(dst, mask, worst[:], mean[:])
}
