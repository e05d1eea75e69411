package theory_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
)

// poolWait returns the mean wait in a pool that is matched at every tick, with the remainder
// waiting for later ticks. It does not depend on the order in which players are matched.
// Matches have k players, and rate is the number of joins per second.
func poolWait(k int, rate, tick float64) float64 { return float64(k-1)/(2*rate) + tick/2 }

// waitBeyond returns the share of waits above x if a match starts as soon as k players wait.
// Of the k players in a match, one waits for each number m = 0..k-1 of later joins.
func waitBeyond(x float64, k int, rate float64) float64 {
	share := 0.0
	for m := 1; m < k; m++ {
		term := math.Exp(-rate * x)
		for j := range m {
			share += term / float64(k)
			term *= rate * x / float64(j+1)
		}
	}
	return share
}

// waitQuantile returns the wait that the share beyond of all waits exceeds.
func waitQuantile(beyond float64, k int, rate float64) float64 {
	low, high := 0.0, 100*float64(k)/rate
	for range 60 {
		if x := (low + high) / 2; waitBeyond(x, k, rate) > beyond {
			low = x
		} else {
			high = x
		}
	}
	return low
}

// T1: a match starts as soon as enough players wait. Times are in whole milliseconds, so a
// tick of 1 ms has no effect. With a tick of 10 ms, only a player who joins exactly at a tick
// can have no wait. The mean is then half a tick longer, minus the fraction of a millisecond
// that the file cuts off.
func TestTheoryMatchAtOnce(t *testing.T) {
	t.Parallel()
	const k, rate = 4, 2.0
	for _, tick := range []float64{0.001, 0.010} {
		t.Run(fmt.Sprintf("tick %v s", tick), func(t *testing.T) {
			f := theoryRun{day: poisson(rate, atOnePlace), settings: []string{fmt.Sprintf("clock.tick=%gms", tick*1000)}}.simulate(t)
			near(t, "mean", f.Wait.Mean, poolWait(k, rate, tick-0.001), ofMean)
			near(t, "sd", f.Wait.SD, math.Sqrt((k-1)*(k+7)/(12*rate*rate)), ofMean)
			near(t, "p95", f.Wait.P95, waitQuantile(0.05, k, rate), ofTail)
			near(t, "p99", f.Wait.P99, waitQuantile(0.01, k, rate), ofTail)
			if tick == 0.001 {
				near(t, "share without a wait", f.Wait.ShareZero, 1.0/k, ofMean)
			}
		})
	}
}

// T1 with the article's format and a scale of 0.5. The joins of a second are spread over it,
// so that waits are the same for a file in whole seconds as for one in milliseconds.
func TestTheoryArticleFormat(t *testing.T) {
	t.Parallel()
	const k, rate = 4, 2.0
	f := theoryRun{article: true, day: poisson(2*rate, atOnePlace),
		settings: []string{"clock.tick=1ms", "dataset.scale=0.5"}}.simulate(t)
	near(t, "mean", f.Wait.Mean, poolWait(k, rate, 0), ofMean)
	near(t, "p99", f.Wait.P99, waitQuantile(0.01, k, rate), ofTail)
	near(t, "share without a wait", f.Wait.ShareZero, 1.0/k, ofMean)
}

// The formulas above give known numbers. For ranges, these are the constants d2 of quality
// control.
func TestTheoryFormulas(t *testing.T) {
	near(t, "p95", waitQuantile(0.05, 4, 2), 2.395, 0.0005)
	near(t, "p99", waitQuantile(0.01, 4, 2), 3.465, 0.0005)
	near(t, "no wait", 1-waitBeyond(0, 4, 2), 0.25, 1e-9)
	for k, d2 := range map[int]float64{2: 1.1284, 4: 2.0588, 5: 2.3259, 6: 2.5344, 8: 2.8472, 10: 3.0775, 12: 3.2585} {
		near(t, fmt.Sprintf("range of %d normal draws", k), normalRange(k), d2, 0.00005)
	}
}

