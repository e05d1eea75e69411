package calibrate_test

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
)

// These are the files of the round trip. Only truth.yaml has what is estimated.
const (
	fiveOnFive = `{"Name": "five", "MinMatchSize": 10, "MaxMatchSize": 10, "Teams": [{"Name": "red", "MinTeamSize": 5, "MaxTeamSize": 5}, {"Name": "blue", "MinTeamSize": 5, "MaxTeamSize": 5}]}`
	tripBase   = "dataset: {builtin: {preset: eu, joins: 2000, spike: {hour: 20, factor: 10}}}\nrules: queue.json\nclock: {tick: 100ms, warmup: 0s}\noutput: {html: false, plots: false}\n"
	tripTruth  = tripBase + "players: {play_again: 0.72, between_matches: 45s, give_up_after: 3m, patience: {10s: 3%, 30s: 12%, 90s: 40%}, parties: {1: 0.8, 2: 0.2}}\nmatch: {length: {mean: 8m, sd: 2m}}\n"
	tripGate   = `wait_first_s: {max_distance: 20%}
rtt_ms: {max_distance: 20%}
wait_first_s.mean: {max_increase: 20%, max_decrease: 20%}
matches.count: {max_increase: 20%, max_decrease: 20%}
players.expired: {max_increase: 20%, max_decrease: 20%}
players.cancelled: {max_increase: 20%, max_decrease: 20%}
`
)

// TestRoundTrip simulates days, writes their searches as production would log them, and calibrates: the
// 95 % interval of each estimate covers the true value in about 95 % of the days. With 200 days, these are
// 180 to 198 of them:
//
//	MMSIM_ROUND_TRIPS=200 go test ./cmd/mmsim/calibrate -run TestRoundTrip -v -timeout 1h
//
// The pause after a match is the same for all in the simulation: its interval has no width, and must
// always be right.
func TestRoundTrip(t *testing.T) {
	trips, err := strconv.Atoi(os.Getenv("MMSIM_ROUND_TRIPS"))
	if err != nil {
		trips = 5
	}
	covered, below := map[string]int{}, map[string]int{}
	for seed := range trips {
		folder := t.TempDir()
		writeLogs(t, folder, seed+1, tripBase, tripTruth)
		found := calibrationIn(t, calibrateTickets(t, folder))
		for key, want := range map[string]float64{"players.play_again": 0.72, "players.between_matches": 45, "match.length.mean": 480, "match.length.sd": 120} {
			e := found.Estimates[key]
			note(covered, below, key, e.Value, e.Low, e.High, want)
		}
		for at, want := range map[float64]float64{10: 0.97, 30: 0.88, 90: 0.60} {
			e := found.survivalAt(at)
			note(covered, below, fmt.Sprintf("S at %v s", at), e.Survival, e.Low, e.High, want)
		}
	}
	count := distuv.Binomial{N: float64(trips), P: 0.95}
	for key := range below {
		n := covered[key]
		t.Logf("%-24s covered in %d of %d, estimate below the truth in %d", key, n, trips, below[key])
		switch x := float64(n); {
		case key == "players.between_matches" && n < trips:
			t.Errorf("%s: got a right value in %d of %d, want all", key, n, trips)
		case key != "players.between_matches" && (count.CDF(x) < 0.001 || count.CDF(x-1) > 0.999):
			t.Errorf("%s: the interval covers the truth in %d of %d, want about 95 %%", key, n, trips)
		}
	}
}

// note counts whether an interval covers the true value, and whether the estimate is below it.
func note(covered, below map[string]int, key string, value, low, high, truth float64) {
	below[key] += map[bool]int{true: 1}[value < truth]
	if low <= truth && truth <= high {
		covered[key]++
	}
}

