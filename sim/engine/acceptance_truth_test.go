package engine

import (
	"math"
	"testing"

	"mmsim/sim"
)

// lostTime is an observer that adds up the waits of matched players and counts declined searches.
type lostTime struct {
	waits    sim.Duration
	players  int
	declined int // searches
}

func (l *lostTime) Entered(*sim.Search) {}
func (l *lostTime) Ended(e *sim.Ended) {
	if e.Into == sim.StateDeclined {
		l.declined++
	}
}
func (l *lostTime) Sampled(*sim.Census) {}
func (l *lostTime) Matched(m *sim.Match) {
	for i := range m.Players {
		l.waits += m.Wait(i)
	}
	l.players += len(m.Players)
}

// askCrowd runs n players who join at the same instant, in a pool or in the article's queue, and who each
// accept a match of k players with a probability after 5 s, or never answer within 30 s.
func askCrowd(t *testing.T, placement sim.Placement, k, n int, accept, again float64) (*lostTime, *sim.AcceptanceTotals, sim.Totals) {
	t.Helper()
	cfg := articleConfig()
	cfg.IdealFor, cfg.PlayAgain, cfg.Between, cfg.Penalty, cfg.Duration = sim.Day, 0, 0, 7*sim.Second, sim.Hour
	q := sim.Queue{MatchSize: k, WarmBodyFor: 10 * sim.Second, MatchLength: sim.Length{Mean: 2 * sim.Hour}}
	if placement == sim.PlacePool {
		q = identicalPlayers(k, sim.Day)
		q.MatchLength.Mean = 2 * sim.Hour
	}
	q.Acceptance = &sim.Acceptance{Timeout: 30 * sim.Second, Accept: accept, Delay: sim.Length{Mean: 5 * sim.Second}, Again: again}
	cfg.Queues = []sim.Queue{q}
	arrivals, l := make(list, n), &lostTime{}
	for row := range arrivals {
		arrivals[row] = sim.Arrival{Members: []sim.Person{{Entity: sim.Entity(uint32(row), 0, 0, 0), Row: uint32(row)}}}
	}
	e, err := New(cfg, placesOf(cfg, []int{20}), &arrivals, l)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
		t.Fatal(err)
	}
	if err := e.Verify(); err != nil {
		t.Fatal(err)
	}
	totals := e.Finish()
	return l, totals.Acceptance[0], totals
}

// A proposal to k players who each accept with probability a starts with probability a^k. If nobody
// refuses, a search that does not end with a match is declined, with the share (1-a)/(1-a+a^k) of all
// ends. A player who is matched lost r/(1-r) proposals of 30 s before, with r = a(1-a^(k-1)). Everybody
// who waits is asked at once, so the wait is the lost time and the 5 s of the accepted proposal.
func TestAcceptanceArithmetic(t *testing.T) {
	for _, c := range []struct {
		placement sim.Placement
		k         int
		accept    float64
	}{{sim.PlacePool, 10, 0.95}, {sim.PlacePool, 10, 0.9}, {sim.PlaceDatacenters, 4, 0.95}, {sim.PlaceDatacenters, 10, 0.95}} {
		const n = 10_000
		l, totals, _ := askCrowd(t, c.placement, c.k, n, c.accept, 0)
		a, k := c.accept, float64(c.k)
		starts := math.Pow(a, k)
		proposals := float64(totals.Started + totals.TimedOut)
		if totals.Refused+totals.Lapsed > 0 {
			t.Fatalf("%+v: got %+v, want no refusals and no lapsed proposals", c, totals)
		}
		check := func(what string, got, want, sd float64) {
			t.Helper()
			if math.Abs(got-want) > 4*sd {
				t.Errorf("%+v: got %s %.4f, want %.4f, within %.4f", c, what, got, want, 4*sd)
			}
		}
		sd := math.Sqrt(starts * (1 - starts) / proposals)
		check("share of proposals that start", float64(totals.Started)/proposals, starts, sd)
		check("proposals per start", proposals/float64(totals.Started), 1/starts, sd/(starts*starts))
		declined := (1 - a) / (1 - a + starts)
		check("share of declined searches", float64(l.declined)/float64(l.declined+l.players), declined, math.Sqrt(declined*(1-declined)/n)+k/n)
		r := a * (1 - math.Pow(a, k-1))
		lost, groups := r/(1-r), float64(l.players)/k // players of one group have nearly the same fate
		check("mean wait", float64(l.waits)/1000/float64(l.players), 5+30*lost, 30*math.Sqrt(r)/(1-r)/math.Sqrt(groups))
		perPlayer := 30 * (math.Pow(a, 1-k) - 1)
		check("time lost per matched player", float64(totals.LostTime)/1000/float64(totals.Players), perPlayer, 30*sd/(starts*starts))
	}
}

