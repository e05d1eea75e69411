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
				if line := progressText(done, total, elapsed, columns); utf8.RuneCountInString(line) > columns {
					t.Fatalf("%d columns: %q", columns, line)
				}
			}
		}
	}
}

func TestProgressText(t *testing.T) {
	const total = 20 * 60 * sim.Minute
	for _, test := range []struct {
		done    sim.Duration
		elapsed time.Duration
		columns int
		want    string
	}{
		{total / 4, 2 * time.Second, 50, "6s left, 5h simulated, 9000× real time"},
		{total / 4, 2 * time.Second, 38, "6s left, 5h simulated, 9000× real time"},
		{total / 4, 2 * time.Second, 37, "6s left, 5h simulated"},
		{total / 4, 2 * time.Second, 20, "6s left"},
		{total / 100, 100 * time.Millisecond, 20, "12m simulated"},
		{total, time.Second, 3, ""},
	} {
		if got := progressText(test.done, total, test.elapsed, test.columns); got != test.want {
			t.Errorf("%d columns: got %q, want %q", test.columns, got, test.want)
		}
	}
}
