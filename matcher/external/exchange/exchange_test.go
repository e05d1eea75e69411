package exchange

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"mmsim/matcher"
)

func hello() *Hello {
	return &Hello{
		Queue: "ranked", Run: 2, Seed: 7, Datacenters: []string{"frankfurt", `a"b`}, TickMS: 1500, GiveUpMS: 120_000, Backfill: true,
		Match: Match{Min: 2, Max: 4, Teams: []Team{{"red", 1, 2}, {"blue", 1, 2}}}, Rules: []byte("{\n \"Name\": \"q\",\n \"n\": 2.50\n}"),
	}
}

// The messages of mmsim are byte for byte those in the documentation.
func TestWriter(t *testing.T) {
	w := NewWriter(hello())
	line, err := w.Hello(hello())
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "hello", line, `{"hello":1,"queue":"ranked","run":2,"seed":7,"datacenters":["frankfurt","a\"b"],"match":{"min":2,"max":4,"teams":[{"name":"red","min":1,"max":2},{"name":"blue","min":1,"max":2}]},`+
		`"rules":{"Name":"q","n":2.50},"tick_s":1.5,"give_up_s":120,"backfill":true}`)
	ticket := &Ticket{ID: "t1", Party: "p7", CreatedMS: -40_200, GiveUpMS: 120_000, Reach: 0b01, Players: []Player{{
		ID: "p7", RTTMS: []float64{21.5, 98}, Attributes: []Attribute{{"mmr", Value{Number: 1500}}, {"mode", Value{Kind: Text, Text: "a\x1b\xff"}}, {"maps", Value{Kind: List, List: []string{"x", "y"}}}, {"more", Value{Kind: JSON, Text: `{"a":[1]}`}}},
		Entity: []Attribute{{"tiny", Value{Number: 1e-9}}},
	}, {ID: "p8", RTTMS: []float64{math.NaN(), 1}}}}
	const written = `{"id":"t1","party":"p7","created_s":-40.2,"give_up_s":120,"attributes":{},"players":[{"id":"p7","attributes":{"mmr":1500,"mode":"a\u001b` + "\ufffd" + `","maps":["x","y"],"more":{"a":[1]}},"entity":{"tiny":1e-09},"rtt_ms":{"frankfurt":21.5}},` +
		`{"id":"p8","attributes":{},"entity":{},"rtt_ms":{}}]}`
	p := &Pass{Number: 42, NowMS: 42_000, Datacenter: AllDatacenters, Waiting: []*Ticket{ticket}, Added: []*Ticket{ticket}, Removed: []Removed{{"t0", "matched"}}, Accepted: []Accepted{{Proposal: 0, Match: "m17"}}, Dropped: []Dropped{{Proposal: 1, Why: `ticket "t9" is not waiting`}}}
	compare(t, "pass", w.Pass(p), `{"pass":42,"now_s":42,"add":[`+written+`],"remove":[{"id":"t0","why":"matched"}],"accepted":[{"proposal":0,"match":"m17"}],"dropped":[{"proposal":1,"why":"ticket \"t9\" is not waiting"}]}`)
	compare(t, "other reach", w.ticket(nil, ticket.WithReach(0b11)), strings.Replace(strings.Replace(written, `"frankfurt":21.5}`, `"frankfurt":21.5,"a\"b":98}`, 1), `"rtt_ms":{}}]}`, `"rtt_ms":{"a\"b":1}}]}`, 1)+"\n")
	empty := &Pass{Number: 1, NowMS: -500, Datacenter: 1, Waiting: []*Ticket{ticket},
		AddedSessions: []*Session{{ID: "m3", Datacenter: 0, CreatedMS: 30_000, Seats: 2, Players: []Player{{ID: "p5", Team: 1}, {ID: "p6", Team: 0}}}}, RemovedSessions: []string{"m2"}}
	compare(t, "sessions", w.Pass(empty), `{"pass":1,"now_s":-0.5,"datacenter":"a\"b","add":[],"remove":[],"accepted":[],"dropped":[],"sessions":{"add":[{"id":"m3","datacenter":"frankfurt","created_s":30,"open":2,`+
		`"teams":[{"name":"red","players":[{"id":"p6","attributes":{},"entity":{}}]},{"name":"blue","players":[{"id":"p5","attributes":{},"entity":{}}]}]}],"remove":["m2"]}}`)
	w.Full(true)
	empty.Open, empty.AddedSessions, empty.RemovedSessions, empty.Datacenter = empty.AddedSessions, nil, nil, AllDatacenters
	full := string(w.Pass(empty))
	if !strings.Contains(full, `"add":[{"id":"t1"`) || !strings.Contains(full, `"sessions":{"add":[{"id":"m3"`) {
		t.Errorf("got message of a full pass %s, want all waiting tickets and all sessions", full)
	}
	compare(t, "bye", w.Bye("end of the run"), `{"bye":"end of the run"}`)
	if _, err := NewWriter(hello()).Hello(&Hello{Rules: []byte("{")}); err == nil {
		t.Error("rules that are not JSON were written, want an error")
	}
}

