package calibrate_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/reports/outcome"
)

// base is the configuration of the tests.
const base = "clock: {tick: 100ms}\nregions: {eu-west-1: [dublin]}\noutput: {html: false, plots: false}\n"

// calibrate runs the command in a folder with files, and returns its exit code and what it printed.
func calibrate(t *testing.T, files map[string]string, args ...string) (folder string, code int, stdout, stderr string) {
	t.Helper()
	folder = t.TempDir()
	commandtest.Put(t, folder, files)
	for i, arg := range args {
		if _, ok := files[arg]; ok {
			args[i] = filepath.Join(folder, arg)
		}
	}
	var out, errors bytes.Buffer
	code = command.Run(append([]string{"calibrate", "--out", filepath.Join(folder, "out")}, args...), strings.NewReader(""), &out, &errors)
	return filepath.Join(folder, "out"), code, out.String(), errors.String()
}

// dayIn returns the text of day.csv.gz.
func dayIn(t *testing.T, folder string) string {
	t.Helper()
	packed, err := gzip.NewReader(strings.NewReader(commandtest.Read(t, filepath.Join(folder, "day.csv.gz"))))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// byHand returns the files of the case by hand, which has 7 joins in 6 parties and 1 return.
func byHand(t *testing.T) map[string]string {
	files := map[string]string{"base.yaml": base}
	for _, name := range []string{"flexmatch.jsonl", "players.csv", "matches.csv"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "datasets", "ticketlog", "testdata", "calibrate-"+name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	return files
}

func TestByHand(t *testing.T) {
	args := []string{"--config", "base.yaml", "--players", "players.csv", "--matches", "matches.csv", "--from", "2026-03-14", "--to", "2026-03-14", "flexmatch.jsonl"}
	folder, code, stdout, stderr := calibrate(t, byHand(t), append([]string{"--min-matches", "1", "--runs", "2"}, args...)...)
	if code != 0 {
		t.Fatalf("got exit code %d: %s", code, stderr)
	}
	for _, want := range []string{
		"flexmatch: 11 events, 1 repeated; 7 tickets of 6 players, 2026-03-14 to 2026-03-14 (1 day); 1 lost\n7 joins in 6 parties, 1 return\n",
		"players.play_again       0.3333  (0.0615 to 0.7923)   3 finished tickets\n",
		"match.length.mean        300.0 s  (300.0 to 300.0)   1 match\n",
		"50.0 % by 30 s; 14.3 % of all searches were cancelled",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("got output\n%swant %q in it", stdout, want)
		}
	}
	var found struct {
		Joins, Parties, Returns, Lost, Repeated int
		Estimates                               map[string]struct{ Value, Low, High float64 }
		Patience                                []struct {
			At    float64 `json:"at_s"`
			Share float64
		}
	}
	if err := json.Unmarshal([]byte(commandtest.Read(t, filepath.Join(folder, "calibration.json"))), &found); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(found.Joins, found.Parties, found.Returns, found.Lost, found.Repeated, found.Patience); got != "7 6 1 1 1 [{30 0.5}]" {
		t.Errorf("got %s, want 7 joins in 6 parties, 1 return, 1 lost, 1 repeated, and 50 %% by 30 s", got)
	}
	if e := found.Estimates["players.between_matches"]; e.Value != 40 {
		t.Errorf("got a pause of %v, want 40 s", e)
	}
	prod := commandtest.Read(t, filepath.Join(folder, "prod.yaml"))
	for _, want := range []string{
		"  file: day.csv.gz\n  rows: sessions\n",
		"  # estimated 0.3333 (95 %: 0.0615 to 0.7923), of 3 tickets of finished matches\n  play_again: 0.33333\n",
		"  between_matches: 40s\n", "    mean: 5m\n", "  give_up_after: 2m\n", "    mmr: number\n", "dublin",
	} {
		if !strings.Contains(prod, want) {
			t.Errorf("got configuration\n%swant %q in it", prod, want)
		}
	}
	for _, name := range []string{"ann", "bob", "m1", "t1"} {
		if text := prod + dayIn(t, folder) + stdout; strings.Contains(text, name+",") || strings.Contains(text, `"`+name) {
			t.Errorf("the result has the name %s", name)
		}
	}
	production := summaryIn(t, filepath.Join(folder, "production"))
	if p := &production.Players; p.Joins != 7 || p.Returns != 1 || p.Matched != 4 || *p.Cancelled != 1 || p.Expired != 1 || *p.Lost != 1 || p.SearchingAtEnd != 1 || p.Balance() != 0 {
		t.Errorf("got players %+v, want 7 joins, 1 return, 4 matched, 1 cancelled, 1 expired, 1 lost and 1 searching at the end", p)
	}
	if got := production.Wait; got.Mean != 16.75 || got.Count != 4 || production.FailedWait.Mean != (30+120)/2 || !production.Run.Production {
		t.Errorf("got waits %+v and %+v, want 4 of 16.75 s and those of 30 and 120 s", got, production.FailedWait)
	}
	// 4 matched, 1 cancelled and 1 expired search ended. The end of 1 of 7 tickets was lost, which is more than 1 %.
	if p := &production.Players; p.Ended != 6 || p.UnmatchedShare != 0.33333 || !strings.Contains(stdout, "the log lost the ends of 1 of 7 tickets (14.3 %): ") {
		t.Errorf("got %v ended searches, %v of them without a match, and\n%swant 6, a third, and a warning", p.Ended, p.UnmatchedShare, stdout)
	}
	for _, dc := range production.ByDatacenter {
		if want := outcome.Count(map[bool]int{true: 4}[dc.Name == "dublin"]); dc.Players != want {
			t.Errorf("got %v players in %s, want %v", dc.Players, dc.Name, want)
		}
	}
	// prod.yaml simulates what was simulated.
	var out, errors bytes.Buffer
	again := filepath.Join(t.TempDir(), "run")
	if code := command.Run([]string{"run", "--config", filepath.Join(folder, "prod.yaml"), "--out", again, "--set", "output.html=false", "--set", "output.plots=false"},
		strings.NewReader(""), &out, &errors); code != 0 {
		t.Errorf("got exit code %d from a run of prod.yaml: %s", code, errors.String())
	} else if commandtest.Read(t, filepath.Join(folder, "simulation", "runs", "0", "summary.json")) != commandtest.Read(t, filepath.Join(again, "summary.json")) {
		t.Error("a run of prod.yaml differs from the simulation")
	}
	// An attribute of the configuration that the log lacks is drawn, which is said.
	_, code, _, stderr = calibrate(t, byHand(t), append([]string{"--min-matches", "1", "--runs", "0", "--set", "players.attributes={elo: {normal: {mean: 1500, sd: 300}}}"}, args...)...)
	if code != 0 || !strings.Contains(stderr, "warning: the log has no column elo: players.attributes draws it") {
		t.Errorf("got exit code %d and %q, want a warning about elo", code, stderr)
	}
	// Without --min-matches, 1 finished match is too few.
	if _, code, _, stderr := calibrate(t, byHand(t), args...); code != 2 || !strings.Contains(stderr, "1 finished match in the window: expected at least 100") {
		t.Errorf("got exit code %d and %q, want 2 and a message about 100 matches", code, stderr)
	}
}

// TestOfTheSimulationOnly: what the configuration makes only the simulator do is no obstacle for a log.
func TestOfTheSimulationOnly(t *testing.T) {
	for _, set := range []string{
		"events=[{outage: [dublin], at: \"19:00\", for: 3h}]", "match.leave={no_show: 2%, then: end}", "latency.jitter.sd=5ms", "players.patience={10s: 5%}",
		"datacenters.use=[dublin, frankfurt]", "clock.warmup=1h",
	} {
		folder, code, _, stderr := calibrate(t, byHand(t), "--config", "base.yaml", "--set", set, "--players", "players.csv", "--matches", "matches.csv",
			"--from", "2026-03-14", "--to", "2026-03-14", "--min-matches", "1", "--runs", "1", "flexmatch.jsonl")
		if code != 0 {
			t.Errorf("%s: got exit code %d: %s", set, code, stderr)
			continue
		}
		if p := summaryIn(t, filepath.Join(folder, "production")); p.Players.Matched != 4 || p.Players.Balance() != 0 {
			t.Errorf("%s: got players %+v, want 4 matched", set, p.Players)
		}
	}
}

// rttLog is a log of one match of two players in the region eu-west-1, with the columns of one case.
func rttLog(columns, ann, bob string) string {
	const row = ",2026-03-14T12:00:00Z,2026-03-14T12:00:20Z,matched,m1,eu-west-1,2026-03-14T12:05:20Z,53.35,-6.26,"
	return "ticket_id,player_id,created,ended,end,match_id,datacenter,match_ended,latitude,longitude," + columns + "\nt1,ann" + row + ann + "\nt2,bob" + row + bob + "\n"
}

// TestProductionRTT: the RTT of a match is rtt_ms of the log, or else the measured one of the match's
// datacenter. In a region with several datacenters, it is the one in which the highest RTT is lowest.
func TestProductionRTT(t *testing.T) {
	for name, c := range map[string]struct {
		log, regions, datacenter string
		mean                     float64
	}{
		"measured": {rttLog("rtt:dublin,rtt:tokyo", "30,200", "50,250"), "{eu-west-1: [dublin]}", "dublin", 40},
		"rtt_ms":   {rttLog("rtt:dublin,rtt_ms", "30,61", "50,"), "{eu-west-1: [dublin]}", "dublin", (61 + 50) / 2.0},
		// In Dublin the highest RTT is 60 ms and the mean 35 ms; in Frankfurt 50 and 48 ms.
		"region": {rttLog("rtt:dublin,rtt:frankfurt", "10,46", "60,50"), "{eu-west-1: [dublin, frankfurt]}", "frankfurt", 48},
		// A log without datacenters: of all that were measured, the others are unreachable.
		"nowhere": {strings.ReplaceAll(rttLog("rtt:dublin,rtt:frankfurt", "10,46", "60,50"), ",eu-west-1,", ",,"), "{}", "frankfurt", 48},
	} {
		files := map[string]string{"base.yaml": "regions: " + c.regions + "\ndatacenters: {use: [dublin, frankfurt, tokyo]}\noutput: {html: false, plots: false}\n", "log": c.log}
		folder, code, stdout, stderr := calibrate(t, files, "--config", "base.yaml", "--from", "2026-03-14", "--to", "2026-03-14", "--min-matches", "1", "--runs", "0", "log")
		if code != 0 {
			t.Fatalf("%s: got exit code %d: %s", name, code, stderr)
		}
		s := summaryIn(t, filepath.Join(folder, "production"))
		if float64(s.RTT.Mean) != c.mean {
			t.Errorf("%s: got a mean RTT of %v, want %v", name, s.RTT.Mean, c.mean)
		}
		for _, dc := range s.ByDatacenter {
			if want := outcome.Count(map[bool]int{true: 2}[dc.Name == c.datacenter]); dc.Players != want {
				t.Errorf("%s: got %v players in %s, want %v", name, dc.Players, dc.Name, want)
			}
		}
		if told := strings.Contains(stdout, "1 match without a datacenter, placed where"); told != (name == "nowhere") {
			t.Errorf("%s: got output\n%swant a note about a match without a datacenter only if there is one", name, stdout)
		}
	}
}

// summaryIn reads the summary in a result directory.
func summaryIn(t *testing.T, folder string) *outcome.Summary {
	t.Helper()
	s, err := outcome.LoadSummary(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// production is a log of one day in both forms: every player searches, plays and perhaps searches again.
type production struct{ tickets, events, players, matches []string }

const clockForm = "2006-01-02T15:04:05.000Z"

// newProduction draws a log. Names are numbers with a prefix.
func newProduction(draws *rand.Rand, prefix string) *production {
	p := &production{}
	midnight := time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC)
	id, event := 0, 0
	for group := range 300 {
		at := midnight.Add(time.Duration(group) * 288 * time.Second)
		var members [][]string
		for n := range 2 + draws.IntN(2) {
			var party []string
			for m := range 1 + n%2 {
				name := fmt.Sprintf("%sp%d-%d-%d", prefix, group, n, m)
				row := fmt.Sprintf("%.2f,%.2f,%d,%s", 40+20*draws.Float64(), 20*draws.Float64(), draws.IntN(2000), []string{"stable", "beta"}[draws.IntN(2)])
				p.players = append(p.players, name+","+row)
				party = append(party, name+"|"+row)
			}
			members = append(members, party)
		}
		for round := 0; round == 0 || round < 3 && draws.Float64() < 0.6; round++ {
			wait, length := time.Duration(1000+draws.IntN(60_000))*time.Millisecond, time.Duration(240_000+draws.IntN(120_000))*time.Millisecond
			ended, over := at.Add(wait), at.Add(wait+length)
			end, kind := "matched", "MatchmakingSucceeded"
			if draws.IntN(6) == 0 {
				end, kind = "cancelled", "MatchmakingCancelled"
			}
			match := fmt.Sprintf("%sm%d-%d", prefix, group, round)
			var tickets []string
			for n, party := range members {
				id++
				created := at.Add(time.Duration(n) * 100 * time.Millisecond)
				var players []string
				for _, member := range party {
					name, row, _ := strings.Cut(member, "|")
					players = append(players, fmt.Sprintf(`{"playerId":%q}`, name))
					tail := fmt.Sprintf("%s,eu-west-1,%s", match, over.Format(clockForm))
					if end != "matched" {
						tail = ",,"
					}
					p.tickets = append(p.tickets, fmt.Sprintf("%st%d,%s,%s,%s,%s,%s,%s", prefix, id, name, created.Format(clockForm), ended.Format(clockForm), end, tail, row))
				}
				tickets = append(tickets, fmt.Sprintf(`{"ticketId":"%st%d","startTime":%q,"players":[%s]}`, prefix, id, created.Format(clockForm), strings.Join(players, ",")))
				event++
				p.events = append(p.events, fmt.Sprintf(`{"id":"e%d","time":%q,"resources":["x/y"],"detail":{"type":"MatchmakingSearching","tickets":[%s]}}`, event, created.Format(clockForm), tickets[n]))
			}
			event++
			more := ""
			if end == "matched" {
				more = fmt.Sprintf(`,"matchId":%q,"gameSessionInfo":{"gameSessionArn":"arn:aws:gamelift:eu-central-1::gamesession/f/eu-west-1/s"}`, match)
				p.matches = append(p.matches, match+","+over.Format(clockForm))
			}
			p.events = append(p.events, fmt.Sprintf(`{"id":"e%d","time":%q,"resources":["x/y"],"detail":{"type":%q,"tickets":[%s]%s}}`, event, ended.Format(clockForm), kind, strings.Join(tickets, ","), more))
			if end != "matched" {
				break
			}
			at = over.Add(time.Duration(draws.IntN(90_000)) * time.Millisecond)
		}
	}
	return p
}

// TestFormsGiveEqualBytes: the two forms of a log, its lines in any order, and other names give the same
// day and the same configuration.
func TestFormsGiveEqualBytes(t *testing.T) {
	const ticketHeader = "ticket_id,player_id,created,ended,end,match_id,datacenter,match_ended,latitude,longitude,mmr,build"
	text := func(header string, rows []string) string { return header + "\n" + strings.Join(rows, "\n") + "\n" }
	var day, prod string
	check := func(name string, files map[string]string, args ...string) {
		t.Helper()
		files["base.yaml"] = base
		folder, code, _, stderr := calibrate(t, files, append([]string{"--config", "base.yaml", "--runs", "0", "--min-matches", "50", "--from", "2026-03-14", "--to", "2026-03-14"}, args...)...)
		if code != 0 {
			t.Fatalf("%s: got exit code %d: %s", name, code, stderr)
		}
		gotDay, gotProd := dayIn(t, folder), commandtest.Read(t, filepath.Join(folder, "prod.yaml"))
		if day == "" {
			day, prod = gotDay, gotProd
		}
		if gotDay != day || gotProd != prod {
			t.Errorf("%s: the day or the configuration differs from that of the tickets", name)
		}
	}
	p := newProduction(rand.New(rand.NewPCG(3, 6)), "a")
	check("tickets", map[string]string{"log": text(ticketHeader, p.tickets)}, "log")
	if rows := strings.Count(day, "\n"); rows < 600 || !strings.Contains(day, ",beta\n") || strings.Contains(day, ",other\n") {
		t.Fatalf("got a day of %d rows, want more than 600 with builds that many players have", rows)
	}
	events := func(p *production) map[string]string {
		return map[string]string{"log": strings.Join(p.events, "\n"), "players": text("player_id,latitude,longitude,mmr,build", p.players), "matches": text("match_id,ended", p.matches)}
	}
	check("events", events(p), "log", "--players", "players", "--matches", "matches")
	renamed := newProduction(rand.New(rand.NewPCG(3, 6)), "other-")
	check("other names", map[string]string{"log": text(ticketHeader, renamed.tickets)}, "log")
	draws := rand.New(rand.NewPCG(5, 5))
	for _, lines := range [][]string{p.tickets, p.events, p.players, p.matches} {
		draws.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	}
	half := len(p.tickets) / 2
	check("shuffled tickets in two files", map[string]string{"a": text(ticketHeader, p.tickets[:half]), "b": text(ticketHeader, p.tickets[half:])}, "a", "b")
	check("shuffled events", events(p), "log", "--players", "players", "--matches", "matches")
}

// TestWords: a word of the log needs --map-end, columns may have other names, and --day none keeps the joins
// of the configuration.
func TestWords(t *testing.T) {
	p := newProduction(rand.New(rand.NewPCG(3, 6)), "a")
	rows := strings.ReplaceAll(strings.Join(p.tickets, "\n"), ",cancelled,", ",GONE,")
	files := func() map[string]string {
		return map[string]string{"base.yaml": base, "log": "ticket_id,player_id,requested_at,ended,result,match_id,datacenter,match_ended,latitude,longitude,mmr,build\n" + rows + "\n"}
	}
	args := []string{"--config", "base.yaml", "--map", "created=requested_at,end=result", "--from", "2026-03-14", "--to", "2026-03-14", "--day", "none", "--runs", "0", "log"}
	if _, code, _, stderr := calibrate(t, files(), append([]string{}, args...)...); code != 2 || !strings.Contains(stderr, "--map-end GONE=END") {
		t.Errorf("got exit code %d and %.300q, want 2 and the flag for the word", code, stderr)
	}
	folder, code, _, stderr := calibrate(t, files(), append([]string{"--map-end", "GONE=cancelled"}, args...)...)
	if code != 0 {
		t.Fatalf("got exit code %d: %s", code, stderr)
	}
	if _, err := os.Stat(filepath.Join(folder, "day.csv.gz")); err == nil {
		t.Error("got day.csv.gz with --day none, want no such file")
	}
	if prod := commandtest.Read(t, filepath.Join(folder, "prod.yaml")); strings.Contains(prod, "day.csv.gz") {
		t.Error("prod.yaml names day.csv.gz with --day none")
	}
	// Matches last 240 to 360 s and pauses 0 to 90 s, both uniform: means 300 and 45 s.
	var found struct {
		Command   string
		Estimates map[string]struct{ Value, Low, High float64 }
	}
	if err := json.Unmarshal([]byte(commandtest.Read(t, filepath.Join(folder, "calibration.json"))), &found); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(found.Command, " --map-end GONE=cancelled") {
		t.Errorf("got command %q, want the flag for the word in it", found.Command)
	}
	for key, want := range map[string]float64{"match.length.mean": 300, "match.length.sd": 120 / math.Sqrt(12), "players.between_matches": 45} {
		if e := found.Estimates[key]; math.Abs(e.Value-want) > 2*(e.High-e.Low) {
			t.Errorf("%s: got %+v, want about %.1f", key, e, want)
		}
	}
}

func TestBadFlags(t *testing.T) {
	for flag, want := range map[string]string{
		"--position=0.5": "expected 0.01, 0.1 or 1", "--day=all": "expected rows or none", "--format=csv": "expected tickets or flexmatch", "--map-end=GONE=away": "--map-end: got",
		"--time-zone=Mars": "--time-zone: time zone", "--from=14.3.": "--from: got", "--max-bad-rows=x": "--max-bad-rows: got", "--min-matches=0": "expected a whole number from 1",
		"--map=created": "--map: ", "--session-gap=0s": "--session-gap: got",
		"--runs=-1": "expected a whole number from 0", "--set=queues=[{name: a, share: 0.5}, {name: b, share: 0.5}]": "no queues: ranked; expected one of a, b", "--set=placement=servers": "placement: got servers",
	} {
		if _, code, _, stderr := calibrate(t, byHand(t), "--config", "base.yaml", flag, "flexmatch.jsonl"); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: got exit code %d and %q, want 2 and %q", flag, code, stderr, want)
		}
	}
}
