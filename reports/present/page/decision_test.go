package page

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mmsim/reports/fidelity"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/present/decision"
)

// decisions returns pages of all kinds. name replaces every text that a user can choose.
func decisions(name string) map[string]*present.Page {
	worse := func(run int, s *outcome.Summary) {
		s.Wait.Mean *= outcome.Seconds(run + 2)
		s.RTT.Mean /= outcome.Millis(run + 2)
	}
	from := func() *decision.Sources {
		return &decision.Sources{Command: "mmsim compare '" + name + "'", Listings: []present.Listing{{Title: "config.yaml", Text: "name: " + name + "\n", Closed: true}}}
	}
	a, b := resulttest.Sample(name, 1, 3, nil), resulttest.Sample("b", 1, 3, worse)
	comparison := judge.Compare(a, b, []judge.SettingPair{{Key: "match.size", A: name, B: strings.Repeat("long value ", 30)}})
	comparison.Warnings = append(comparison.Warnings, name)
	interrupted := *comparison
	interrupted.Complete = false

	gate := judge.CheckGate(b, a, []judge.Limit{
		{Pattern: "wait_s.mean", Name: "wait_s.mean", Kind: judge.LimitMax, Bound: 0.001, Among: 1},
		{Pattern: "rtt_ms.mean", Name: "rtt_ms.mean", Kind: judge.LimitMaxIncrease, Bound: 0.05, Relative: true, Among: 1},
		{Pattern: "by_hour.*.wait_mean_s", Name: "by_hour.1.wait_mean_s", Kind: judge.LimitMax, Bound: 100, Among: 2},
		{Pattern: "by_hour.*.wait_mean_s", Name: "by_hour.2.wait_mean_s", Kind: judge.LimitMax, Bound: 100, MinPlayers: 1e9, Among: 2},
	})

	sweep := resulttest.Grid([]string{name, "30ms"}, []string{"2", "4", "8"}, 3)
	setLine := func(point int) string { return "mmsim run --set " + strings.Repeat(name, point+1) }

	goals := []judge.Goal{{Name: "rtt_ms.mean"}, {Name: "wait_s.p95"}}
	tuning := resulttest.Tuning(goals, []judge.Limit{{Pattern: "ccu.peak", Name: "ccu.peak", Kind: judge.LimitMax, Bound: 1e6}}, [][2]float64{{4, 40}, {6, 30}, {3, 36}})
	tuning.Trials = append(tuning.Trials, judge.TuningTrial{Phase: "start", Share: 0.25, Values: []string{name}, Refused: name + " does not fit: " + strings.Repeat("why ", 30)})
	tuning.Trials[2].Values[0] = name
	tuning.Front, tuning.Best, tuning.Complete, tuning.Budget = []int{1, 2}, 2, true, "Budget: 10 of 20 replications of the whole day."
	tuning.Holdout = judge.Compare(a, b, nil)
	tuning.Samples = []judge.Origin{a.Origin()}
	choices := []decision.Choice{{Trial: 1, File: "front/1.yaml", Text: "match: {size: 3}\n"}, {Trial: 2, File: "front/2.yaml", Text: name}}

	nothing := resulttest.Tuning(goals[:1], nil, [][2]float64{{4, 40}})
	nothing.Trials[0].Figures[0] = judge.Estimate{Mean: math.NaN(), Low: math.NaN(), High: math.NaN(), Of: 2}

	long := *decision.Comparison(comparison, from())
	long.Title = "B is better in servers.metrics.common_language_ratio_of_everybody.avg; worse in wait_s.mean"
	long.Sections = slices.Clone(long.Sections)
	table, plot := *long.Sections[1].Items[0].Table, *long.Sections[2].Items[0].Plot
	plot.Title, table.Title = long.Title, "queues.a_queue_with_a_very_long_name_indeed.rtt_ms.mean"
	long.Sections[1].Items = present.Tables(table)
	long.Sections[2].Items = append(present.Pictures(plot), long.Sections[2].Items[1:]...)

	estimates := &fidelity.Calibration{
		Format: "tickets", From: "2026-03-14", To: "2026-03-14", Days: 1, Tickets: 1200, Players: 300, AskedAgain: 7, Unlocated: 3, Dropped: []fidelity.Dropped{{Why: "malformed rows", Count: 2}},
		Fit: fidelity.Fit{
			Naive: 0.1, Estimates: outcome.Object[fidelity.Estimate]{{Name: "players.play_again", Value: 0.7, Low: 0.6, High: 0.8, N: 100, Assumed: true}},
			KaplanMeier: []fidelity.Step{{At: 10, AtRisk: 100, Cancelled: 10, Survival: 0.9, Low: 0.8, High: 0.95}, {At: 20, AtRisk: 2, Cancelled: 2}},
			Patience:    []fidelity.Entry{{At: 10, Share: 0.1, Low: 0.05, High: 0.2}, {At: 20, Share: 1, Low: 0.3, High: 1}},
		},
	}
	estimates.Queues = outcome.Object[fidelity.QueueFit]{{Name: name, Fit: estimates.Fit}}
	production := resulttest.Sample(name, 1, 1, func(_ int, s *outcome.Summary) { s.Run.Production = true })
	for _, s := range []*judge.Sample{production, b} {
		for range s.Runs {
			s.Distributions = append(s.Distributions, resulttest.Synthetic(24, 5, 100_000).Distributions)
		}
	}
	beside := fidelity.Judge(production, b, []judge.Limit{
		{Pattern: "wait_first_s", Name: "wait_first_s", Kind: judge.LimitMaxDistance, Bound: 0.05, Among: 1},
		{Pattern: "wait_s.mean", Name: "wait_s.mean", Kind: judge.LimitMaxIncrease, Bound: 0.1, Relative: true, Among: 1},
		{Pattern: "by_hour.*.wait_mean_s", Name: "by_hour.1.wait_mean_s", Kind: judge.LimitMaxIncrease, Bound: 0.1, Relative: true, Among: 1},
	})

	runs := resulttest.Sample("", 1, 4, func(run int, s *outcome.Summary) { s.Wait.Mean *= outcome.Seconds(run + 1) })
	runs.Runs[0].Warnings = []string{name}
	one := resulttest.Sample("", 1, 1, nil)
	return map[string]*present.Page{
		"comparison":             decision.Comparison(comparison, from()),
		"interrupted comparison": decision.Comparison(&interrupted, from()),
		"equal comparison":       decision.Comparison(judge.Compare(a, a, nil), &decision.Sources{}),
		"long names":             &long,
		"check":                  decision.Gate(gate, from()),
		"check of one":           decision.Gate(judge.CheckGate(a, nil, []judge.Limit{{Pattern: "wait_s.mean", Name: "wait_s.mean", Kind: judge.LimitMax, Bound: 1e6}}), from()),
		"sweep":                  decision.Sweep(sweep, from(), setLine),
		"sweep of one setting":   decision.Sweep(resulttest.Grid([]string{"20ms", "40ms", "50ms"}, []string{"2"}, 2), from(), setLine),
		"single runs":            decision.Sweep(resulttest.Grid([]string{"20ms"}, []string{"2"}, 1), from(), setLine),
		"tuning":                 decision.Tuning(tuning, choices, from()),
		"nothing found":          decision.Tuning(nothing, nil, from()),
		"runs":                   decision.Runs(outcome.Aggregate(runs.Runs), runs, from()),
		"calibration":            decision.Calibration(estimates, beside, []string{name}, from()),
		"estimates":              decision.Calibration(estimates, nil, nil, from()),
		"one run":                decision.Runs(outcome.Aggregate(one.Runs), one, from()),
	}
}

