package theory_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"

	"mmsim/cmd/mmsim/commandtest"
)

// placed is the block "servers" of a summary.
type placed struct {
	Opened, Peak, Placed, Opening, Contests float64

	Mean      float64
	Occupancy float64                       `json:"occupancy_mean"`
	Hours     float64                       `json:"server_hours"`
	Friends   float64                       `json:"preferred_player_match_ratio"`
	Metrics   map[string]map[string]float64 `json:"metrics"`
	Signals   map[string]map[string]float64 `json:"signals"`
}

// Little's law for servers: the mean number of players online is the number of joins per
// second times the mean session, for any distribution of sessions. The number of players
// online has a Poisson distribution, because players do not wait for each other. With one
// datacenter, every player has the best possible RTT.
func TestTheoryServers(t *testing.T) {
	t.Parallel()
	const rate, mean, hours = 1.0, 10 * 60.0, 12
	for _, session := range []string{
		"{constant: 10m}", "{exponential: 10m}", "{lognormal: {mean: 10m, sd: 5m}}", "{weibull: {shape: 2, scale: 677029ms}}", // 10 min / Γ(1.5)
	} {
		t.Run(session, func(t *testing.T) {
			f := theoryRun{
				day:      poisson(rate, atOnePlace),
				settings: []string{"placement=servers", "servers.capacity=4", "clock.warmup=2h", fmt.Sprintf("clock.duration=%dh", hours), "servers.session=" + session},
			}.simulate(t)
			s := f.Servers
			near(t, "players online", f.CCU.Mean, rate*mean, ofMean)
			near(t, "seats taken", s.Mean*4*s.Occupancy, f.CCU.Mean, 0.001)
			near(t, "server hours", s.Hours, hours*s.Mean, 0.001)
			online := f.minutes["playing"]
			variance, average := 0.0, sum(online)/float64(len(online))
			for _, n := range online {
				variance += (n - average) * (n - average) / float64(len(online))
			}
			near(t, "variance of players online", variance, rate*mean, 0.35) // the window is only about 70 mean sessions long
			if f.Wait.Max != 0 || s.Placed != float64(f.Players.Joins) || s.Opened != s.Opening || f.Matches.Count != int(s.Opened) {
				t.Errorf("got waits %v, servers %+v and matches %+v, want all players placed without a wait and a match per server", f.Wait, s, f.Matches)
			}
			if s.Peak*4 < f.CCU.Peak || s.Occupancy > 1 {
				t.Errorf("got servers %+v, want enough seats for %v players and an occupancy of at most 1", s, f.CCU.Peak)
			}
		})
	}
}

// Session lengths in the data replace the configured ones.
func TestTheoryServersOwnSessions(t *testing.T) {
	t.Parallel()
	const rate = 1.0
	f := theoryRun{
		columns:  ",session_length",
		day:      poisson(rate, func(r *rand.Rand) string { return home + "," + strconv.Itoa(300+r.IntN(1200)) }),
		settings: []string{"placement=servers", "clock.warmup=2h"},
	}.simulate(t)
	near(t, "players online", f.CCU.Mean, rate*(300+1199.0/2), ofMean)
}

// If a server takes time to start, the player for whom it is started waits for exactly this
// time. Players who join in the meantime wait for the rest of it.
func TestTheoryServersStart(t *testing.T) {
	t.Parallel()
	f := theoryRun{
		day:      poisson(1, atOnePlace),
		settings: []string{"placement=servers", "servers={capacity: 4, start: 2s, session: {constant: 24h}}", "clock.warmup=0s", "clock.duration=4h"},
	}.simulate(t)
	s := f.Servers
	// No player leaves, so every fourth join starts a server. The next three players join 1, 2
	// and 3 s later on average, and wait for the rest of the 2 s.
	near(t, "servers", s.Opened, float64(f.Players.Joins)/4, 0.01)
	left := func(k int) (wait float64) { // mean of max(0, 2 - time of the k-th arrival): the integral of P(k arrivals by x)
		const steps = 20_000
		for i := range steps {
			x := 2 * (float64(i) + 0.5) / steps
			come, p := 1.0, math.Exp(-x)
			for n := range k {
				come -= p
				p *= x / float64(n+1)
			}
			wait += come * 2 / steps
		}
		return wait
	}
	near(t, "wait", f.Wait.Mean, (2+left(1)+left(2)+left(3))/4, ofMean)
	if f.Wait.Max != 2 {
		t.Errorf("got longest wait %v s, want 2 s, the start of a server", f.Wait.Max)
	}
}

// By default, friends are placed together even across an ocean, because the other signals do
// not outweigh the signal Friends. Without this signal, every player is placed near home.
func TestTheoryServersFriends(t *testing.T) {
	t.Parallel()
	n := 0
	pair := func(*rand.Rand) string { // every second row is a distant friend of the previous row
		n++
		if n%2 == 1 {
			return fmt.Sprintf("%s,p%d,", home, n)
		}
		return fmt.Sprintf("40.71,-74.01,p%d,p%d", n, n-1)
	}
	ask := func(rules string) (*runFiles, *placed) {
		n = 0
		file := filepath.Join(t.TempDir(), "rules.json")
		commandtest.Put(t, filepath.Dir(file), map[string]string{"rules.json": rules})
		f := theoryRun{
			datacenters: "0,frankfurt," + home + "\n1,newyork,40.71,-74.01\n",
			columns:     ",player_id,friends", day: poisson(0.2, pair),
			settings: []string{"rules=" + file, "dialect=roblox", "servers={capacity: 1000, session: {constant: 10m}}"},
		}.simulate(t)
		return f, f.Servers
	}
	// Only a server near the player's home, or one with a friend, scores at least 2.7. The first
	// player of a pair stays online for 10 minutes, so the second one finds them there unless the
	// gap between the two joins is longer. At 0.2 joins per second, the probability of such a gap
	// is exp(-120), which is negligible.
	f, together := ask(`{"template": "UseDefault", "minScore": 2.7}`)
	near(t, "share placed with a friend", together.Friends, 0.5, ofMean)
	near(t, "mean above the best", f.Delta.Mean, f.Delta.P95/2, ofMean)
	f, apart := ask(`{"template": "UseDefault", "minScore": 2.7, "signals": [{"signal": "Friends", "weight": 0}]}`)
	if apart.Friends != 0 || f.Delta.Mean != 0 {
		t.Errorf("without the signal: got a share of %.3f placed with a friend and a delta RTT of %.2f ms, want 0 and 0", apart.Friends, f.Delta.Mean)
	}
}
