package command

import (
	"io"
	"strings"
	"testing"
)

// The text of run ends with a command, and that command works as it is printed. With --json and
// --quiet, there is none.
func TestNextCommandWorks(t *testing.T) {
	t.Chdir(t.TempDir())
	if code := Run([]string{"init", "--template", "playfab", "playfab"}, nil, io.Discard, io.Discard); code != ExitGood {
		t.Fatalf("init: exit code %d", code)
	}
	const (
		small   = "run --set dataset.builtin.joins=2000 --duration 20m --set clock.warmup=0s --set output.plots=false --set output.html=false --out out"
		matched = small + " --set report.limits.unmatched.good=1 --set report.limits.unmatched.fair=1" // any share is good
		lost    = small + " --set report.limits.unmatched.good=0 --set report.limits.unmatched.fair=0" // no share is, except 0
		fast    = " --set report.limits.wait.good=24h --set report.limits.wait.fair=24h --set report.limits.rtt.good=1ms --set report.limits.rtt.fair=1ms"
		playfab = " --config playfab/mmsim.yaml"
	)
	for _, test := range []struct{ args, want string }{
		{lost, "Would more find a match if they waited longer? mmsim compare out/config.yaml --set-b states.warmbody.for=20s"},
		{lost + playfab, "Can these players meet the rules? mmsim validate out/config.yaml"},
		{matched, "How much of this is chance? mmsim run --config out/config.yaml --runs 8 --out out-runs"},
		{matched + " --runs 2 --rules playfab/queue.json --out=-x/", "What if half as many play? mmsim compare ./-x/config.yaml --set-b dataset.scale=0.5"},
		{matched + playfab, "Do the limits hold? mmsim check out --gate playfab/gate.yaml"},
		{matched + " --set dataset.builtin.joins=20000 --runs 2" + fast, "Is RTT better if players wait longer for it? mmsim compare out/config.yaml --set-b states.ideal.for=20s"},
		{small + " --json", ""},
		{small + " --quiet", ""},
	} {
		var out, errs strings.Builder
		if code := Run(strings.Fields(test.args), nil, &out, &errs); code != ExitGood {
			t.Fatalf("mmsim %s: exit code %d, %s", test.args, code, errs.String())
		}
		got := ""
		for line := range strings.Lines(out.String()) {
			if rest, is := strings.CutPrefix(line, "Next:"); is {
				got += strings.TrimSpace(rest)
			}
		}
		if got != test.want {
			t.Errorf("mmsim %s:\ngot  %q\nwant %q", test.args, got, test.want)
		}
		_, command, _ := strings.Cut(got, " mmsim ")
		if command == "" {
			continue
		}
		errs.Reset()
		switch code := Run(strings.Fields(command), nil, io.Discard, &errs); {
		case code == ExitFailed && strings.HasPrefix(command, "check "): // a limit is broken: an answer
		case code != ExitGood:
			t.Errorf("mmsim %s, which follows mmsim %s: exit code %d, %s", command, test.args, code, errs.String())
		}
	}
}
