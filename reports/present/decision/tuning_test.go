package decision

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
)

func TestTuningViolation(t *testing.T) {
	wait := func(kind judge.LimitKind, bound float64, relative bool) judge.Limit {
		return judge.Limit{Pattern: "wait_s.p95", Name: "wait_s.p95", Kind: kind, Bound: judge.Optional(bound), Relative: relative}
	}
	two := resulttest.Tuning([]judge.Goal{{Name: "rtt_ms.mean"}}, []judge.Limit{wait(judge.LimitMax, 10, false), wait(judge.LimitMaxIncrease, 0, true)}, [][2]float64{{8, 40}, {20, 30}})
	if got := two.Trials[1].Violation; math.Abs(float64(got)-2.5) > 1e-12 { // 1 from the first bound, 1.5 from the second
		t.Errorf("violation of both limits: got %g, want 2.5", got)
	}
}

// A tuning can be shown as a table, in sentences and in pictures.
func TestTuning(t *testing.T) {
	bound := []judge.Limit{{Pattern: "wait_s.p95", Name: "wait_s.p95", Kind: judge.LimitMaxIncrease, Relative: true}}
	one := resulttest.Tuning([]judge.Goal{{Name: "rtt_ms.mean"}}, bound, [][2]float64{{4, 40}, {6, 30}, {4, 36}})
	one.Trials = append(one.Trials, judge.TuningTrial{Phase: "start", Share: 0.25, Values: []string{"x"}, Refused: "does not fit"})
	one.Front, one.Best, one.Complete = []int{2}, 2, true
	var out strings.Builder
	if err := one.WriteCSV(&out, phrase.Marks); err != nil {
		t.Fatal(err)
	}
	want := `trial,phase,share,runs,match.size,rtt_ms.mean,rtt_ms.mean.runs,wait_s.p95,wait_s.p95.runs,players.unmatched_share,players.unmatched_share.runs,violation,front,refused,marks
0,refine,1,2,2,40,2,4,2,0,2,0,,,
1,refine,1,2,3,30,2,6,2,0,2,0.5,,,
2,refine,1,2,4,36,2,4,2,0,2,0,yes,,
3,start,0.25,0,x,,,,,,,,,does not fit,
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	one.Holdout = judge.Compare(resulttest.Sample("before", 1, 3, func(_ int, s *outcome.Summary) { s.RTT.Mean, s.RTT.Count = 40, 100 }),
		resulttest.Sample("best", 1, 3, func(_ int, s *outcome.Summary) { s.RTT.Mean, s.RTT.Count = 36, 100 }), nil)
	text := Tuning(one, nil, nil).Text(false)
	testTuningJSON(t, one)
	for _, want := range []string{
		"Mean RTT 10 % lower (36.0 ms instead of 40.0 ms) with trial 2, in 3 runs that the search did not use.\n", "before    2              40.00 ms     4.000 s                      0 %\n",
		"2 (best)  4              36.00 ms     4.000 s                      0 %\n", "\nThe search tried 3 trials, 1 of them with settings that are invalid together: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "30.00 ms") {
		t.Errorf("got a trial that breaks a constraint, want it left out:\n%s", text)
	}
	one.Front, one.Best = nil, 0
	if text := Tuning(one, nil, nil).Text(false); !strings.Contains(text, "No settings were found") || !strings.Contains(text, "30.00 ms") {
		t.Errorf("no settings found: want that said, and the nearest ones shown, got:\n%s", text)
	}
	one.Trials = append(one.Trials[:1:1], one.Trials[3])
	if text := Tuning(one, nil, nil).Text(false); !strings.HasPrefix(text, "No settings have been tried over the whole day yet") {
		t.Errorf("no trial over the whole day: want that said first, got:\n%s", text)
	}
}

// testTuningJSON checks that the JSON form has what the table in TestTuning shows: the settings
// and metrics of the first and of the best trial, the number of refused trials, and the holdout.
func testTuningJSON(t *testing.T, one *judge.Tuning) {
	t.Helper()
	var out strings.Builder
	if err := one.Write(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Trials, Best, Refused int
		Settings              map[string]string
		Front                 []int
		Choices               []struct {
			Trial     int
			Settings  map[string]string
			Metrics   map[string]struct{ Unit, Mean any }
			Violation float64
		}
		Holdout struct {
			Runs    int
			Metrics map[string]struct{ Unit, A, B, Difference, Verdict any }
		}
	}
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	if got.Trials != 4 || got.Best != 2 || got.Refused != 1 || got.Settings["match.size"] != "4" || !slices.Equal(got.Front, []int{2}) || len(got.Choices) != 2 {
		t.Fatalf("got tuning %+v, want 4 trials, best 2, 1 refused and front [2], from\n%s", got, out.String())
	}
	for k, want := range []struct {
		trial     int
		size      string
		rtt, wait float64
	}{{0, "2", 40, 4}, {2, "4", 36, 4}} {
		c := got.Choices[k]
		rtt, wait := c.Metrics["rtt_ms.mean"], c.Metrics["wait_s.p95"]
		if c.Trial != want.trial || c.Settings["match.size"] != want.size || rtt.Unit != "ms" || rtt.Mean != want.rtt || wait.Unit != "s" || wait.Mean != want.wait || c.Violation != 0 {
			t.Errorf("got %+v, want %+v", c, want)
		}
	}
	if h := got.Holdout.Metrics["rtt_ms.mean"]; got.Holdout.Runs != 3 || h.Unit != "ms" || h.A != 40. || h.B != 36. || h.Difference != -4. || h.Verdict != "better" {
		t.Errorf("got holdout %+v, want 3 runs with rtt_ms.mean 40 and 36 ms", got.Holdout)
	}
}
