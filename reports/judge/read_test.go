package judge_test

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// text returns the text that write writes.
func text(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// compared returns the comparison of two samples in which some metrics describe no player.
func compared() *judge.Comparison {
	a := resulttest.Sample("a", 1, 3, nil)
	b := resulttest.Sample("b", 1, 3, func(run int, s *outcome.Summary) {
		s.Wait.Mean *= outcome.Seconds(run + 1)
		s.RTT.ShareLE50 /= 3
	})
	c := judge.Compare(a, b, []judge.SettingPair{{Key: "match.size", A: "2", B: "4"}})
	c.Command = "mmsim compare a b"
	return c
}

func checked() *judge.GateResult {
	limits := []judge.Limit{
		{Pattern: "wait_s.mean", Name: "wait_s.mean", Kind: judge.LimitMax, Bound: 1, Among: 1},
		{Pattern: "failed_wait_s.mean", Name: "failed_wait_s.mean", Kind: judge.LimitMaxIncrease, Bound: 0.05, Relative: true, Among: 1},
	}
	return judge.CheckGate(resulttest.Sample("a", 1, 3, nil), resulttest.Sample("b", 1, 3, nil), limits)
}

func tuned() *judge.Tuning {
	goals := []judge.Goal{{Name: "rtt_ms.mean"}, {Name: "wait_s.p95", Maximise: true}}
	t := resulttest.Tuning(goals, []judge.Limit{{Pattern: "ccu.peak", Name: "ccu.peak", Kind: judge.LimitMax, Bound: 1e6}}, [][2]float64{{4, 40}, {6, math.Pi}, {4, 36}})
	t.Trials = append(t.Trials, judge.TuningTrial{Phase: "start", Share: 0.25, Values: []string{"x"}, Refused: "does not fit"})
	t.Trials[1].Figures[0].Mean = math.NaN()
	t.Front, t.Best, t.Complete, t.Budget = []int{2}, 2, true, "10 of 20"
	t.Holdout = judge.Compare(resulttest.Sample("before", 1, 2, nil), resulttest.Sample("best", 1, 2, nil), nil)
	return t
}

// A JSON form that is read and written again has the same bytes, so a page drawn from it is the
// same.
func TestJSONFormsReadBack(t *testing.T) {
	c, g, s := text(t, compared().Write), text(t, checked().Write), text(t, tuned().Write)
	for _, test := range []struct {
		text string
		read func(text string) (func(io.Writer) error, error)
	}{
		{c, func(text string) (func(io.Writer) error, error) {
			c, err := judge.ParseComparison("file.json", []byte(text))
			return c.Write, err
		}},
		{g, func(text string) (func(io.Writer) error, error) {
			g, err := judge.ParseGate("file.json", []byte(text))
			return g.Write, err
		}},
		{s, func(text string) (func(io.Writer) error, error) {
			t, err := judge.ParseTuning("file.json", []byte(text))
			return t.Write, err
		}},
	} {
		write, err := test.read(test.text)
		if err != nil {
			t.Fatal(err)
		}
		if again := text(t, write); again != test.text {
			t.Errorf("got\n%s\nwant\n%s", again, test.text)
		}
	}
	// Shares have no unit in the JSON form. Reading it restores the unit.
	read, err := judge.ParseComparison("file.json", []byte(c))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range read.Metrics {
		if d.Name == "rtt_ms.share_le_50" && d.In != outcome.UnitShare || d.Name == "wait_s.mean" && d.In != outcome.UnitSeconds {
			t.Errorf("%s: got unit %q, want share or seconds", d.Name, d.In)
		}
	}
}

// A document that no search can have written is rejected, because a page of it would use numbers
// that are missing.
func TestBadJSONForms(t *testing.T) {
	good := text(t, tuned().Write)
	for _, test := range []struct{ old, new, want string }{
		{`"schema": 1`, `"schema": 2`, `file.json: "schema" is 2, want 1`},
		{`"complete": true,`, ``, `file.json:1:1: the file has no "complete", expected true or false`},
		{`"best": 2`, `"best": -2`, `: best is -2, expected a whole number from 0`},
		{`"kind": "max"`, `"kind": "most"`, `: search.constraints.0.kind is "most", expected "max", "min", "max_increase", "max_decrease"`},
		{`"maximise": false`, `"maximise": 0`, `: search.goals.0.maximise is 0, expected true or false`},
		{`"best": 2`, `"best": 7`, `"best" is 7`},
		{`"best": 2`, `"best": 1`, `"best" is 1`},
		{`"front": [
    2`, `"front": [
    2, 3`, `"front" has 3`},
		{`"rtt_ms.mean",
      "wait_s.p95",
      "ccu.peak"`, `"rtt_ms.mean",
      "wait_s.p95"`, `"constraints" has "ccu.peak"`},
		{`"values": [
          "3"
        ]`, `"values": []`, "trial 1 has 0 values"},
		{`{`, `[`, "file.json:2:11: the text is not valid JSON: invalid character"},
	} {
		bad := strings.Replace(good, test.old, test.new, 1)
		if bad == good {
			t.Fatalf("the test replaces %s, which is not in\n%s", test.old, good)
		}
		if _, err := judge.ParseTuning("file.json", []byte(bad)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one that contains %s", test.new, err, test.want)
		}
	}
	for _, test := range []struct{ good, old, new, want string }{
		{text(t, compared().Write), `"verdict": "the same"`, `"verdict": "equal"`, `.verdict is "equal", expected "better", "worse", "higher", "lower", "no difference that matters", `},
		{text(t, compared().Write), `"pairs": 3`, `"pairs": 3.5`, `: pairs is 3.5, expected a whole number from 0`},
		{text(t, compared().Write), `"p": `, `"P": `, ` has "P", expected "p"`},
		{text(t, checked().Write), `"bound": 1,`, `"bound": "1",`, `: limits.0.bound is "1", expected a number`},
		{text(t, checked().Write), `"passed": `, `"passed": true, "passed": `, `: the file has "passed" twice`},
	} {
		bad := strings.Replace(test.good, test.old, test.new, 1)
		if bad == test.good {
			t.Fatalf("the test replaces %s, which is not in\n%s", test.old, test.good)
		}
		_, err := judge.ParseComparison("file.json", []byte(bad))
		if strings.Contains(bad, `"passed"`) {
			_, err = judge.ParseGate("file.json", []byte(bad))
		}
		if err == nil || !strings.HasPrefix(err.Error(), "file.json:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one that contains %s", test.new, err, test.want)
		}
	}
	for _, bad := range []string{"", "{}", `{"schema": 1, "complete": 1}`, `{"schema": 1, "complete": true, "metrics": 3}`, `{"schema": 1, "complete": true, "limits": [3]}`} {
		_, one := judge.ParseComparison("file.json", []byte(bad))
		_, other := judge.ParseGate("file.json", []byte(bad))
		if one == nil && other == nil {
			t.Errorf("%s was accepted, want an error", bad)
		}
	}
}

