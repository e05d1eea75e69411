package criterion

import "mmsim/matcher"

// LargeParties is a LargeParties rule.
type LargeParties struct{ base }

func newLargeParties(b base) *LargeParties {
	return &LargeParties{b.with(matcher.Schedule{}, matcher.Schedule{})}
}

// Load has nothing to read.
func (c *LargeParties) Load(Row, []matcher.Player) {}

// Ask implements Teamed. Who of a session's players came together is not known.
func (c *LargeParties) Ask(d *Division, _ *Limit, enforced bool) {
	d.LargeInAll = d.LargeInAll || enforced && !d.Session
}
