package criterion

import (
	"math"

	"mmsim/matcher"
)

// teamBalance is a TeamBalance rule.
type teamBalance struct{ base }

func newTeamBalance(b base, rule *matcher.TeamBalance) *teamBalance {
	return &teamBalance{b.with(rule.Max, matcher.Schedule{})}
}

func (c *teamBalance) Load(Row, []matcher.Player) {}

// Ask implements Teamed. If there are several such rules, the strictest counts.
func (c *teamBalance) Ask(d *Division, l *Limit, enforced bool) {
	if enforced {
		d.MaxSpread = int(math.Floor(max(-1, min(float64(d.MaxSpread), l.Bound+Tolerance))))
	}
}
