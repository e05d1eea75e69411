package theory_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/reports/outcome"
)

// A program of a few lines that matches the tickets that have waited longest agrees with
// theory (T2, T14 and T16). The test simulates hours instead of days, because mmsim asks the
// program in every simulated second.
func TestMatcherTheory(t *testing.T) { matcherAgrees(t, "exec:matcher-first") }

// matcherAgrees compares a matchmaker that matches the tickets that have waited longest with theory.
func matcherAgrees(t *testing.T, matcher string) {
	t.Helper()
	const k, rate, tick = 4, 2.0, 1.0
	hours := []string{"matcher.external=" + matcher, "clock.duration=3h", "clock.warmup=10m", "players.give_up_after=1h"}
	t.Run("T2", func(t *testing.T) {
		f := theoryRun{day: poisson(rate, atOnePlace), settings: hours}.simulate(t)
		near(t, "mean", f.Wait.Mean, poolWait(k, rate, tick), 0.03)
	})
	t.Run("T14", func(t *testing.T) {
		f := theoryRun{day: poisson(2*rate, atOnePlace), settings: append(hours, "players.parties={2: 1}")}.simulate(t)
		near(t, "mean", f.Wait.Mean, poolWait(k/2, rate, tick), 0.03)
	})
	t.Run("T16", func(t *testing.T) {
		everywhere := func(*rand.Rand) uint { return 0b11 }
		f := theoryRun{datacenters: measuredDatacenters(2), columns: measuredColumns(2), day: poisson(rate, measured(2, everywhere)),
			settings: append(hours, "placement=datacenters")}.simulate(t)
		near(t, "mean", f.Wait.Mean, poolWait(k, rate, tick), 0.03)
		for name, dc := range f.ByDatacenter {
			if dc.Players == 0 {
				t.Errorf("datacenter %s: got no matches, want some, because the first turn is drawn", name)
			}
		}
	})
}

// externalBlock is the block "external" of a summary.
type externalBlock struct {
	Passes, Messages, Bytes      int
	Proposals, Accepted, Checked int
	ShareCollided                float64 `json:"share_collided"`
	ShareBroken                  float64 `json:"share_broken"`
	Dropped                      map[string]struct{ Count int }
	Examples                     []outcome.Example
	Violations                   map[string]struct{ Count int }
}

// If two profiles both take the oldest tickets, every match is proposed twice, and the second
// proposal collides. A matchmaker that forgets tickets after it proposed them, and whose every
// third proposal is invalid, loses no ticket, because it is told which proposals were dropped.
func TestMatcherProposals(t *testing.T) {
	settings := []string{"clock.duration=2h", "clock.warmup=10m", "players.give_up_after=2h"}
	external := func(t *testing.T, program string) (*runFiles, externalBlock) {
		f := theoryRun{day: poisson(2, atOnePlace), settings: append(settings, "matcher.external=exec:"+program)}.simulate(t)
		return f, f.External
	}
	t.Run("twice", func(t *testing.T) {
		f, e := external(t, "matcher-twice")
		if e.Proposals == 0 || e.Proposals != 2*e.Accepted || e.Accepted != f.Matches.Count || e.ShareCollided != 0.5 || e.Dropped["collision"].Count != e.Accepted {
			t.Errorf("got %+v for %d matches, want every second proposal to collide", e, f.Matches.Count)
		}
		if e.Passes == 0 || e.Messages != 2*e.Passes || e.Bytes < 100*e.Passes {
			t.Errorf("got %d messages of %d bytes in %d passes, want two in every pass, of at least 100 bytes together", e.Messages, e.Bytes, e.Passes)
		}
	})
	t.Run("stateful", func(t *testing.T) {
		f, e := external(t, "matcher-stateful")
		if dropped := e.Dropped["not_waiting"]; e.Proposals < 1000 || dropped.Count < e.Proposals/3-1 || e.Examples[0] != (outcome.Example{Kind: "not_waiting", Why: `ticket "nobody" is not waiting`}) {
			t.Errorf("got %+v, want every third proposal dropped", e)
		}
		if f.Players.Expired > 0 || f.Players.SearchingAtEnd > 12 {
			t.Errorf("got players %+v, want no expired ones and at most 12 searching at the end", f.Players)
		}
	})
}

