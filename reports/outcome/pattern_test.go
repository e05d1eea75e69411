package outcome

import (
	"math/rand/v2"
	"testing"
)

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"wait_s.p95", "wait_s.p95", true}, {"wait_s.p95", "wait_s.p9", false}, {"wait_s", "wait_s.p95", false},
		{"by_datacenter.*.rtt_p95_ms", "by_datacenter.sao.paulo.rtt_p95_ms", true},
		{"by_datacenter.*.rtt_p95_ms", "by_datacenter.rtt_p95_ms", false},
		{"*", "anything", true}, {"*.p95", "wait_s.p95", true}, {"*.p95", "wait_s.p95_s", false},
		{"by_*.*.failed", "by_hour.3.failed", true}, {"by_*.*.failed", "by_hour.failed", false},
		{"a*a", "a", false}, {"a*a", "aa", true}, {"**", "", true},
	} {
		if got := MatchesPattern(test.pattern, test.name); got != test.want {
			t.Errorf("MatchesPattern(%s, %s): got %v, want %v", test.pattern, test.name, got, test.want)
		}
	}
}

// Two patterns meet if some name matches both. The test tries all names of up to five letters.
func TestMeet(t *testing.T) {
	var names []string
	for length, last := 0, []string{""}; length <= 5; length++ {
		names = append(names, last...)
		var longer []string
		for _, name := range last {
			longer = append(longer, name+"a", name+"b")
		}
		last = longer
	}
	draw := rand.New(rand.NewPCG(1, 2))
	pattern := func() string {
		text := make([]byte, draw.IntN(4))
		for i := range text {
			text[i] = "ab*"[draw.IntN(3)]
		}
		return string(text)
	}
	for range 2000 {
		a, b, want := pattern(), pattern(), false
		for _, name := range names { // patterns of up to three letters need no longer names
			want = want || MatchesPattern(a, name) && MatchesPattern(b, name)
		}
		if got := PatternsMeet(a, b); got != want || PatternsMeet(b, a) != want {
			t.Errorf("PatternsMeet(%q, %q): got %v, want %v in both orders", a, b, got, want)
		}
	}
}

// Keys may contain stars and dots, because they are names from data files.
func TestFill(t *testing.T) {
	keys := []string{"a*b", "3.x", "left over"}
	if got, want := fillStars("by.*.*.wait", keys), "by.a*b.3.x.wait"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := fillStars("by.*.n - by.*.m", keys), "by.a*b.n - by.a*b.m"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
