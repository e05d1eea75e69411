package judge

import (
	"fmt"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// Unmatched is the share of searches that ended without a match. Other metrics, such as waits,
// describe only the players who remain. So a decision says first if more of them are left out, and
// every sweep and tuning shows it.
const Unmatched = "players.unmatched_share"

// unmatchedInQueue is the same share in each of several queues.
const unmatchedInQueue = "queues.*." + Unmatched

func isUnmatchedShare(name string) bool {
	return name == Unmatched || outcome.MatchName(unmatchedInQueue, name)
}

// Unmatched returns the differences in the shares of searches without a match. It returns none if
// players are placed on servers.
func (c *Comparison) Unmatched() Differences {
	var list Differences
	for _, d := range c.Metrics {
		if d.Name == "servers.opened" {
			return nil
		}
		if isUnmatchedShare(d.Name) {
			list = append(list, d)
		}
	}
	return list
}

// MoreUnmatched says that more players are left without a match, if any of the differences shows
// it: "B leaves more players without a match: 2.8 % instead of 0.1 % (+2.6 to +2.8 pp)". If queues
// show it, it names them instead of the whole run. It returns "" if none shows it.
func MoreUnmatched(subject string, list Differences) string {
	var all, queues []string
	for i := range list {
		d := &list[i]
		if d.Verdict != VerdictWorse {
			continue
		}
		cells := DifferenceCells(d)
		says := fmt.Sprintf("%s instead of %s (%s)", cells[2], cells[1], cells[5])
		if name, is := strings.CutPrefix(d.Name, "queues."); is {
			queues = append(queues, says+" in "+words.Name(strings.TrimSuffix(name, "."+Unmatched)))
		} else {
			all = append(all, says)
		}
	}
	if len(queues) > 0 {
		all = queues
	}
	if len(all) == 0 {
		return ""
	}
	return subject + " leaves more players without a match: " + enumerate(all)
}