// Matches of two with free seats are filled while they last.
func TestMatcherBackfill(t *testing.T) {
	dir := t.TempDir()
	commandtest.Put(t, dir, map[string]string{"rules.json": `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 4}`})
	summary := runMatcher(t, dir, "exec:matcher-backfill", "external.backfill=true", "dataset.builtin={preset: eu, joins: 50000}",
		"clock={duration: 1h, warmup: 10m}", "players={give_up_after: 1h, play_again: 0}")
	e, r, matched := summary.External, summary.Rules, summary.Players.Matched
	if e.Accepted != e.Proposals || r.Backfill.Players == 0 || matched != 2*r.Matches+r.Backfill.Players {
		t.Errorf("got %+v with %v matches and %v backfilled players of %v, want all proposals accepted and all other players in matches of two", e, r.Matches, r.Backfill.Players, matched)
	}
	if per := float64(matched) / float64(r.Matches); per < 3.8 || per > 4 {
		t.Errorf("got %.2f players per match, want 3.8 to 4, because many players join running matches", per)
	}
}

// With a matchmaker of one's own, nobody plays in a datacenter while it is down, or anywhere during a
// maintenance. The records and the summary agree on who was cut short. Every run checks that no player is lost.
func TestMatcherEvents(t *testing.T) {
	const outage, restored, maintenance, reopened = 1800_000, 3600_000, 4800_000, 6000_000 // ms
	for _, settings := range [][]string{
		{"placement=pool", "matcher.external=exec:matcher-first"},
		{"placement=datacenters", "matcher.external=exec:matcher-first"},
		{"placement=pool", "matcher.external=exec:matcher-asked", "match.acceptance={required: true, accept: 0.95, refuse: 0.5, delay: 5s, timeout: 30s}"},
	} {
		t.Run(strings.Join(settings[:2], " "), func(t *testing.T) {
			t.Parallel()
			f := theoryRun{datacenters: "0,a," + home + "\n1,b," + home, day: poisson(0.5, atOnePlace), settings: append(settings,
				"players.give_up_after=10m", "clock.duration=2h", "clock.warmup=0s", "output.records=csv",
				`events=[{at: "00:30", for: 30m, outage: [a], running: kill}, {at: "01:20", for: 20m, maintenance: true, back: 60%, within: 10m}]`,
			)}.simulate(t)
			down := func(datacenter string, from, until int) bool {
				return datacenter == "a" && from < restored && until > outage || from < reopened && until > maintenance
			}
			cut, in, closed := map[int]int{}, map[string]int{}, 0
			for _, s := range f.searches(t) {
				if s.began >= maintenance && s.began < reopened {
					t.Fatalf("a search begins during the maintenance: %v", s.cells)
				}
				at := s.began + s.wait
				switch s.end {
				case "closed":
					closed++
					if at != maintenance {
						t.Fatalf("a search is closed before the maintenance or after its begin: %v", s.cells)
					}
				case "matched":
					ends := at + digits(t, s.cells["length_s"])
					if down(s.cells["datacenter"], at, ends) {
						t.Fatalf("a match in a datacenter that is down: %v", s.cells)
					}
					in[s.cells["datacenter"]]++
					if s.cells["cut"] == "1" {
						cut[ends]++
					}
				}
			}
			summary := summaryIn(t, f.dir)
			if in["a"] == 0 || in["b"] == 0 || cut[outage] == 0 || cut[maintenance] == 0 || len(cut) != 2 ||
				cut[outage] != int(summary.Events[0].Interrupted) || cut[maintenance] != int(summary.Events[1].Interrupted) || closed != int(*summary.Players.Closed) {
				t.Errorf("got players in %v, cut short at %v and %d closed searches in the records; want those of %+v", in, cut, closed, summary.Events)
			}
		})
	}
}

