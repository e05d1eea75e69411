package words

import (
	"strings"
	"testing"

	"mmsim/reports/outcome"
)

func TestWriteMetricsHelp(t *testing.T) {
	for pattern, want := range map[string]int{
		"wait_s.p95": 1, "wait_s": 9, "by_continent.EU.failed": 1, "*.wait_mean_s": 9, "by_*.*.bots": 4, "wait_s.p59": 0, "": 0, "by_continent.*.failed": 1,
	} {
		var out strings.Builder
		n, err := WriteMetricsHelp(&out, pattern)
		if lines := strings.Count(out.String(), "\n"); err != nil || n != want || n > 0 && lines != n+3 || n == 0 && lines > 0 {
			t.Errorf("%q: got %d metrics (%v), want %d:\n%s", pattern, n, err, want, out.String())
		}
	}
	var out strings.Builder
	if n, err := WriteMetricsHelp(&out); err != nil || n != len(outcome.Metrics()) || !strings.HasPrefix(out.String(), "A metric ") {
		t.Errorf("WriteMetricsHelp: got %d metrics (error %v), want all after an introduction:\n%s", n, err, out.String())
	}
}