func decisionPage(t testing.TB, p *present.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteDecision(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A page about a decision needs no network and has the same bytes if it is written again. It
// shows all of its pictures and tables, and escapes names from a user's files.
func TestDecisionPages(t *testing.T) {
	again := decisions(resulttest.Hostile)
	for name, p := range decisions(resulttest.Hostile) {
		page := decisionPage(t, p)
		if page != decisionPage(t, again[name]) {
			t.Errorf("%s: two pages of one result differ, want equal bytes", name)
		}
		if found := regexp.MustCompile(`(?i)https?://|url\([^#]|@import|<link|<script [^>]*src=| href="[^#]| on[a-z]+="[^"]*"|javascript:|<img|<script>window`).FindString(page); found != "" {
			t.Errorf("%s: the page contains %q, want no reference to other files and no scripts of names", name, found)
		}
		if text, _, _ := strings.Cut(page, "<script"); strings.Contains(text, "NaN") || strings.Contains(page, "ZgotmplZ") || strings.Contains(page, "%!") {
			t.Errorf("%s: the page contains NaN, ZgotmplZ or %%!", name)
		}
		if got, want := strings.Count(page, "<svg"), len(p.Plots()); got != want {
			t.Errorf("%s: got %d pictures, want %d", name, got, want)
		}
		seen := map[string]bool{}
		for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if seen[id[1]] {
				t.Errorf("%s: two elements have the id %s", name, id[1])
			}
			seen[id[1]] = true
		}
		for _, item := range p.Items() {
			table := item.Table
			if table == nil {
				continue
			}
			for i, row := range table.Rows {
				if len(row) != len(table.Head) {
					t.Errorf("%s: row %d of %q: got %d cells, want %d", name, i, table.Title, len(row), len(table.Head))
				}
			}
			for i, head := range table.Head {
				if head == "" && i > 0 {
					t.Errorf("%s: column %d of %q has no name", name, i, table.Title)
				}
			}
		}
	}
}

// Verdicts get colours and signs only in the columns that a table marks as verdicts.
func TestVerdictClasses(t *testing.T) {
	table := present.Table{Head: []string{"a", "b", "c"}, Left: []int{1}, Verdicts: []int{2}}
	for _, test := range []struct {
		column     int
		cell, want string
	}{
		{0, "better", "whole"}, {1, "better", "left"}, {2, "better", "whole good"}, {2, "held", "whole good"}, {2, "worse", "whole poor"}, {2, "broken", "whole poor"},
		{2, "no difference shown; 5 runs might show one", ""}, {2, "higher", "whole"}, {1, strings.Repeat("x", longCell+1), "left long"},
	} {
		if got := cellClass(table, test.column, test.cell); got != test.want {
			t.Errorf("%q in column %d: got classes %q, want %q", test.cell, test.column, got, test.want)
		}
	}
	keyed := present.Table{Head: []string{"metric", "key"}, Keys: []int{1}, Left: []int{1}}
	if got := rowKey(keyed, []string{"mean wait", "wait_s.mean"}); got != "wait_\u200Bs.\u200Bmean" || rowKey(table, []string{"a", "b"}) != "" || headClass(keyed, 1) != "left key" {
		t.Errorf("the key below a name: got %q, want the second cell of a table with keys", got)
	}
	if got := string(breakable("by_hour.<b>.x")); got != "by_hour.&lt;b&gt;.x" {
		t.Errorf("a name with HTML: got %s, want it escaped", got)
	}
	if got := string(breakable("wait_s.p95")); got != "wait_<wbr>s.<wbr>p95" {
		t.Errorf("name of a metric: got %s, want possible line breaks", got)
	}
	if got := string(breakable("with rules.A.B = 0.5 and 25.9\u00a0s.")); got != "with rules.<wbr>A.<wbr>B = 0.5 and 25.9\u00a0s." {
		t.Errorf("a sentence with a name and numbers is %s", got)
	}
}
