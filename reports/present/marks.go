package present

import (
	"fmt"

	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// waitMark grades the wait that 90 % of first searches do not exceed.
func waitMark(s *outcome.Summary, p90 outcome.Seconds) (mark, limits string) {
	good, fair := grade.Waits(s.Limits)
	return grade.Mark(p90, good, fair), fmt.Sprintf("good up to %g s, fair up to %g s for 90 %% of first searches", float64(good), float64(fair))
}

// rttMark grades the RTT that 90 % of players do not exceed.
func rttMark(s *outcome.Summary, p90 outcome.Millis) (mark, limits string) {
	r := grade.RTTsOf(s.Thresholds, s.Limits)
	return grade.Mark(p90, r.Good, r.Fair), fmt.Sprintf("good up to %s, fair up to %s for 90 %% of players", words.Threshold(r.Good), words.Threshold(r.Fair))
}

// unmatchedMark grades the share of searches that ended without a match.
func unmatchedMark(s *outcome.Summary, l *outcome.Loss) (mark, limits string) {
	good, fair := grade.Unmatched(s.Limits)
	return grade.Mark(l.Share, good, fair), fmt.Sprintf("good up to %s, fair up to %s of searches", grade.Share(good), grade.Share(fair))
}
