package binding

import (
	"testing"
	"time"
)

// The quantiles of 1 to 100 ms are 50 and 99 ms. The share is that of the time of all replications.
func TestTimes(t *testing.T) {
	var times MatchmakerTimes
	if got := times.String(); got != "" {
		t.Errorf("no passes: got %q, want nothing", got)
	}
	for i := range 100 {
		times.pass("", time.Duration(100-i)*time.Millisecond)
	}
	times.pass("a\x1b", 1234567*time.Nanosecond)
	times.Ran(6 * time.Second)
	times.Ran(4100 * time.Millisecond)
	const want = "matcher: a pass took 50.0 ms (p50), 99.0 ms (p99), 100 ms (max); all passes took 50.0 % of the run's time\n" +
		"matcher (queue a\\u001b): a pass took 1.23 ms (p50), 1.23 ms (p99), 1.23 ms (max); all passes took 0.012 % of the run's time\n"
	if got := times.String(); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
	var none *MatchmakerTimes
	none.pass("", time.Second)
	none.Ran(time.Second)
}
