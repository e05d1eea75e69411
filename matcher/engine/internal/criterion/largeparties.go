package criterion

import "mmsim/matcher"

// LargeParties is a LargeParties rule. The division into teams keeps it.
type LargeParties struct{ base }

func newLargeParties(b base) *LargeParties {
	return &LargeParties{b.with(matcher.Schedule{}, matcher.Schedule{})}
}

// Load has nothing to read.
func (c *LargeParties) Load(Row, []matcher.Player) {}
