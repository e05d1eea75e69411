package criterion

import (
	"math"

	"mmsim/matcher"
)

// TeamBalance is a TeamBalance rule.
type TeamBalance struct{ base }

func newTeamBalance(b base, rule *matcher.TeamBalance) *TeamBalance {
	return &TeamBalance{b.with(rule.Max, matcher.Schedule{})}
}

// Load has nothing to read.
func (c *TeamBalance) Load(Row, []matcher.Player) {}

// Ask implements Teamed. Of several rules the strictest counts.
func (c *TeamBalance) Ask(d *Division, l *Limit, enforced bool) {
	if enforced {
		d.MaxSpread = int(math.Floor(max(-1, min(float64(d.MaxSpread), l.Bound+Tolerance))))
	}
}
