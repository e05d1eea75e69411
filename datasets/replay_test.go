package datasets_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"mmsim/datasets"
	"mmsim/datasets/builtin"
	"mmsim/datasets/internal/draws"
	"mmsim/datasets/joinfile"
)

func testDraws(seed uint64) datasets.Draws {
	stream := func(purpose uint64) datasets.Draw { return draws.Stream(draws.Mix(seed) + purpose) }
	return datasets.Draws{
		Thin: stream(1), Copies: stream(2), Jitter: stream(3), Spread: stream(4), Party: stream(5), Arrivals: stream(6), Resample: stream(7),
	}
}

func read(tb testing.TB, content string) *datasets.Day {
	tb.Helper()
	day, err := joinfile.Read(strings.NewReader(content), "day.csv", joinfile.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return day
}

// arrivals returns all arrivals of a replay as strings.
func arrivals(d *datasets.Day, day int, o datasets.ReplayOptions) []string {
	var all []string
	r := d.Replay(day, o)
	for a, ok := r.Next(); ok; a, ok = r.Next() {
		all = append(all, fmt.Sprint(a))
	}
	return all
}

// twin is a simple implementation of Replay: it handles everything at once and sorts at the end. It
// supports only days without parties in the data.
func twin(d *datasets.Day, day int, o datasets.ReplayOptions) []string {
	type join struct {
		ms      int
		row     uint32
		copy    int
		members []datasets.Member
	}
	share := func(draw uint64) float64 { return float64(draw>>11) / (1 << 53) }
	pick := func(draw uint64, n int) int { // floor(draw / 2^64 * n), by long division
		high, low := draw>>32, draw&(1<<32-1)
		return int((high*uint64(n) + low*uint64(n)>>32) >> 32)
	}
	mean := 0.0
	for i, s := range o.Parties {
		mean += s * float64(i+1)
	}
	var joins []join
	for j := range d.Joins() {
		entity := uint64(uint32(day))<<32 + uint64(j.Row)
		takes := 1
		if o.Resample { // invert the distribution function of the Poisson distribution
			takes = 0
			for u, chance := share(o.Draws.Resample(uint64(j.Row), 0)), math.Exp(-1); u >= chance; chance /= float64(takes) {
				u -= chance
				takes++
			}
		}
		shift := func(ms int, draw uint64, most int) int {
			ms += pick(draw, 2*most+1) - most
			if ms < 0 {
				return -ms
			} else if ms >= datasets.MillisPerDay {
				return datasets.MillisPerDay - 1 - (ms - datasets.MillisPerDay)
			}
			return ms
		}
		for n := range takes * (int(o.Scale) + 1) {
			take, i := n%takes, n/takes
			if o.Days > 1 && share(o.Draws.Thin(entity, uint64(take))) >= 1/float64(o.Days) {
				continue
			}
			if i == int(o.Scale) && share(o.Draws.Copies(entity, uint64(take))) >= o.Scale-float64(i) {
				continue
			}
			k, size := uint64(n), 1
			if len(o.Parties) > 1 {
				if share(o.Draws.Party(entity, 2*k)) >= 1/mean {
					continue
				}
				for sum, u := o.Parties[0], share(o.Draws.Party(entity, 2*k+1)); u >= sum && size < len(o.Parties); size++ {
					sum += o.Parties[size]
				}
			}
			ms, place := int(j.MS()), j.Place
			if o.Spread && j.WholeSecond() {
				ms += pick(o.Draws.Spread(entity, k), 1000)
			}
			if take > 0 {
				ms = shift(ms, o.Draws.Resample(uint64(j.Row), uint64(take)), 900_000)
			}
			if i > 0 {
				ms = shift(ms, o.Draws.Jitter(entity, 2*k), 30_000)
			}
			if p := d.Places[place]; n > 0 && p.Country == 0 {
				var near []uint32
				for i, other := range d.Places {
					if other.Country == 0 && math.Floor(other.Lat()) == math.Floor(p.Lat()) && math.Floor(other.Lon()) == math.Floor(p.Lon()) {
						near = append(near, uint32(i))
					}
				}
				place = near[pick(o.Draws.Jitter(entity, 2*k+1), len(near))]
			}
			if ms < int(o.From) {
				continue
			}
			a := join{ms: ms, row: j.Row, copy: n}
			for i := range size {
				a.members = append(a.members, datasets.Member{j.Row, uint32(n), place, uint32(i)})
			}
			joins = append(joins, a)
		}
	}
	slices.SortFunc(joins, func(a, b join) int {
		return cmp.Or(cmp.Compare(a.ms, b.ms), cmp.Compare(a.row, b.row), cmp.Compare(a.copy, b.copy))
	})
	var all []string
	for _, j := range joins {
		all = append(all, fmt.Sprint(datasets.Arrival{uint32(j.ms), j.members}))
	}
	return all
}

// randomDay returns a file of joins with crowded seconds, joins at both ends of the day, unsorted
// rows, and some rows with a country.
func randomDay(random *rand.Rand, rows int) string {
	var file strings.Builder
	file.WriteString("time,latitude,longitude,country\n")
	for range rows {
		second := [...]int{0, 5, 31, 40_000, 40_001, 40_030, 86_399, random.IntN(86_400)}[random.IntN(8)]
		fmt.Fprint(&file, second)
		if random.IntN(2) == 0 {
			fmt.Fprintf(&file, ".%03d", random.IntN(1000))
		}
		fmt.Fprintf(&file, ",%.2f,%.2f,%s\n", 10+random.Float64()*2, 20+random.Float64()*2, []string{"", "", "DE"}[random.IntN(3)])
	}
	return file.String()
}

func TestReplayAgainstTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		random := rand.New(rand.NewPCG(seed, 1))
		day, err := joinfile.Read(strings.NewReader(randomDay(random, 1+random.IntN(200))), "day.csv", joinfile.Options{TimeFormat: joinfile.TimesSeconds})
		if err != nil {
			t.Fatal(err)
		}
		o := datasets.ReplayOptions{
			Days:    rapid.SampledFrom([]int{1, 1, 3}).Draw(t, "days"),
			Scale:   rapid.SampledFrom([]float64{1, 0.1, 0.5, 2, 2.5, 20}).Draw(t, "scale"),
			Spread:  rapid.Bool().Draw(t, "spread"),
			Parties: rapid.SampledFrom([][]float64{nil, {1}, {0.5, 0, 0.5}, {0, 1}}).Draw(t, "parties"),
			From:    rapid.SampledFrom([]uint32{0, 0, 500, 31_000, 39_999_999, 40_000_500, 86_399_999}).Draw(t, "from"),
			Draws:   testDraws(seed),

			Resample: rapid.Bool().Draw(t, "resample"),
		}
		number := rapid.IntRange(-1, 3).Draw(t, "day")
		if diff := gocmp.Diff(twin(day, number, o), arrivals(day, number, o)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Without options, every row joins once, at its own time, and nothing is drawn.
func TestReplayVerbatim(t *testing.T) {
	day := read(t, "0,1,2\n1.5,3,4\n1.5,1,2\n86399.999,1,2\n")
	want := []string{"{0 [{0 0 0 0}]}", "{1500 [{1 0 1 0}]}", "{1500 [{2 0 0 0}]}", "{86399999 [{3 0 0 0}]}"}
	if diff := gocmp.Diff(want, arrivals(day, 0, datasets.ReplayOptions{Days: 1, Scale: 1})); diff != "" {
		t.Error(diff)
	}
}

// Several days are replayed in turn and then repeat. Day -1, the day of the warm-up period, has the
// joins of the first day.
func TestReplaySeveralDays(t *testing.T) {
	const first, second = "2026-03-14 08:00:00.5,52.52,13.40\n2026-03-14 23:00:00.5,52.52,13.40\n", "2026-03-16 09:00:00.25,48.85,2.35\n"
	day := read(t, first+second)
	want := map[int][]string{ // ms, then row, copy, place and index of the only member
		-1: {"{28800500 [{0 0 0 0}]}", "{82800500 [{1 0 0 0}]}"},
		0:  {"{28800500 [{0 0 0 0}]}", "{82800500 [{1 0 0 0}]}"},
		1:  nil, // nobody joins on the 15th
		2:  {"{32400250 [{2 0 1 0}]}"},
		3:  {"{28800500 [{0 0 0 0}]}", "{82800500 [{1 0 0 0}]}"},
	}
	for number, want := range want {
		got := arrivals(day, number, datasets.ReplayOptions{Days: 1, Scale: 1})
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("day %d (-want +got): %s", number, diff)
		}
	}
}

func TestReplayCounts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const rows = 20_000
	day := read(t, randomDay(random, rows))
	for _, test := range []struct {
		o         datasets.ReplayOptions
		players   float64
		tolerance float64 // four standard deviations
	}{
		{datasets.ReplayOptions{Days: 1, Scale: 1}, rows, 0},
		{datasets.ReplayOptions{Days: 1, Scale: 16}, rows * 16, 0},
		{datasets.ReplayOptions{Days: 1, Scale: 0.1}, rows * 0.1, 4 * math.Sqrt(rows*0.1*0.9)},
		{datasets.ReplayOptions{Days: 1, Scale: 2.5}, rows * 2.5, 4 * math.Sqrt(rows*0.5*0.5)},
		{datasets.ReplayOptions{Days: 7, Scale: 1}, rows / 7.0, 4 * math.Sqrt(rows/7.0*6/7)},
		{datasets.ReplayOptions{Days: 7, Scale: 14}, rows * 2, 4 * 14 * math.Sqrt(rows/7.0*6/7)},
		// The takes of a row have mean 1 and variance 1.
		{datasets.ReplayOptions{Days: 1, Scale: 1, Resample: true}, rows, 4 * math.Sqrt(rows)},
		{datasets.ReplayOptions{Days: 1, Scale: 16, Resample: true}, rows * 16, 4 * 16 * math.Sqrt(rows)},
		{datasets.ReplayOptions{Days: 1, Scale: 0.1, Resample: true}, rows * 0.1, 4 * math.Sqrt(rows*0.1)},
		{datasets.ReplayOptions{Days: 7, Scale: 1, Resample: true}, rows / 7.0, 4 * math.Sqrt(rows/7.0)},
		// Each row gives 0 players or starts a party (probability 0.4) of 1 or 4 players, with mean
		// 2.5.
		{datasets.ReplayOptions{Days: 1, Scale: 1, Parties: []float64{0.5, 0, 0, 0.5}}, rows, 4 * math.Sqrt(rows*(0.4*8.5-1))},
	} {
		test.o.Spread = true
		test.o.Draws = testDraws(5)
		players, last := 0, uint32(0)
		r := day.Replay(0, test.o)
		for a, ok := r.Next(); ok; a, ok = r.Next() {
			players += len(a.Members)
			if a.MS < last || a.MS >= datasets.MillisPerDay {
				t.Fatalf("got an arrival at %d ms after one at %d ms, want ascending times inside the day", a.MS, last)
			}
			last = a.MS
		}
		if math.Abs(float64(players)-test.players) > test.tolerance {
			t.Errorf("%d days, scale %v, parties %v, resample %v: got %d players, want %.0f ± %.0f",
				test.o.Days, test.o.Scale, test.o.Parties, test.o.Resample, players, test.players, test.tolerance)
		}
	}
}