// TestRoundTripSimulates: prod.yaml simulates what production was like, and events of FlexMatch give the
// same day and the same configuration as tickets.
func TestRoundTripSimulates(t *testing.T) {
	folder := t.TempDir()
	writeLogs(t, folder, 1, tripBase, tripTruth)
	out := calibrateTickets(t, folder)
	run(t, "check", filepath.Join(out, "prod.yaml"), "--gate", filepath.Join(folder, "gate.yaml"), "--baseline", filepath.Join(out, "production"), "--runs", "8")
	production := summaryIn(t, filepath.Join(out, "production"))
	truth := summaryIn(t, filepath.Join(folder, "run"))
	if production.Wait != truth.Wait || production.Matches.Count != truth.Matches.Count || production.Players.Expired != truth.Players.Expired || *production.Players.Cancelled != *truth.Players.Cancelled {
		t.Errorf("got production %+v with waits %+v, want the searches of the run %+v with waits %+v", production.Players, production.Wait, truth.Players, truth.Wait)
	}
	eventsGiveEqualBytes(t, folder, out)
}

// eventsGiveEqualBytes calibrates the events of FlexMatch, and compares the result with that of tickets.
func eventsGiveEqualBytes(t *testing.T, folder, out string) {
	t.Helper()
	other := filepath.Join(folder, "events")
	run(t, "calibrate", "--config", filepath.Join(folder, "base.yaml"), "--out", other, "--from", "2026-03-14", "--to", "2026-03-14", "--min-matches", "50", "--runs", "0",
		"--players", filepath.Join(folder, "players.csv"), "--matches", filepath.Join(folder, "matches.csv"), filepath.Join(folder, "events.jsonl"))
	if dayIn(t, other) != dayIn(t, out) || commandtest.Read(t, filepath.Join(other, "prod.yaml")) != commandtest.Read(t, filepath.Join(out, "prod.yaml")) {
		t.Error("the events of FlexMatch give another day or another configuration than the tickets")
	}
}

// TestQueues: a log tells the queue of each ticket. The estimates are for all queues and for each, and
// prod.yaml sends the joins of the day to their queues.
func TestQueues(t *testing.T) {
	const queues = "queues: [{name: ranked, share: 0.7, rules: queue.json%s}, {name: duel, share: 0.3, match: {size: 2%s}}]\n"
	const base = "dataset: {builtin: {preset: eu, joins: 2000, spike: {hour: 20, factor: 10}}}\nclock: {tick: 100ms, warmup: 0s}\noutput: {html: false, plots: false}\n"
	folder := t.TempDir()
	writeLogs(t, folder, 1, base+fmt.Sprintf(queues, "", ""), base+fmt.Sprintf(queues, ", match: {length: {mean: 12m, sd: 2m}}", ", length: {mean: 4m, sd: 1m}")+
		"players: {play_again: 0.6, between_matches: 45s, give_up_after: 3m, patience: {10s: 3%, 90s: 40%}}\n")
	out := calibrateTickets(t, folder)
	found := calibrationIn(t, out)
	for queue, length := range map[string]float64{"ranked": 720, "duel": 240} {
		q := found.Queues[queue]
		if e := q.Estimates["match.length.mean"]; math.Abs(e.Value-length) > e.High-e.Low {
			t.Errorf("%s: got a mean length of %+v, want %v s", queue, e, length)
		}
		if e := q.Estimates["players.play_again"]; math.Abs(e.Value-0.6) > e.High-e.Low || len(q.KaplanMeier) == 0 {
			t.Errorf("%s: got play_again %+v and %d rows of survival, want 0.6 and some", queue, e, len(q.KaplanMeier))
		}
	}
	if n, all := found.Queues["ranked"].Estimates["match.length.mean"].N+found.Queues["duel"].Estimates["match.length.mean"].N, found.Estimates["match.length.mean"].N; len(found.Queues) != 2 || n != all {
		t.Errorf("got %d queues with %d matches, want 2 with %d", len(found.Queues), n, all)
	}
	prod := commandtest.Read(t, filepath.Join(out, "prod.yaml"))
	for _, want := range []string{"- name: ranked\n  when:\n    queue: ranked\n", "- name: duel\n  when:\n    queue: duel\n", "      # estimated ", "    queue: text\n"} {
		if !strings.Contains(prod, want) {
			t.Errorf("got configuration\n%swant %q in it", prod, want)
		}
	}
	production, truth := summaryIn(t, filepath.Join(out, "production")), summaryIn(t, filepath.Join(folder, "run"))
	for i := range truth.Queues {
		got, want := &production.Queues[i], &truth.Queues[i]
		if got.Name != want.Name || got.Wait != want.Wait || got.Matches.Count != want.Matches.Count {
			t.Errorf("got queue %s with waits %+v and %v matches, want those of the run: %s, %+v and %v", got.Name, got.Wait, got.Matches.Count, want.Name, want.Wait, want.Matches.Count)
		}
	}
	eventsGiveEqualBytes(t, folder, out)
	distancesOfQueues(t, folder)
	// Without returns, the entries of a queue are its joins.
	run(t, "run", "--config", filepath.Join(out, "prod.yaml"), "--set", "players.play_again=0", "--out", filepath.Join(folder, "again"), "--quiet")
	for _, q := range summaryIn(t, filepath.Join(folder, "again")).Queues {
		if want := strings.Count(dayIn(t, out), ","+q.Name+"\n"); int(q.Players.Entries) != want || want < 400 {
			t.Errorf("%s: got %v joins in a run of prod.yaml, want the %d rows of the day, at least 400", q.Name, q.Players.Entries, want)
		}
	}
}

