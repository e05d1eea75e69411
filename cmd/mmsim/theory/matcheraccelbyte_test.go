package theory_test

import (
	"bytes"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/reports/outcome"
)

// accelbyteRules writes a ruleset for matches of two up to most players.
func accelbyteRules(t *testing.T, most string) string {
	t.Helper()
	dir := t.TempDir()
	commandtest.Put(t, dir, map[string]string{"ruleset.json": `{"alliance": {"min_number": 1, "max_number": 1, "player_min_number": 2, "player_max_number": ` + most + `}}`})
	return filepath.Join(dir, "ruleset.json")
}

// An AccelByte function that pairs players agrees with theory (T2 with k = 2). Half of the
// players are invalid: they are never matched, and leave when they give up.
func TestMatcherAccelByte(t *testing.T) {
	const k, rate, tick = 2, 2.0, 1.0
	address := commandtest.Start(t, "function-accelbyte", "pairs")
	settings := []string{"matcher.external=accelbyte:" + address, "clock.duration=1h", "clock.warmup=10m", "players.give_up_after=30s"}
	t.Run("T2", func(t *testing.T) {
		f := theoryRun{day: poisson(rate, atOnePlace), settings: append(settings, "rules="+accelbyteRules(t, "2"), "players.attributes={mmr: {constant: 5}, other: {constant: 1}}")}.simulate(t)
		near(t, "mean", f.Wait.Mean, poolWait(k, rate, tick), 0.03)
		if e := f.External; e.Proposals != f.Matches.Count || len(e.Dropped) > 0 || e.Checked != e.Accepted || e.ShareBroken > 0 {
			t.Errorf("got %+v for %d matches, want every proposal accepted, checked and without violations", e, f.Matches.Count)
		}
	})
	t.Run("invalid", func(t *testing.T) {
		f := theoryRun{day: poisson(2*rate, atOnePlace), settings: append(settings, "rules="+accelbyteRules(t, "2"), "players.attributes={mmr: {choice: {-1: 0.5, 1: 0.5}, kind: number}}")}.simulate(t)
		near(t, "mean", f.Wait.Mean, poolWait(k, rate, tick), 0.03)
		near(t, "expired", float64(f.Players.Expired), float64(f.Matches.Count)*2, 0.05)
	})
}

// The server adds tickets to matches that look for players. In each pass it only adds the
// ticket that has no partner, so no proposal is dropped.
func TestMatcherAccelByteBackfill(t *testing.T) {
	address := commandtest.Start(t, "function-accelbyte", "fill")
	dir := t.TempDir()
	commandtest.Put(t, dir, map[string]string{"rules.json": string(commandtest.Read(t, accelbyteRules(t, "4")))})
	summary := runMatcher(t, dir, "accelbyte:"+address, "external.backfill=true", "dataset.builtin={preset: eu, joins: 50000}", "datacenters.file="+hereFile(t),
		"clock={duration: 30m, warmup: 10m}", "players={give_up_after: 1h, play_again: 0, attributes: {mmr: {constant: 5}}}")
	e, r, matched := summary.External, summary.Rules, summary.Players.Matched
	if e.Accepted != e.Proposals || r.Backfill.Players == 0 || matched != 2*r.Matches+r.Backfill.Players {
		t.Errorf("got %+v with %v matches and %v backfilled players of %v, want all proposals accepted and all other players in matches of two", e, r.Matches, r.Backfill.Players, matched)
	}
}

// allianceDay runs a server with an alliance of two teams of one or two players.
func allianceDay(t *testing.T, wants, place string, settings ...string) *outcome.Summary {
	t.Helper()
	address := commandtest.Start(t, "function-accelbyte", wants, "", place)
	dir := t.TempDir()
	commandtest.Put(t, dir, map[string]string{"rules.json": `{"auto_backfill": true, "alliance": {"min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 2}}`})
	return runMatcher(t, dir, "accelbyte:"+address, append(settings, "external.backfill=true", "dataset.builtin={preset: eu, joins: 50000}", "datacenters.file="+hereFile(t),
		"clock={duration: 30m, warmup: 10m}", "players={give_up_after: 1h, play_again: 0, attributes: {mmr: {constant: 5}}}")...)
}

// A server that forms the teams of the alliance, and adds players to them, breaks no rule. Matches
// and sessions keep the teams. The key regions names the latencies that the server gets and the
// regions in which it plays.
func TestMatcherAccelByteAlliance(t *testing.T) {
	summary := allianceDay(t, "alliance", "us-east-2", "regions={us-east-2: [here]}")
	e, r := summary.External, summary.Rules
	if e.Proposals == 0 || e.Accepted != e.Proposals || e.Checked != e.Accepted || e.ShareBroken > 0 || r.Backfill.Players == 0 {
		t.Errorf("got %+v and %v backfilled players, want all proposals accepted and checked, no violations, and some backfills", e, r.Backfill.Players)
	}
	// The cost does not depend on the real clock, although the server gets times of it.
	again := allianceDay(t, "alliance", "us-east-2", "regions={us-east-2: [here]}").External
	if again.Matcher = e.Matcher; !reflect.DeepEqual(again, e) || e.Messages < 4*e.Passes || e.Bytes < 50*e.Messages {
		t.Errorf("got %+v, then %+v, want equal results, and at least 4 messages a pass of at least 50 bytes", e, again)
	}
	// Every pass fills the sessions first, so nearly all matches become 2v2. They begin as 1v1.
	if layouts := summary.Rules.Layouts; len(layouts) != 1 || layouts[0].Name != "1v1" {
		t.Errorf("got team layouts %+v, want 1v1", layouts)
	}
}