// A higher scale adds arrivals and does not change the others. Another day and another seed give
// other arrivals.
func TestReplayCommonRandomNumbers(t *testing.T) {
	day := read(t, randomDay(rand.New(rand.NewPCG(3, 4)), 500))
	few := arrivals(day, 0, datasets.ReplayOptions{Days: 1, Scale: 2, Spread: true, Draws: testDraws(1)})
	many := arrivals(day, 0, datasets.ReplayOptions{Days: 1, Scale: 3, Spread: true, Draws: testDraws(1)})
	for _, a := range few {
		if !slices.Contains(many, a) {
			t.Fatalf("arrival %s of the lower scale is missing at the higher scale", a)
		}
	}
	if slices.Equal(few, arrivals(day, 1, datasets.ReplayOptions{Days: 1, Scale: 2, Spread: true, Draws: testDraws(1)})) {
		t.Error("two days have equal arrivals, want different ones")
	}
	if slices.Equal(few, arrivals(day, 0, datasets.ReplayOptions{Days: 1, Scale: 2, Spread: true, Draws: testDraws(2)})) {
		t.Error("two seeds give equal arrivals, want different ones")
	}
}

// A replay that begins late spends nothing on the joins before it. It does not even make the draws
// for them.
func TestReplayFromIsCheap(t *testing.T) {
	day := read(t, "00:00:00,1,1\n11:59:29,2,2\n11:59:30,3,3\n12:00:00,4,4\n")
	var drawn []uint64
	spread := func(entity, k uint64) uint64 {
		if k == 0 {
			drawn = append(drawn, entity)
		}
		return draws.Stream(1)(entity, k)
	}
	o := datasets.ReplayOptions{Days: 1, Scale: 2, Spread: true, From: 12 * 60 * 60 * 1000, Draws: testDraws(1)}
	o.Draws.Spread = spread
	if all := arrivals(day, 0, o); len(all) == 0 {
		t.Error("got no arrivals, want some")
	}
	if want := []uint64{2, 3}; !slices.Equal(drawn, want) { // within the 30 s by which copies move
		t.Errorf("got draws for the rows %d, want %d", drawn, want)
	}
}

