package casefile

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher/dialect/vendor"
)

// place runs a scene under Roblox rules.
func place(t *testing.T, rules, tickets, sessions string) (*Outcome, []Explanation) {
	t.Helper()
	return explain(t, `{"dialect": "roblox", "at": 60, "rules": `+rules+`, "tickets": [`+tickets+`], "sessions": [`+sessions+`]}`)
}

// server returns a session with players, each {"id": …}.
func server(id, members, players string) string {
	return fmt.Sprintf(`{"id": %q, "created_at": 0, %s "teams": [{"name": "all", "players": [%s]}]}`, id, members, players)
}

// joining returns a ticket with one player.
func joining(members string) string {
	return `{"id": "t", "created_at": 0, "players": [{"id": "me", "attributes": {` + members + `}}]}`
}

const friendsAndSeats = `{"signals": [{"signal": "Friends", "weight": 10}, {"signal": "Occupancy", "weight": 1}]}`

// Closed servers have no scores, whatever the reason.
func TestEligibility(t *testing.T) {
	const me = `{"id": "a"}`
	sessions := strings.Join([]string{
		server("private", `"capacity": 8, "attributes": {"serverType": "Private"},`, me),
		server("reserved", `"capacity": 8, "attributes": {"serverType": "Reserved"},`, me),
		server("leaving", `"capacity": 8, "attributes": {"shuttingDown": true},`, me),
		server("xbox", `"capacity": 8, "attributes": {"matchmakingType": "XboxOnly"},`, me),
		server("full", `"capacity": 1,`, me),
		server("over-full", `"capacity": 1,`, me+`, {"id": "b"}`),
		server("open", `"capacity": 8, "attributes": {"serverType": "Public", "shuttingDown": false, "matchmakingType": "Default"},`, ""),
	}, ",")
	outcome, list := place(t, friendsAndSeats, joining(`"friends": ["a"]`), sessions)
	if outcome.Chosen != "open" || !slices.Equal(outcome.Scores, Scores{{"open", 0}}) {
		t.Errorf("got server %s of scores %v, want server open with score 0 alone", outcome.Chosen, outcome.Scores)
	}
	var reasons []string
	for _, s := range list[0].Placements[0].Servers {
		reasons = append(reasons, s.Because)
	}
	want := []string{"private", "reserved", "shutting down", "only for matchmaking type XboxOnly", "full: 1 player, 1 seat", "full: 2 players, 1 seat", ""}
	if !slices.Equal(reasons, want) {
		t.Errorf("got reasons %q, want %q", reasons, want)
	}
}

// Two players are acquaintances if one lists the other as a friend, if they have the same IP
// address, or if they are in the same ticket.
func TestAcquaintances(t *testing.T) {
	for _, test := range []struct {
		name, me, other string
		known           bool
	}{
		{"mine", `"friends": ["a"]`, ``, true},
		{"theirs", ``, `"friends": ["me"]`, true},
		{"address", `"ip": "192.0.2.1"`, `"ip": "192.0.2.1"`, true},
		{"both", `"ip": "192.0.2.1", "friends": ["a"]`, `"ip": "192.0.2.1", "friends": ["me"]`, true},
		{"other address", `"ip": "192.0.2.1"`, `"ip": "192.0.2.2"`, false},
		{"no address", `"ip": ""`, `"ip": ""`, false},
		{"nobody", `"friends": ["x"]`, `"friends": ["y"]`, false},
	} {
		outcome, list := place(t, friendsAndSeats, joining(test.me),
			server("s", `"capacity": 4,`, `{"id": "a", "attributes": {`+test.other+`}}`))
		want, formula := 0.25, "min(0, 1)"
		if test.known {
			want, formula = 10.25, "min(1, 1)"
		}
		if got := outcome.Scores[0].Value; got != want {
			t.Errorf("%s: got score %v, want %v", test.name, got, want)
		}
		if got := list[0].Placements[0].Servers[0].Signals[0].Formula; got != formula {
			t.Errorf("%s: got formula %s, want %s", test.name, got, formula)
		}
	}
}