// T2: a tick matches waiting players, and the remainder continues to wait.
func TestTheoryTick(t *testing.T) {
	for _, test := range []struct {
		k          int
		rate, tick float64
		days       int
		want       float64
	}{
		{4, 2, 1, 1, 1.25},
		{4, 0.25, 1, 10, 6.5},
		{10, 1, 5, 4, 7.0},
	} {
		t.Run(fmt.Sprintf("k=%d rate=%v tick=%v", test.k, test.rate, test.tick), func(t *testing.T) {
			t.Parallel()
			f := theoryRun{days: test.days, day: poisson(test.rate*float64(test.days), atOnePlace), settings: []string{
				fmt.Sprintf("match.size=%d", test.k), fmt.Sprintf("clock.tick=%gs", test.tick),
			}}.simulate(t)
			near(t, "formula", poolWait(test.k, test.rate, test.tick), test.want, 1e-9)
			near(t, "mean", f.Wait.Mean, test.want, ofMean)
		})
	}
}

// T2o: the order of matching shifts waits from one player to another without changing their
// sum. With shuffle, a player may be passed over repeatedly.
func TestTheoryOrder(t *testing.T) {
	heavy(t)
	const days = 6
	means := map[string]float64{}
	for order, want := range map[string]struct{ sd, p99 float64 }{
		"oldest": {3.85, 17.2}, "shuffle": {6.08, 28.4},
	} {
		f := theoryRun{days: days, day: poisson(days, atOnePlace), settings: []string{
			"match.size=10", "clock.tick=5s", "match.order=" + order,
		}}.simulate(t)
		near(t, order+": sd", f.Wait.SD, want.sd, ofMean)
		near(t, order+": p99", f.Wait.P99, want.p99, ofTail)
		means[order] = f.Wait.Mean
	}
	// The joins are the same, so the means may differ only because of players who wait at the
	// beginning or the end of the window.
	near(t, "mean wait shuffled, of oldest first", means["shuffle"], means["oldest"], 0.0005)
}

// T4, T5, T5q: sessions, the number of players in each state, and the number left after a
// tick. Matches start and end on a tick, and so do returns. Only new joins wait for half a
// tick on average.
func TestTheorySessions(t *testing.T) {
	heavy(t)
	const k, joins, length, pause, tick = 4, 5.0, 300.0, 30.0, 1.0
	for _, p := range []float64{0.75, 0.80} {
		t.Run(fmt.Sprint("play again ", p), func(t *testing.T) {
			f := theoryRun{day: poisson(joins, atOnePlace), settings: []string{
				fmt.Sprintf("players.play_again=%v", p), "clock.duration=8h", "clock.warmup=6h",
			}}.simulate(t)
			sessions := 1 / (1 - p)
			near(t, "matches per session", float64(f.Players.Matched)/float64(f.Players.Joins), sessions, ofMean)
			near(t, "players in matches", f.CCU.Playing, joins*length*sessions, ofMean)
			near(t, "players in the pause", f.CCU.Between, joins*pause*sessions, ofMean)
			near(t, "matches per second", float64(f.Matches.Count)/f.Run.Duration, joins*sessions/k, ofMean)
			near(t, "searching", f.CCU.Searching, (k-1)/2.0+joins*tick/2, ofMean)
			near(t, "in matches, of the minutes", mean(f.minutes["playing"]), f.CCU.Playing, ofMean)
		})
	}
}

// T5q: right after a tick, each number of players below k is equally likely to be left. Joins
// during the tick add to it.
func TestTheorySearching(t *testing.T) {
	heavy(t)
	const k, rate, tick, days = 4, 1.0, 1.0, 10
	f := theoryRun{days: days, day: poisson(rate*days, atOnePlace)}.simulate(t)
	near(t, "right after a tick", mean(f.minutes["ideal"]), (k-1)/2.0, ofMean)
	near(t, "through time", f.CCU.Searching, (k-1)/2.0+rate*tick/2, ofMean)
	near(t, "Little's law", f.CCU.Searching, rate*f.Wait.Mean, ofMean)
}

