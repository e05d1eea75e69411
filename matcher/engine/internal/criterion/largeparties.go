package criterion

// largeParties is a LargeParties rule.
type largeParties struct{ base }

// Ask implements Teamed. The rule does not apply to sessions, because it is not known which of their
// players are parties.
func (c *largeParties) Ask(d *Division, _ *Limit, enforced bool) {
	d.LargeInAll = d.LargeInAll || enforced && !d.Session
}
