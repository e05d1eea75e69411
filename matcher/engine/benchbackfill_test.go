package engine

import (
	"fmt"
	"slices"
	"testing"

	"mmsim/matcher"
)

// backfillSessions returns n sessions that each lack two players: matches of a crowd from which the
// last two players have left.
func backfillSessions(tb testing.TB, rules *matcher.Ruleset, crowd *benchCrowd, n int) (sessions []matcher.Session) {
	tb.Helper()
	pool, err := NewPool(rules, crowd.schema)
	if err != nil {
		tb.Fatal(err)
	}
	r := benchRun{Pool: pool, crowd: crowd, places: crowd.places(tb, pool)}
	for i := range 15 * n {
		r.add(tb, int64(i)*60_000/int64(15*n))
	}
	out := pool.Pass(60_000)
	if len(out.Matches) < n {
		tb.Fatalf("%d tickets make %d matches, want at least %d", 15*n, len(out.Matches), n)
	}
	for i, match := range out.Matches[:n] {
		s := matcher.Session{CreatedMS: int64(i) * 60_000 / int64(n), Region: match.Region}
		left := match.Tickets[len(match.Tickets)-2:]
		for team, side := range match.Teams {
			for _, row := range side.Tickets {
				if !slices.Contains(left, row) {
					ticket := &crowd.tickets[r.numbers[row]]
					player := ticket.Players[0]
					player.RTTMS = crowd.rttMS[ticket.place]
					s.Members = append(s.Members, matcher.Member{Player: player, Team: team})
				}
			}
		}
		sessions = append(sessions, s)
	}
	return sessions
}

// BenchmarkBackfill measures a pass with sessions and 20 times as many tickets. Twice as many of both
// should take about twice as long.
func BenchmarkBackfill(b *testing.B) {
	for _, set := range []benchRuleset{
		{"any", seatedBy(), false, skillColumn},
		{"region", seatedBy(seatRegion()), false, skillColumn},
		{"skill+region", seated(), false, skillColumn},
		{"fair", seated(fairTeams()), false, skillColumn},
	} {
		for at, priority := range []string{"high", "normal", "low"} {
			rules, seats := *set.rules, *set.rules.Seats
			rules.Seats, seats.Priority = &seats, matcher.Steps[matcher.Priority]{{Value: []matcher.Priority{matcher.HighPriority, matcher.NormalPriority, matcher.LowPriority}[at]}}
			for _, n := range []int{100, 200, 400, 800} {
				b.Run(fmt.Sprintf("%s/%s/sessions=%d", set.name, priority, n), func(b *testing.B) {
					crowd := newBenchCrowd(&set, false, 20*n)
					sessions := backfillSessions(b, &rules, crowd, n)
					var r benchRun
					cpu := 0.0
					for b.Loop() {
						pool, err := NewPool(&rules, crowd.schema)
						if err != nil {
							b.Fatal(err)
						}
						r = benchRun{Pool: pool, crowd: crowd, places: crowd.places(b, pool)}
						for i := range 20 * n {
							r.add(b, int64(i)*60_000/int64(20*n))
						}
						for _, s := range sessions {
							if _, err := pool.AddSession(s); err != nil {
								b.Fatal(err)
							}
						}
						start := cpuSeconds(b)
						r.out = pool.Pass(60_000)
						cpu += cpuSeconds(b) - start
					}
					b.ReportMetric(1000*cpu/float64(b.N), "cpu-ms/pass")
					b.ReportMetric(float64(len(r.out.Backfills)), "served")
					b.ReportMetric(float64(len(r.out.Matches)), "matches")
				})
			}
		}
	}
}