// T6: if joins vary sinusoidally over the day, the number of players online varies less, and
// with a lag. The joins are evenly spaced along the integrated rate instead of random, because
// the law is about means, and the lag would need a hundred times as many random joins.
func TestTheorySinusoidalJoins(t *testing.T) {
	t.Parallel()
	const rate, r, stay = 2.0, 0.6, 7200.0
	const omega = 2 * math.Pi / secondsPerDay
	day := func(yield func(float64, string) bool) {
		at := 0.0
		for i := 0.5; i < rate*secondsPerDay; i++ {
			for range 8 { // Newton's method for rate*(t + r/omega*(1 - cos(omega*t))) = i
				at -= (at + r/omega*(1-math.Cos(omega*at)) - i/rate) / (1 + r*math.Sin(omega*at))
			}
			if !yield(at, home) {
				return
			}
		}
	}
	f := theoryRun{day: day, settings: []string{
		"match.length=7000s", "players.between_matches=200s", "clock.warmup=4h",
	}}.simulate(t)
	var level, sine, cosine float64
	for i, at := range f.minutes["t_s"] {
		ccu := f.minutes["playing"][i] + f.minutes["between"][i] + f.minutes["ideal"][i]
		level += ccu
		sine += 2 * ccu * math.Sin(omega*at)
		cosine += 2 * ccu * math.Cos(omega*at)
	}
	near(t, "swing", math.Hypot(sine, cosine)/level, r*math.Sin(omega*stay/2)/(omega*stay/2), ofMean)
	near(t, "lag", math.Atan2(-cosine, sine)/omega, stay/2, ofMean)
	near(t, "level", level/float64(len(f.minutes["t_s"])), rate*(stay+f.Wait.Mean), ofMean)
}

// T8: datacenters are far apart, and each has its share of the players around it.
func TestTheoryDisjoint(t *testing.T) {
	t.Parallel()
	const k, rate, tick, days = 4, 1.0, 1.0, 2
	cities := []string{"50.11,8.68", "-33.86,151.21", "40.71,-74.01", "-23.55,-46.63"}
	for _, n := range []int{2, 4} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var list strings.Builder
			for i, city := range cities[:n] {
				fmt.Fprintf(&list, "%d,dc%d,%s\n", i, i, city)
			}
			f := theoryRun{datacenters: list.String(), days: days,
				day: poisson(rate*days, func(r *rand.Rand) string { return cities[r.IntN(n)] })}.simulate(t)
			near(t, "mean", f.Wait.Mean, poolWait(k, rate/float64(n), tick), ofMean)
			if f.Delta.Mean != 0 {
				t.Errorf("got delta RTT %v ms, want 0, because every player should play in the nearest datacenter", f.Delta.Mean)
			}
			for name, dc := range f.ByDatacenter {
				near(t, "players of "+name, float64(dc.Players)*float64(n), float64(f.Players.Matched), 0.03)
			}
		})
	}
}

// T9: a player who finds nobody within x leaves. The other states last 0 s, so x is the time
// in the first state. In the second test, x and the tick are a tenth as long, and there are
// more matches.
func TestTheoryPatience(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rate, x, tick float64
		days          int
	}{{0.1, 10, 0.010, 10}, {1, 1, 0.001, 4}} {
		t.Run(fmt.Sprintf("rate=%v x=%v", test.rate, test.x), func(t *testing.T) {
			f := theoryRun{days: test.days, day: poisson(test.rate*float64(test.days), atOnePlace), settings: []string{
				"match.size=2", fmt.Sprintf("clock.tick=%gms", test.tick*1000),
				fmt.Sprintf("states.ideal.for=%gs", test.x), "states.expand.for=0s", "states.warmbody.for=0s",
			}}.simulate(t)
			e := math.Exp(-test.rate * test.x)
			matched, failed := float64(f.Wait.Count), float64(f.FailedWait.Count)
			all := (matched*f.Wait.Mean + failed*f.FailedWait.Mean) / (matched + failed)
			near(t, "share leaving", failed/(matched+failed), e/(2-e), ofMean)
			near(t, "mean wait of all", all, (1-e)/(test.rate*(2-e)), ofMean)
			near(t, "wait of those leaving", f.FailedWait.Mean, test.x+(test.tick-0.001)/2, 0.0001)
		})
	}
}

// T10: the state of a single player after a number of seconds. The census of a minute follows
// the pass at that time.
func TestTheoryLonePlayer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		after int
		in    string // "" if the player has left
	}{{0, "ideal"}, {9, "ideal"}, {10, "expand"}, {19, "expand"}, {20, "warmbody"}, {29, "warmbody"}, {30, ""}} {
		day := func(yield func(float64, string) bool) { yield(float64(600-test.after), home) }
		f := theoryRun{day: day, settings: []string{"states.ideal.for=10s"}}.simulate(t)
		for _, state := range []string{"ideal", "expand", "warmbody", "playing", "between", "bots"} {
			want := 0.0
			if state == test.in {
				want = 1
			}
			if got := f.minutes[state][10]; got != want {
				t.Errorf("after %d s: got %v players in %s, want %v", test.after, got, state, want)
			}
		}
		if p := f.Players; p.Joins != 1 || p.Failed != 1 || f.FailedWait.Mean != 30 || f.FailedWait.Max != 30 {
			t.Errorf("after %d s: got players %+v and waits %+v, want one player who failed after 30 s", test.after, p, f.FailedWait)
		}
	}
}

