package config

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/reports/grade"
	"mmsim/reports/outcome"
)

// A limit that is not set has its default. If no limit is set, results contain none.
func TestReportLimits(t *testing.T) {
	for _, test := range []struct {
		settings []string
		want     *outcome.Limits
		rtts     grade.RTTs
	}{
		{nil, nil, grade.RTTs{Good: 50, Fair: 100, GoodName: "ideal", FairName: "expand"}},
		{[]string{"states.ideal.rtt=62.53ms", "report.limits.wait.good=auto"}, nil, grade.RTTs{Good: 62.53, Fair: 100, GoodName: "ideal", FairName: "expand"}},
		{[]string{"report.limits.wait.good=2500ms"}, &outcome.Limits{Wait: &outcome.WaitLimits{Good: 2.5, Fair: 30}}, grade.RTTs{Good: 50, Fair: 100, GoodName: "ideal", FairName: "expand"}},
		{[]string{"report.limits.wait.good=2s", "report.limits.wait.good=auto"}, nil, grade.RTTs{Good: 50, Fair: 100, GoodName: "ideal", FairName: "expand"}},
		{[]string{"report.limits.unmatched={good: 0, fair: 0.25 %}"}, &outcome.Limits{Unmatched: &outcome.UnmatchedLimits{Good: 0, Fair: 0.0025}}, grade.RTTs{Good: 50, Fair: 100, GoodName: "ideal", FairName: "expand"}},
		// RTTs are stored in steps of 1/16 ms, so 30.1 ms is rounded down to 30.0625 ms.
		{[]string{"report.limits.rtt={good: 30.1ms, fair: 60ms}"}, &outcome.Limits{RTT: &outcome.RTTLimits{Good: 30.06, Fair: 60}}, grade.RTTs{Good: 30.06, Fair: 60, GoodName: "good", FairName: "fair", Own: true}},
	} {
		c, err := Load("", overrides(t, test.settings))
		if err != nil {
			t.Fatalf("%v: %v", test.settings, err)
		}
		if diff := cmp.Diff(test.want, c.Limits.Given()); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.settings, diff)
		}
		if got := c.RTTLimits(); got != test.rtts {
			t.Errorf("%v: got RTT limits %v, want %v", test.settings, got, test.rtts)
		}
	}
}

// A configuration without report limits has the same text as before these limits existed.
func TestResolvedWithoutLimits(t *testing.T) {
	for _, test := range []struct {
		settings []string
		want     bool
	}{{nil, false}, {[]string{"report.limits.rtt.good=auto"}, false}, {[]string{"report.limits.unmatched.fair=2%"}, true}} {
		c, err := Load("", overrides(t, test.settings))
		if err != nil {
			t.Fatal(err)
		}
		text, err := c.Resolved("")
		if err != nil {
			t.Fatal(err)
		}
		tree, err := load(string(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, has := tree.written["report.limits.rtt.good"]; has != test.want {
			t.Errorf("%v: got limits in the text: %v, want %v\n%s", test.settings, has, test.want, text)
		}
	}
}

// The limits that README.md shows are valid.
func TestReadmeShowsLimits(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(text), "```yaml\n# limits.yaml\nreport:\n")
	shown, _, _ = strings.Cut(shown, "```")
	c, err := load("report:\n" + shown)
	if err != nil {
		t.Fatal(err)
	}
	want := &outcome.Limits{
		Wait: &outcome.WaitLimits{Good: 5, Fair: 15}, RTT: &outcome.RTTLimits{Good: 30, Fair: 60},
		Unmatched: &outcome.UnmatchedLimits{Good: 0.001, Fair: 0.005},
	}
	if diff := cmp.Diff(want, c.Limits.Given()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
