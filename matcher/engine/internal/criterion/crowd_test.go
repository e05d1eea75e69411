package criterion_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

// Part must allow the same pairs of a crowd as comparisons of single pairs. Each list contains the
// thresholds of a rule for every 10 s of wait. NaN means that the rule is inactive. The rule is
// optional after 30 s. If thresholds decrease, Part must return false.
func TestCrowdOfNumbers(t *testing.T) {
	nan := math.NaN()
	for _, list := range [][]float64{{10, nan, 20, 5}, {20, 10, 10, 10}, {-5, 10, 20, 30}} {
		rule := criterion.New(&matcher.NumberDistance{Max: thresholds(list)}, new(matcher.Ruleset), schema).(criterion.Comparing)
		if rule.Part(new(criterion.Crowd), 0, nil) {
			t.Errorf("thresholds %v: Part: got true, want false", list)
		}
	}
	for _, list := range [][]float64{{5, 10, 20, 20}, {5, 10, nan, nan}, {10, 10, 10, 10}, {0, 5, 15, nan}} {
		crowdOfNumbers(t, list)
	}
}

// thresholds returns a schedule with the thresholds in list, one for every 10 s. NaN means
// inactive.
func thresholds(list []float64) matcher.Schedule {
	schedule := matcher.Schedule{EveryMS: 10_000}
	for _, most := range list {
		schedule.List = append(schedule.List, matcher.Override{Value: most, Inactive: math.IsNaN(most)})
	}
	return schedule
}

func crowdOfNumbers(t *testing.T, list []float64) {
	apart := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		set := &matcher.Ruleset{ExpansionBasis: matcher.ExpansionBasis(seed % 2), OptionalBasis: matcher.OptionalBasis(seed / 2 % 2)}
		rule := criterion.New(&matcher.NumberDistance{Common: matcher.Common{Weight: 1, OptionalAfterMS: 30_000}, Max: thresholds(list), MissingAny: true}, set, schema)
		rows := store.New(func(waitMS int64) store.Stage {
			l, until := rule.At(waitMS)
			return store.Stage{UntilMS: until, Limits: []store.Limit{l}}
		})
		crowd := criterion.Crowd{Store: rows}
		var values []float64
		var waits []int64
		meets := make([]uint64, 2+r.IntN(63))
		for i := range meets {
			meets[i] = (1<<len(meets) - 1) &^ (1 << i)
			value, wait := float64(r.IntN(40)), int64(r.IntN(45_000))
			players := numbers(value)
			if r.IntN(5) == 0 {
				value, players = math.NaN(), party(matcher.Value{})
			}
			row := rows.Add(store.Ticket, 100_000-wait, matcher.Never, 1)
			rule.Load(row, players)
			crowd.Rows, values, waits = append(crowd.Rows, row), append(values, value), append(waits, wait)
		}
		rows.Advance(100_000)
		if !rule.(criterion.Comparing).Part(&crowd, 0, meets) {
			t.Fatalf("thresholds %v: Part: got false, want true", list)
		}
		for a := range meets {
			for b := range meets {
				decides, optional := max(waits[a], waits[b]), min(waits[a], waits[b]) >= 30_000
				if set.OptionalBasis == matcher.AnyWaited {
					optional = decides >= 30_000
				}
				if set.ExpansionBasis == matcher.ShortestWait {
					decides = min(waits[a], waits[b])
				}
				most := list[min(decides/10_000, 3)]
				want := a != b && (optional || !(math.Abs(values[a]-values[b]) > most))
				if got := meets[a]>>b&1 != 0; got != want {
					t.Fatalf("seed %d: value %v after %d ms and %v after %d ms: got may meet %v, want %v", seed, values[a], waits[a], values[b], waits[b], got, want)
				}
			}
			apart += len(meets) - 1 - bits.OnesCount64(meets[a])
		}
	}
	if apart < 1000 {
		t.Errorf("%d pairs were kept apart, want at least 1000", apart)
	}
}

// TestCommon checks which rows have each of the seed's values.
func TestCommon(t *testing.T) {
	for _, region := range []string{"west", "east"} {
		schema.Region(region)
	}
	nan := math.NaN()
	for _, c := range []struct {
		name    string
		rule    matcher.Rule
		tickets [][]matcher.Player // the first ticket is the seed
		want    []uint64
	}{
		{"regions by name, east first", &matcher.ReachRegion{Common: always("region"), MaxRTTMS: matcher.Fixed(50)},
			[][]matcher.Player{rtts([]float64{10, 20}), rtts([]float64{60, 50}), rtts([]float64{40, nan}), rtts([]float64{0, 0})}, []uint64{0b1011, 0b1101}},
		{"one region of the seed's", &matcher.ReachRegion{Common: always("region"), MaxRTTMS: matcher.Fixed(50)},
			[][]matcher.Player{rtts([]float64{10, 51}), rtts([]float64{60, 50}), rtts([]float64{40, nan})}, []uint64{0b101}},
		{"sets, with one that may meet anybody", &matcher.SetOverlap{Common: always("set"), MinShared: matcher.Fixed(1), MissingAny: true},
			[][]matcher.Player{sets("ab"), sets("bc"), party(matcher.Value{}), sets("c")}, []uint64{0b0101, 0b0111}},
	} {
		rule := load(c.rule, c.tickets...).(criterion.Shared)
		l, _ := rule.At(0)
		var rows []store.Row
		for i := range c.tickets {
			rows = append(rows, store.Row(i))
		}
		got := make([]uint64, rule.Values(&l, 0))
		rule.Common(got, &l, 0, rows)
		if len(got) != len(c.want) {
			t.Errorf("%s: got %d values, want %d", c.name, len(got), len(c.want))
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: value %d: got rows %b, want %b", c.name, i, got[i], c.want[i])
			}
		}
	}
}