// If every declined ticket searches again, all players are matched in the end, except those who are too
// few for another match. A matched player has then searched 1 + (1-a)/a^k times.
func TestDeclinedSearchAgain(t *testing.T) {
	for placement, k := range map[sim.Placement]int{sim.PlacePool: 10, sim.PlaceDatacenters: 4} {
		const n, a = 10_000, 0.95
		l, totals, all := askCrowd(t, placement, k, n, a, 1)
		if l.players < n-k+1 || all.OnlineAtEnd != n {
			t.Errorf("%d players: got %d matched players and %d online, want at least %d and %d", k, l.players, all.OnlineAtEnd, n-k+1, n)
		}
		starts := math.Pow(a, float64(k))
		want := (1 - a) / starts
		// The failed proposals of a match are geometric, with the relative variance 1/(1-a^k); the number of
		// players who decline one of them adds less than 0.5.
		if got := float64(l.declined) / float64(l.players); math.Abs(got-want) > 4*want*math.Sqrt((1/(1-starts)+0.5)/float64(totals.Started)) {
			t.Errorf("%d players: got %.4f declined searches per matched player, want %.4f", k, got, want)
		}
	}
}

// The client of a ticket is gone with the chance d and then does not answer, so a proposal to k tickets
// that have not been asked before starts with probability ((1-d)a)^k. All proposals of the first pass are
// of this kind, and those who continue to search are asked again only when these are decided.
func TestDeadClientsDoNotAnswer(t *testing.T) {
	for placement, k := range map[sim.Placement]int{sim.PlacePool: 10, sim.PlaceDatacenters: 4} {
		const n, a, d = 40_000, 0.95, 0.03
		cfg := articleConfig()
		cfg.IdealFor, cfg.PlayAgain, cfg.Dead, cfg.Duration = sim.Day, 0, d, 31*sim.Second
		q := sim.Queue{MatchSize: k, WarmBodyFor: 10 * sim.Second, MatchLength: sim.Length{Mean: sim.Hour}}
		if placement == sim.PlacePool {
			q = identicalPlayers(k, sim.Day)
		}
		q.Acceptance = &sim.Acceptance{Timeout: 30 * sim.Second, Accept: a, Delay: sim.Length{Mean: 5 * sim.Second}}
		cfg.Queues = []sim.Queue{q}
		var joins []sim.Arrival
		for row := range uint32(n) {
			joins = append(joins, sim.Arrival{Members: []sim.Person{{Entity: sim.Entity(row, 0, 0, 0), Row: row}}})
		}
		_, totals := simulate(t, cfg, placesOf(cfg, []int{20}), joins)
		got, starts := totals.Acceptance[0], math.Pow((1-d)*a, float64(k))
		proposals := float64(got.Started + got.TimedOut)
		if int(proposals) != n/k || got.Refused+got.Lapsed > 0 {
			t.Errorf("%d players: got %+v, want %d proposals that start or time out", k, got, n/k)
		}
		if share, sd := float64(got.Started)/proposals, math.Sqrt(starts*(1-starts)/proposals); math.Abs(share-starts) > 4*sd {
			t.Errorf("%d players: %.4f of the proposals start, want %.4f ± %.4f", k, share, starts, 4*sd)
		}
	}
}