// T10 with ticks that miss the time-outs. Each time-out is noticed at the next tick, and the
// next time-out is counted from when this one was due. 10, 20 and 30 s become 12, 21 and 30 s.
func TestTheoryLonePlayerWithoutDrift(t *testing.T) {
	t.Parallel()
	day := func(yield func(float64, string) bool) { yield(600, home) }
	f := theoryRun{day: day, settings: []string{"states.ideal.for=10s", "clock.tick=3s"}}.simulate(t)
	if f.Players.Failed != 1 || f.FailedWait.Mean != 30 {
		t.Errorf("got players %+v and waits %+v, want one player who failed after 30 s", f.Players, f.FailedWait)
	}
}

// T11: the RTT of light in fibre between London and New York.
func TestTheoryFibre(t *testing.T) {
	t.Parallel()
	const want = 5570.2 / 299792.458 * 1000 * 3
	near(t, "formula", want, 55.74, 0.0001)
	const london, newYork = "0,london,51.5074,-0.1278", "40.7128,-74.0060"
	list := filepath.Join(t.TempDir(), "datacenters.csv")
	commandtest.Put(t, filepath.Dir(list), map[string]string{"datacenters.csv": london})
	var out, errs bytes.Buffer
	code := command.Run([]string{"latency", "lookup", "--set", "latency.fallback=fibre", "--datacenters", list,
		"london", "40.7128", "-74.0060"}, nil, &out, &errs)
	ms, source, _ := strings.Cut(strings.TrimSpace(out.String()), " ")
	got, err := strconv.ParseFloat(ms, 64)
	if code != command.ExitGood || source != "fibre" || err != nil {
		t.Fatalf("exit code %d: %q, %q", code, out.String(), errs.String())
	}
	near(t, "lookup", got, want, 0.0001)

	day := func(yield func(float64, string) bool) {
		for i := range 4 {
			if !yield(float64(i), newYork) {
				return
			}
		}
	}
	f := theoryRun{datacenters: london, day: day}.simulate(t)
	// RTTs are stored in 1/16 ms, and positions are rounded down to 0.01°.
	if f.RTT.Count != 4 || math.Abs(f.RTT.Mean-want) > 1.0/32+0.02 {
		t.Errorf("got RTT %+v, want %.2f ms from the formula", f.RTT, want)
	}
}

// normalRange returns the mean difference between the largest and the smallest of k standard
// normal draws, which is d2 in quality control: the integral of 1 - Φ^k - (1-Φ)^k.
func normalRange(k int) float64 {
	const step = 1e-3
	area := 0.0
	for x := -8.0; x < 8; x += step {
		below := math.Erfc(-x/math.Sqrt2) / 2
		area += step * (1 - math.Pow(below, float64(k)) - math.Pow(1-below, float64(k)))
	}
	return area
}

// T12: if any players may play together, the numbers in a match are spread like random draws.
// This applies to numbers in the data and to generated numbers.
func TestTheorySpread(t *testing.T) {
	t.Parallel()
	const sd = 300.0
	sizes := []int{2, 5, 12}
	if testing.Short() {
		sizes = []int{5}
	}
	for _, k := range sizes {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			day := poisson(1.2, func(r *rand.Rand) string {
				return home + "," + strconv.FormatFloat(1500+sd*r.NormFloat64(), 'f', 2, 64)
			})
			f := theoryRun{columns: ",mmr", day: day, settings: []string{
				fmt.Sprintf("match.size=%d", k),
				fmt.Sprintf("players.attributes={drawn: {normal: {mean: 1500, sd: %v}}}", sd),
			}}.simulate(t)
			near(t, "spread", f.Attributes["mmr"].Spread, normalRange(k)*sd, ofMean)
			near(t, "spread of what is drawn", f.Attributes["drawn"].Spread, normalRange(k)*sd, ofMean)
		})
	}
}

