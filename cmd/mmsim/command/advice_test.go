package command

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"mmsim/reports/judge"
)

// leftOut is a short day on which players are matched only in the state IDEAL. With a low
// threshold, or large matches, nearly all searches fail, and the few that do not have short RTTs.
const leftOut = `dataset: {builtin: {preset: eu, joins: 40000}}
clock: {duration: 1h}
match: {size: 2}
states: {ideal: {rtt: 80ms}, expand: {for: 0s}, warmbody: {for: 0s}}
`

// adviceIn runs a command on the day leftOut and returns its output and the file report.html.
func adviceIn(t *testing.T, dir, command, spec string, more ...string) (out, page string) {
	t.Helper()
	for name, text := range map[string]string{"base.yaml": leftOut, "spec.yaml": "config: base.yaml\n" + spec} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr strings.Builder
	if code := Run(append([]string{command, "spec.yaml", "--out", dir}, more...), nil, &stdout, &stderr); code != ExitGood {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	html, err := os.ReadFile(dir + "/report.html")
	if err != nil {
		t.Fatal(err)
	}
	return stdout.String(), strings.NewReplacer("\u00a0", " ", "<wbr>", "").Replace(string(html))
}

// swept is what the tests read of "mmsim sweep --json".
type swept struct {
	Points []struct {
		Values  map[string]string
		Metrics map[string]struct {
			Mean *float64
			Runs int
		}
		Beyond  []string `json:"beyond_guard"`
		Missing []string `json:"not_comparable"`
	}
}

// lowest returns the point with the lowest mean RTT among those that all or some runs have.
func (s *swept) lowest() int {
	best := -1
	for i, p := range s.Points {
		if x := p.Metrics["rtt_ms.mean"].Mean; x != nil && (best < 0 || *x < *s.Points[best].Metrics["rtt_ms.mean"].Mean) {
			best = i
		}
	}
	return best
}

// A sweep never recommends a combination because of the few players who found a match there. Here
// the lowest mean RTT is of a combination in which more than 85 % of searches fail. It is not the
// best and not on the front, and everything says so.
func TestSweepGuardsWhoIsLeftOut(t *testing.T) {
	t.Chdir(t.TempDir())
	const spec = "runs: 3\nsettings: {match.size: [2, 4], states.ideal.rtt: [15ms, 20ms, 80ms]}\nmetrics: [rtt_ms.mean, wait_s.mean]\n"
	out, page := adviceIn(t, "guarded", "sweep", spec, "--json")
	var found swept
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatal(err)
	}
	trap := &found.Points[found.lowest()]
	share := trap.Metrics[judge.Unmatched].Mean
	if share == nil || *share < 0.85 || trap.Metrics["rtt_ms.mean"].Runs != 3 {
		t.Fatalf("the lowest RTT is at %v with %v unmatched, want a combination with values in all runs in which more than 85 %% fail", trap.Values, share)
	}
	for _, p := range found.Points {
		good := p.Values["match.size"] == "2" && p.Values["states.ideal.rtt"] == "80ms"
		if good != (len(p.Beyond) == 0) {
			t.Errorf("%v: got beyond the guard in %v, want only 2 and 80ms within it", p.Values, p.Beyond)
		}
	}
	for _, want := range []string{"with match size 2, ideal threshold 80 ms", "1 of 6 combinations on the front", "hollow: leaves more players without a match"} {
		if !strings.Contains(page, want) {
			t.Errorf("report.html does not contain %q", want)
		}
	}
	out, _ = adviceIn(t, "guarded", "sweep", spec)
	if n := strings.Count(out, "leaves more players without a match"); n != 5 || !strings.Contains(out, judge.Unmatched) {
		t.Errorf("got %d marked rows, want 5 of 6, in\n%s", n, out)
	}
	_, page = adviceIn(t, "unguarded", "sweep", spec+"guard: none\n")
	if want := "with match size 2, ideal threshold 15 ms"; !strings.Contains(page, want) {
		t.Errorf("guard: none: report.html does not contain %q", want)
	}
}

