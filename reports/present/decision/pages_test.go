package decision_test

import (
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/present/decision"
)

// table returns the rows of the table with this title, or of the first one in the section with it.
func table(t *testing.T, p *present.Page, title string) [][]string {
	t.Helper()
	for _, section := range p.Sections {
		for _, item := range append(section.Items, section.More...) {
			if item.Table != nil && (item.Table.Title == title || section.Title == title) {
				return item.Table.Rows
			}
		}
	}
	t.Fatalf("the page has no table %q", title)
	return nil
}

// listings returns all texts to copy.
func listings(p *present.Page) (list []present.Listing) {
	for _, item := range p.Items() {
		if item.Listing != nil {
			list = append(list, *item.Listing)
		}
	}
	return list
}

// Players in B wait 1 s longer in every pair, and nothing else differs. The page says so first,
// and lists the seeds and runs.
func TestComparisonPage(t *testing.T) {
	a := resulttest.Sample("a.yaml", 7, 3, nil)
	b := resulttest.Sample("b.yaml", 7, 3, func(_ int, s *outcome.Summary) { s.WaitFirst.Mean++ })
	c := judge.Compare(a, b, []judge.SettingPair{{Key: "match.size", A: "2", B: "4"}})
	p := decision.Comparison(c, &decision.Sources{Command: "mmsim compare a.yaml b.yaml", Listings: []present.Listing{{Title: "config-a.yaml"}}})
	if !strings.HasPrefix(p.Title, "B is worse: mean wait of first searches ") || p.Partial != "" {
		t.Errorf("got title %q and missing part %q, want that B is worse in wait_first_s.mean and nothing missing", p.Title, p.Partial)
	}
	if got := p.Answers[0]; got.Name != "Mean wait of first searches" || got.Key != "wait_first_s.mean" || !strings.HasPrefix(got.Value, "+1.0") || got.Mark != "worse" {
		t.Errorf("first answer: got %+v, want wait_first_s.mean worse by 1.0", got)
	}
	if facts := strings.Join(p.Facts, ", "); !strings.HasPrefix(facts, "seed 7, runs 0 to 2, 24 h simulated") {
		t.Errorf("got facts %s, want seed, runs and simulated time first", facts)
	}
	if got := table(t, p, "What differs"); len(got) != 1 || strings.Join(got[0], " ") != "match.size 2 4" {
		t.Errorf("got settings %v, want match.size 2 4", got)
	}
	if got := table(t, p, "Runs behind the numbers"); got[1][0] != "replications" || got[1][1] != "0 to 2" || got[1][2] != "0 to 2" {
		t.Errorf("got runs %v, want replications 0 to 2 of both", got)
	}
	last := listings(p)
	if len(last) != 2 || last[0].Text != "mmsim compare a.yaml b.yaml\n" || last[1].Title != "config-a.yaml" {
		t.Errorf("got instructions %+v, want the command and config-a.yaml", last)
	}
	c.Complete = false
	if p := decision.Comparison(c, &decision.Sources{}); !strings.Contains(p.Partial, "nterrupted") {
		t.Error("the page of an interrupted comparison does not say that it was interrupted")
	}
}

// The page shows every limit with its verdict and the measured value. A limit with stars has a
// table of its own, with the reason why a metric was not judged.
func TestGatePage(t *testing.T) {
	s := resulttest.Sample("result", 1, 2, func(_ int, s *outcome.Summary) { s.Wait.Mean = 12 })
	limits := []judge.Limit{
		{Pattern: "wait_s.mean", Name: "wait_s.mean", Kind: judge.LimitMax, Bound: 10, Among: 1},
		{Pattern: "by_hour.*.players", Name: "by_hour.0.players", Kind: judge.LimitMin, Bound: 0, Among: 2},
		{Pattern: "by_hour.*.players", Name: "by_hour.1.players", Kind: judge.LimitMin, Bound: 0, Among: 2, MinPlayers: 1e9},
	}
	p := decision.Gate(judge.CheckGate(s, nil, limits), &decision.Sources{})
	if p.Title != "The gate is broken: 1 limit held, 1 broken, 1 skipped; mean wait of all searches is 12.00 s, at most 10 s" {
		t.Errorf("got title %q, want that the gate is broken", p.Title)
	}
	all := table(t, p, "Limits")
	for i, want := range []string{"wait_s.mean broken 12.00 s at most 10 s", "by_hour.*.players held 1 of 2 at least 0 the worst is by_hour.0.players with", "by_hour.*.players skipped 1 of 2 at least 0 not measured, or too few players"} {
		if got := strings.TrimSpace(strings.Join(all[i][1:], " ")); !strings.HasPrefix(got, want) {
			t.Errorf("limit %d: got %q, want %q", i, got, want)
		}
	}
	if of := table(t, p, "by_hour.*.players"); len(of) != 2 || of[1][2] != "skipped" || !strings.Contains(of[1][5], "fewer than") {
		t.Errorf("limit with a star: got %v, want two metrics, the second skipped for too few players", of)
	}
	if got := p.Answers[0]; got.Key != "wait_s.mean" || got.Mark != "broken" {
		t.Errorf("first answer: got %+v, want wait_s.mean broken", got)
	}
}

