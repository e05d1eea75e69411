package casefile

import (
	"reflect"
	"strings"
	"testing"

	"mmsim/matcher/dialect/vendor"
)

// AccelByte rulesets do not name teams. The teams of a session keep their names, and others get
// numbers.
func TestTeamNamesByPosition(t *testing.T) {
	outcome := run(t, `{"rules": {"auto_backfill": true, "alliance": {"min_number": 2, "max_number": 3, "player_min_number": 1, "player_max_number": 1}},
		"at": 5, "tickets": [{"id": "t", "created_at": 0, "players": [{"id": "n"}]}, {"id": "u", "created_at": 1, "players": [{"id": "o"}]}, {"id": "v", "created_at": 1, "players": [{"id": "q"}]}],
		"sessions": [{"id": "s", "created_at": 0, "teams": [{"name": "red", "players": [{"id": "a"}]}, {"name": "blue", "players": [{"id": "b"}]}]}]}`)
	backfill := []Match{{Session: "s", Tickets: []string{"t"}, Teams: []TeamList{{"red", []string{"a"}}, {"blue", []string{"b"}}, {"team 3", []string{"n"}}}}}
	match := []Match{{Tickets: []string{"u", "v"}, Teams: []TeamList{{"team 1", []string{"o"}}, {"team 2", []string{"q"}}}}}
	if !reflect.DeepEqual(outcome.Backfills, backfill) || !reflect.DeepEqual(outcome.Matches, match) {
		t.Errorf("got backfills %v and matches %v, want %v and %v", outcome.Backfills, outcome.Matches, backfill, match)
	}
}

// The attributes of a whole ticket and of a whole session decide whether the ticket joins the
// session.
func TestAttributesOfTheWhole(t *testing.T) {
	scene := func(ticket, session string) string {
		return `{"follow": "page", "rules": {"auto_backfill": true, "alliance": {"min_number": 1, "max_number": 1, "player_min_number": 2, "player_max_number": 2},
			"match_options": {"options": [{"name": "maps", "type": "any"}, {"name": "cross_platform", "type": "any"}]}},
			"at": 5, "tickets": [{"id": "t", "created_at": 0, "attributes": ` + ticket + `, "players": [{"id": "n"}]}],
			"sessions": [{"id": "s", "created_at": 0, "attributes": ` + session + `, "teams": [{"name": "red", "players": [{"id": "a"}]}]}]}`
	}
	for _, test := range []struct {
		ticket, session string
		joins           bool
	}{
		{`{}`, `{}`, true},
		{`{"maps": ["a", "b"]}`, `{"maps": ["b"]}`, true},
		{`{"maps": ["a", "b"]}`, `{"maps": "c"}`, false},
		{`{"maps": ["a", "b"]}`, `{}`, false},
		{`{"new_session_only": true}`, `{}`, false},
		{`{"client_version": "2"}`, `{"client_version": "1"}`, false},
		{`{"blocked_players": ["a"]}`, `{}`, false},
		{`{}`, `{"blocked_players": ["n"]}`, false},
		// The ticket and the session accept each other's platform, but not their own.
		{`{"cross_platform": ["xbox"], "current_platform": "pc"}`, `{"cross_platform": ["pc"], "current_platform": "xbox"}`, true},
		{`{"cross_platform": ["xbox", "pc"], "current_platform": "pc"}`, `{"cross_platform": ["xbox"], "current_platform": "xbox"}`, false},
		{`{"cross_platform": ["xbox", "pc"]}`, `{"cross_platform": ["xbox"]}`, true},
	} {
		outcome := run(t, scene(test.ticket, test.session))
		if joins := len(outcome.Backfills) == 1; joins != test.joins {
			t.Errorf("ticket %s, session %s: got joins %v, want %v", test.ticket, test.session, joins, test.joins)
		}
	}
	outcome := run(t, scene(`{"blocked_players": 7}`, `{}`))
	if len(outcome.Rejected) != 1 || !strings.Contains(outcome.Rejected[0].Reason, "blocked_players: got 7, expected a list of user ids") {
		t.Errorf("got %+v, want a rejected ticket with the reason blocked_players", outcome)
	}
}

func TestExplainPivot(t *testing.T) {
	_, list := explain(t, `{"follow": "page", "rules": {"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 2, "player_max_number": 2},
		"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 100}],
		"flexing_rule": [{"duration": 30, "attribute": "mmr", "criteria": "distance", "reference": 300}],
		"match_options": {"options": [{"name": "mode", "type": "all"}]},
		"region_latency_initial_range_ms": 50, "region_latency_max_ms": 100},
		"at": 4, "tickets": [
		{"id": "self", "created_at": 0, "players": [{"id": "a", "latencies": {"us": 20}}]},
		{"id": "skill", "created_at": 1, "players": [{"id": "b", "attributes": {"mmr": 250}}]},
		{"id": "mode", "created_at": 2, "attributes": {"mode": "duel"}, "players": [{"id": "c"}]},
		{"id": "far", "created_at": 3, "players": [{"id": "d", "latencies": {"us": 90}}]},
		{"id": "fits", "created_at": 3, "players": [{"id": "e"}]}]}`)
	thirtyOne, eight := 31.0, 8.0
	want := []Obstacle{
		{Ticket: "skill", Rule: "matching_rule mmr", Because: "250 apart, at most 100", UntilS: &thirtyOne},
		{Ticket: "mode", Rule: "match_options mode", Because: "not compatible"},
		{Ticket: "far", Rule: "region latency", Because: "best common region 90 ms, at most 50 ms", UntilS: &eight},
		{Ticket: "fits", Because: "compatible"},
	}
	if !reflect.DeepEqual(list[0].Others, want) {
		t.Errorf("got %+v, want %+v", list[0].Others, want)
	}
	if note := "the ticket and all compatible tickets have 2 players, but a match needs at least 4"; list[0].Note != note {
		t.Errorf("got note %q, want %q", list[0].Note, note)
	}
}

