package theory_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/cmd/mmsim/commandtest"
	"mmsim/latencymap"
)

// lifeBlock is the block life of summary.json.
type lifeBlock struct {
	NoShows                    int `json:"no_shows"`
	Leavers, Interrupted, Dead int
	Missing                    float64 `json:"missing_share"`
	Complete                   float64 `json:"complete_share"`
	Cut                        float64 `json:"cut_share"`
	Played                     float64 `json:"played_mean_s"`
	Emptied                    int
	SeatEmpty                  float64 `json:"seat_empty_mean_s"`
}

// life reads the block life.
func (f *runFiles) life(t *testing.T) lifeBlock {
	t.Helper()
	var s struct{ Life *lifeBlock }
	text, err := os.ReadFile(filepath.Join(f.dir, "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil || s.Life == nil {
		t.Fatalf("no block life: %v", err)
	}
	return *s.Life
}

// about compares a mean over n independent values with theory. sd is their standard deviation. The
// tolerance is 4 standard errors.
func about(t *testing.T, name string, got, want, sd float64, n int) {
	t.Helper()
	near(t, name, got, want, 4*sd/(want*math.Sqrt(float64(n))))
}

// shareAbout compares a share of n with theory.
func shareAbout(t *testing.T, name string, got, want float64, n int) {
	t.Helper()
	about(t, name, got, want, math.Sqrt(want*(1-want)), n)
}

// presence returns the mean and the standard deviation of the time until the first of several
// tickets leaves, or until the end of the match: an exponential time with this rate, cut at length.
func presence(rate, length float64) (mean, sd float64) {
	left := math.Exp(-rate * length)
	mean = (1 - left) / rate
	square := 2 / (rate * rate) * (1 - left*(1+rate*length))
	return mean, math.Sqrt(square - mean*mean)
}

// Players who do not appear or leave early. The numbers of a table row are those of the
// specification; the formulas beside them must agree.
func TestTheoryLeavers(t *testing.T) {
	heavy(t)
	for _, test := range []struct {
		k                   int
		noShow, perMinute   float64
		minutes             float64
		missingWant, wholes float64 // in percent of playing time, and of matches
	}{
		{k: 10, perMinute: 0.01, minutes: 20, missingWant: 9.409464, wholes: 0.133980},
		{k: 10, noShow: 0.02, perMinute: 0.01, minutes: 20, missingWant: 11.221275, wholes: 0.133980 * 0.817073},
		{k: 10, perMinute: 0.005, minutes: 30, missingWant: 7.155682, wholes: 0.222292},
		{k: 4, perMinute: 0.02, minutes: 5, missingWant: 4.884824, wholes: 0.667608},
	} {
		t.Run(fmt.Sprintf("k=%d no-show=%v per-minute=%v", test.k, test.noShow, test.perMinute), func(t *testing.T) {
			t.Parallel()
			f := theoryRun{day: poisson(0.25, atOnePlace), settings: []string{
				fmt.Sprintf("match={size: %d, length: %gm, leave: {no_show: %g, per_minute: %g}}", test.k, test.minutes, test.noShow, test.perMinute),
			}}.simulate(t)
			l, players := f.life(t), f.Matches.Players
			rate := -math.Log1p(-test.perMinute)
			mean, sd := presence(rate, test.minutes)
			appear := 1 - test.noShow
			near(t, "formula of missing time", 1-appear*mean/test.minutes, test.missingWant/100, 1e-6)
			near(t, "formula of complete matches", math.Pow(appear*math.Exp(-rate*test.minutes), float64(test.k)), test.wholes, 1e-5)
			square := appear*(sd*sd+mean*mean) - appear*appear*mean*mean
			about(t, "missing", l.Missing, test.missingWant/100, math.Sqrt(square)/test.minutes, players)
			shareAbout(t, "complete", l.Complete, test.wholes, f.Matches.Count)
			shareAbout(t, "leavers", float64(l.Leavers)/float64(players), appear*(1-math.Exp(-rate*test.minutes)), players)
			if test.noShow > 0 {
				shareAbout(t, "no-shows", float64(l.NoShows)/float64(players), test.noShow, players)
			}
			if l.Cut != 0 || l.Interrupted != 0 {
				t.Errorf("got %v of matches cut short and %d players interrupted, want none", l.Cut, l.Interrupted)
			}
			near(t, "length", l.Played, 60*test.minutes, 0.001) // a match that everybody leaves is shorter, and very rare
		})
	}
}

// A party is absent as a whole. The records say who is missing from which match.
func TestTheoryNoShows(t *testing.T) {
	heavy(t)
	const k, noShow = 10, 0.02
	for size, complete := range map[int]float64{1: 0.817073, 2: 0.903921} {
		f := theoryRun{day: poisson(0.25, atOnePlace), settings: []string{
			fmt.Sprintf("match={size: %d, leave: {no_show: %g}}", k, noShow), fmt.Sprintf("players.parties={%d: 1}", size), "output.records=csv",
		}}.simulate(t)
		l, matches := f.life(t), f.Matches.Count
		near(t, "formula", math.Pow(1-noShow, float64(k/size)), complete, 1e-5)
		shareAbout(t, "complete", l.Complete, complete, matches)
		shareAbout(t, "absent players a seat", float64(l.NoShows)/float64(k*matches), noShow, k*matches/size)

		absent, parties := map[string]int{}, map[string]string{}
		for _, r := range f.records(t) {
			if r["match_id"] == "" {
				continue
			}
			if r["left_s"] == "0.000" {
				absent[r["match_id"]]++
			} else if r["left_s"] != "" {
				t.Fatalf("got left_s %s, want 0.000 or nothing", r["left_s"])
			}
			if was, ok := parties[r["party"]]; ok && was != r["left_s"] {
				t.Fatalf("party %s is half absent", r["party"])
			}
			parties[r["party"]] = r["left_s"]
		}
		several, all := 0, 0
		for _, n := range absent {
			all += n
			if n > 1 {
				several++
			}
		}
		if all != l.NoShows {
			t.Errorf("got %d absent players in the records, want the %d of the summary", all, l.NoShows)
		}
		if size == 1 {
			shareAbout(t, "matches with two or more absent", float64(several)/float64(matches), 0.016178, matches)
		}
	}
}

// A match ends for everybody when the first seat is empty.
func TestTheoryMatchEndsWithALeaver(t *testing.T) {
	heavy(t)
	for _, test := range []struct {
		k                  int
		perMinute, minutes float64
		played             float64 // minutes
		within             string
		cut                float64
	}{
		{k: 10, perMinute: 0.01, minutes: 20, played: 8.616830, cut: 1 - 0.133980},
		{k: 10, perMinute: 0.005, minutes: 30, played: 15.515238, cut: 1 - 0.222292},
		{k: 4, perMinute: 0.02, minutes: 5, played: 4.113211, cut: 1 - 0.667608},
		{k: 10, perMinute: 0.01, minutes: 20, within: ", end_within: 3m", cut: 0.260300},
	} {
		t.Run(fmt.Sprintf("k=%d per-minute=%v%s", test.k, test.perMinute, test.within), func(t *testing.T) {
			t.Parallel()
			f := theoryRun{day: poisson(0.25, atOnePlace), settings: []string{
				fmt.Sprintf("match={size: %d, length: %gm, leave: {per_minute: %g, then: end%s}}", test.k, test.minutes, test.perMinute, test.within),
				"players.interrupted.again=0",
			}}.simulate(t)
			l := f.life(t)
			shareAbout(t, "cut short", l.Cut, test.cut, f.Matches.Count)
			if test.within != "" {
				return
			}
			mean, sd := presence(-float64(test.k)*math.Log1p(-test.perMinute), test.minutes)
			near(t, "formula", mean, test.played, 1e-6)
			about(t, "length", l.Played, 60*test.played, 60*sd, f.Matches.Count)
			// One ticket leaves each match that is cut short, and the others are interrupted.
			if l.Leavers*(test.k-1) != l.Interrupted {
				t.Errorf("got %d leavers and %d interrupted players, want %d times as many", l.Leavers, l.Interrupted, test.k-1)
			}
		})
	}
}

// An own matchmaker fills seats first, from a pool that is never empty: a seat is empty until the next pass,
// for half a tick on average, and the hazard of a match stays that of all its seats.
func TestTheoryRefilledSeats(t *testing.T) {
	heavy(t)
	const k, minutes, perMinute, tick = 10, 20.0, 0.01, 1.0
	f := theoryRun{day: poisson(25, atOnePlace), settings: []string{
		"matcher.external=exec:matcher-backfill", "external.backfill=true", "clock.duration=100m", "clock.warmup=30m", "players.give_up_after=1h",
		fmt.Sprintf("match={size: %d, length: %gm, leave: {per_minute: %g, then: backfill}}", k, minutes, perMinute),
	}}.simulate(t)
	l, matches := f.life(t), f.Matches.Count
	rate := -float64(k) * math.Log1p(-perMinute)
	near(t, "formula of leavers", rate*minutes, 2.010067, 1e-6)
	about(t, "leavers a match", float64(l.Leavers)/float64(matches), rate*minutes, math.Sqrt(rate*minutes), matches)
	near(t, "empty seats", l.SeatEmpty, tick/2, 0.02)
	missing := rate * minutes * tick / 2 / (k * minutes * 60)
	near(t, "formula of missing time", missing, 0.0000838, 0.001)
	near(t, "missing", l.Missing, missing, 0.05)
	if l.NoShows+l.Interrupted != 0 || l.Emptied == 0 {
		t.Errorf("got %+v, want leavers only", l)
	}
}

// Pairs of Frankfurt and of New York join in turn, and each pair plays at once, in the only datacenter. A
// latency map gives them 20 and 75 ms. For an hour an event adds 80 ms in Germany: the mean of 47.5 ms
// becomes 87.5 ms.
func TestTheoryLatencyWithMaps(t *testing.T) {
	t.Parallel()
	const frankfurt, newYork = home, "40.71,-74.01"
	grid := make([]byte, 4*latencymap.Cells)
	binary.LittleEndian.PutUint32(grid[4*latencymap.CellOf(50.11, 8.68):], math.Float32bits(20))
	binary.LittleEndian.PutUint32(grid[4*latencymap.CellOf(40.71, -74.01):], math.Float32bits(75))
	maps := t.TempDir()
	commandtest.Put(t, maps, map[string]string{"latency_here.bin": string(grid)})
	f := theoryRun{day: func(yield func(float64, string) bool) {
		for i := range 3 * 360 {
			for range 2 {
				if !yield(float64(10*i), []string{frankfurt, newYork}[i%2]) {
					return
				}
			}
		}
	}, settings: []string{
		"latency.maps=" + maps, "states.ideal.rtt=200ms", "states.expand.rtt=300ms", "match.size=2", "clock.duration=3h", "clock.warmup=0s", "output.records=csv",
		`events=[{at: "01:00", for: 1h, latency: 80ms, from: {countries: [DE]}, to: [here]}]`,
	}}.simulate(t)
	players := map[string]int{}
	for _, s := range f.searches(t) {
		slowed := s.cells["country"] == "DE" && s.began >= 3600_000 && s.began < 7200_000
		players[fmt.Sprintf("%s %s ms, slowed %v", s.cells["country"], s.cells["rtt_ms"], slowed)]++
	}
	want := map[string]int{"DE 20.00 ms, slowed false": 2 * 360, "DE 100.00 ms, slowed true": 360, "US 75.00 ms, slowed false": 3 * 360}
	if diff := cmp.Diff(want, players); diff != "" {
		t.Errorf("players by RTT: (-want +got)\n%s", diff)
	}
	if e := summaryIn(t, f.dir).Events[0]; e.RTTBefore != 47.5 || e.RTTDuring != 87.5 {
		t.Errorf("got %v ms before and %v ms during the event, want 47.5 and 87.5", e.RTTBefore, e.RTTDuring)
	}
}

// A dead client is missing from its match like a player who does not appear.
func TestTheoryDeadTickets(t *testing.T) {
	t.Parallel()
	const k, share = 4, 0.05
	var seats [2]lifeBlock
	for i, setting := range []string{"players.dead_tickets=0.05", "match.leave.no_show=0.05"} {
		f := theoryRun{day: poisson(0.25, atOnePlace), settings: []string{setting, "players.play_again=0.5"}}.simulate(t)
		seats[i] = f.life(t)
		n := f.Matches.Count
		shareAbout(t, "complete", seats[i].Complete, math.Pow(1-share, k), n)
		shareAbout(t, "absent", float64(seats[i].NoShows)/float64(k*n), share, k*n)
		// A player who did not appear may play again. A dead client never returns.
		again := 0.5
		if i == 0 {
			again *= 1 - share
		}
		shareAbout(t, "returns a match", float64(f.Players.Returns)/float64(f.Players.Entries), again, f.Players.Entries)
	}
	if seats[0].Dead != seats[0].NoShows || seats[1].Dead != 0 {
		t.Errorf("got %d dead of %d absent players, and %d without dead clients", seats[0].Dead, seats[0].NoShows, seats[1].Dead)
	}
}