// The players of a ticket are placed one after another. The second knows the first, so the second
// may take a kept seat on the same server. Players of later tickets find both there.
func TestPartiesAndTicketsInTurn(t *testing.T) {
	const rules = `{"place": {"socialSlotType": "Custom", "customSocialSlotsCount": 1},
		"signals": [{"signal": "Friends", "weight": 10}, {"signal": "Occupancy", "weight": 1}]}`
	tickets := `{"id": "late", "created_at": 5, "players": [{"id": "z"}]},
		{"id": "pair", "created_at": 1, "players": [{"id": "x"}, {"id": "y"}, {"id": "w"}]}`
	sessions := server("A", `"capacity": 3,`, `{"id": "a"}`) + "," + server("B", `"capacity": 8,`, `{"id": "b"}`)
	outcome, list := place(t, rules, tickets, sessions)
	// On A, x takes the last free seat (1/3 > 1/8) and y takes the kept seat. For w and z, A is
	// full.
	if outcome.Chosen != "A" || len(outcome.Backfills) != 2 {
		t.Fatalf("got server %s and backfills %v, want server A and two backfills", outcome.Chosen, outcome.Backfills)
	}
	if got, want := outcome.Backfills[0].String(), "A takes pair as [all: a x y]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := outcome.Backfills[1].String(), "B takes pair + late as [all: b w z]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(list) != 2 || list[0].Ticket != "pair" || len(list[0].Placements) != 3 || *list[0].Placements[1].Servers[0].Score != 10+2.0/3 {
		t.Errorf("got explanations %+v, want two; the first of ticket pair, with three placements and score 10.67 of the second", list)
	}
}

