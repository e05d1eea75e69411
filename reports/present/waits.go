package present

import (
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// namedWait has the statistics of the waits of one kind of search.
type namedWait struct {
	name   string
	stats  *outcome.WaitStats
	graded bool // whether the limits of waits apply
}

// searchWaits returns the waits of searches that ended in a match. First searches come first,
// because most other players return from a match and are matched in the next pass.
func searchWaits(s *outcome.Summary) []namedWait {
	return []namedWait{
		{name: "first searches", stats: &s.WaitFirst, graded: true},
		{name: "after a match", stats: &s.WaitRepeat},
		{name: "all searches", stats: &s.Wait},
	}
}

// queueWaits returns the waits of searches that ended in a match of one queue.
func queueWaits(q *outcome.QueueStats) []namedWait {
	return []namedWait{
		{name: "first searches", stats: &q.WaitFirst, graded: true},
		{name: "all searches", stats: &q.Wait},
	}
}

var waitHead = []string{"", "players", "mean", "sd", "p50", "p90", "p95", "p99", "max", "no wait at all"}

func waitCells(w *outcome.WaitStats, name string) []string {
	return known(w.Count, 2, []string{name, words.Thousands(w.Count), w.Mean.String(), w.SD.String(), w.P50.String(),
		w.P90.String(), w.P95.String(), w.P99.String(), w.Max.String(), words.Percent(w.ShareZero)})
}

// known returns cells. If count is 0, it first clears cells[from:], because a wait or RTT of 0
// would be wrong.
func known(count outcome.Count, from int, cells []string) []string {
	if count == 0 {
		clear(cells[from:])
	}
	return cells
}
