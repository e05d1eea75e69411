package datasets_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mmsim/datasets"
)

// Over many runs, the number of players has the mean of the file and the variance that drawing its
// parties anew has: a party of n players adds n to the mean and n² to the variance. The days of one
// run take the same parties.
func TestResampleIsThePoissonBootstrap(t *testing.T) {
	var file strings.Builder
	file.WriteString("time,latitude,longitude,party_id\n")
	players, squares := 0.0, 0.0
	for party := range 60 {
		size := 1 + party%3
		for member := range size {
			fmt.Fprintf(&file, "23:%02d:%02d,50,%d,p%d\n", 20+party/2, member, party, party)
		}
		players += float64(size)
		squares += float64(size * size)
	}
	day := read(t, file.String())
	runs := statisticRuns(4000)
	for _, test := range []struct {
		o              datasets.ReplayOptions
		mean, variance float64
	}{
		{datasets.ReplayOptions{Days: 1, Scale: 1}, players, squares},
		{datasets.ReplayOptions{Days: 1, Scale: 3}, 3 * players, 9 * squares},
		{datasets.ReplayOptions{Days: 1, Scale: 0.5}, players / 2, squares / 2}, // a thinned Poisson variable is one
		{datasets.ReplayOptions{Days: 4, Scale: 1}, players / 4, squares / 4},
		// Takes have 1 or 2 copies each, so E[copies²] = 2.5.
		{datasets.ReplayOptions{Days: 1, Scale: 1.5}, 1.5 * players, 2.5 * squares},
	} {
		test.o.Resample, test.o.From = true, 23*3_600_000 // all takes are later, and empty hours cost nothing
		sum, sumOfSquares := 0.0, 0.0
		for run := range uint64(runs) {
			test.o.Draws = testDraws(run)
			n := float64(countPlayers(t, day, 0, test.o))
			sum += n
			sumOfSquares += n * n
		}
		mean := sum / float64(runs)
		variance := (sumOfSquares - sum*mean) / float64(runs-1)
		if tolerance := 4 * math.Sqrt(test.variance/float64(runs)); math.Abs(mean-test.mean) > tolerance {
			t.Errorf("days %d, scale %v: got %.2f players on average, want %.2f ± %.2f", test.o.Days, test.o.Scale, mean, test.mean, tolerance)
		}
		// The variance of the estimate is about 2 σ⁴ / runs.
		if tolerance := 5 * test.variance * math.Sqrt(2/float64(runs)); math.Abs(variance-test.variance) > tolerance {
			t.Errorf("days %d, scale %v: got a variance of %.1f, want %.1f ± %.1f", test.o.Days, test.o.Scale, variance, test.variance, tolerance)
		}
	}
	o := datasets.ReplayOptions{Days: 1, Scale: 1, Resample: true, Draws: testDraws(3)}
	if first, second := countPlayers(t, day, 0, o), countPlayers(t, day, 1, o); first != second {
		t.Errorf("got %d players on one day and %d on the next, want the same takes", first, second)
	}
}

// countPlayers counts the players of a day. It fails if a party is not whole.
func countPlayers(t *testing.T, d *datasets.Day, day int, o datasets.ReplayOptions) int {
	players := 0
	r := d.Replay(day, o)
	for a, ok := r.Next(); ok; a, ok = r.Next() {
		first := a.Members[0]
		for i, m := range a.Members {
			if m.Copy != first.Copy || m.Row != first.Row+uint32(i) {
				t.Fatalf("got members %v, want rows of one party in one copy", a.Members)
			}
		}
		players += len(a.Members)
	}
	return players
}

