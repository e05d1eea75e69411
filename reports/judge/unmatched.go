package judge

import (
	"fmt"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// The metrics that say how many searches end without a match: in the whole run, and in each of
// several queues. Other metrics, such as waits, describe only the players who remain, so a decision
// says first if more of them are left out.
const (
	unmatchedShare        = "players.unmatched_share"
	unmatchedShareInQueue = "queues.*." + unmatchedShare
)

func isUnmatchedShare(name string) bool {
	return name == unmatchedShare || outcome.MatchName(unmatchedShareInQueue, name)
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
			queues = append(queues, says+" in "+words.Name(strings.TrimSuffix(name, "."+unmatchedShare)))
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
