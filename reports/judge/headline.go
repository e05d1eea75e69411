package judge

import (
	"slices"
	"strings"

	"mmsim/reports/outcome"
)

// Headline lists the metrics that a comparison shows first, the most important one first, whether
// they differ or not. A star matches any text.
var Headline = []string{
	"wait_first_s.mean", "wait_first_s.p95", "wait_s.mean", "wait_s.p95", "wait_s.p99", "queues.*.wait_first_s.mean", "queues.*.wait_first_s.p95",
	"queues.*.rtt_ms.mean", "queues.*.rtt_ms.p95",
	"rtt_ms.mean", "rtt_ms.p95", "rtt_ms.share_le_50", "rtt_ms.share_le_100", "limits.*.share_good", "limits.*.share_poor", "delta_rtt_ms.mean",
	Unmatched, unmatchedInQueue, "players.failed", "players.expired", "players.rejected", "players.declined", "players.cancelled", "players.closed", "players.bots", "players.matched",
	"queues.*.attributes.*.spread_mean", "attributes.*.spread_mean", "attributes.*.team_gap_mean", "overlaps.*.share_any", "rules.share_relaxed", "queues.*.rules.share_relaxed",
	"matches.count", "matches.fill", "matches.with_warmbody", "matches.repeat_share", "states.*.share",
	"servers.occupancy_mean", "servers.preferred_player_match_ratio", "servers.metrics.*.avg", "servers.opened", "servers.server_hours",
	"ccu.peak", "ccu.searching_mean",
	"season.stay.*", "season.persons.end", "season.matches_per_visit", "season.fairness.favourite_chance", "season.prediction.calibration_error", "season.rating.correlation", "season.rating.error", "season.rating.slope",
}

// Pooled reports whether a metric is meaningless over several queues, because their rules differ: RTTs,
// the blocks that describe them, such as rtt_ms, and metrics of how similar players are.
func Pooled(name string) bool {
	if m, _ := outcome.Find(name); m.Unit == outcome.UnitMillis {
		return !strings.HasPrefix(name, "queues.")
	}
	for _, block := range [...]string{"limits.rtt.", "attributes.", "overlaps."} {
		if strings.HasPrefix(name, block) {
			return true
		}
	}
	block, _, _ := strings.Cut(name, ".")
	return strings.HasSuffix(block, "_ms")
}

// HasQueues reports whether the comparison has metrics of single queues. It has them if both
// configurations have several queues and at least one queue has the same name in both.
func (c *Comparison) HasQueues() bool {
	return slices.ContainsFunc(c.Metrics, func(d Difference) bool { return strings.HasPrefix(d.Name, "queues.") })
}

// Headlines returns the differences of the metrics in Headline, in that order. It omits:
//
//   - metrics that are 0 in both samples, such as the bots of configurations without bots;
//   - metrics that no pair has in both runs;
//   - metrics of matches if players are placed on servers, which have metrics of their own;
//   - metrics for which Pooled is true if there are several queues.
func Headlines(c *Comparison) []*Difference {
	servers := slices.ContainsFunc(c.Metrics, func(d Difference) bool { return d.Name == "servers.opened" })
	queues := c.HasQueues()
	var list []*Difference
	for _, wanted := range Headline {
		for i := range c.Metrics {
			d := &c.Metrics[i]
			if !outcome.MatchesPattern(wanted, d.Name) || outcome.IsGroup(d.Name) || d.Runs == 0 || d.A == 0 && d.B == 0 {
				continue
			}
			if servers && strings.HasPrefix(d.Name, "matches.") || queues && Pooled(d.Name) {
				continue
			}
			list = append(list, d)
		}
	}
	return list
}

// Unmatched is the share of searches that ended without a match. Other metrics, such as waits,
// describe only the players who remain. So a decision says first if more of them are left out, and
// every sweep and tuning shows it.
const Unmatched = "players.unmatched_share"

// unmatchedInQueue is the same share in each of several queues.
const unmatchedInQueue = "queues.*." + Unmatched

// Unmatched returns the differences in the shares of searches without a match. It returns none if
// players are placed on servers.
func (c *Comparison) Unmatched() Differences {
	var list Differences
	for _, d := range c.Metrics {
		if d.Name == "servers.opened" {
			return nil
		}
		if d.Name == Unmatched || outcome.MatchesPattern(unmatchedInQueue, d.Name) {
			list = append(list, d)
		}
	}
	return list
}
