package words

import (
	"slices"
	"testing"

	"mmsim/reports/outcome"
)

func TestQuery(t *testing.T) {
	entries := []struct{ name, meaning string }{
		{"wait_s.p95", "95th percentile of the wait"},
		{"by_hour.*.wait_mean_s", "Mean Wait in one hour"},
		{"rtt_ms.mean", "Mean RTT"},
	}
	names := map[string]bool{"wait_s.p95": true, "rtt_ms.mean": true}
	for _, test := range []struct {
		texts []string
		want  []string
	}{
		{[]string{"wait"}, []string{"wait_s.p95", "by_hour.*.wait_mean_s"}},
		{[]string{"WAIT", "mean"}, []string{"by_hour.*.wait_mean_s"}},
		{[]string{"wait mean"}, []string{"by_hour.*.wait_mean_s"}}, // in one argument
		{[]string{"rtt_ms.mean"}, []string{"rtt_ms.mean"}},
		{[]string{"rtt_ms.mean", "hour"}, []string{"by_hour.*.wait_mean_s", "rtt_ms.mean"}}, // a name or a word
		{[]string{"*.p95", "rtt_ms.mean"}, []string{"wait_s.p95", "rtt_ms.mean"}},
		{[]string{"wait", "rtt"}, nil},
		{[]string{"*.p50"}, nil},
		{nil, nil},
	} {
		query := NewQuery(test.texts, func(text string) bool { return names[text] })
		var got []string
		for _, e := range entries {
			if query.Selects(e.name, e.meaning, func(wanted string) bool { return outcome.MatchesPattern(wanted, e.name) }) {
				got = append(got, e.name)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.texts, got, test.want)
		}
	}
}

func TestVocabulary(t *testing.T) {
	got := Vocabulary("by_hour.*.wait_p95_s", "95th percentile of the wait, UTC")
	want := []string{"by_hour.*.wait_p95_s", "by", "hour", "wait", "p95", "s", "percentile", "wait"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
