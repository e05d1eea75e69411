package theory_test

import (
	"bytes"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/reports/outcome"
)

// A single pool for all modes completes a smaller share of requests than one pool for each
// mode. FlexMatch's vendor published this for its sample rule sets: 26 % against 48, 45 and 77
// %. The reason is that a batch from a single pool has only few tickets of each mode. The
// vendor's shares are those of another game, so the test checks only the direction.
func TestOnePoolForAllModesCompletesFewer(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode, because it simulates two runs of 20 minutes")
	}
	completed := func(config string) (all outcome.Share, least outcome.Share) {
		var out, errs bytes.Buffer
		dir := t.TempDir()
		if code := command.Run([]string{"run", "--quiet", "--config", "testdata/pools/" + config, "--out", dir, "--set", "output={plots: false, html: false}"}, nil, &out, &errs); code != command.ExitGood {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		s := summaryIn(t, dir)
		least = 1
		for i := range s.Queues {
			p := &s.Queues[i].Players
			least = min(least, outcome.ShareOf(p.Matched, p.Entries))
		}
		return outcome.ShareOf(s.Players.Matched, s.Players.Entries), least
	}
	one, _ := completed("one-pool.yaml")
	three, least := completed("three-pools.yaml")
	if one > 0.8 || least < one+0.1 {
		t.Errorf("got completion of %v of the requests with one pool, %v with three and %v in the lowest of them; want at most 0.8 with one, and 0.1 more in each of three", one, three, least)
	}
}