// runMatcher runs mmsim with a matchmaker and the rules in a folder, and returns the summary.
func runMatcher(t *testing.T, dir, matcher string, settings ...string) *outcome.Summary {
	t.Helper()
	return summaryIn(t, runIn(t, dir, append([]string{"output.plots=false"}, settings...), "--rules", filepath.Join(dir, "rules.json"), "--matcher", matcher))
}

// summaryIn reads the summary.json of a result.
func summaryIn(t *testing.T, dir string) *outcome.Summary {
	t.Helper()
	summary, err := outcome.ParseSummary(contents(t, filepath.Join(dir, outcome.SummaryFile)))
	if err != nil {
		t.Fatal(err)
	}
	return summary
}

// All metrics in the block "external" are counted, and matches are checked against rules. Text
// from a matchmaker is escaped on the terminal and on the page.
func TestMatcherMetrics(t *testing.T) {
	dir := t.TempDir()
	// Two draws of a normal distribution are 1.128 sd apart on average, and within 0.1 sd with
	// a probability of 5.6 %.
	commandtest.Put(t, dir, map[string]string{"rules.json": `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "DifferenceRules": [
		{"Name": "skill", "Weight": 1, "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": 10}]}`})
	out := filepath.Join(dir, "out")
	var text, errs bytes.Buffer
	args := []string{"run", "--out", out, "--rules", filepath.Join(dir, "rules.json"), "--matcher", "exec:matcher-twice",
		"--set", "players={attributes: {mmr: {normal: {mean: 1500, sd: 100}}}, give_up_after: 5s}",
		"--set", "dataset.builtin={preset: eu, joins: 2000}", "--set", "clock={duration: 12h, warmup: 10m}", "--set", "output.plots=false"}
	if code := command.Run(args, nil, &text, &errs); code != command.ExitGood {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	summary := summaryIn(t, out)
	for _, m := range outcome.Metrics() {
		if !strings.HasPrefix(m.Name, "external.") {
			continue
		}
		if !slices.ContainsFunc(summary.MetricValues(), func(v outcome.MetricValue) bool { return outcome.MatchesPattern(m.Name, v.Name) && v.Value > 0 }) {
			t.Errorf("metric %s: got 0, want more", m.Name)
		}
	}
	within := math.Erf(0.1 / 2)
	near(t, "share of broken matches", float64(summary.External.ShareBroken), 1-within, 0.05)
	if e := summary.External; e.Violations[0].Name != "skill" || e.Violations[0].Count != outcome.Count(math.Round(float64(e.ShareBroken)*float64(e.Checked))) {
		t.Errorf("got violations %+v of %+v, want those of skill to agree with the share of broken matches", e.Violations, e)
	}
	page := contents(t, filepath.Join(out, "report.html"))
	if strings.ContainsRune(text.String()+errs.String(), '\x1b') || bytes.Contains(page, []byte("\x1b")) || bytes.Contains(page, []byte("31m<b>")) || !bytes.Contains(page, []byte("too few")) {
		t.Errorf("the matchmaker's texts are missing or not escaped: %s", &text)
	}
}

// wholeDays is the environment variable that makes TestMatcherEngineOutside simulate days
// instead of two hours. This takes some minutes.
const wholeDays = "MMSIM_TEST_WHOLE_DAYS"

// mmsim's own engine makes the same matches as an external program as it makes inside mmsim.
// Apart from hashes and the block "external", only statistics of the engine differ.
func TestMatcherEngineOutside(t *testing.T) {
	clock, matches := "clock={duration: 2h, warmup: 10m}", 200.0
	if os.Getenv(wholeDays) != "" {
		clock, matches = "clock={duration: 24h, warmup: 10m}", 5000
	}
	attributes := "players.attributes={mmr: {normal: {mean: 1500, sd: 300}}, mode: {choice: {duel: 0.5, arena: 0.5}}}"
	const playfab = `{"Name": "ranked", "MinMatchSize": 4, "MaxMatchSize": 6,
		"Teams": [{"Name": "red", "MinTeamSize": 2, "MaxTeamSize": 3}, {"Name": "blue", "MinTeamSize": 2, "MaxTeamSize": 3}],
		"DifferenceRules": [{"Name": "skill", "Weight": 1, "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": 100,
			"LinearExpansion": {"Delta": 50, "Limit": 400, "SecondsBetweenExpansions": 5}}],
		"StringEqualityRules": [{"Name": "mode", "Weight": 1, "Attribute": {"Path": "mode", "Source": "User"}}],
		"RegionSelectionRule": {"Name": "region", "Weight": 1, "Path": "latencies", "MaxLatency": 100,
			"LinearExpansion": {"Delta": 25, "Limit": 250, "SecondsBetweenExpansions": 5}}}`
	for name, test := range map[string]struct {
		rules    string
		settings []string
	}{
		"anybody": {anyPlayers(4, false), []string{"placement=pool"}},
		"playfab": {playfab, []string{attributes, "players.parties={1: 0.7, 2: 0.3}"}},
		"regions": {playfab, []string{attributes, "players.parties={1: 0.7, 2: 0.3}", "regions={west: [london, paris, amsterdam, dublin], north: [stockholm, warsaw], north-2: [stockholm, frankfurt]}"}},
		"accelbyte": {`{"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 2, "player_max_number": 3},
			"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 100}],
			"flexing_rule": [{"duration": 10, "attribute": "mmr", "criteria": "distance", "reference": 300}],
			"region_latency_initial_range_ms": 80, "region_expansion_rate_ms": 5000, "region_expansion_range_ms": 40, "region_latency_max_ms": 250}`,
			[]string{attributes, "players.parties={1: 0.7, 2: 0.3}"}},
		"flexmatch": {`{"ruleLanguageVersion": "1.0", "playerAttributes": [{"name": "mmr", "type": "number"}, {"name": "mode", "type": "string", "default": "duel"}],
			"teams": [{"name": "red", "minPlayers": 2, "maxPlayers": 3}, {"name": "blue", "minPlayers": 2, "maxPlayers": 2}],
			"rules": [{"name": "skill", "type": "distance", "measurements": ["avg(teams[*].players.attributes[mmr])"], "referenceValue": "avg(flatten(teams[*].players.attributes[mmr]))", "maxDistance": 60},
				{"name": "mode", "type": "comparison", "measurements": ["flatten(teams[*].players.attributes[mode])"], "operation": "="},
				{"name": "region", "type": "latency", "maxLatency": 100}],
			"expansions": [{"target": "rules[skill].maxDistance", "steps": [{"waitTimeSeconds": 10, "value": 200}]},
				{"target": "rules[region].maxLatency", "steps": [{"waitTimeSeconds": 15, "value": 250}]}]}`, []string{attributes, "players.parties={1: 0.7, 2: 0.3}"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			commandtest.Put(t, dir, map[string]string{"rules.json": test.rules})
			simulated := func(out string, more ...string) map[string]any {
				args := []string{"run", "--quiet", "--out", filepath.Join(dir, out), "--rules", filepath.Join(dir, "rules.json"), "--records", "csv",
					"--set", "dataset.builtin={preset: eu, joins: 20000}", "--set", clock, "--set", "output.plots=false"}
				for _, setting := range append(test.settings, more...) {
					args = append(args, "--set", setting)
				}
				var errs bytes.Buffer
				if code := command.Run(args, nil, io.Discard, &errs); code != command.ExitGood {
					t.Fatalf("%q: exit code %d: %s", args, code, errs.String())
				}
				return comparable(t, filepath.Join(dir, out))
			}
			inside, outside := simulated("inside"), simulated("outside", "matcher.external=exec:matcher-engine")
			if !reflect.DeepEqual(inside, outside) {
				for key := range inside {
					if !reflect.DeepEqual(inside[key], outside[key]) {
						t.Errorf("%s differs:\nengine in the process %.2000v\nengine as a program  %.2000v", key, inside[key], outside[key])
					}
				}
			}
			if count := inside["matches"].(map[string]any)["count"].(float64); count < matches {
				t.Errorf("got %v matches, want at least %v", count, matches)
			}
			summary := summaryIn(t, filepath.Join(dir, "outside"))
			if e := summary.External; e.Accepted != e.Proposals || e.Checked != e.Accepted || len(e.Violations) > 0 {
				t.Errorf("got %+v, want all of the engine's proposals accepted, checked and without violations", e)
			}
			var records [2][]byte
			for i, out := range []string{"inside", "outside"} {
				records[i] = contents(t, filepath.Join(dir, out, "records.csv.gz"))
			}
			if !bytes.Equal(records[0], records[1]) {
				t.Error("the records of the two runs differ, want equal bytes")
			}
		})
	}
}

// comparable returns a summary without the statistics of the engine and without values that
// identify the run.
func comparable(t *testing.T, dir string) map[string]any {
	t.Helper()
	var s map[string]any
	if err := json.Unmarshal(contents(t, filepath.Join(dir, "summary.json")), &s); err != nil {
		t.Fatal(err)
	}
	delete(s, "external")
	delete(s, "queue_statistics")
	delete(s["run"].(map[string]any), "config_sha256")
	delete(s, "warnings")
	if rules, is := s["rules"].(map[string]any); is {
		for _, key := range []string{"relaxation", "share_relaxed", "by_hour", "budget_hits", "expiry", "evaluations"} {
			delete(rules, key)
		}
	}
	return s
}

func contents(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// For every fault of a program there is a message, the exit code is 2, and a partial result is
// written. No process or file is left behind.
func TestMatcherFaults(t *testing.T) {
	for wrong, want := range map[string]string{
		"late":   "no answer within TIMEOUT (matcher.timeout)",
		"deaf":   "no answer within TIMEOUT (matcher.timeout)",
		"closes": "it ended without an answer: it closed its standard output",
		"twice":  `it answered more than once; the rest is: {"matches":[]}`,
		"broken": `not JSON`,
		"words":  `expected a JSON object in one line, got: hello, world \u001b[2J`,
		"shape":  "the member /matches/0/tickets has an unexpected value",
		"says":   `it reported an error: "no map for \x1b[31mthis"`,
		"long":   "its line is longer than 64 MB (MaxLine)",

		"name":      "matcher (run 0), hello: its answer to the hello is longer than 64 KB (MaxHello)",
		"version":   `matcher (run 0), hello: "version" in its hello has 2000 bytes, expected at most 1024 (MaxName)`,
		"proposals": "its answer has more than 131072 proposals (MaxProposals), got: {",
		"values":    "its answer has more than 2097152 values, such as ids of tickets (MaxValues), got: {",
		"says much": `no map no…"`,

		"dies":    "it ended without an answer: exit status 3\nthe end of its standard error:\n  out of \\u001b[31mideas",
		"parent":  "it ended without an answer: exit status 4",
		"old":     `"hello" is 0, expected 1`,
		"unknown": "",
		"stays":   "",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			dir := ""
			code, errs, timeout := patiently(wrong, func(timeout string) (int, string) {
				dir = filepath.Join(t.TempDir(), "out")
				var errs bytes.Buffer
				code := command.Run([]string{"run", "--quiet", "--out", dir, "--matcher", "exec:matcher-faulty '" + wrong + "'", "--set", "matcher.timeout=" + timeout,
					"--set", "dataset.builtin={preset: eu, joins: 20000}", "--set", "clock={duration: 1m, warmup: 0s}", "--set", "output={plots: false, html: false}"},
					nil, io.Discard, &errs)
				return code, errs.String()
			})
			if want == "" {
				if code != command.ExitGood {
					t.Errorf("exit code %d: %s", code, errs)
				}
				return
			}
			wantFault(t, code, errs, strings.ReplaceAll(want, "TIMEOUT", timeout))
			if len(errs) > 2000 {
				t.Errorf("got a message of %d bytes, want a short one", len(errs))
			}
			if slices.Contains([]string{"old", "deaf", "name", "version"}, wrong) { // these fail in the hello, so there is no result to write
				return
			}
			pass := map[bool]string{false: "pass 3 at ", true: "pass 4 at "}[wrong == "twice"] // extra output after an answer is noticed in the next pass
			if !strings.Contains(errs, pass) || !strings.Contains(errs, "partial results in ") {
				t.Errorf("got stderr %s, want the pass and the folder of the partial results", errs)
			}
			if summary := contents(t, filepath.Join(dir, "summary.json")); !bytes.Contains(summary, []byte(`"complete": false`)) {
				t.Errorf("got summary %s, want complete false", summary)
			}
			if child := regexp.MustCompile(`child ([0-9]+)`).FindStringSubmatch(errs); child != nil {
				pid, _ := strconv.Atoi(child[1])
				waitForExit(t, pid)
			} else if wrong == "parent" {
				t.Error("the program did not print the number of its child")
			}
		})
	}
}