// distancesOfQueues checks that each queue has a distance of its own: limits are written for every queue, a
// change of one queue breaks only its limit, and a queue that nobody knows is an error.
func distancesOfQueues(t *testing.T, folder string) {
	t.Helper()
	out := filepath.Join(folder, "judged")
	stdout, _ := printed(t, "calibrate", "--config", filepath.Join(folder, "base.yaml"), "--out", out, "--from", "2026-03-14", "--to", "2026-03-14", "--min-matches", "50", "--runs", "4", filepath.Join(folder, "tickets.csv"))
	limits := commandtest.Read(t, filepath.Join(out, "fidelity.yaml"))
	for _, want := range []string{"\nqueues.*.wait_first_s: {max_distance: ", "\nqueues.*.rtt_ms: {max_distance: "} {
		if !strings.Contains(limits, want) || strings.Contains(limits, "\nrtt_ms:") {
			t.Errorf("got limits\n%swant %q, and none on the RTTs of all queues together", limits, want)
		}
	}
	if !strings.Contains(stdout, "\nqueues.duel.wait_first_s.mean ") || !strings.Contains(stdout, "\nqueues.ranked.rtt_ms.mean ") {
		t.Errorf("got output\n%swant the waits and RTTs of each queue", stdout)
	}
	check := func(gate string, more ...string) (string, int) {
		commandtest.Put(t, folder, map[string]string{"queues.yaml": gate})
		return printed(t, append([]string{"check", filepath.Join(out, "prod.yaml"), "--gate", filepath.Join(folder, "queues.yaml"), "--baseline", filepath.Join(out, "production"), "--runs", "2"}, more...)...)
	}
	const both = "queues.duel.wait_first_s: {max_distance: 15%}\nqueues.ranked.wait_first_s: {max_distance: 15%}\n"
	if stdout, code := check(both); code != 0 {
		t.Errorf("got exit code %d, want limits that hold:\n%s", code, stdout)
	}
	if stdout, code := check(both, "--set", "queues.duel.match.size=4"); code != 1 || !strings.Contains(stdout, "\nqueues.duel.wait_first_s    broken ") || !strings.Contains(stdout, "\nqueues.ranked.wait_first_s  held ") {
		t.Errorf("got exit code %d, want only the limit of duel broken:\n%s", code, stdout)
	}
	if _, code := check("queues.solo.wait_first_s: {max_distance: 15%}\n"); code != 2 {
		t.Errorf("got exit code %d for an unknown queue, want 2", code)
	}
}