// Parties in the data arrive with their last member, wherever the replay begins.
func TestReplayFromKeepsParties(t *testing.T) {
	day := read(t, "time,latitude,longitude,party_id\n10,1,1,a\n20,2,2,\n30,3,3,a\n")
	want := []string{"{30000 [{0 0 0 0} {2 0 2 0}]}"}
	if diff := gocmp.Diff(want, arrivals(day, 0, datasets.ReplayOptions{Days: 1, Scale: 1, From: 20_001})); diff != "" {
		t.Error(diff)
	}
}

func TestReplayDataParties(t *testing.T) {
	day := read(t, `time,latitude,longitude,party_id
10,1,1,a
11,2,2,
12.5,3,3,b
13,4,4,a
13.5,5,5,lonely
14,6,6,a
15.25,7,7,b
`)
	want := []string{
		"{11000 [{1 0 1 0}]}",
		"{13500 [{4 0 4 0}]}",
		"{14000 [{0 0 0 0} {3 0 3 0} {5 0 5 0}]}", // party a joins with its last member
		"{15250 [{2 0 2 0} {6 0 6 0}]}",
	}
	o := datasets.ReplayOptions{Days: 1, Scale: 1, Parties: []float64{0, 1}}
	if diff := gocmp.Diff(want, arrivals(day, 0, o)); diff != "" {
		t.Error(diff)
	}
	if warnings := o.Warnings(day); len(warnings) != 1 || !strings.Contains(warnings[0], "party_id") {
		t.Errorf("got warnings %q, want one about party_id", warnings)
	}
	o.Spread, o.Scale, o.Draws = true, 3, testDraws(9)
	r := day.Replay(0, o)
	count := 0
	for a, ok := r.Next(); ok; a, ok = r.Next() {
		count += len(a.Members)
		for _, m := range a.Members[1:] {
			if m.Copy != a.Members[0].Copy {
				t.Errorf("got party %v with members of different copies, want one copy", a)
			}
		}
		if m := a.Members[0]; m.Copy == 0 && m.Row == 0 && a.MS/1000 != 14 {
			t.Errorf("party a: got arrival at %d ms, want 14 s, the second of its last member", a.MS)
		}
	}
	if count != 21 {
		t.Errorf("got %d players, want 21", count)
	}
}

