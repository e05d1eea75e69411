package collect

import (
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// acceptance returns the statistics of the proposals in the queues from first to end-1, or nil if none
// of these queues asks players.
func acceptance(queues []setup.Queue, t *sim.Totals, first, end int) *outcome.Acceptance {
	asks, all := false, sim.AcceptanceTotals{}
	for i := first; i < end; i++ {
		asks = asks || queues[i].Asks
		if i < len(t.Acceptance) && t.Acceptance[i] != nil {
			all.Add(t.Acceptance[i])
		}
	}
	if !asks {
		return nil
	}
	decided := all.Started + all.Refused + all.TimedOut + all.Lapsed
	mean := func(ms int64, players int) outcome.Seconds {
		return waitSeconds(outcome.Ratio(float64(ms), float64(players)))
	}
	return &outcome.Acceptance{
		Proposals: outcome.Count(decided), Started: outcome.Count(all.Started), Refused: outcome.Count(all.Refused),
		TimedOut: outcome.Count(all.TimedOut), Lapsed: outcome.Count(all.Lapsed),
		ShareStarted: outcome.ShareOf(all.Started, decided), PerStart: outcome.RoundAverage(outcome.Ratio(float64(decided), float64(all.Started))),
		AnswerMean: mean(all.AnswerTime, all.Players), Returned: outcome.Count(all.Returned),
		LostMean: mean(all.LostTime, all.Returned), LostPerMatch: mean(all.LostTime, all.Players),
	}
}
