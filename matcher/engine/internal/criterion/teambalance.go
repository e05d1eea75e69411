package criterion

import "mmsim/matcher"

// TeamBalance is a TeamBalance rule. The division into teams keeps it.
type TeamBalance struct{ base }

func newTeamBalance(b base, rule *matcher.TeamBalance) *TeamBalance {
	return &TeamBalance{b.with(rule.Max, matcher.Schedule{})}
}

// Load has nothing to read.
func (c *TeamBalance) Load(Row, []matcher.Player) {}
