package matcher

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestScheduleAt(t *testing.T) {
	inactive := Override{Inactive: true}
	for _, c := range []struct {
		name     string
		schedule Schedule
		waitMS   int64
		want     float64
		active   bool
	}{
		{"fixed", Fixed(7), 1 << 40, 7, true},
		{"linear before the first step", Linear(10, 5, 20, 1000), 999, 10, true},
		{"linear after one", Linear(10, 5, 20, 1000), 1000, 15, true},
		{"linear at its limit", Linear(10, 5, 18, 1000), 2000, 18, true},
		{"linear stays there", Linear(10, 5, 18, 1000), 1 << 40, 18, true},
		{"linear without limit", Linear(10, 5, math.Inf(1), 1000), 100_000, 510, true},
		{"linear with base over the limit", Linear(10, 5, 8, 1000), 5000, 10, true},
		{"downwards", Linear(5, -2, 0, 1000), 2000, 1, true},
		{"decreasing, at the limit", Linear(5, -2, 0, 1000), 3000, 0, true},
		{"a wait that has not begun", Linear(10, 5, 20, 1000), -5000, 10, true},
		{"list from the start", Custom(1, 1000, []Override{{Value: 4}, {Value: 2}}), 0, 4, true},
		{"list in its second period", Custom(1, 1000, []Override{{Value: 4}, {Value: 2}}), 1999, 2, true},
		{"list past its end", Custom(1, 1000, []Override{{Value: 4}, {Value: 2}}), 1 << 40, 2, true},
		{"inactive has the base as scale", Custom(1, 1000, []Override{{Value: 4}, inactive}), 1000, 1, false},
	} {
		if got, active := c.schedule.At(c.waitMS); got != c.want || active != c.active {
			t.Errorf("%s: got %v, active %v after %d ms, want %v, %v", c.name, got, active, c.waitMS, c.want, c.active)
		}
	}
}

// The test calls At for every millisecond. NextChange must return the first one at which the result
// differs, and the range that Span returns must include every threshold.
func TestScheduleChanges(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := drawSchedule(r, float64(r.IntN(5)), float64(r.IntN(5)-2), float64(r.IntN(9)))
		if s.EveryMS > 0 {
			s.EveryMS /= 1000
		}
		least, most, inactive := math.Inf(1), math.Inf(-1), false
		for wait := range int64(60) {
			v, active := s.At(wait)
			least, most, inactive = min(least, v), max(most, v), inactive || !active
			next := s.NextChange(wait)
			for later := wait + 1; later < min(next, 100); later++ {
				if u, a := s.At(later); u != v || a != active {
					t.Fatalf("seed %d: %+v changes at %d ms, but NextChange(%d): got %d", seed, s, later, wait, next)
				}
			}
			if next < Never {
				if u, a := s.At(next); u == v && a == active {
					t.Fatalf("seed %d: %+v: NextChange: got %d ms, but the value is the same then", seed, s, next)
				}
			}
		}
		gotLeast, gotMost, gotInactive := s.Span()
		if gotLeast > least || gotMost < most || gotInactive != inactive {
			t.Fatalf("seed %d: Span of %+v: got %v to %v, inactive %v; want values %v to %v, inactive %v", seed, s, gotLeast, gotMost, gotInactive, least, most, inactive)
		}
	}
}

// drawSchedule returns a random schedule with thresholds around base, which may be constant, linear
// or a list.
func drawSchedule(r *rand.Rand, base, step, limit float64) Schedule {
	every := int64(1+r.IntN(4)) * 2000
	switch r.IntN(4) {
	case 0, 1:
		return Fixed(base)
	case 2:
		if r.IntN(5) == 0 {
			limit = math.Inf(int(step))
			if step < 0 {
				limit = 0
			}
		}
		return Linear(base, step, limit, every)
	}
	list := make([]Override, 1+r.IntN(4))
	for i := range list {
		list[i] = Override{base + step*float64(r.IntN(4)), r.IntN(6) == 0}
	}
	return Custom(base, every, list)
}
