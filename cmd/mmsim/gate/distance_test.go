package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// TestDistanceLimits: max_distance stands only under a distribution, is a share, and needs a baseline.
func TestDistanceLimits(t *testing.T) {
	for text, want := range map[string]string{
		"wait_first_s: {max_distance: 5%}":                  "",
		"rtt_ms: {max_distance: 0.05, min_players: 100}":    "",
		"wait_first_s: {max: 5}":                            "1:21: wait_first_s.max: wait_first_s is a distribution, expected max_distance, or a metric such as wait_first_s.mean",
		"wait_s.mean: {max_distance: 5%}":                   "1:29: wait_s.mean.max_distance: wait_s.mean has no distribution, expected one of wait_first_s, wait_repeat_s, wait_s, rtt_ms, delta_rtt_ms",
		"delta_rtt_ms: {max_distance: 5}":                   `1:30: delta_rtt_ms.max_distance: got "5", expected a share from 0 to 1 or a percentage such as 5%`,
		"wait_repeat_s: {max_distance: 5pp}":                `1:31: wait_repeat_s.max_distance: got "5pp", expected a share from 0 to 1 or a percentage such as 5%`,
		"no baseline, but wait_first_s: {max_distance: 5%}": "1:30: wait_first_s.max_distance needs a baseline: expected --baseline DIR",
	} {
		text, without := strings.CutPrefix(text, "no baseline, but ")
		file := filepath.Join(t.TempDir(), "gate.yaml")
		if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		g, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(text, "{max: 5}") && !g.HasDistances() {
			t.Errorf("%s: got no limits on distances, want one", text)
		}
		limits, err := g.Limits(outcome.Metrics(), !without)
		switch {
		case want == "" && (err != nil || len(limits) != 1 || limits[0].Kind != judge.LimitMaxDistance || limits[0].Bound != 0.05):
			t.Errorf("%s: got %+v and error %v, want a distance of 0.05", text, limits, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), file+":"+want)):
			t.Errorf("%s: got error %v, want %s", text, err, want)
		}
	}
}
