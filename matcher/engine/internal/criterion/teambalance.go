package criterion

import "math"

// teamBalance is a TeamBalance rule.
type teamBalance struct{ base }

// Ask implements Teamed. If there are several of these rules, the strictest one counts.
func (c *teamBalance) Ask(d *Division, l *Limit, enforced bool) {
	if enforced {
		d.MaxSpread = int(math.Floor(max(-1, min(float64(d.MaxSpread), l.Bound+Tolerance))))
	}
}