// T14: parties of m players fill matches of k players like single players fill matches of k/m.
// Parties are either generated or named in the data.
func TestTheoryParties(t *testing.T) {
	t.Parallel()
	const k, m, parties, tick, days = 4, 2, 0.5, 1.0, 2
	want := poolWait(k/m, parties, tick)
	f := theoryRun{days: days, day: poisson(m*parties*days, atOnePlace), settings: []string{"players.parties={2: 1}"}}.simulate(t)
	near(t, "drawn: mean", f.Wait.Mean, want, ofMean)
	near(t, "drawn: players", float64(f.Players.Joins), m*parties*secondsPerDay*days, ofMean)

	number := 0
	day := func(yield func(float64, string) bool) {
		for at := range poisson(parties, atOnePlace) {
			number++
			cells := fmt.Sprintf("%s,duo%d", home, number)
			for range m {
				if !yield(at, cells) {
					return
				}
			}
		}
	}
	f = theoryRun{columns: ",party_id", day: day}.simulate(t)
	near(t, "named: mean", f.Wait.Mean, want, ofMean)
	if duos := f.ByPartySize["2"]; duos.Entries != f.Players.Entries || f.Players.Joins != 2*number {
		t.Errorf("%d parties of two in the data: got entries of size 2 %+v and players %+v, want all", number, duos, f.Players)
	}
}

// T16: two datacenters that all players reach act as one pool.
func TestTheoryShared(t *testing.T) {
	t.Parallel()
	const k, rate, tick, days = 4, 1.0, 1.0, 2
	everywhere := func(*rand.Rand) uint { return 0b11 }
	f := theoryRun{datacenters: measuredDatacenters(2), columns: measuredColumns(2), days: days,
		day: poisson(rate*days, measured(2, everywhere))}.simulate(t)
	near(t, "mean", f.Wait.Mean, poolWait(k, rate, tick), ofMean)
	for name, dc := range f.ByDatacenter {
		if dc.Players == 0 {
			t.Errorf("datacenter %s: got no matches, want some, because the first turn is drawn", name)
		}
	}
}

// Pools overlap if some players reach several of them. The expected waits are from a Monte Carlo
// computation.
func TestTheoryOverlap(t *testing.T) {
	heavy(t)
	const days = 4
	for _, test := range []struct {
		pools  int
		inAll  float64 // share of players who reach all pools
		wanted float64
	}{{2, 0.5, 2.63}, {4, 0.25, 5.24}} {
		t.Run(fmt.Sprint(test.pools, " pools"), func(t *testing.T) {
			reach := func(r *rand.Rand) uint {
				if r.Float64() < test.inAll {
					return 1<<test.pools - 1
				}
				return 1 << r.IntN(test.pools)
			}
			f := theoryRun{datacenters: measuredDatacenters(test.pools), columns: measuredColumns(test.pools), days: days,
				day: poisson(days, measured(test.pools, reach))}.simulate(t)
			near(t, "mean", f.Wait.Mean, test.wanted, ofMean)
		})
	}
}

// Solos join at 0.6/s and duos at 0.2/s, and the longest wait is matched first. The expected
// waits are from a Monte Carlo computation, whose own error is about 1 % for duos.
func TestTheorySolosAndDuos(t *testing.T) {
	heavy(t)
	const days = 4
	for _, test := range []struct {
		tick      string
		solo, duo float64
	}{{"10ms", 1.93, 0.85}, {"1s", 2.34, 1.51}} {
		t.Run(test.tick, func(t *testing.T) {
			f := theoryRun{days: days, day: poisson(days, atOnePlace), settings: []string{
				"players.parties={1: 0.75, 2: 0.25}", "match.order=oldest", "clock.tick=" + test.tick,
			}}.simulate(t)
			near(t, "solos", f.ByPartySize["1"].WaitMean, test.solo, ofMean)
			near(t, "duos", f.ByPartySize["2"].WaitMean, test.duo, ofMean+0.01)
			near(t, "rate of solos", float64(f.ByPartySize["1"].Entries)/(days*secondsPerDay), 0.6, ofMean)
			near(t, "rate of duos", float64(f.ByPartySize["2"].Entries)/(days*secondsPerDay)/2, 0.2, ofMean)
		})
	}
}

