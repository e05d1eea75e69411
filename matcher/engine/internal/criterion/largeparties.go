package criterion

import "mmsim/matcher"

// largeParties is a LargeParties rule.
type largeParties struct{ base }

func newLargeParties(b base) *largeParties {
	return &largeParties{b.with(matcher.Schedule{}, matcher.Schedule{})}
}

func (c *largeParties) Load(Row, []matcher.Player) {}

// Ask implements Teamed. The parties of a session's players are not known.
func (c *largeParties) Ask(d *Division, _ *Limit, enforced bool) {
	d.LargeInAll = d.LargeInAll || enforced && !d.Session
}