// compare compares a line with the expected one and checks that it is valid JSON.
func compare(t *testing.T, label string, line []byte, want string) {
	t.Helper()
	text := strings.TrimSuffix(string(line), "\n")
	if want = strings.TrimSuffix(want, "\n"); text != want {
		t.Errorf("%s:\ngot  %s\nwant %s", label, text, want)
	}
	if !json.Valid(line) || strings.Contains(text, "\n") {
		t.Errorf("%s: got %s, want JSON in one line", label, text)
	}
}

// Reading an answer is the inverse of writing it. Absent properties are empty, and unknown
// properties are ignored.
func TestReadAnswer(t *testing.T) {
	got, err := ReadAnswer([]byte(`{"later":{"a":[1]},"matches":[{"tickets":["t1","t9"],"teams":[["p1"],["p2"]],"datacenter":"frankfurt","x":1},{}],"backfills":[{"session":"m3","tickets":["t4"],"teams":[["p4"],[]]}],"why":{"t5":"b","t2":"a"}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Answer{
		Matches:   []Proposal{{Tickets: []string{"t1", "t9"}, Teams: [][]string{{"p1"}, {"p2"}}, Datacenter: "frankfurt"}, {}},
		Backfills: []Backfill{{Session: "m3", Proposal: Proposal{Tickets: []string{"t4"}, Teams: [][]string{{"p4"}, {}}}}},
		Why:       map[string]string{"t2": "a", "t5": "b"},
	}
	if g, w := fmt.Sprintf("%+v", *got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("got  %s\nwant %s", g, w)
	}
	again, err := ReadAnswer(want.Line())
	if err != nil || fmt.Sprintf("%+v", *again) != fmt.Sprintf("%+v", want) {
		t.Errorf("recorded answer read again: got %v (error %v), want the same answer", again, err)
	}
	if empty, err := ReadAnswer([]byte(` {} `)); err != nil || len(empty.Matches)+len(empty.Backfills)+len(empty.Why) > 0 {
		t.Errorf("empty answer: got %+v (error %v), want no matches, backfills or reasons", empty, err)
	}
}

// An invalid answer gives an error with an explanation.
func TestReadFaults(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{``, "expected a JSON object in one line"},
		{`hello`, "expected a JSON object in one line"},
		{`[]`, "expected a JSON object in one line"},
		{`{"matches":[`, "not JSON: "},
		{`{} {}`, "not JSON: "},
		{`{"matches":[],"matches":[]}`, "not JSON: "},
		{`{"matches":{}}`, "the member /matches has an unexpected value"},
		{`{"matches":[{"tickets":"t1"}]}`, "the member /matches/0/tickets has an unexpected value"},
		{`{"matches":[{"tickets":[1]}]}`, "the member /matches/0/tickets/0 has an unexpected value"},
		{`{"backfills":[{"session":3}]}`, "the member /backfills/0/session has an unexpected value"},
		{`{"why":["t1"]}`, "the member /why has an unexpected value"},
		{`{"error":"no map"}`, `it reported an error: "no map"`},
		{`{"error":""}`, `it reported an error: ""`},
		{"{\"error\":\"\xff\"}", "not JSON: "},
	} {
		if _, err := ReadAnswer([]byte(test.line)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one that contains %s", test.line, err, test.want)
		}
	}
	for _, test := range []struct{ line, want string }{
		{`{}`, `"hello" is 0, expected 1`},
		{`{"hello":2}`, `"hello" is 2, expected 1`},
		{`{"hello":"1"}`, "the member /hello has an unexpected value"},
		{`{"hello":1,"error":"not now"}`, `it reported an error: "not now"`},
		{`{"matches":[]}`, `"hello" is 0, expected 1`},
	} {
		if _, err := ReadHello([]byte(test.line)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one that contains %s", test.line, err, test.want)
		}
	}
	answer, err := ReadHello([]byte(`{"hello":1,"name":"my matchmaker","version":"1.2","full":true,"since":2026}`))
	if err != nil || *answer != (HelloAnswer{"my matchmaker", "1.2", true}) {
		t.Errorf("got hello answer %+v (error %v), want the name, version 1.2 and full", answer, err)
	}
	if line := string(answer.Line()); line != `{"hello":1,"name":"my matchmaker","version":"1.2","full":true}`+"\n" {
		t.Errorf("got line %s, want the answer as JSON", line)
	}
}

// The teams of an alliance are as many as the largest match can have. Their sizes and number span
// those of all waits.
func TestMatchOfAlliance(t *testing.T) {
	sizes := func(afterMS int64, minTeams, maxTeams, minPlayers, maxPlayers int) matcher.TeamSizes {
		return matcher.TeamSizes{AfterMS: afterMS, MinTeams: minTeams, MaxTeams: maxTeams, MinPlayers: minPlayers, MaxPlayers: maxPlayers}
	}
	for name, test := range map[string]struct {
		set  matcher.Ruleset
		want Match
	}{
		"fixed": {matcher.Ruleset{MinPlayers: 4, MaxPlayers: 6, Pivot: &matcher.PivotRules{Sizes: []matcher.TeamSizes{sizes(0, 2, 2, 2, 3)}}},
			Match{Min: 4, Max: 6, MinTeams: 2, Teams: []Team{{"team 1", 2, 3}, {"team 2", 2, 3}}}},
		"one team": {matcher.Ruleset{MinPlayers: 2, MaxPlayers: 4, Pivot: &matcher.PivotRules{Sizes: []matcher.TeamSizes{sizes(0, 1, 1, 2, 4)}}},
			Match{Min: 2, Max: 4, MinTeams: 1, Teams: []Team{{"team 1", 2, 4}}}},
		"flexing": {matcher.Ruleset{MinPlayers: 2, MaxPlayers: 6, Pivot: &matcher.PivotRules{Sizes: []matcher.TeamSizes{sizes(0, 2, 2, 3, 3), sizes(10, 1, 3, 2, 2)}}},
			Match{Min: 2, Max: 6, MinTeams: 1, Teams: []Team{{"team 1", 2, 3}, {"team 2", 2, 3}, {"team 3", 2, 3}}}},
		"no limit": {matcher.Ruleset{MinPlayers: 2, MaxPlayers: 4, Pivot: &matcher.PivotRules{Sizes: []matcher.TeamSizes{sizes(0, 1, 1000, 2, 1000)}}},
			Match{Min: 2, Max: 4, MinTeams: 1, Teams: []Team{{"team 1", 2, 4}, {"team 2", 2, 4}}}},
	} {
		if got := MatchOf(&test.set); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
}

// The hello message has the smallest number of teams of an alliance. A session has only the teams
// of its players, and at least one.
func TestWriterAlliance(t *testing.T) {
	h := &Hello{TickMS: 1000, Match: Match{Min: 1, Max: 3, MinTeams: 1, Teams: []Team{{"team 1", 1, 1}, {"team 2", 1, 1}, {"team 3", 1, 1}}}}
	w := NewWriter(h)
	line, err := w.Hello(h)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "hello", line, `{"hello":1,"queue":"","run":0,"seed":0,"datacenters":[],"match":{"min":1,"max":3,"teams":[{"name":"team 1","min":1,"max":1},{"name":"team 2","min":1,"max":1},{"name":"team 3","min":1,"max":1}],"min_teams":1},"tick_s":1}`)
	for teams, want := range []string{`{"name":"team 1","players":[]}`, `{"name":"team 1","players":[{"id":"p0","attributes":{},"entity":{}}]}`,
		`{"name":"team 1","players":[{"id":"p0","attributes":{},"entity":{}}]},{"name":"team 2","players":[{"id":"p1","attributes":{},"entity":{}}]}`} {
		s := &Session{ID: "m1", Datacenter: AllDatacenters, Seats: 1}
		for i := range teams {
			s.Players = append(s.Players, Player{ID: fmt.Sprint("p", i), Team: i})
		}
		compare(t, "session", w.session(nil, s), `{"id":"m1","created_s":0,"open":1,"teams":[`+want+`]}`)
	}
}