// Every match has the right number of different players. No player is in two matches at a
// time. Parties stay together. Waits and RTTs are not negative.
func TestTheoryMatchesAgreeWithRecords(t *testing.T) {
	t.Parallel()
	const k, length, pause = 4, 300.0, 30.0
	f := theoryRun{datacenters: europe(3), day: poisson(0.5, anywhereInEurope), settings: []string{
		"players.play_again=0.75", "players.parties={1: 0.5, 2: 0.3, 3: 0.1, 4: 0.1}", "output.records=csv",
		"clock.duration=3h", "states={ideal: {rtt: 5ms, for: 10s}, expand: {rtt: 10ms, for: 10s}}",
	}}.simulate(t)
	players := map[string]map[string]bool{} // by match
	size := map[string]int{}                // number of a party's players in a match
	until := map[string]float64{}           // when the player's next search begins, if there is one
	matched := 0
	for _, r := range f.records(t) {
		if r["end"] != "matched" {
			continue
		}
		matched++
		match, player := r["match_id"], r["player_id"]
		if players[match] == nil {
			players[match] = map[string]bool{}
		}
		players[match][player] = true
		size[match+" "+r["party"]+" "+r["party_size"]]++
		began, at, wait := parsed(t, r["began_s"]), parsed(t, r["matched_s"]), parsed(t, r["wait_s"])
		if last, returns := until[player]; returns && (math.Abs(began-last) > 1e-9 || r["return"] != "1") {
			t.Fatalf("player %s: got a search at %v s, want it at %v s, the end of the pause: %v", player, began, last, r)
		}
		until[player] = at + length + pause
		if wait < 0 || math.Abs(at-began-wait) > 1e-9 || parsed(t, r["rtt_ms"]) < 0 || parsed(t, r["delta_rtt_ms"]) < 0 {
			t.Fatalf("got record %v, want a wait that equals the times and RTTs of 0 or more", r)
		}
	}
	if matched != f.Players.Matched || len(players) != f.Matches.Count || len(players) == 0 {
		t.Errorf("got %d records of %d matches, want %d of %d as in the summary",
			matched, len(players), f.Players.Matched, f.Matches.Count)
	}
	for match, all := range players {
		if len(all) != k {
			t.Fatalf("match %s: got players %v, want k different ones", match, all)
		}
	}
	for party, n := range size {
		if fields := strings.Fields(party); fields[2] != strconv.Itoa(n) {
			t.Fatalf("match, party and size %s: got %d players of the party in the match", party, n)
		}
	}
}

// An additional datacenter never raises a player's lowest RTT. With one datacenter, all
// players get their lowest RTT.
func TestTheoryMoreDatacenters(t *testing.T) {
	t.Parallel()
	var before map[string]float64 // lowest RTT by row
	for n := 1; n <= 4; n++ {
		f := theoryRun{datacenters: europe(n), day: poisson(0.1, anywhereInEurope),
			settings: []string{"output.records=csv", "clock.warmup=0s"}}.simulate(t)
		lowest := map[string]float64{}
		lowered := 0
		for _, r := range f.records(t) {
			if r["end"] != "matched" {
				continue
			}
			row := r["row"]
			lowest[row] = parsed(t, r["rtt_ms"]) - parsed(t, r["delta_rtt_ms"])
			old, ok := before[row]
			if ok && lowest[row] > old+0.011 { // two rounding errors
				t.Fatalf("row %s: got lowest RTT %.2f ms with %d datacenters, want at most %.2f ms as with one fewer", row, lowest[row], n, old)
			}
			if ok && lowest[row] < old-0.011 {
				lowered++
			}
		}
		if n > 1 && lowered == 0 {
			t.Errorf("datacenter %d: got no player with a lower RTT, want some, so that the test covers it", n)
		}
		before = lowest
	}
}

// europe lists n datacenters.
func europe(n int) string {
	list := []string{"0,frankfurt,50.11,8.68", "1,madrid,40.42,-3.70", "2,stockholm,59.33,18.07", "3,warsaw,52.23,21.01"}
	return strings.Join(list[:n], "\n")
}

// anywhereInEurope is a draw for poisson.
func anywhereInEurope(r *rand.Rand) string {
	return fmt.Sprintf("%.2f,%.2f", 37+24*r.Float64(), -8+33*r.Float64())
}

func parsed(t *testing.T, cell string) float64 {
	t.Helper()
	if cell == "" { // not measured
		return math.NaN()
	}
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
