package decision

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
)

// lost returns a sample of runs in which these shares of searches end without a match. Each queue
// has the shares of queues, by name.
func lost(shares []outcome.Share, queues map[string][]outcome.Share) *judge.Sample {
	return resulttest.Sample("x", 1, len(shares), func(run int, s *outcome.Summary) {
		s.Players.UnmatchedShare = shares[run]
		for _, name := range []string{"casual", "duel", "ranked"} {
			if of, is := queues[name]; is {
				s.Queues = append(s.Queues, outcome.QueueStats{Name: name, Players: outcome.QueuePlayers{Ends: outcome.Ends{Ended: 1000, UnmatchedShare: of[run]}}})
			}
		}
	})
}

// The differences 0.019, 0.02 and 0.021 have the mean 0.02 and the interval 0.02 ± 4.30265*0.001/√3,
// which is 0.02 ± 0.00248.
var (
	few  = []outcome.Share{0.01, 0.01, 0.01}
	many = []outcome.Share{0.029, 0.03, 0.031}
)

const says = "leaves more players without a match: 3.00 % instead of 1.00 % (+1.75 to +2.25 pp)"

func TestCompareSaysFirstWhoIsUnmatched(t *testing.T) {
	apart := []outcome.Share{0.029, 0.01, 0.05} // the mean is as high, but chance may explain it
	slightly := []outcome.Share{0.01049, 0.0105, 0.01051}
	noQueues := map[string][]outcome.Share{}
	for name, test := range map[string]struct {
		a, b *judge.Sample
		want string
	}{
		"more":                  {lost(few, noQueues), lost(many, noQueues), "B " + says},
		"fewer":                 {lost(many, noQueues), lost(few, noQueues), "B is better: share of searches without a match 1.0 % instead of 3.0 %"},
		"by chance":             {lost(few, noQueues), lost(apart, noQueues), "No difference is shown"},
		"too few to matter":     {lost(few, noQueues), lost(slightly, noQueues), "No difference that matters is shown"},
		"one run":               {lost(few[:1], noQueues), lost(many[:1], noQueues), "No difference is shown"},
		"of a queue":            {lost(few, map[string][]outcome.Share{"duel": few, "ranked": few}), lost(few, map[string][]outcome.Share{"duel": many, "ranked": few}), "B " + says + " in duel"},
		"of queues and the run": {lost(few, map[string][]outcome.Share{"duel": few, "ranked": few}), lost(many, map[string][]outcome.Share{"duel": many, "ranked": many}), "B " + says + " in duel, 3.00 % instead of 1.00 % (+1.75 to +2.25 pp) in ranked"},
		"of no queue":           {lost(few, map[string][]outcome.Share{"duel": few}), lost(many, map[string][]outcome.Share{"duel": few}), "B " + says},
	} {
		c := judge.Compare(test.a, test.b, nil)
		if got := phrase.Comparison(c); got != test.want {
			t.Errorf("%s: got  %q\nwant %q", name, got, test.want)
		}
		if first, _, _ := strings.Cut(Comparison(c, nil).Text(false), "\n"); first != test.want+"." {
			t.Errorf("%s: the text begins with %q, want %q", name, first, test.want)
		}
	}
	better := lost(many, noQueues)
	for run, s := range better.Runs {
		s.WaitFirst.Mean = outcome.Seconds(0.1) + outcome.Seconds(run)/1000
	}
	c := judge.Compare(lost(few, noQueues), better, nil)
	want := "B " + says + ". B is better: mean wait of first searches 84 % shorter (0.10 s instead of 0.62 s)"
	if got := phrase.Comparison(c); got != want {
		t.Errorf("a shorter wait of those who remain: got %q, want %q", got, want)
	}
	if got := Comparison(c, nil).Markdown(); !strings.HasPrefix(got, "### B "+says+". B is") {
		t.Errorf("markdown: got %q", got[:200])
	}
	if got := Comparison(c, &Sources{}).Title; got != want {
		t.Errorf("page: got title %q, want %q", got, want)
	}
	for _, s := range better.Runs {
		s.Servers = &outcome.Servers{Opened: 3}
	}
	servers := lost(few, noQueues)
	for _, s := range servers.Runs {
		s.Servers = &outcome.Servers{Opened: 3}
	}
	if list := judge.Compare(servers, better, nil).Unmatched(); list != nil {
		t.Errorf("on servers: got %+v, want nothing about matches", list)
	}
}

// A check says so too, although no limit is about it, and still after its result is read again.
func TestGateSaysFirstWhoIsUnmatched(t *testing.T) {
	limit := judge.Limit{Name: "wait_s.mean", Pattern: "wait_s.mean", Kind: judge.LimitMax, Bound: 100}
	written := judge.CheckGate(lost(many, nil), lost(few, nil), []judge.Limit{limit})
	var text bytes.Buffer
	if err := written.Write(&text); err != nil {
		t.Fatal(err)
	}
	read, err := judge.ParseGate("check.json", text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want := "The result " + says
	for name, g := range map[string]*judge.GateResult{"written": written, "read": read} {
		if !g.Passed {
			t.Errorf("%s: got a broken gate, want a held one", name)
		}
		if first, _, _ := strings.Cut(Gate(g, nil).Text(false), "\n"); first != "The gate holds: 1 limit held, 0 broken. "+want+"." {
			t.Errorf("%s: the text begins with %q, want %q", name, first, want)
		}
		if got := "### The gate holds: 1 limit held, 0 broken. " + want + "\n"; !strings.HasPrefix(Gate(g, nil).Markdown(), got) {
			t.Errorf("%s: got %q, want it to begin with %q", name, Gate(g, nil).Markdown(), got)
		}
		if got := Gate(g, &Sources{}).Title; got != "The gate holds: 1 limit held, 0 broken. "+want {
			t.Errorf("%s: got title %q", name, got)
		}
		if !slices.ContainsFunc(g.Unmatched, func(d judge.Difference) bool {
			return d.Name == "players.unmatched_share" && d.Verdict == judge.VerdictWorse && d.Low > 0.017 && d.High < 0.023
		}) {
			t.Errorf("%s: got %+v, want the difference with its interval", name, g.Unmatched)
		}
	}
	for name, g := range map[string]*judge.GateResult{
		"fewer":       judge.CheckGate(lost(few, nil), lost(many, nil), []judge.Limit{limit}),
		"no baseline": judge.CheckGate(lost(many, nil), nil, []judge.Limit{limit}),
	} {
		if text := Gate(g, nil).Text(false) + Gate(g, nil).Markdown(); strings.Contains(text, "without a match") {
			t.Errorf("%s: got %s\nwant nothing about players without a match", name, text)
		}
	}
}