// A server that puts all players of a match into one team breaks the alliance in every match. Its
// backfills are accepted, with a team for each. Neither its region "any" nor its empty backfill
// proposals are faults.
func TestMatcherAccelByteTemplate(t *testing.T) {
	summary := allianceDay(t, "template", "here")
	e, r := summary.External, summary.Rules
	if e.Proposals == 0 || e.Accepted != e.Proposals || e.Checked != e.Accepted || r.Backfill.Players == 0 {
		t.Errorf("got %+v and %v backfilled players, want all proposals accepted and checked, and some backfills", e, r.Backfill.Players)
	}
	broken := outcome.Count(0)
	for _, v := range e.Violations {
		if v.Name == "team sizes" {
			broken = v.Count
		}
	}
	// The first ticket that joins a session is its second team, which the alliance allows. A third
	// team is not allowed.
	if broken < r.Matches || broken > e.Checked-r.Backfill.Players/2 {
		t.Errorf("got %v violations of team sizes in %v matches and %v backfills, want one in every match and in at most half of the backfills", broken, r.Matches, e.Checked-r.Matches)
	}
}

// Rules that only the server can read reach it unchanged, and a warning says that mmsim cannot
// check them. Without a server, or if the configuration names a dialect, they are an error.
func TestMatcherAccelByteForeignRules(t *testing.T) {
	const rules = "{ \"ships\" : [1,\n 2.50] }"
	dir := t.TempDir()
	commandtest.Put(t, dir, map[string]string{"rules.json": rules})
	simulated := func(more ...string) (int, string) {
		var errs bytes.Buffer
		args := []string{"run", "--quiet", "--out", filepath.Join(dir, "out"), "--rules", filepath.Join(dir, "rules.json"), "--set", "datacenters.file=" + hereFile(t),
			"--set", "match.size=2", "--set", "players.attributes={mmr: {constant: 5}}", "--set", "dataset.builtin={preset: eu, joins: 50000}",
			"--set", "clock={duration: 10m, warmup: 0s}", "--set", "output={plots: false, html: false}"}
		code := command.Run(append(args, more...), nil, io.Discard, &errs)
		return code, errs.String()
	}
	server := "accelbyte:" + commandtest.Start(t, "function-accelbyte", "pairs", rules)
	if code, errs := simulated("--matcher", server); code != command.ExitGood {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	summary := summaryIn(t, filepath.Join(dir, "out"))
	const warning = "rules.json:1:1: mmsim cannot compile this ruleset, so the matchmaker gets it unchanged, matches have match.size players, and mmsim does not check them against the rules: "
	if !slices.ContainsFunc(summary.Warnings, func(w string) bool { return strings.Contains(w, warning) }) {
		t.Errorf("got warnings %q, want one with %q", summary.Warnings, warning)
	}
	if e := summary.External; e.Accepted == 0 || e.Accepted != e.Proposals || e.Checked != 0 {
		t.Errorf("got %+v, want all proposals accepted and none checked", e)
	}
	for _, more := range [][]string{{}, {"--matcher", server, "--set", "dialect=accelbyte"}} {
		if code, errs := simulated(more...); code != command.ExitBadInput {
			t.Errorf("%q: got exit code %d, want %d: %s", more, code, command.ExitBadInput, errs)
		}
	}
}

// For every fault of a server there is a message and the exit code is 2. Nothing hangs.
func TestMatcherAccelByteFaults(t *testing.T) {
	rules := accelbyteRules(t, "2")
	for wrong, want := range map[string]string{
		"late":    "pass 3 at 5 s: no answer within TIMEOUT (matcher.timeout)",
		"garbage": `MakeMatches: Internal: "`,
		"endless": "MakeMatches: its answer is longer than 64 MB (MaxLine)",
		"dies":    `MakeMatches: the service is not available: "`,
		"says":    `MakeMatches: Internal: "no map for \x1b[31mthis"`,
		"many":    "MakeMatches: its answer has more than 131072 proposals (MaxProposals)",
		"big":     "MakeMatches: its message is longer than 4 MB (MaxMessage)",
		"away":    `hello: GetStatCodes: the service is not available: "`,
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			code, errs, timeout := patiently(wrong, func(timeout string) (int, string) {
				address := "127.0.0.1:1"
				if wrong != "away" {
					address = commandtest.Start(t, "function-accelbyte", wrong)
				}
				var errs bytes.Buffer
				code := command.Run([]string{"run", "--quiet", "--out", filepath.Join(t.TempDir(), "out"), "--matcher", "accelbyte:" + address, "--rules", rules, "--set", "matcher.timeout=" + timeout,
					"--set", "players.attributes={mmr: {constant: 5}}", "--set", "datacenters.file=" + hereFile(t),
					"--set", "dataset.builtin={preset: eu, joins: 20000}", "--set", "clock={duration: 1m, warmup: 0s}", "--set", "output={plots: false, html: false}"},
					nil, io.Discard, &errs)
				return code, errs.String()
			})
			wantFault(t, code, errs, strings.ReplaceAll(want, "TIMEOUT", timeout))
		})
	}
}

// hereFile writes a list with one datacenter, "here".
func hereFile(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	commandtest.Put(t, dir, map[string]string{"datacenters.csv": "0,here," + home + "\n"})
	return filepath.Join(dir, "datacenters.csv")
}