// patiently calls simulate with a value of matcher.timeout until the result is about the fault of a
// matchmaker, which occurs in pass 3 or, if the matchmaker is deaf, earlier. If the matchmaker does
// not answer, the timeout is a second at first. On a busy machine, an answer before pass 3 may take
// longer than that, so patiently then tries longer ones.
func patiently(wrong string, simulate func(timeout string) (int, string)) (code int, errs, timeout string) {
	timeouts := []string{"59s"}
	if wrong == "late" || wrong == "deaf" {
		timeouts = []string{"1s", "10s", "59s"}
	}
	for _, timeout = range timeouts {
		code, errs = simulate(timeout)
		if wrong == "deaf" || strings.Contains(errs, "pass 3 at ") {
			break
		}
	}
	return code, errs, timeout
}

// wantFault checks that mmsim ended because of a fault of a matchmaker, whose text it escaped.
func wantFault(t *testing.T, code int, errs, want string) {
	t.Helper()
	if code != command.ExitBadInput || !strings.Contains(errs, want) || strings.ContainsRune(errs, '\x1b') {
		t.Errorf("got exit code %d, want %d; got stderr %s\nwant it to contain %s", code, command.ExitBadInput, errs, want)
	}
}

// A program ends when mmsim ends, even if mmsim is interrupted in the middle of a pass or
// killed. A program that reads its input ends by itself. On Linux, a program that does not
// read its input is killed.
func TestMatcherEndsWithMmsim(t *testing.T) {
	for _, test := range []struct {
		wrong  string
		signal syscall.Signal
	}{{"late", syscall.SIGINT}, {"late", syscall.SIGKILL}, {"stays", syscall.SIGKILL}} {
		if test.signal == syscall.SIGKILL && runtime.GOOS != "linux" {
			continue
		}
		t.Run(fmt.Sprintf("%s %v", test.wrong, test.signal), func(t *testing.T) {
			t.Parallel()
			c := exec.Command("mmsim", "run", "--quiet", "--out", filepath.Join(t.TempDir(), "out"), "--matcher", "exec:matcher-faulty "+test.wrong,
				"--set", "matcher.timeout=1h", "--set", "clock={duration: 240h, warmup: 0s}", "--set", "output={plots: false, html: false}")
			errs, err := c.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(errs).ReadString('\n')
			words := strings.Fields(line)
			if err != nil || len(words) < 2 || words[len(words)-2] != "program" {
				t.Fatalf("got line %q (error %v), want it to end with the program's number", line, err)
			}
			pid, _ := strconv.Atoi(words[len(words)-1])
			time.Sleep(200 * time.Millisecond) // either in the middle of a pass or before one; both are tested
			if err := c.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			go io.Copy(io.Discard, errs)
			err = c.Wait()
			if code := c.ProcessState.ExitCode(); test.signal == syscall.SIGINT && code != command.ExitInterrupted {
				t.Errorf("got exit code %d (%v), want %d", code, err, command.ExitInterrupted)
			}
			waitForExit(t, pid)
		})
	}
}