// run runs a command that must succeed.
func run(t *testing.T, args ...string) {
	t.Helper()
	var out, errors strings.Builder
	if code := command.Run(args, strings.NewReader(""), &out, &errors); code != 0 {
		t.Fatalf("%s: got exit code %d: %s%s", strings.Join(args, " "), code, out.String(), errors.String())
	}
}

// calibrateTickets calibrates the log of tickets without simulating, and returns the result directory.
func calibrateTickets(t *testing.T, folder string) string {
	t.Helper()
	out := filepath.Join(folder, "out")
	run(t, "calibrate", "--config", filepath.Join(folder, "base.yaml"), "--out", out, "--from", "2026-03-14", "--to", "2026-03-14", "--min-matches", "50", "--runs", "0", filepath.Join(folder, "tickets.csv"))
	return out
}

// calibrationFound is what the test reads of calibration.json.
type calibrationFound struct {
	Estimates map[string]struct {
		Value, Low, High float64
		N                int
	}
	KaplanMeier []survived `json:"kaplan_meier"`
	Queues      map[string]calibrationFound
}

type survived struct {
	At                  float64 `json:"at_s"`
	Survival, Low, High float64
}

// survivalAt returns the last row of the table of Kaplan and Meier up to a wait.
func (c *calibrationFound) survivalAt(at float64) (last survived) {
	for _, row := range c.KaplanMeier {
		if row.At <= at {
			last = row
		}
	}
	return last
}

func calibrationIn(t *testing.T, folder string) *calibrationFound {
	t.Helper()
	c := &calibrationFound{}
	if err := json.Unmarshal([]byte(commandtest.Read(t, filepath.Join(folder, "calibration.json"))), c); err != nil {
		t.Fatal(err)
	}
	return c
}

// writeLogs simulates a day, and writes its searches in both forms of logs into the folder.
func writeLogs(t *testing.T, folder string, seed int, base, truth string) {
	t.Helper()
	commandtest.Put(t, folder, map[string]string{"queue.json": fiveOnFive, "base.yaml": base, "truth.yaml": truth, "gate.yaml": tripGate})
	run(t, "run", "--config", filepath.Join(folder, "truth.yaml"), "--seed", strconv.Itoa(seed), "--records", "csv", "--out", filepath.Join(folder, "run"), "--quiet")
	tickets := []string{"ticket_id,player_id,created,ended,end,match_id,datacenter,match_ended,latitude,longitude"}
	records := recordsIn(t, filepath.Join(folder, "run"))
	if _, several := records[0]["queue"]; several {
		tickets[0] += ",queue"
	}
	players, matches := map[string]string{"": "player_id,latitude,longitude"}, map[string]string{"": "match_id,ended"}
	var l eventLog
	for _, r := range records {
		id := "t" + r["party"] + "-" + r["began_s"]
		created, ended := instant(t, r["began_s"], "0"), instant(t, r["began_s"], r["wait_s"])
		over := ""
		if r["end"] == "matched" {
			over = instant(t, r["matched_s"], r["length_s"])
			matches[r["match_id"]] = r["match_id"] + "," + over
		}
		players[r["player_id"]] = r["player_id"] + "," + r["latitude"] + "," + r["longitude"]
		end := r["end"]
		if end == "searching" {
			end, ended = "", ""
		}
		cells := []string{id, r["player_id"], created, ended, end, r["match_id"], r["datacenter"], over, r["latitude"], r["longitude"]}
		if queue, several := r["queue"]; several {
			cells = append(cells, queue)
		}
		tickets = append(tickets, strings.Join(cells, ","))
		l.add(id, r["player_id"], created, ended, end, r["match_id"], r["datacenter"], r["queue"])
	}
	rows := func(of map[string]string) (text string) {
		for _, key := range slices.Sorted(maps.Keys(of)) { // the header has the key ""
			text += of[key] + "\n"
		}
		return text
	}
	commandtest.Put(t, folder, map[string]string{
		"tickets.csv": strings.Join(tickets, "\n") + "\n", "events.jsonl": l.text(), "players.csv": rows(players), "matches.csv": rows(matches),
	})
}

