package theory_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
)

// allPlayersProfile is a profile with one pool of all tickets.
const allPlayersProfile = "{name: %, pools: {%: {}}}"

// profilesOf writes a file with profiles of the given names.
func profilesOf(t *testing.T, names ...string) string {
	t.Helper()
	var list []string
	for _, name := range names {
		list = append(list, strings.ReplaceAll(allPlayersProfile, "%", name))
	}
	dir := t.TempDir()
	commandtest.Put(t, dir, map[string]string{"profiles.yaml": "profiles: [" + strings.Join(list, ", ") + "]"})
	return filepath.Join(dir, "profiles.yaml")
}

// An Open Match function that matches the first k tickets agrees with theory (T2). If two
// profiles take the same tickets, every match is proposed twice, and the second proposal
// collides.
func TestMatcherOpenMatch(t *testing.T) {
	const k, rate, tick = 4, 2.0, 1.0
	address := commandtest.Start(t, "function-openmatch", "first", "4")
	settings := []string{"matcher.external=openmatch2:" + address, "clock.duration=1h", "clock.warmup=10m", "players.give_up_after=5m"}
	f := theoryRun{day: poisson(rate, atOnePlace), settings: append(settings, "matcher.profiles="+profilesOf(t, "a", "b"))}.simulate(t)
	near(t, "mean", f.Wait.Mean, poolWait(k, rate, tick), 0.03)
	e := f.External
	if e.Proposals == 0 || e.Proposals != 2*e.Accepted || e.Accepted != f.Matches.Count || e.ShareCollided != 0.5 || e.Dropped["collision"].Count != e.Accepted {
		t.Errorf("got %+v for %d matches, want every second proposal to collide", e, f.Matches.Count)
	}
	// All players wait in the same datacenter, so a collision is the only reason to drop a
	// proposal.
	if len(e.Dropped) != 1 {
		t.Errorf("got dropped proposals %+v, want only collisions", e.Dropped)
	}
}

// A pool contains the tickets that pass its filters. Two profiles that divide the players at a
// threshold act as two pools (T8).
func TestMatcherOpenMatchPools(t *testing.T) {
	const k, rate, tick = 4, 2.0, 1.0
	address := commandtest.Start(t, "function-openmatch", "teams", "4")
	dir := t.TempDir()
	commandtest.Put(t, dir, map[string]string{"profiles.yaml": `profiles:
  - {name: low, pools: {low: {doubles: {mmr: {max: 0.5, bounds: max_excluded}}, strings: {mode: ranked}, tags: [here]}}}
  - {name: high, pools: {high: {doubles: {mmr: {min: 0.5}, rtt.here: {max: 1000}}, waited: {min: 0s}}, none: {strings: {mode: casual}}}}
`})
	f := theoryRun{day: poisson(rate, atOnePlace), settings: []string{
		"matcher.external=openmatch2:" + address, "matcher.profiles=" + filepath.Join(dir, "profiles.yaml"),
		"clock.duration=1h", "clock.warmup=10m", "players.give_up_after=5m",
		"players.attributes={mmr: {uniform: {min: 0, max: 1}}, mode: {constant: ranked}}"}}.simulate(t)
	near(t, "mean", f.Wait.Mean, 2*(k-1)/(2*rate)+tick/2, 0.03)
	if len(f.External.Dropped) > 0 || f.External.Proposals != f.Matches.Count {
		t.Errorf("got %+v for %d matches, want a match for every proposal and none dropped", f.External, f.Matches.Count)
	}
}

// For every fault of a service there is a message and the exit code is 2. Nothing hangs.
func TestMatcherServiceFaults(t *testing.T) {
	profiles := profilesOf(t, "all")
	for wrong, want := range map[string]string{
		"late":          `profile "all": no answer within TIMEOUT (matcher.timeout)`,
		"garbage":       `profile "all": Run: Internal: "`,
		"endless":       `profile "all": Run: its answer is longer than 64 MB (MaxLine)`,
		"dies":          `profile "all": Run: the service is not available: "`,
		"says":          `profile "all": Run: Internal: "no map for \x1b[31mthis"`,
		"many":          `profile "all": Run: its answer has more than 131072 proposals (MaxProposals)`,
		"big":           `profile "all": Run: its message is longer than 4 MB (MaxMessage)`,
		"says much":     `profile "all": Run: Internal: "no map no`,
		"unimplemented": `profile "all": Run: Unimplemented: "unknown method"`,
		"away":          "hello: cannot connect: ",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			dir := ""
			code, errs, timeout := patiently(wrong, func(timeout string) (int, string) {
				address := "127.0.0.1:1"
				if wrong != "away" {
					address = commandtest.Start(t, "function-openmatch", wrong, "1000")
				}
				dir = filepath.Join(t.TempDir(), "out")
				var errs bytes.Buffer
				code := command.Run([]string{"run", "--quiet", "--out", dir, "--matcher", "openmatch2:" + address, "--profiles", profiles, "--set", "matcher.timeout=" + timeout,
					"--set", "dataset.builtin={preset: eu, joins: 20000}", "--set", "clock={duration: 1m, warmup: 0s}", "--set", "output={plots: false, html: false}"},
					nil, io.Discard, &errs)
				return code, errs.String()
			})
			wantFault(t, code, errs, strings.ReplaceAll(want, "TIMEOUT", timeout))
			_, err := os.Stat(filepath.Join(dir, "summary.json"))
			if pass := strings.Contains(errs, "pass 3 at "); (wrong != "away") != (pass && err == nil) {
				t.Errorf("got stderr %s and result error %v, want the pass and a partial result", errs, err)
			}
		})
	}
}