// The children of a program end with the exchange: after a run, an error and a signal. They are in the
// program's process group, whether or not mmsim still knows of the exchange.
func TestMatcherFamilyEnds(t *testing.T) {
	dir := t.TempDir()
	commandtest.Put(t, dir, map[string]string{"case.json": string(contents(t, "../matchmaker/starter/cases/close.json"))})
	for _, test := range []struct {
		name, wrong string
		args        []string
		signal      syscall.Signal // 0 for none
		code        int
	}{
		{"the end of a run", "family", []string{"run", "--set", "clock={duration: 1m, warmup: 0s}", "--set", "matcher.timeout=59s"}, 0, command.ExitGood},
		{"an error", "late family", []string{"run", "--set", "clock={duration: 1m, warmup: 0s}", "--set", "matcher.timeout=1s"}, 0, command.ExitBadInput},
		{"interrupted run", "late family", []string{"run"}, syscall.SIGINT, command.ExitInterrupted},
		{"terminated run", "late family", []string{"run"}, syscall.SIGTERM, command.ExitInterrupted},
		{"interrupted test", "sleeping family", []string{"test", filepath.Join(dir, "case.json")}, syscall.SIGINT, command.ExitInterrupted},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			args := append(slices.Clone(test.args), "--matcher", "exec:matcher-faulty '"+test.wrong+"'")
			if test.args[0] != "test" {
				args = append(args, "--quiet", "--out", filepath.Join(t.TempDir(), "out"), "--set", "dataset.builtin.joins=20000", "--set", "output={plots: false, html: false}")
			}
			if test.signal != 0 && test.args[0] != "test" {
				args = append(args, "--set", "matcher.timeout=1h")
			}
			c := exec.Command("mmsim", args...)
			errs, err := c.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			lines, pids := bufio.NewReader(errs), []int{}
			for len(pids) == 0 {
				line, err := lines.ReadString('\n')
				if child := regexp.MustCompile(`child ([0-9]+)`).FindStringSubmatch(line); child != nil {
					pid, _ := strconv.Atoi(child[1])
					pids = append(pids, pid)
				} else if err != nil {
					t.Fatalf("got line %q (error %v), want the number of a child", line, err)
				}
			}
			if test.signal != 0 {
				if err := c.Process.Signal(test.signal); err != nil {
					t.Fatal(err)
				}
			}
			rest, _ := io.ReadAll(lines)
			_ = c.Wait()
			if code := c.ProcessState.ExitCode(); code != test.code {
				t.Errorf("got exit code %d, want %d: %s", code, test.code, rest)
			}
			for _, child := range regexp.MustCompile(`child ([0-9]+)`).FindAllSubmatch(rest, -1) {
				pid, _ := strconv.Atoi(string(child[1]))
				pids = append(pids, pid)
			}
			for _, pid := range pids {
				waitForExit(t, pid)
			}
		})
	}
}

// waitForExit waits until a process has ended.
func waitForExit(t *testing.T, pid int) {
	t.Helper()
	for range 200 {
		if err := syscall.Kill(pid, 0); err != nil || zombie(pid) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("process %d is still running, want it ended", pid)
}

// zombie reports whether a process has ended but nothing has waited for it.
func zombie(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(status))
	return err == nil && len(fields) > 2 && slices.Contains([]string{"Z", "X"}, fields[2])
}
