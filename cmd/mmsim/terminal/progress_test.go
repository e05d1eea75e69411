package terminal

import (
	"testing"
	"time"
	"unicode/utf8"

	"mmsim/sim"
)

// The line of progress never wraps: a wrapped line cannot be written over.
func TestProgressTextFits(t *testing.T) {
	const total = 26 * 60 * sim.Minute
	for columns := range 200 {
		for _, done := range []sim.Duration{0, sim.Second, total / 3, total} {
			for _, elapsed := range []time.Duration{0, time.Second, 100 * time.Hour} {
				if line := progressText(done, total, elapsed, nil, columns); utf8.RuneCountInString(line) > columns {
					t.Fatalf("%d columns: %q", columns, line)
				}
			}
		}
	}
}

func TestProgressText(t *testing.T) {
	const total = 20 * 60 * sim.Minute
	crew := func() []string { return []string{"3 results", "2 workers", "a 4/min", "b 3/min"} }
	for _, test := range []struct {
		done    sim.Duration
		elapsed time.Duration
		doing   func() []string
		columns int
		want    string
	}{
		{total / 4, 2 * time.Second, crew, 50, "6s left, 3 results, 2 workers, a 4/min, b 3/min"},
		{total / 4, 2 * time.Second, crew, 40, "6s left, 3 results, 2 workers, a 4/min"},
		{0, 2 * time.Second, crew, 50, "3 results, 2 workers, a 4/min, b 3/min"},
		{total / 4, 2 * time.Second, nil, 50, "6s left, 5h simulated, 9000× real time"},
		{total / 4, 2 * time.Second, nil, 38, "6s left, 5h simulated, 9000× real time"},
		{total / 4, 2 * time.Second, nil, 37, "6s left, 5h simulated"},
		{total / 4, 2 * time.Second, nil, 20, "6s left"},
		{total / 100, 100 * time.Millisecond, nil, 20, "12m simulated"},
		{total, time.Second, nil, 3, ""},
	} {
		if got := progressText(test.done, total, test.elapsed, test.doing, test.columns); got != test.want {
			t.Errorf("%d columns: got %q, want %q", test.columns, got, test.want)
		}
	}
}