// The first take of a row joins where and when the row says. Others move by up to 15 minutes, and
// further copies of a take stay within 30 s of it. No two joins are the same player.
func TestResampledTakesMove(t *testing.T) {
	day := read(t, strings.Repeat("12:00:00.5,50.1,8.1\n", 400)+"12:00:00.5,50.9,8.9\n")
	o := datasets.ReplayOptions{Days: 1, Scale: 1, Resample: true, Draws: testDraws(1)}
	const noon = 12*3_600_000 + 500
	earliest, latest := uint32(math.MaxUint32), uint32(0)
	seen := map[datasets.Member]bool{}
	r := day.Replay(0, o)
	for a, ok := r.Next(); ok; a, ok = r.Next() {
		m := a.Members[0]
		if player := (datasets.Member{Row: m.Row, Copy: m.Copy}); seen[player] {
			t.Errorf("got player %v twice", player)
		} else {
			seen[player] = true
		}
		if m.Copy == 0 && a.MS != noon {
			t.Errorf("row %d: got its first take at %d ms, want %d", m.Row, a.MS, noon)
		}
		earliest, latest = min(earliest, a.MS), max(latest, a.MS)
	}
	// Of 147 further takes expected, one is in the outer tenth with a chance of 1 - 0.95^147 on each side.
	if reach := uint32(900_000); earliest < noon-reach || earliest > noon-reach*9/10 || latest > noon+reach || latest < noon+reach*9/10 {
		t.Errorf("got takes from %d to %d ms, want them to fill %d ms around %d", earliest, latest, reach, noon)
	}
	o.Scale = 2
	times := map[uint32][]uint32{} // by row
	r = day.Replay(0, o)
	for a, ok := r.Next(); ok; a, ok = r.Next() {
		times[a.Members[0].Row] = append(times[a.Members[0].Row], a.MS)
	}
	for row, all := range times {
		for _, ms := range all { // the other copy of the same take
			if !slices.ContainsFunc(all, func(other uint32) bool { return other != ms && max(other, ms)-min(other, ms) <= 30_000 }) {
				t.Errorf("row %d: got a join at %d ms without a copy within 30 s: %d", row, ms, all)
			}
		}
	}
}

// Resampling keeps the common random numbers: a higher scale adds joins and does not change the
// others.
func TestResampleKeepsCommonRandomNumbers(t *testing.T) {
	day := read(t, randomDay(rand.New(rand.NewPCG(3, 4)), 500))
	at := func(scale float64, run uint64) []string {
		return arrivals(day, 0, datasets.ReplayOptions{Days: 2, Scale: scale, Spread: true, Resample: true, Draws: testDraws(run)})
	}
	for _, scale := range []float64{0.3, 1, 1.5, 2} {
		few, many := at(scale, 1), at(scale+0.5, 1)
		for _, a := range few {
			if !slices.Contains(many, a) {
				t.Fatalf("arrival %s at scale %v is missing at scale %v", a, scale, scale+0.5)
			}
		}
	}
	if slices.Equal(at(1, 1), at(1, 2)) {
		t.Error("two runs have equal arrivals, want different ones")
	}
}

// With ByPlayer, all rows of a player are taken equally often, and the searches of a take keep their
// distances. The number of takes has a Poisson distribution with mean 1, so that the joins of n
// players with k rows each have the mean nk and the variance nk². Rows without a player are taken by
// themselves.
func TestResampledPlayersKeepTheirRows(t *testing.T) {
	const players, each, single = 40, 3, 20
	var file strings.Builder
	file.WriteString("time,latitude,longitude,player_id\n")
	for i := range each {
		for p := range players {
			fmt.Fprintf(&file, "%d:%02d:00.5,50.1,8.1,%d\n", 10+i, p, p)
		}
	}
	file.WriteString(strings.Repeat("13:00:00.5,50.1,8.1,\n", single))
	day := read(t, file.String())
	replays := statisticRuns(2000)
	sum, squares := 0.0, 0.0
	for seed := range uint64(replays) {
		o := datasets.ReplayOptions{Days: 1, Scale: 1, Resample: true, ByPlayer: true, Draws: testDraws(seed)}
		shifts := map[[2]uint32][]int64{} // by player and take
		joins := 0.0
		r := day.Replay(0, o)
		for a, ok := r.Next(); ok; a, ok = r.Next() {
			joins++
			m := a.Members[0]
			if m.Row >= players*each {
				continue
			}
			player, search := m.Row%players, m.Row/players
			shifts[[2]uint32{player, m.Copy}] = append(shifts[[2]uint32{player, m.Copy}], int64(a.MS)-int64((10+search)*3_600_000+player*60_000+500))
		}
		for take, list := range shifts {
			if len(list) != each || slices.Min(list) != slices.Max(list) {
				t.Fatalf("seed %d: got player and take %v moved by %v ms, want %d searches moved alike", seed, take, list, each)
			}
		}
		sum += joins
		squares += joins * joins
	}
	n := float64(replays)
	mean, variance := sum/n, (squares-sum*sum/n)/(n-1)
	wantMean, wantVariance := float64(players*each+single), float64(players*each*each+single)
	if math.Abs(mean-wantMean) > 4*math.Sqrt(wantVariance/n) || math.Abs(variance-wantVariance) > 4*wantVariance*math.Sqrt(2/n) {
		t.Errorf("got joins with mean %.2f and variance %.1f, want %v and %v", mean, variance, wantMean, wantVariance)
	}
}

// statisticRuns returns the number of runs of a statistical test, whose tolerances follow it: a tenth of n
// with -short, because CI then tests with -race.
func statisticRuns(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}