// Every combination is listed with the command that simulates it.
func TestSweepPage(t *testing.T) {
	s := resulttest.Grid([]string{"20ms", "30ms"}, []string{"2", "4"}, 3)
	p := decision.Sweep(s, &decision.Sources{}, func(point int) string { return "run " + strings.Join(s.Points[point].Values, " ") })
	// The wait is 1 s + row + column and the RTT 100 ms - 10 row, so the first point of each row
	// is on the front.
	for _, want := range []string{"run 20ms 2\nrun 20ms 4\nrun 30ms 2\nrun 30ms 4\n", "run 20ms 2\nrun 30ms 2\n"} {
		found := false
		for _, l := range listings(p) {
			found = found || l.Text == want
		}
		if !found {
			t.Errorf("the page does not list the commands %q", want)
		}
	}
	// The RTT is 100 ms in the first row and 90 ms in the second, in every column.
	if got := table(t, p, "Best combinations")[1]; strings.Join(got, " ") != "mean RTT rtt_ms.mean lower 90.00 ± 0.01 ms 30ms 2 0.000 ± 0.001 % 1 of 3" {
		t.Errorf("best RTT: got row %v, want 90.00 ms of 30ms 2", got)
	}
	if rows := table(t, p, "Every combination"); len(rows) != 4 {
		t.Errorf("got %d combinations, want 4", len(rows))
	}
}

// Settings that are invalid together are listed with the reason, and every trial on the front
// with its configuration.
func TestTuningPage(t *testing.T) {
	bound := []judge.Limit{{Pattern: "wait_s.p95", Name: "wait_s.p95", Kind: judge.LimitMaxIncrease, Bound: 0.5, Relative: true}}
	s := resulttest.Tuning([]judge.Goal{{Name: "rtt_ms.mean"}, {Name: "ccu.peak"}}, bound, [][2]float64{{4, 40}, {7, 30}, {4, 36}})
	s.Trials = append(s.Trials, judge.TuningTrial{Phase: "start", Share: 1, Values: []string{"9"}, Refused: "too large"})
	s.Front, s.Best, s.Complete = []int{1, 2}, 2, true
	p := decision.Tuning(s, []decision.Choice{{Trial: 2, File: "front/2.yaml", Text: "match: {size: 4}\n"}}, &decision.Sources{})
	if got := table(t, p, "Settings that are invalid together"); len(got) != 1 || strings.Join(got[0], " ") != "3 9 too large" {
		t.Errorf("refused combinations: got %v, want 3 9 too large", got)
	}
	// The initial settings have 4 s, so 6 s are allowed. Trial 2 has 4 s.
	if got := table(t, p, "Limits in the search"); len(got) != 1 || strings.Join(got[0], " ") != "p95 wait of all searches wait_s.p95 at most 50 % above before 4.000 s 4.000 s held" {
		t.Errorf("constraints: got %v, want wait_s.p95 held", got)
	}
	// Trial 1 has 7 s: 1 s more than the allowed 6 s.
	if got := table(t, p, "Every trial"); len(got) != 3 || got[1][len(got[1])-2] != "0.167" || got[2][len(got[2])-1] != "best" {
		t.Errorf("got trials %v, want 3, the third the best", got)
	}
	l := listings(p)
	if len(l) != 1 || l[0].Title != "Configuration of trial 2 (match size 4): front/2.yaml" || l[0].Text != "match: {size: 4}\n" {
		t.Errorf("got configurations %+v, want that of trial 2", l)
	}
	if s.Complete = false; !strings.Contains(decision.Tuning(s, nil, &decision.Sources{}).Partial, "interrupted") {
		t.Error("the page of an interrupted search does not say that it was interrupted")
	}
}

// For waits of 1, 2 and 3 s, the mean is 2 s, the sample deviation 1 s, and the 95 % interval of
// Student's t with 2 degrees of freedom 2 ± 4.303/√3 s.
func TestRunsPage(t *testing.T) {
	shares := []outcome.Share{0.01, 0.02, 0.03}
	runs := resulttest.Sample("", 5, 3, func(run int, s *outcome.Summary) {
		s.Wait.Mean, s.Players.UnmatchedShare = outcome.Seconds(run+1), shares[run]
	})
	p := decision.Runs(outcome.Aggregate(runs.Runs), runs, &decision.Sources{})
	found := false
	for _, row := range table(t, p, "Means") {
		found = found || strings.Join(row[1:], "|") == "wait_s.mean|2.0 s|-0.5 to 4.5 s|1.0 s|3"
	}
	if !found {
		t.Errorf("want a mean wait of 2 s, got %v", table(t, p, "Means"))
	}
	// 2 % ± 4.30265*1 %/√3
	if a := p.Answers[2]; a.Value != "2.0 %" || a.Mark != "poor" || !strings.HasSuffix(a.Note, " 95 % interval over runs: -0.5 to 4.5 %.") {
		t.Errorf("searches without a match: got %+v, want 2 %% with its interval", a)
	}
	if p.Kind != "3 replications of one configuration" || len(table(t, p, "Runs")) == 0 || len(p.Plots()) != 0 {
		t.Errorf("got page kind %q with %d pictures, want 3 replications with a table of runs and no picture", p.Kind, len(p.Plots()))
	}
}