// recordsIn returns the records of a run, by column.
func recordsIn(t *testing.T, folder string) (list []map[string]string) {
	t.Helper()
	packed, err := gzip.NewReader(strings.NewReader(commandtest.Read(t, filepath.Join(folder, "records.csv.gz"))))
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(packed)
	header, err := r.Read()
	for err == nil {
		var row []string
		if row, err = r.Read(); err == nil {
			cells := map[string]string{}
			for i, cell := range row {
				cells[header[i]] = cell
			}
			list = append(list, cells)
		}
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	return list
}

// instant returns the date and time of two numbers of seconds after midnight.
func instant(t *testing.T, seconds, later string) string {
	t.Helper()
	total := 0.0
	for _, text := range []string{seconds, later} {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		total += n
	}
	midnight := time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC)
	return midnight.Add(time.Duration(math.Round(total*1000)) * time.Millisecond).Format(clockForm)
}

// eventLog makes the events of FlexMatch about tickets. Players of a ticket are side by side, and so are
// the tickets of a match.
type eventLog struct{ events []*loggedEvent }

// loggedEvent is an event with which searches end. Its tickets began before.
type loggedEvent struct {
	end, at, match, datacenter, queue string
	tickets                           []*loggedTicket
}

type loggedTicket struct {
	id, created string
	players     []string
}

// add adds a player of a ticket.
func (l *eventLog) add(id, player, created, ended, end, match, datacenter, queue string) {
	n := len(l.events)
	if n == 0 || end != "matched" && l.events[n-1].tickets[0].id != id || end == "matched" && l.events[n-1].match != match {
		l.events = append(l.events, &loggedEvent{end: end, at: ended, match: match, datacenter: datacenter, queue: queue})
		n++
	}
	e := l.events[n-1]
	if m := len(e.tickets); m == 0 || e.tickets[m-1].id != id {
		e.tickets = append(e.tickets, &loggedTicket{id: id, created: created})
	}
	ticket := e.tickets[len(e.tickets)-1]
	ticket.players = append(ticket.players, player)
}

// text returns the events.
func (l *eventLog) text() string {
	kinds := map[string]string{"matched": "MatchmakingSucceeded", "cancelled": "MatchmakingCancelled", "failed": "MatchmakingFailed", "expired": "MatchmakingTimedOut"}
	var b strings.Builder
	n := 0
	write := func(at, queue, kind, tickets, more string) {
		n++
		fmt.Fprintf(&b, `{"id":"e%d","time":%q,"resources":["x/%s"],"detail":{"type":%q,"tickets":[%s]%s}}`+"\n", n, at, queue, kind, tickets, more)
	}
	for _, e := range l.events {
		var tickets []string
		for _, ticket := range e.tickets {
			text := fmt.Sprintf(`{"ticketId":%q,"startTime":%q,"players":[{"playerId":"%s"}]}`, ticket.id, ticket.created, strings.Join(ticket.players, `"},{"playerId":"`))
			tickets = append(tickets, text)
			write(ticket.created, e.queue, "MatchmakingSearching", text, "")
		}
		more := ""
		if e.match != "" {
			more = fmt.Sprintf(`,"matchId":%q,"gameSessionInfo":{"gameSessionArn":"arn:aws:gamelift:eu-central-1::gamesession/f/%s/s"}`, e.match, e.datacenter)
		}
		if e.end != "" {
			write(e.at, e.queue, kinds[e.end], strings.Join(tickets, ","), more)
		}
	}
	return b.String()
}