// If there is no eligible server for a party, one is started in the best region of its first
// player.
func TestNewServer(t *testing.T) {
	tickets := `{"id": "pair", "created_at": 1, "players": [{"id": "x", "latencies": {"far": 90, "near": 20}}, {"id": "y"}]}`
	outcome, list := place(t, friendsAndSeats, tickets, server("A", `"capacity": 1,`, `{"id": "a"}`)+","+server("B", `"capacity": 1,`, `{"id": "b"}`))
	if outcome.Chosen != NewServer || len(outcome.Scores) != 0 || len(outcome.Matches) != 2 {
		t.Fatalf("got server %s, scores %v and matches %v, want a new server, no scores and two matches", outcome.Chosen, outcome.Scores, outcome.Matches)
	}
	if got, want := outcome.Matches[0].String(), "pair as [all: x] in near"; got != want { // the new server has one seat, as A has
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := list[0].Placements[0].Decided, "no server can be joined, so a new server is started in near, the region with the lowest RTT"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := list[0].Placements[1].Chosen; got != "new 2" {
		t.Errorf("got %s as the name of the second new server, want new 2", got)
	}
	outcome, _ = place(t, `{"place": {"maxPlayerCount": 2}}`, tickets, "")
	if len(outcome.Matches) != 1 || outcome.Matches[0].String() != "pair as [all: x y] in near" {
		t.Errorf("got matches %v, want one for both players", outcome.Matches)
	}
}

func TestLeastScore(t *testing.T) {
	const rules = `{"minScore": 0.5, "signals": [{"signal": "Occupancy", "weight": 1}]}`
	sessions := server("A", `"capacity": 4,`, `{"id": "a"}`)
	outcome, list := place(t, rules, joining(""), sessions)
	if outcome.Chosen != NewServer || !slices.Equal(outcome.Scores, Scores{{"A", 0.25}}) {
		t.Errorf("got server %s of scores %v, want a new server and score 0.25 of A", outcome.Chosen, outcome.Scores)
	}
	if got, want := list[0].Placements[0].Decided, "the best server, A, scores 0.25, which is less than minScore 0.5, so a new server is started"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// If several servers have equal scores and ages, the one with the smallest id is chosen, wherever
// it is in the file. The explanation says what decided.
func TestDecidedText(t *testing.T) {
	same := func(id string) string { return server(id, `"capacity": 4,`, `{"id": "`+id+`1"}`) }
	for _, test := range []struct{ sessions, chosen, decided string }{
		{same("b") + "," + same("a"), "a", "a and b both score 0.25 and have the same age; a has the smaller id"},
		{same("b") + "," + strings.Replace(same("a"), `"created_at": 0`, `"created_at": 9`, 1), "b", "b and a both score 0.25; b is older"},
		{same("a"), "a", "a is the only server that can be joined"},
		{same("a") + "," + server("b", `"capacity": 2,`, `{"id": "x"}`), "b", "b scores 0.25 more than a; the signal with the largest difference is Occupancy, 0.25"},
	} {
		outcome, list := place(t, friendsAndSeats, joining(""), test.sessions)
		if got := list[0].Placements[0].Decided; outcome.Chosen != test.chosen || got != test.decided {
			t.Errorf("got server %s: %s\nwant %s: %s", outcome.Chosen, got, test.chosen, test.decided)
		}
	}
}

func TestScenesThatCannotBeScored(t *testing.T) {
	for _, test := range []struct{ tickets, sessions, want string }{
		{joining(`"age": "old"`), "", `ticket "t": player "me": attributes: age: got "old"`},
		{joining(""), server("A", "", ""), `session "A": capacity: got 0, expected 1 to 1000000 seats`},
		{joining(""), server("A", `"capacity": 2000000,`, ""), `session "A": capacity: got 2000000`},
		{joining(""), server("A", `"capacity": 4,`, `{"id": "a", "attributes": {"friends": "me"}}`), `session "A": player "a": attributes: friends: got "me", expected a list`},
		{joining(""), server("A", `"capacity": 4, "attributes": {"serverType": "VIP"},`, ""), `session "A": attributes: serverType: got "VIP"`},
	} {
		c := read(t, `{"dialect": "roblox", "at": 0, "rules": {}, "tickets": [`+test.tickets+`], "sessions": [`+test.sessions+`]}`)
		_, err := c.Run(vendor.CompileOptions{})
		if err == nil || !strings.HasPrefix(err.Error(), "c.json:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one that contains %s", err, test.want)
		}
	}
}

// The contributions of the signals add up to the score.
func TestContributionsAddUpToScore(t *testing.T) {
	outcome, list := place(t, `{"revision": "2025-12"}`, joining(`"age": 20, "language": "fr", "playHistory": 2.2, "textChatGroups": ["g"]`),
		server("A", `"capacity": 9,`, `{"id": "a", "attributes": {"age": 31, "language": "fr", "playHistory": 1.1}}, {"id": "b", "attributes": {"textChatGroups": ["g", "h"]}}`))
	total := 0.0
	for _, s := range list[0].Placements[0].Servers[0].Signals {
		total += s.Weighted
	}
	if math.Abs(total-outcome.Scores[0].Value) > 1e-12 {
		t.Errorf("got a sum of contributions of %v, want the score %v", total, outcome.Scores[0].Value)
	}
}

// A server may be described as in the service's preview. This one has 4 of 6 seats taken and a mean
// age of 30 compared with 25. 3 players have the joining player's language, 2 have the device, and
// it is 50 ms away.
func TestMockServers(t *testing.T) {
	mock := func(members string) string {
		return `{"id": "A", "created_at": 0, "capacity": 6, "attributes": {"occupancy": 4, ` + members + `}}`
	}
	sessions := mock(`"hasPreferredPlayers": true, "playerAge": 25, "serverAveragePlayerAge": 30, "commonLanguagePlayers": 3,
		"latency": 50, "commonDevicePlayers": 2, "playerPlayHistory": 2, "serverAveragePlayHistory": 2, "isPlayerVoiceChatEnabled": false,
		"commonVoicePlayers": 4, "commonTextChatPlayers": 1`) + `, ` + strings.Replace(mock(`"latency": 250`), `"A"`, `"B"`, 1)
	sessions = strings.Replace(sessions, `"capacity": 6, "attributes": {`, `"attributes": {"capacity": 6, `, 1) // as in the service's preview
	outcome, list := place(t, `{"template": "UseDefault", "revision": "2025-12", "signals": [{"signal": "Device Type", "weight": 8}]}`, joining(""), sessions)
	values := map[string]float64{"Friends": 1, "Latency": 0.8, "Text Chat": 0.25, "Occupancy": 4.0 / 6, "Play History": 1,
		"Language": 0.75, "Age": 0.8, "Voice Chat": 1, "Device Type": 0.5}
	for _, s := range list[0].Placements[0].Servers[0].Signals {
		if math.Abs(s.Value-values[s.Signal]) > 1e-12 {
			t.Errorf("%s: got %v (%s), want %v", s.Signal, s.Value, s.Formula, values[s.Signal])
		}
	}
	if b := outcome.Scores[1].Value; math.Abs(b-2*4.0/6) > 1e-12 || len(outcome.Warnings) != 0 {
		t.Errorf("got score %v of B, want 1.33 from its occupancy alone; got warnings %q, want none", b, outcome.Warnings)
	}
	for _, test := range []struct{ tickets, session, want string }{
		{joining(""), mock(`"commonLanguagePlayers": 5`), "commonLanguagePlayers: got 5, expected a number of players, at most occupancy, which is 4"},
		{joining(""), strings.Replace(mock(`"latency": 5`), `"occupancy": 4`, `"occupancy": 9999`, 1), "occupancy: got 9999, expected a number of players from 0 to 1000"},
		{joining(`"age": 30`), mock(`"playerAge": 25`), "playerAge: got 25, expected the value of the joining player, which is 30"},
		{joining(""), strings.Replace(mock(`"hasPreferredPlayers": true`), `"occupancy": 4`, `"occupancy": 0`, 1), "expected false, because occupancy is 0"},
		{`{"id": "t", "created_at": 0, "players": [{"id": "x"}, {"id": "y"}]}`, mock(`"latency": 5`), "expected exactly one player in all tickets"},
		{joining(""), strings.Replace(mock(`"latency": 5`), `"capacity"`, `"teams": [{"name": "all", "players": [{"id": "z"}]}], "capacity"`, 1), "no players in teams"},
	} {
		c := read(t, `{"dialect": "roblox", "at": 0, "rules": {}, "tickets": [`+test.tickets+`], "sessions": [`+test.session+`]}`)
		if _, err := c.Run(vendor.CompileOptions{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one that contains %s", err, test.want)
		}
	}
}
