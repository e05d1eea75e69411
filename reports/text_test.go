package reports

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
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
func articleDay() *Result {
	s := Summary{Schema: Schema, Complete: true}
	s.Run = Run{Seed: 1, Duration: 86400, Reached: 86400, Warmup: 7200}
	s.Players = Players{Joins: 1_372_411, Returns: 4_054_310, Entries: 5_426_721, Matched: 5_426_700, Failed: 12, SearchingAtEnd: 9}
	s.WaitFirst = WaitStats{1_372_400, 0.618, 0.71, 0.512, 1.204, 1.9, 3.877, 20.004, 0.00052}
	s.WaitRepeat = WaitStats{4_054_300, 0.095, 0.4, 0, 0.1, 1, 2, 19.5, 0.918}
	s.RTT = RTTStats{5_426_700, 48.8, 47.2, 37.31, 91.69, 120, 248.13, 412.5, 0.8281, 0.9243, 0.8281, 0.9243}
	s.DeltaRTT = DeltaStats{15.4, 3.2, 38, 61, 180}
	s.Thresholds = Thresholds{50, 100}
	s.Matches = Matches{1_356_675, 5_426_700, 1, 226_012, 0.3372}
	s.CCU = CCU{Peak: 26_604, PeakAt: 70_920, Mean: 20_912.3}
	s.States = States{StateStats{4_493_000, 0.828, 0.1, 32}, StateStats{520_000, 0.096, 0.4, 77}, StateStats{412_000, 0.076, 1.2, 193}}
	s.ByContinent = Groups{
		{Name: "AF", Served: Served{Players: 80_400, RTTMean: 139.8, RTTP95: 260.06}},
		{Name: "AN", Served: Served{Players: 3, RTTMean: 301, RTTP95: 301}},
		{Name: "EU", Served: Served{Players: 2_300_000, RTTMean: 31.2, RTTP95: 60}},
	}
	s.ByHour = make([]Group, 24)
	s.ByHour[4] = Group{Served: Served{Players: 92_311, WaitMean: 0.452, WaitP95: 2.104}}
	s.ByHour[5] = Group{Served: Served{Players: 99, WaitMean: 12, WaitP95: 20}}
	s.ByHour[20] = Group{Served: Served{Players: 300_000, WaitMean: 0.152, WaitP95: 1.1}}
	s.Warnings = []string{"luxembourg has no latency map: model used (100 % of its places)"}
	return &Result{Summary: s}
}

func TestText(t *testing.T) {
	golden(t, "text.golden", articleDay().Summary.Text(false))
	interrupted := articleDay()
	s := &interrupted.Summary
	s.Complete, s.Run.Reached, s.Warnings = false, 5400, nil
	s.Players.Expired, s.Players.Bots, s.Players.Rejected = 3, 1234, 5
	golden(t, "text-interrupted.golden", interrupted.Summary.Text(true))
	golden(t, "text-empty.golden", (&Summary{Complete: true, Run: Run{Duration: 60, Reached: 60},
		ByHour: make([]Group, 24)}).Text(false))
}

// A state in which nobody matched has no mean RTT.
func TestTextOfEmptyState(t *testing.T) {
	r := articleDay()
	r.Summary.Players.Matched -= r.Summary.States.WarmBody.Matched
	r.Summary.States.WarmBody = StateStats{}
	if text := r.Summary.Text(false); !strings.Contains(text, "0.0 % warm body\n") {
		t.Error(text)
	}
	if label := plotStates(r).key[2].text; label != "WARMBODY, anywhere" {
		t.Errorf("got %q", label)
	}
}

// Beside queues of a pool, states are not all; and what became of every search is told.
func TestWordsOfQueuesInAPool(t *testing.T) {
	s := &articleDay().Summary
	s.Players = Players{Joins: 120, Entries: 120, Matched: 80, Expired: 30, Rejected: 7, SearchingAtEnd: 3}
	s.States = States{StateStats{Matched: 20, Share: 0.25, RTTMean: 32}, StateStats{}, StateStats{}}
	if text := s.Text(false); !strings.Contains(text, "0.0 % warm body, 75.0 % in a pool\n") {
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
	plain := articleDay().Summary.Text(false)
	if got := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(articleDay().Summary.Text(true), ""); got != plain {
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
		{span(86400), "24 h"}, {span(5400), "1 h 30 min"}, {span(45), "45 s"}, {span(0), "0 s"}, {span(0.5), "0.5 s"},
		{span(3*86400 + 61), "72 h 1 min 1 s"},
		{clock(70_920), "19:42 UTC"}, {clock(0), "00:00 UTC"}, {clock(86400 + 60), "00:01 UTC on day 2"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}
