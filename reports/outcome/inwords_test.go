package outcome

import (
	"strings"
	"testing"
)

// TestInWords checks names in words: keys stand where a reader expects them.
func TestInWords(t *testing.T) {
	for name, want := range map[string]string{
		"wait_first_s.mean":                               "mean wait of first searches",
		"rtt_ms.share_le_50":                              "share of players with RTT of 50 ms or less",
		"by_continent.EU.rtt_mean_ms":                     "mean RTT in Europe",
		"by_continent.XX.rtt_mean_ms":                     "mean RTT in XX",
		"by_continent.*.rtt_mean_ms":                      "mean RTT in *",
		"by_hour.7.unmatched_share":                       "share of searches without a match at 7:00",
		"by_party_size.3.wait_p95_s":                      "p95 wait in parties of 3",
		"queues.ranked.wait_first_s.p90":                  "p90 wait of first searches in queue ranked",
		"queues.eu.attributes.skill.spread_mean":          "mean spread of skill in queue eu",
		"queues.eu.rules.relaxation.skill.stages.2.share": "share of matches at stage 2 of rule skill in queue eu",
		"queues.eu.rules.by_hour.18.furthest.1.count":     "matches relaxed by 1 steps at 18:00 in queue eu",
		"by_attribute_decile.skill.3.wait_mean_s":         "mean wait in decile 3 (from 0) of skill",
		"servers.metrics.age_difference.avg":              "mean age_difference",
		"servers.metrics.ping_ms.p90":                     "p90 ping_ms",
		"servers.metrics.occupancy.avg":                   "mean occupancy",
		"limits.unmatched.share_good":                     "share of searches in hours whose unmatched share is good",
		"no.such.metric":                                  "no.such.metric",
	} {
		if got := InWords(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestEveryMetricHasWords checks that no two metrics have the same name in words, and that words are
// complete and short enough for a title.
func TestEveryMetricHasWords(t *testing.T) {
	names := map[string]string{}
	for _, m := range Metrics() {
		words := InWords(m.Name)
		if words == "" || strings.ContainsAny(words, "<>") || strings.Contains(words, "  ") || strings.TrimSpace(words) != words || len(words) > 90 {
			t.Errorf("%s: %q", m.Name, words)
		}
		if other, is := names[words]; is && !strings.Contains(m.Name, "*_") {
			t.Errorf("%s and %s are both %q", other, m.Name, words)
		}
		names[words] = m.Name
	}
}
