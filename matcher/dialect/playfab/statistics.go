package playfab

import (
	"slices"

	"mmsim/matcher/dialect/vendor"
)

// StatisticsWindowMS is the time for which a matched ticket counts in the live statistics. The
// vendor does not document it, but the service refreshes its statistics every five minutes.
const StatisticsWindowMS = 5 * 60 * 1000

// TimeToMatch summarises how many seconds tickets waited for their match. Percentiles use the
// nearest-rank method. The service does not document its method.
type TimeToMatch struct {
	Average, Percentile50, Percentile90, Percentile99 float64
}

// View is the part of a queue's statistics that a client receives. A field is nil if it is hidden
// from the client or if there is no data.
type View struct {
	NumberOfPlayersMatching        *int         `json:",omitempty"` // players, not tickets
	TimeToMatchStatisticsInSeconds *TimeToMatch `json:",omitempty"`
}

// Statistics contains the queue_statistics of a result.
type Statistics struct {
	Queue string `json:"queue"`
	// Live contains the statistics that a server receives. It covers tickets that were matched in
	// the last five minutes.
	Live View `json:"live"`
	// Players contains the statistics that players receive. It is nil if the service refuses their
	// request.
	Players *View `json:"players"`
	// Whole covers all matched tickets.
	Whole *TimeToMatch `json:"whole"`
}

// Statistics returns the queue's statistics at nowMS. waiting is the number of waiting players.
// matched lists all tickets matched so far, in any order. Most of the cost is for sorting the
// waits.
func (q *Queue) Statistics(nowMS int64, waiting int, matched []vendor.MatchedTicket) Statistics {
	var all, recent []int64
	for _, m := range matched {
		all = append(all, m.WaitMS)
		if m.AtMS > nowMS-StatisticsWindowMS && m.AtMS <= nowMS {
			recent = append(recent, m.WaitMS)
		}
	}
	s := Statistics{Queue: q.Name, Whole: timeToMatch(all)}
	s.Live = View{&waiting, timeToMatch(recent)}
	if q.ShowPlayers || q.ShowTimeToMatch {
		s.Players = &View{}
		if q.ShowPlayers {
			s.Players.NumberOfPlayersMatching = s.Live.NumberOfPlayersMatching
		}
		if q.ShowTimeToMatch {
			s.Players.TimeToMatchStatisticsInSeconds = s.Live.TimeToMatchStatisticsInSeconds
		}
	}
	return s
}

// timeToMatch summarises waits in ms, which it sorts itself. It returns nil if there are none.
func timeToMatch(waits []int64) *TimeToMatch {
	if len(waits) == 0 {
		return nil
	}
	slices.Sort(waits)
	var sum int64
	for _, w := range waits {
		sum += w
	}
	percentile := func(p int) float64 {
		rank := (p*len(waits) + 99) / 100 // nearest rank, counted from 1
		return float64(waits[rank-1]) / 1000
	}
	return &TimeToMatch{
		Average:      float64(sum) / float64(1000*len(waits)),
		Percentile50: percentile(50),
		Percentile90: percentile(90),
		Percentile99: percentile(99),
	}
}