// A ticket that has latencies but no region in range yet does not match a ticket without latencies,
// whichever of the two is older.
func TestExplainPivotOutOfReach(t *testing.T) {
	for _, players := range [][2]string{
		{`{"id": "a"}`, `{"id": "b", "latencies": {"us": 90}}`},
		{`{"id": "a", "latencies": {"us": 90}}`, `{"id": "b"}`},
	} {
		outcome, list := explain(t, `{"follow": "page", "rules": {"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 1},
			"region_latency_initial_range_ms": 50, "region_latency_max_ms": 100},
			"at": 4, "tickets": [{"id": "old", "created_at": 1, "players": [`+players[0]+`]}, {"id": "new", "created_at": 1, "players": [`+players[1]+`]}]}`)
		if len(outcome.Matches) > 0 {
			t.Errorf("%v: got %v, want no match", players, outcome.Matches)
		}
		six := 6.0
		want := []Obstacle{{Ticket: "new", Rule: "region latency", Because: "best common region 90 ms, at most 50 ms", UntilS: &six}}
		if !reflect.DeepEqual(list[0].Others, want) {
			t.Errorf("%v: got %+v, want %+v", players, list[0].Others, want)
		}
	}
}

// These explanations are for rules that follow the service. If the seed has no value for a match
// option (here mode), that option accepts any ticket. A ticket with no region in range (here
// "lost") may be matched in any region.
func TestExplainScan(t *testing.T) {
	_, list := explain(t, `{"rules": {"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 3, "player_max_number": 3},
		"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 100}],
		"flexing_rule": [{"duration": 30, "attribute": "mmr", "criteria": "distance", "reference": 300}],
		"match_options": {"options": [{"name": "mode", "type": "all"}, {"name": "map", "type": "any"}]},
		"region_latency_initial_range_ms": 50, "region_latency_max_ms": 100},
		"at": 4, "tickets": [
		{"id": "self", "created_at": 0, "attributes": {"map": ["a"]}, "players": [{"id": "a", "latencies": {"us": 20, "eu": 90}}]},
		{"id": "skill", "created_at": 1, "attributes": {"map": "a"}, "players": [{"id": "b", "attributes": {"mmr": 250}}]},
		{"id": "mode", "created_at": 2, "attributes": {"map": "a", "mode": "duel"}, "players": [{"id": "c"}]},
		{"id": "map", "created_at": 2, "attributes": {"map": "b"}, "players": [{"id": "d"}]},
		{"id": "far", "created_at": 3, "attributes": {"map": "a"}, "players": [{"id": "e", "latencies": {"eu": 20, "us": 95}}]},
		{"id": "lost", "created_at": 3, "attributes": {"map": "a"}, "players": [{"id": "f", "latencies": {"us": 190}}]}]}`)
	fourth, ninth := 31.001, 5.001
	want := []Obstacle{
		{Ticket: "skill", Rule: "matching_rule mmr", Because: "250 apart, at most 100", UntilS: &fourth},
		{Ticket: "mode", Because: "compatible"},
		{Ticket: "map", Rule: "match_options map", Because: "not compatible"},
		{Ticket: "far", Rule: "region latency", Because: "best common region 90 ms, at most 70 ms", UntilS: &ninth},
		{Ticket: "lost", Because: "compatible"},
	}
	if !reflect.DeepEqual(list[0].Others, want) {
		t.Errorf("got %+v, want %+v", list[0].Others, want)
	}
}

// A match option belongs to the ticket. A case that gives it to a player only is refused, with the
// place of the option. A number of a matching rule belongs to players.
func TestOptionOfAPlayerIsRefused(t *testing.T) {
	for attributes, want := range map[string]string{
		`"players": [{"id": "p", "attributes": {"mode": "a"}}]`:                                     `ticket "t": player "p": mode is no attribute of a player, expected it in the attributes of the ticket`,
		`"players": [{"id": "p", "attributes": {"blocked_players": ["x"]}}]`:                        "blocked_players is no attribute of a player",
		`"attributes": {"mode": "a"}, "players": [{"id": "p", "attributes": {"mode": "a"}}]`:        "",
		`"attributes": {"mode": "a"}, "players": [{"id": "p", "attributes": {"mmr": 7, "x": "y"}}]`: "",
	} {
		c, err := Read("case.json", []byte(`{"rules": {"alliance": {"min_number": 1, "max_number": 1, "player_min_number": 1, "player_max_number": 1},
			"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 5}],
			"match_options": {"options": [{"name": "mode", "type": "any"}, {"name": "mmr", "type": "any"}]}},
			"at": 1, "tickets": [{"id": "t", "created_at": 0, `+attributes+`}]}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := c.Compile(vendor.CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		err = rules.Check(&c.Scene)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "case.json:4:")) {
			t.Errorf("%s: got %v, want %q at line 4", attributes, err, want)
		}
	}
}