// A combination in which only some runs have any match is not comparable: it is neither the best
// nor on the front, not even without a guard, although its mean RTT is the lowest.
func TestSweepDoesNotCompareMissingValues(t *testing.T) {
	t.Chdir(t.TempDir())
	const spec = "runs: 3\nsettings: {match.size: [2, 4], states.ideal.rtt: [18ms, 80ms]}\nmetrics: [rtt_ms.mean, wait_s.mean]\nguard: none\n"
	out, page := adviceIn(t, "found", "sweep", spec, "--json")
	var found swept
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatal(err)
	}
	trap := &found.Points[found.lowest()]
	if n := trap.Metrics["rtt_ms.mean"].Runs; n < 1 || n > 2 || len(trap.Missing) != 2 {
		t.Fatalf("the lowest RTT is at %v, in %d of 3 runs, not comparable in %v; want one that 1 or 2 runs have, and neither metric comparable", trap.Values, n, trap.Missing)
	}
	if !strings.Contains(page, "with match size 2, ideal threshold 18 ms") || !strings.Contains(page, " of 3 runs)") {
		t.Error("report.html does not name the best comparable combination, or not the number of runs with a value")
	}
	out, _ = adviceIn(t, "found", "sweep", spec)
	if !strings.Contains(out, "not comparable: rtt_ms.mean, wait_s.mean in ") {
		t.Errorf("want the combination marked as not comparable in\n%s", out)
	}
	csv, err := os.ReadFile("found/results.csv")
	if err != nil || !strings.Contains(string(csv), ",rtt_ms.mean.runs,") || !strings.Contains(string(csv), "not comparable: ") {
		t.Errorf("results.csv has no number of runs or no mark (error %v):\n%s", err, csv)
	}
}

// tuned is what the tests read of tune.json.
type tuned struct {
	Settings map[string]string
	AtEnd    []judge.RangeEnd `json:"at_end"`
	Holdout  struct {
		Metrics     map[string]struct{ A, B float64 }
		Worse       []string
		Constraints []struct{ Metric, Verdict string }
	}
}

func tunedIn(t *testing.T, out string) *tuned {
	t.Helper()
	var found tuned
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatal(err)
	}
	return &found
}

// A tuning for the lowest RTT does not write a best.yaml with which most searches fail, as it does
// without a guard. That search then says what got worse, and that the best threshold is at the end
// of its range.
func TestTuneGuardsWhoIsLeftOut(t *testing.T) {
	t.Chdir(t.TempDir())
	const spec = "settings: {states.ideal.rtt: {from: 15ms, to: 80ms}}\nminimise: rtt_ms.mean\nbudget: {runs: 16}\nstart: 5\nhalve: none\n"
	out, page := adviceIn(t, "unguarded", "tune", spec+"guard: none\n", "--json")
	bare := tunedIn(t, out)
	if lost := bare.Holdout.Metrics[judge.Unmatched]; lost.B < 0.8 || lost.A > 0.05 {
		t.Fatalf("without a guard: got %g unmatched before and %g with the best, want the trap: below 0.05, and above 0.8", lost.A, lost.B)
	}
	if len(bare.AtEnd) != 1 || bare.AtEnd[0] != (judge.RangeEnd{Setting: "states.ideal.rtt", Value: "15ms", Of: "range"}) || !strings.Contains(strings.Join(bare.Holdout.Worse, " "), "players.failed") {
		t.Errorf("without a guard: got ends %v and worse metrics %v, want the lowest threshold and players.failed", bare.AtEnd, bare.Holdout.Worse)
	}
	const end = "the best value of states.ideal.rtt is at the end of its range (15 ms): widen it"
	text, _ := adviceIn(t, "unguarded", "tune", spec+"guard: none\n")
	if !strings.Contains(text, end) || !strings.Contains(text, "Worse than before in these runs, outside the goals:") || !strings.Contains(page, end) {
		t.Errorf("want %q in the page and in\n%s", end, text)
	}
	out, page = adviceIn(t, "guarded", "tune", spec, "--json")
	good := tunedIn(t, out)
	if lost := good.Holdout.Metrics[judge.Unmatched]; lost.B > lost.A+0.03 || good.Settings["states.ideal.rtt"] == bare.Settings["states.ideal.rtt"] {
		t.Errorf("got %g unmatched before and %g with the best (%v), want hardly more, and another threshold than without a guard", lost.A, lost.B, good.Settings)
	}
	if c := good.Holdout.Constraints; len(c) != 1 || c[0].Metric != judge.Unmatched || c[0].Verdict == "" {
		t.Errorf("got verdicts %v, want one about %s", c, judge.Unmatched)
	}
	if !strings.Contains(page, "hollow: leaves more players without a match") {
		t.Error("report.html does not say that trials left more players without a match")
	}
}
