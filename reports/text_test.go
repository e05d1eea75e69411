package reports

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// golden compares got with a file of testdata, or rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s\n(go test -update rewrites it)", name, got, want)
	}
}

// articleDay is a summary with the figures of a faithful replay of a real day.
func articleDay() *result.Result {
	s := outcome.Summary{Schema: outcome.Schema, Complete: true}
	s.Run = outcome.Run{Seed: 1, Duration: 86400, Reached: 86400, Warmup: 7200}
	s.Players = outcome.Players{Joins: 1_372_411, Returns: 4_054_310, Entries: 5_426_721, Matched: 5_426_700, Failed: 12, SearchingAtEnd: 9}
	s.WaitFirst = outcome.WaitStats{Count: 1_372_400, Mean: 0.618, SD: 0.71, P50: 0.512, P90: 1.204, P95: 1.9, P99: 3.877, Max: 20.004, ShareZero: 0.00052}
	s.WaitRepeat = outcome.WaitStats{Count: 4_054_300, Mean: 0.095, SD: 0.4, P50: 0, P90: 0.1, P95: 1, P99: 2, Max: 19.5, ShareZero: 0.918}
	s.RTT = outcome.RTTStats{Count: 5_426_700, Mean: 48.8, SD: 47.2, P50: 37.31, P90: 91.69, P95: 120, P99: 248.13, Max: 412.5, ShareLE50: 0.8281, ShareLE100: 0.9243, ShareLEIdeal: 0.8281, ShareLEExpand: 0.9243}
	s.DeltaRTT = outcome.DeltaStats{Mean: 15.4, P50: 3.2, P90: 38, P95: 61, P99: 180}
	s.Thresholds = outcome.Thresholds{Ideal: 50, Expand: 100}
	s.Matches = outcome.Matches{Count: 1_356_675, Players: 5_426_700, Fill: 1, WithWarmBody: 226_012, RepeatShare: 0.3372}
	s.CCU = outcome.CCU{Peak: 26_604, PeakAt: 70_920, Mean: 20_912.3}
	s.States = outcome.States{Ideal: outcome.StateStats{Matched: 4_493_000, Share: 0.828, WaitMean: 0.1, RTTMean: 32}, Expand: outcome.StateStats{Matched: 520_000, Share: 0.096, WaitMean: 0.4, RTTMean: 77}, WarmBody: outcome.StateStats{Matched: 412_000, Share: 0.076, WaitMean: 1.2, RTTMean: 193}}
	s.ByContinent = outcome.Groups{
		{Name: "AF", Served: outcome.Served{Players: 80_400, RTTMean: 139.8, RTTP95: 260.06}},
		{Name: "AN", Served: outcome.Served{Players: 3, RTTMean: 301, RTTP95: 301}},
		{Name: "EU", Served: outcome.Served{Players: 2_300_000, RTTMean: 31.2, RTTP95: 60}},
	}
	s.ByHour = make([]outcome.Group, 24)
	s.ByHour[4] = outcome.Group{Served: outcome.Served{Players: 92_311, WaitMean: 0.452, WaitP95: 2.104}}
	s.ByHour[5] = outcome.Group{Served: outcome.Served{Players: 99, WaitMean: 12, WaitP95: 20}}
	s.ByHour[20] = outcome.Group{Served: outcome.Served{Players: 300_000, WaitMean: 0.152, WaitP95: 1.1}}
	s.Warnings = []string{"luxembourg has no latency map: model used (100 % of its places)"}
	return &result.Result{Summary: s}
}

func TestText(t *testing.T) {
	golden(t, "text.golden", Text(&articleDay().Summary, false))
	interrupted := articleDay()
	s := &interrupted.Summary
	s.Complete, s.Run.Reached, s.Warnings = false, 5400, nil
	s.Players.Expired, s.Players.Bots, s.Players.Rejected = 3, 1234, 5
	golden(t, "text-interrupted.golden", Text(&interrupted.Summary, true))
	golden(t, "text-empty.golden", Text((&outcome.Summary{Complete: true, Run: outcome.Run{Duration: 60, Reached: 60},
		ByHour: make([]outcome.Group, 24)}), false))
}

// A state in which nobody matched has no mean RTT.
func TestTextOfEmptyState(t *testing.T) {
	r := articleDay()
	r.Summary.Players.Matched -= r.Summary.States.WarmBody.Matched
	r.Summary.States.WarmBody = outcome.StateStats{}
	if text := Text(&r.Summary, false); !strings.Contains(text, "0.0 % warm body\n") {
		t.Error(text)
	}
	if label := plotStates(r).key[2].text; label != "WARMBODY, anywhere" {
		t.Errorf("got %q", label)
	}
}

// Beside queues of a pool, states are not all; and what became of every search is told.
func TestWordsOfQueuesInAPool(t *testing.T) {
	s := &articleDay().Summary
	s.Players = outcome.Players{Joins: 120, Entries: 120, Matched: 80, Expired: 30, Rejected: 7, SearchingAtEnd: 3}
	s.States = outcome.States{Ideal: outcome.StateStats{Matched: 20, Share: 0.25, RTTMean: 32}, Expand: outcome.StateStats{}, WarmBody: outcome.StateStats{}}
	if text := Text(s, false); !strings.Contains(text, "0.0 % warm body, 75.0 % in a pool\n") {
		t.Error(text)
	}
	words := strings.Join(pageWords(s), "\n")
	for _, want := range []string{"80 were matched, 30 expired, 7 were rejected; 3 were still searching", "; the other 75.0 % were matched out of a pool."} {
		if !strings.Contains(words, want) {
			t.Errorf("the page lacks %q:\n%s", want, words)
		}
	}
}

// Colour changes how it looks, never what it says; no line is wider than a
// common terminal window.
func TestTextColourAndWidth(t *testing.T) {
	plain := Text(&articleDay().Summary, false)
	if got := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(Text(&articleDay().Summary, true), ""); got != plain {
		t.Errorf("colour changes the text:\n%s\nplain:\n%s", got, plain)
	}
	for line := range strings.Lines(plain) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 130 || strings.TrimRight(line, " \n")+"\n" != line {
			t.Errorf("%d columns, or spaces at the end: %q", n, line)
		}
	}
}

func TestSpanAndClock(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{words.Span(86400), "24 h"}, {words.Span(5400), "1 h 30 min"}, {words.Span(45), "45 s"}, {words.Span(0), "0 s"}, {words.Span(0.5), "0.5 s"},
		{words.Span(3*86400 + 61), "72 h 1 min 1 s"},
		{clock(70_920), "19:42 UTC"}, {clock(0), "00:00 UTC"}, {clock(86400 + 60), "00:01 UTC on day 2"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}
