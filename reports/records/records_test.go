package records

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"mmsim/reports/collect"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// unzipped sends the events to a Writer and returns the text of the file.
func unzipped(t testing.TB, f *resulttest.Facts, attributes []Attribute) string {
	t.Helper()
	var file bytes.Buffer
	r := NewCSV(&file, f.Setup, attributes)
	f.Report(r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// randomFacts returns the events of a small random run.
func randomFacts(seed uint64) *resulttest.Facts {
	return resulttest.RandomFacts(rand.New(rand.NewPCG(seed, 7)))
}

func checkEqual(t *testing.T, seed uint64, name string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("seed %d: %s: got %+v, want %+v", seed, name, got, want)
	}
}

// recordFacts returns events whose records have values that are hard to write.
func recordFacts() (*resulttest.Facts, []Attribute) {
	f := &resulttest.Facts{
		Setup: setup.Run{
			Datacenters: []setup.Datacenter{{Name: "frankfurt"}, {Name: `a "big", one`}},
			Continents:  []string{"EU"},
			Countries:   []string{"FJ", "DE"},
			Places:      []setup.Place{{Latitude: 5011, Longitude: 868, Continent: 0, Country: 1}, {Latitude: -5, Longitude: -18_000, Continent: 0, Country: 0}},
			Duration:    sim.Day, Queues: []setup.Queue{{MatchSize: 2}},
		},
		Matches: []sim.Match{
			{ID: 7, At: 5000, Ends: 305_250, Datacenter: 0, Players: []sim.Matched{
				{Player: sim.Player{ID: 11, Person: sim.Person{Row: 3, Place: 0}}, Began: 4001, Party: 11, PartySize: 1, State: sim.StateIdeal, RTT: 17, Estimate: 17, Best: 17},
				{Player: sim.Player{ID: 12, Person: sim.Person{Row: 0, Place: 1}}, Began: -2, Party: 12, PartySize: 1, State: sim.StateWarmBody,
					Return: true, Repeat: true, RTT: 3201, Estimate: 3200, Best: 800},
			}},
			{ID: 8, At: 86_399_999, Ends: 86_400_000, Datacenter: 1, Players: []sim.Matched{
				{Player: sim.Player{ID: 11, Person: sim.Person{Row: 3, Place: 0}}, Began: 86_399_999, Party: 11, PartySize: 2, State: sim.StateExpand},
			}},
		},
	}
	search := func(began sim.Instant, state sim.State, ids ...uint64) sim.Search {
		s := sim.Search{Began: began, State: state, Party: 21, PartySize: 2}
		for _, id := range ids {
			s.Players = append(s.Players, sim.Player{ID: id, Person: sim.Person{Row: 1}})
		}
		return s
	}
	f.Ended = []sim.Ended{
		{Search: search(-1000, sim.StateWarmBody, 21, 22), At: 29_000, Into: sim.StateFailed},
		{Search: search(0, sim.StateWaiting, 22), At: 120_000, Into: sim.StateExpired},
		{Search: search(500, sim.StateWarmBody, 23), At: 1500, Into: sim.StateBots},
		{Search: search(7000, sim.StateNew, 24), At: 7000, Into: sim.StateRejected},
	}
	f.Unfinished = []sim.Search{search(86_399_000, sim.StateIdeal, 25)}
	f.Totals.Reached = sim.Instant(sim.Day)
	attributes := []Attribute{
		{
			Name:   "mmr",
			Append: func(to []byte, p *sim.Player) []byte { return strconv.AppendInt(to, int64(1500+p.Row), 10) },
			Number: func(p *sim.Player) float64 { return float64(1500 + p.Row) },
		},
		{Name: "maps", Append: func(to []byte, p *sim.Player) []byte {
			return append(to, []string{"", "", "", "dust;\"port\",\nmill"}[p.Row]...)
		}},
	}
	return f, attributes
}

func TestRecords(t *testing.T) {
	f, attributes := recordFacts()
	want := `match_id,player_id,row,party,party_size,began_s,matched_s,wait_s,end,return,state,datacenter,rtt_ms,delta_rtt_ms,repeat,length_s,latitude,longitude,country,continent,mmr,maps
,21,1,21,2,-1.000,,30.000,failed,0,warmbody,,,,,,50.11,8.68,DE,EU,1501,
,22,1,21,2,-1.000,,30.000,failed,0,warmbody,,,,,,50.11,8.68,DE,EU,1501,
,22,1,21,2,0.000,,120.000,expired,0,waiting,,,,,,50.11,8.68,DE,EU,1501,
,23,1,21,2,0.500,,1.000,bots,0,warmbody,,,,,,50.11,8.68,DE,EU,1501,
,24,1,21,2,7.000,,0.000,rejected,0,,,,,,,50.11,8.68,DE,EU,1501,
7,11,3,11,1,4.001,5.000,0.999,matched,0,ideal,frankfurt,1.06,0.00,0,300.250,50.11,8.68,DE,EU,1503,"dust;""port"",
mill"
7,12,0,12,1,-0.002,5.000,5.002,matched,1,warmbody,frankfurt,200.06,150.00,1,300.250,-0.05,-180.00,FJ,EU,1500,
8,11,3,11,2,86399.999,86399.999,0.000,matched,0,expand,"a ""big"", one",0.00,0.00,0,0.001,50.11,8.68,DE,EU,1503,"dust;""port"",
mill"
,25,1,21,2,86399.000,,1.000,searching,0,ideal,,,,,,50.11,8.68,DE,EU,1501,
`
	if got := unzipped(t, f, attributes); got != want {
		t.Errorf("got records\n%s\nwant\n%s", got, want)
	}
	f.Setup.Jitter = true
	lines := strings.Split(unzipped(t, f, nil), "\n")
	if want := "7,12,0,12,1,-0.002,5.000,5.002,matched,1,warmbody,frankfurt,200.06,200.00,150.00,1,300.250,-0.05,-180.00,FJ,EU"; lines[7] != want ||
		!strings.Contains(lines[0], "rtt_ms,rtt_estimate_ms,delta_rtt_ms") {
		t.Errorf("with jitter: got\n%s\n%s\nwant\n%s", lines[0], lines[7], want)
	}
}

// Only runs with queues, teams and backfills have the columns about them.
func TestRecordsOfRules(t *testing.T) {
	f, _ := recordFacts()
	f.Setup.Queues = []setup.Queue{{Name: "duel", MatchSize: 2, Rules: &setup.Ruleset{}}, {Name: "rest, all", MatchSize: 2}}
	f.Matches[0].Backfill = true
	f.Matches[0].Players[0].Team = 1
	f.Matches[1].Queue = 1
	f.Matches[1].Players[0].Team = sim.NoTeam
	f.Ended, f.Unfinished[0].Queue = nil, 1
	const want = `match_id,repeat,length_s,queue,team,backfill,latitude
7,0,300.250,duel,1,1,50.11
7,1,300.250,duel,0,1,-0.05
8,0,0.001,"rest, all",-1,0,50.11
,,,"rest, all",,,50.11
`
	rows, err := csv.NewReader(strings.NewReader(unzipped(t, f, nil))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	w := csv.NewWriter(&got)
	for _, row := range rows {
		if err := w.Write(append(row[:1:1], row[14:20]...)); err != nil {
			t.Fatal(err)
		}
	}
	if w.Flush(); got.String() != want {
		t.Errorf("got records\n%s\nwant\n%s", got.String(), want)
	}
}

// Records of random runs are valid CSV with a row for each player and search, and agree with the
// summary of the same run.
func TestRecordsAgreeWithSummary(t *testing.T) {
	for seed := range uint64(40) {
		w := randomFacts(seed)
		c := collect.NewCollector(w.Setup)
		w.Report(c)
		summary := c.Finish(w.Totals, collect.Header{}).Summary
		rows, err := csv.NewReader(strings.NewReader(unzipped(t, w, nil))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		column := map[string]int{}
		for i, name := range rows[0] {
			column[name] = i
		}
		played, players := map[string]outcome.Count{}, outcome.Players{}
		declined := outcome.Count(0)
		if w.Setup.Queues[0].Asks {
			players.Declined = &declined
		}
		cancelled := outcome.Count(0)
		if w.Setup.Patience {
			players.Cancelled = &cancelled
		}
		for _, row := range rows[1:] {
			played[row[column["datacenter"]]]++
			switch {
			case strings.HasPrefix(row[column["began_s"]], "-"):
				players.SearchingAtStart++
			case row[column["return"]] == "1":
				players.Returns++
				players.Entries++
			default:
				players.Joins++
				players.Entries++
			}
			*map[string]*outcome.Count{
				"matched": &players.Matched, "failed": &players.Failed, "expired": &players.Expired,
				"bots": &players.Bots, "rejected": &players.Rejected, "declined": &declined, "cancelled": &cancelled, "searching": &players.SearchingAtEnd,
			}[row[column["end"]]]++
		}
		over := players.Matched + players.Failed + players.Expired + players.Bots + players.Rejected + declined + cancelled
		players.Ends = outcome.Ends{Ended: over, UnmatchedShare: outcome.ShareOf(over-players.Matched, over)}
		checkEqual(t, seed, "players", players, summary.Players)
		checkEqual(t, seed, "datacenters of searches without a match", played[""], players.Entries+players.SearchingAtStart-players.Matched)
		for _, d := range summary.ByDatacenter {
			checkEqual(t, seed, d.Name, played[d.Name], d.Players)
		}
	}
}

func TestRecordsReportErrors(t *testing.T) {
	full := errors.New("no space left")
	var open int
	r := NewCSV(&resulttest.Faulty{Fail: true, Err: full, Open: &open}, randomFacts(3).Setup, nil)
	for range 500 {
		randomFacts(3).Report(r)
	}
	if err := r.Close(); !errors.Is(err, full) {
		t.Errorf("got error %v, want %v", err, full)
	}
}

func TestFixedDigitsAgreeWithFmt(t *testing.T) {
	for _, n := range []int64{0, 1, 9, 10, 99, 100, 999, 1000, 123_456_789, -1, -1000, -86_400_000} {
		if got, want := string(appendThousandths(nil, n)), fmt.Sprintf("%.3f", float64(n)/1000); got != want {
			t.Errorf("%d thousandths: got %s, want %s", n, got, want)
		}
		if got, want := string(appendHundredths(nil, n)), fmt.Sprintf("%.2f", float64(n)/100); got != want {
			t.Errorf("%d hundredths: got %s, want %s", n, got, want)
		}
	}
}

// BenchmarkRecords measures the time per match.
func BenchmarkRecords(b *testing.B) {
	setup, stream := resulttest.Day(rand.New(rand.NewPCG(1, 2))), resulttest.DayMatches(rand.New(rand.NewPCG(3, 4)), 10_000)
	r := NewCSV(io.Discard, setup, nil)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r.Matched(&stream[n%len(stream)])
		n++
	}
}

// hostileName is the name of a datacenter that a spreadsheet would run as a formula.
const hostileName = "=HYPERLINK(\"http://a.example\")"

// Names and text attributes are guarded against spreadsheets, but numbers are not changed.
func TestRecordsAreGuarded(t *testing.T) {
	f, attributes := recordFacts()
	f.Setup.Datacenters[0].Name = hostileName
	attributes[0].Name = "@mmr"
	text := unzipped(t, f, attributes)
	head, rest, _ := strings.Cut(text, "\n")
	if !strings.Contains(head, ",'@mmr") {
		t.Errorf("got header %q, want the attribute's name guarded with '", head)
	}
	if !strings.Contains(rest, ",\"'=HYPERLINK(") || !strings.Contains(rest, ",-0.002,") {
		t.Errorf("got rows %q, want the formula guarded and the negative number not", rest)
	}
}
