package reach

import (
	"math"
	"slices"

	"mmsim/matcher"
)

// Entries has a table of tickets and a table of session players. An entry is the row of a ticket, or
// a negative number, which identifies a session player.
type Entries struct{ Tickets, players *Table }

// NewEntries returns empty tables. party is how the times of a party's players become one time, and
// bounds is the schedule of the thresholds.
func NewEntries(schema *matcher.Schema, party matcher.Aggregation, bounds matcher.Steps[float64]) *Entries {
	by, thresholds := Mean, []float64{math.Inf(1)}
	switch party {
	case matcher.PartyMin:
		by = Lowest
	case matcher.PartyMax:
		by = Worst
	}
	for _, s := range bounds {
		thresholds = append(thresholds, s.Value)
	}
	slices.Sort(thresholds)
	thresholds = slices.Compact(thresholds)
	return &Entries{New(schema, by, thresholds, nil), New(schema, by, thresholds, nil)}
}

// Level returns the level of a bound. If bound is NaN, times are not limited.
func (x *Entries) Level(bound float64) int32 {
	if level := x.Tickets.Level(bound); level > 0 {
		return level
	}
	return x.Tickets.Level(math.Inf(1))
}

// Learn adds regions that are new in the schema to both tables, so that their bits mean the same.
func (x *Entries) Learn() {
	x.Tickets.Learn()
	x.players.Learn()
}

// Load reads the times of a ticket's players, or of its place if that is not NoPlace.
func (x *Entries) Load(row Row, players []matcher.Player, from matcher.Place) {
	x.Learn()
	x.Tickets.Load(row, players, from)
}

// Enter stores the times of a session player. The session stays in its region, so the player reaches
// no other. A player without times reaches every region.
func (x *Entries) Enter(entry Row, p matcher.Player, at matcher.Region) {
	x.Learn()
	row := -entry - 1
	if len(p.RTTMS) == 0 {
		x.players.LoadSession(row, matcher.NoRegion)
		return
	}
	p.RTTMS = slices.Clone(p.RTTMS)
	for region := range p.RTTMS {
		if at != matcher.NoRegion && region != int(at) {
			p.RTTMS[region] = math.NaN()
		}
	}
	x.players.Load(row, []matcher.Player{p}, matcher.NoPlace)
}

// ByLevel returns, for each threshold, the mask of the regions that an entry reaches within it. The
// mask of a level is at index level-1.
func (x *Entries) ByLevel(entry Row) []uint64 {
	if entry < 0 {
		return x.players.ByLevel(-entry - 1)
	}
	return x.Tickets.ByLevel(entry)
}

// Of returns an entry's times, indexed by bit of the masks. measured is false for a session player
// without times.
func (x *Entries) Of(entry Row) (rtts []float64, measured bool) {
	if row := -entry - 1; entry < 0 {
		return x.players.Of(row), x.players.Measured(row)
	}
	return x.Tickets.Of(entry), true
}

// BestCommon takes the highest round-trip time of a group's tickets to each region, and returns the lowest
// of these in ms. spreadMS is the lowest difference between round-trip times to a region that is
// within mostMS for all of them. Both are +Inf if there is no such region.
func BestCommon[Ticket ~int32](x *Entries, group [][]Ticket, mostMS float64) (bestMS, spreadMS float64) {
	bestMS, spreadMS = math.Inf(1), math.Inf(1)
	for bit := range x.Tickets.Regions() {
		low, high := math.Inf(1), math.Inf(-1)
		for _, tickets := range group {
			for _, t := range tickets {
				rtts, _ := x.Of(Row(t))
				low, high = min(low, rtts[bit]), max(high, rtts[bit])
			}
		}
		if bestMS = min(bestMS, high); high <= mostMS {
			spreadMS = min(spreadMS, high-low)
		}
	}
	return bestMS, spreadMS
}