// In this grid the RTT decreases from row to row, without noise: all points of the last row are
// equally good, and better than the others. The wait is 1 s + row + column, with the same noise
// everywhere, so the first point alone is the best.
func TestBestOfSweep(t *testing.T) {
	s := resulttest.Grid([]string{"20ms", "30ms"}, []string{"2", "4", "8"}, 3)
	s.Metrics = append(s.Metrics, "ccu.peak") // has no direction
	best := s.Table().Best()
	if len(best) != 2 {
		t.Fatalf("got %d metrics with a best point, want wait and RTT: %+v", len(best), best)
	}
	if b := best[0]; b.Metric != 0 || b.Point != 0 || len(b.Rivals) != 0 || !b.Known {
		t.Errorf("best wait: got %+v, want point 0 without rivals", b)
	}
	if b := best[1]; b.Metric != 1 || b.Point != 3 || len(b.Rivals) != 2 || b.Rivals[0] != 4 || b.Rivals[1] != 5 {
		t.Errorf("best RTT: got %+v, want point 3 with rivals 4 and 5", b)
	}
	if b := resulttest.Grid([]string{"20ms"}, []string{"2", "4"}, 1).Table().Best()[0]; b.Known {
		t.Error("one run: got Known rivals, want them unknown")
	}
}
