package gate

import (
	"strings"
	"testing"

	"mmsim/reports/judge"
)

// GitHub shows as the first warning that more players are left without a match.
func TestAnnotateUnmatched(t *testing.T) {
	t.Setenv("GITHUB_STEP_SUMMARY", "")
	result := &judge.GateResult{Warnings: []string{"another"}, Unmatched: judge.Differences{
		{Name: "players.unmatched_share", A: 0.01, B: 0.03, Difference: 0.02, Low: 0.018, High: 0.022, Verdict: judge.VerdictWorse, In: "%"},
	}}
	var out strings.Builder
	if err := Annotate(&out, "gate.yaml", result); err != nil {
		t.Fatal(err)
	}
	const want = "::warning title=mmsim check::The result leaves more players without a match: 3.00 %25 instead of 1.00 %25 (+1.80 to +2.20 pp)\n" +
		"::warning title=mmsim check::another\n"
	if out.String() != want || len(result.Warnings) != 1 {
		t.Errorf("got\n%swant\n%sand the warnings of the result unchanged, got %q", out.String(), want, result.Warnings)
	}
	result.Unmatched[0].Verdict = judge.VerdictUnshown
	out.Reset()
	if err := Annotate(&out, "gate.yaml", result); err != nil || strings.Contains(out.String(), "without a match") {
		t.Errorf("not shown: got %q and error %v, want only the other warning", out.String(), err)
	}
}
