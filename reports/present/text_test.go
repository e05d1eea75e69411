package present

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// golden compares got with a file in testdata, or with -update writes got to it.
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

func TestText(t *testing.T) {
	golden(t, "text.golden", Text(&resulttest.Article().Summary, false))
	interrupted := resulttest.Article()
	s := &interrupted.Summary
	s.Complete, s.Run.Reached, s.Warnings = false, 5400, nil
	s.Players.Expired, s.Players.Bots, s.Players.Rejected = 3, 1234, 5
	outcome.SetEnds(&s.Players)
	golden(t, "text-interrupted.golden", Text(&interrupted.Summary, true))
	golden(t, "text-empty.golden", Text((&outcome.Summary{Complete: true, Run: outcome.Run{Duration: 60, Reached: 60},
		ByHour: make([]outcome.Group, 24)}), false))
}

// Warnings about attributes that no player has, and about files that may be misread, stand above the
// numbers, and all others below.
func TestAlarmsStandAboveTheNumbers(t *testing.T) {
	for _, alarm := range []string{
		"queue.json: Skill reads the attribute mmr, which is " + words.MissingData,
		"day.csv: " + words.Misread + "40 % of joins are near a city as read, and 90 % with latitude and longitude swapped",
	} {
		s := &resulttest.Article().Summary
		s.Warnings = []string{"some datacenters have no map", alarm}
		text := Text(s, false)
		if !strings.HasPrefix(text, "Warning             "+alarm+"\n\n") || strings.Count(text, alarm) != 1 ||
			!strings.HasSuffix(text, "Warning             some datacenters have no map\n") {
			t.Errorf("got\n%s\nwant one warning first and the other last", text)
		}
	}
}

// Lines show the run's own limits. If no search may end without a match, 12 of 5 million are not
// good, although their share rounds to 0.
func TestTextOfOwnLimits(t *testing.T) {
	s := &resulttest.Article().Summary
	s.Limits = &outcome.Limits{
		Wait:      &outcome.WaitLimits{Good: 0.5, Fair: 8, Classes: outcome.Classes{ShareGood: 0.48, ShareFair: 0.51, SharePoor: 0.01}},
		RTT:       &outcome.RTTLimits{Good: 30, Fair: 62.5, Classes: outcome.Classes{ShareGood: 0.7, ShareFair: 0.2, SharePoor: 0.1}},
		Unmatched: &outcome.UnmatchedLimits{Good: 0, Fair: 0.01},
	}
	text := Text(s, true)
	for _, want := range []string{
		"RTT limits          \x1b[0m70.0 % of players get 30 ms or better, 90.0 % get 62.5 ms or better\n",
		"Wait limits         \x1b[0m48.0 % of first searches take 0.5 s or less, 99.0 % take 8 s or less\n",
		"Without a match     \x1b[0mless than 0.001 % of searches (12 failed): fair\n",
		"20.0 s  fair\n", "412 ms  \x1b[1;31mpoor\x1b[0m\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not contain %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "RTT thresholds") {
		t.Errorf("the text contains RTT thresholds, want none:\n%s", text)
	}
}

// A state in which nobody was matched has no mean RTT.
func TestTextOfEmptyState(t *testing.T) {
	r := resulttest.Article()
	r.Summary.Players.Matched -= r.Summary.States.WarmBody.Matched
	r.Summary.States.WarmBody = outcome.StateStats{}
	if text := Text(&r.Summary, false); !strings.Contains(text, "0.0 % warm body\n") {
		t.Errorf("want a share of 0.0 %% warm bodies in\n%s", text)
	}
}

// If some queues are pools, the shares of states do not add up to all players.
func TestWordsOfQueuesInAPool(t *testing.T) {
	s := &resulttest.Article().Summary
	s.Players = outcome.Players{Joins: 120, Entries: 120, Matched: 80, Losses: outcome.Losses{Expired: 30, Rejected: 7}, SearchingAtEnd: 3}
	s.States = outcome.States{Ideal: outcome.StateStats{Matched: 20, Share: 0.25, RTTMean: 32}, Expand: outcome.StateStats{}, WarmBody: outcome.StateStats{}}
	if text := Text(s, false); !strings.Contains(text, "0.0 % warm body, 75.0 % in a pool\n") {
		t.Errorf("want shares of 0.0 %% warm bodies and 75.0 %% in a pool in\n%s", text)
	}
}

// Colour does not change the words, and no line is wider than a common terminal window.
func TestTextColourAndWidth(t *testing.T) {
	plain := Text(&resulttest.Article().Summary, false)
	if got := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(Text(&resulttest.Article().Summary, true), ""); got != plain {
		t.Errorf("colour changes the text:\n%s\nplain:\n%s", got, plain)
	}
	for line := range strings.Lines(plain) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 130 || strings.TrimRight(line, " \n")+"\n" != line {
			t.Errorf("got a line of %d columns, want at most 130 and no spaces at the end: %q", n, line)
		}
	}
}

func TestSpanAndClock(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{words.Span(86400), "24 h"}, {words.Span(5400), "1 h 30 min"}, {words.Span(45), "45 s"}, {words.Span(0), "0 s"}, {words.Span(0.5), "0.5 s"},
		{words.Span(3*86400 + 61), "72 h 1 min 1 s"},
		{words.Clock(70_920, "UTC"), "19:42 UTC"}, {words.Clock(0, "UTC"), "00:00 UTC"}, {words.Clock(86400+60, "Europe/Berlin"), "00:01 Europe/Berlin on day 2"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func TestDecileNamesItsValues(t *testing.T) {
	for _, c := range []struct {
		from, to outcome.Value
		want     string
	}{{0, 0, "0"}, {390.25, 1139, "390 to 1,139"}, {0.0935858, 2.5, "0.0936 to 2.5"}} {
		d := outcome.Decile{From: c.from, To: c.to}
		if got := words.DecileValues(&d); got != c.want {
			t.Errorf("%v to %v: got %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

func FuzzParseSummary(f *testing.F) {
	f.Add(resulttest.Written(f, resulttest.Article())[outcome.SummaryFile].Bytes())
	f.Add([]byte(`{"schema": 2, "by_datacenter": {"a": {}, "a": null}, "attributes": null, "by_hour": []}`))
	f.Add([]byte(`{"schema": 1e3}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := outcome.ParseSummary(text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), outcome.SummaryFile+":") {
				t.Fatalf("got error %v, want the file as prefix", err)
			}
			return
		}
		_ = Text(s, true) // must not panic
	})
}

// The summary of an aggregate says that it is a mean, and rounds its counts.
func TestTextOfAggregate(t *testing.T) {
	var runs []*result.Result
	for i, wait := range []outcome.Seconds{0.6, 0.62, 0.67} {
		r := resulttest.Article()
		r.Summary.WaitFirst.Mean = wait
		r.Summary.Players.Joins += outcome.Count(i % 2)
		r.Summary.CCU.Peak += outcome.Count(3 * (i % 2))
		runs = append(runs, r)
	}
	text := Text(resulttest.Aggregate(runs...), false)
	if !strings.Contains(text, "3 replications; 95 % confidence: mean wait of first searches 0.54 to 0.72 s") {
		t.Errorf("want the interval of the mean wait in\n%s", text)
	}
	text = Text(resulttest.Aggregate(runs[:2]...), false) // 1,372,411.5 joins, a peak of 26,605.5
	if !strings.Contains(text, "1,372,412 joins") || !strings.Contains(text, "26,606 at the peak") {
		t.Errorf("want 1,372,412 joins and 26,606 at the peak in\n%s", text)
	}
}