func TestReplayOptionsValidate(t *testing.T) {
	for _, test := range []struct {
		o    datasets.ReplayOptions
		want string
	}{
		{datasets.ReplayOptions{Days: 1, Scale: 1}, ""},
		{datasets.ReplayOptions{Days: 1, Scale: 1, Parties: []float64{0.9, 0.1}}, ""},
		{datasets.ReplayOptions{Days: 0, Scale: 1}, "days 0"},
		{datasets.ReplayOptions{Days: 1}, "scale 0"},
		{datasets.ReplayOptions{Days: 1, Scale: -1}, "scale -1"},
		{datasets.ReplayOptions{Days: 1, Scale: math.NaN()}, "scale NaN"},
		{datasets.ReplayOptions{Days: 1, Scale: math.Inf(1)}, "scale +Inf"},
		{datasets.ReplayOptions{Days: 1, Scale: 1, Parties: []float64{0.9, 0.2}}, "add up to 1.1"},
		{datasets.ReplayOptions{Days: 1, Scale: 1, Parties: []float64{-1, 2}}, "share -1 of parties of 1"},
		{datasets.ReplayOptions{Days: 1, Scale: 1, Parties: make([]float64, 201)}, "parties of 201"},
		{datasets.ReplayOptions{Days: 1, Scale: 1, From: 86_399_999}, ""},
		{datasets.ReplayOptions{Days: 1, Scale: 1, From: 86_400_000}, "from 86400000 ms"},
	} {
		err := test.o.Validate()
		if got := fmt.Sprint(err); test.want == "" && err != nil || !strings.Contains(got, test.want) {
			t.Errorf("%+v: got error %v, want one that contains %q", test.o, err, test.want)
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	day, err := builtin.Generate(builtin.Options{Preset: "world", Joins: 200_000, Date: time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC)}, testDraws(1))
	if err != nil {
		b.Fatal(err)
	}
	for _, o := range []datasets.ReplayOptions{
		{Days: 1, Scale: 1},
		{Days: 1, Scale: 16, Spread: true},
		{Days: 1, Scale: 73, Spread: true},
		{Days: 7, Scale: 0.5, Spread: true, Parties: []float64{0.5, 0.5}},
	} {
		o.Draws = testDraws(1)
		b.Run(fmt.Sprintf("days=%d/scale=%v/parties=%d", o.Days, o.Scale, len(o.Parties)), func(b *testing.B) {
			joins := 0
			var sum uint64
			for b.Loop() {
				sum = 0
				r := day.Replay(0, o)
				for a, ok := r.Next(); ok; a, ok = r.Next() {
					joins += len(a.Members)
					sum += uint64(a.MS) * uint64(a.Members[0].Row+1)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(joins), "ns/join")
			b.ReportMetric(float64(sum%1e9), "hash")
		})
	}
}
