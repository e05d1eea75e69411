package reports

import (
	"mmsim/reports/outcome"
	"mmsim/sim"
)

// tally counts what happens to one group of players. Those matched are counted by
// its histograms alone: every matched player has an RTT, and those whose search
// began inside the window have a wait.
type tally struct {
	wait, rtt        histogram
	matches, entries int
	unmatched
}

// served describes the players matched.
func (t *tally) served() outcome.Served {
	players, _ := t.rtt.total()
	return outcome.Served{
		Players:  outcome.Count(players),
		Matches:  outcome.Count(t.matches),
		WaitMean: waitSeconds(t.wait.mean()),
		WaitP95:  waitSeconds(float64(t.wait.percentiles(95)[0])),
		RTTMean:  rttMillis(t.rtt.mean()),
		RTTP95:   rttMillis(float64(t.rtt.percentiles(95)[0])),
	}
}

// group describes everything counted under a name.
func (t *tally) group(name string) outcome.Group {
	return t.unmatched.group(name, t.served(), t.entries)
}

// used tells whether anything was counted.
func (t *tally) used() bool {
	return t.entries+t.matches > 0 || t.unmatched != unmatched{} || len(t.rtt.near) > 0
}

// unmatched counts players whose search ended without a match.
type unmatched struct{ failed, expired, bots, rejected int }

// ended counts n players whose search ended in a state.
func (u *unmatched) ended(into sim.State, n int) {
	switch into {
	case sim.StateBots:
		u.bots += n
	case sim.StateRejected:
		u.rejected += n
	case sim.StateExpired:
		u.expired += n
	default:
		u.failed += n
	}
}

func (u *unmatched) merge(other *unmatched) {
	u.failed += other.failed
	u.expired += other.expired
	u.bots += other.bots
	u.rejected += other.rejected
}

// group describes one group of players by what became of them.
func (u *unmatched) group(name string, served outcome.Served, entries int) outcome.Group {
	return outcome.Group{
		Name:     name,
		Served:   served,
		Entries:  outcome.Count(entries),
		Failed:   outcome.Count(u.failed),
		Expired:  outcome.Count(u.expired),
		Bots:     outcome.Count(u.bots),
		Rejected: outcome.Count(u.rejected),
	}
}

// sums adds up what means are made of, over the players matched in one group.
type sums struct {
	matched, waited   int    // waited: those whose search began inside the window
	waitSum, rttTotal uint64 // ms; 1/16 ms
}

func (s *sums) addRTT(rtt uint64) {
	s.matched++
	s.rttTotal += rtt
}

func (s *sums) addWait(wait uint64) {
	s.waited++
	s.waitSum += wait
}

func (s *sums) merge(other *sums) {
	s.matched += other.matched
	s.waited += other.waited
	s.waitSum += other.waitSum
	s.rttTotal += other.rttTotal
}

func (s *sums) waitMean() outcome.Seconds {
	return waitSeconds(outcome.Ratio(float64(s.waitSum), float64(s.waited)))
}

func (s *sums) rttMean() outcome.Millis {
	return rttMillis(outcome.Ratio(float64(s.rttTotal), float64(s.matched)))
}
