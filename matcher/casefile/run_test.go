package casefile

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"mmsim/matcher/dialect/vendor"
)

func run(t *testing.T, text string) *Outcome {
	t.Helper()
	outcome, err := read(t, text).Run(vendor.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

// explain runs a case and returns explanations of the unmatched tickets. There must be at least
// one.
func explain(t *testing.T, text string) (*Outcome, []Explanation) {
	t.Helper()
	c := read(t, text)
	rules, err := c.Compile(vendor.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := rules.Run(&c.Scene)
	if err != nil {
		t.Fatal(err)
	}
	list, err := rules.Explain(&c.Scene, outcome)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatal("got no explanations, want some")
	}
	return outcome, list
}

// In a backfill, the teams list the players of the session and those who join it.
func TestBackfillTeams(t *testing.T) {
	outcome := run(t, `{"rules": {"Name": "q", "MinMatchSize": 4, "MaxMatchSize": 4, "Teams": [
		{"Name": "red", "MinTeamSize": 2, "MaxTeamSize": 2}, {"Name": "blue", "MinTeamSize": 2, "MaxTeamSize": 2}]},
		"at": 5, "tickets": [{"id": "t", "created_at": 0, "players": [{"id": "n"}]}],
		"sessions": [{"id": "s", "created_at": 0, "region": "EastUs", "capacity": 4, "teams": [
			{"name": "blue", "players": [{"id": "c"}, {"id": "d"}]}, {"name": "red", "players": [{"id": "a"}]}]}]}`)
	want := []Match{{Session: "s", Tickets: []string{"t"}, Teams: []TeamList{{"red", []string{"a", "n"}}, {"blue", []string{"c", "d"}}}}}
	if !reflect.DeepEqual(outcome.Backfills, want) {
		t.Errorf("got %v, want %v", outcome.Backfills, want)
	}
}

func TestUnknownTeamOfASession(t *testing.T) {
	outcome := run(t, `{"rules": {"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "Teams": [
		{"Name": "red", "MinTeamSize": 1, "MaxTeamSize": 1}, {"Name": "blue", "MinTeamSize": 1, "MaxTeamSize": 1}]},
		"at": 5, "tickets": [{"id": "t", "created_at": 0, "players": [{"id": "n"}]}],
		"sessions": [{"id": "s", "created_at": 0, "teams": [{"name": "green", "players": [{"id": "a"}]}]}]}`)
	if len(outcome.Backfills) != 1 || len(outcome.Warnings) != 1 || !strings.Contains(outcome.Warnings[0].Message, `the rules have no team "green"`) {
		t.Errorf("got %+v, want a backfill and a warning", outcome)
	}
}

// Latencies that the client sent take precedence over those in the scene.
func TestLatenciesOfTheClient(t *testing.T) {
	outcome := run(t, `{"rules": {"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2,
		"RegionSelectionRule": {"Name": "Near", "Path": "Latencies", "MaxLatency": 100}},
		"at": 5, "tickets": [
		{"id": "a", "created_at": 0, "players": [{"id": "p", "latencies": {"EastUs": 30, "WestUs": 90}}]},
		{"id": "b", "created_at": 0, "players": [{"id": "q", "latencies": {"EastUs": 30},
			"attributes": {"Latencies": [{"region": "EastUs", "latency": 300}, {"region": "WestUs", "latency": 80}]}}]}]}`)
	if len(outcome.Matches) != 1 || outcome.Matches[0].Region != "WestUs" {
		t.Errorf("got matches %v, want one in WestUs", outcome.Matches)
	}
}

// An invalid attribute in a session is an error about the scene.
func TestWrongAttributeInASession(t *testing.T) {
	_, err := read(t, `{"rules": {"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "StringEqualityRules": [
		{"Name": "B", "Attribute": {"Path": "b", "Source": "User"}, "AttributeNotSpecifiedBehavior": "MatchAny"}]},
		"at": 5, "tickets": [], "sessions": [{"id": "s", "created_at": 0, "teams": [{"name": "", "players": [{"id": "a", "attributes": {"b": 5}}]}]}]}`).Run(vendor.CompileOptions{})
	if err == nil || !strings.HasPrefix(err.Error(), `c.json:3:40: session "s": player "a": MatchmakingAttributeInvalid`) {
		t.Errorf("got error %v, want MatchmakingAttributeInvalid with line, session and player", err)
	}
}

func TestBudgetIsReported(t *testing.T) {
	var list []string
	for i := range 12 { // every number is 2, so no sum is odd
		list = append(list, `{"id": "t`+string(rune('a'+i))+`", "created_at": 0, "players": [{"id": "p", "attributes": {"n": 2}}]}`)
	}
	text := `{"rules": {"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 12, "MatchTotalRules": [
		{"Name": "Odd", "Attribute": {"Path": "n", "Source": "User"}, "Min": 9, "Max": 9}]}, "at": 5, "tickets": [` +
		strings.ReplaceAll(strings.Join(list, ","), `"p"`, `"p%"`) + `]}`
	for i := range 12 {
		text = strings.Replace(text, "%", string(rune('a'+i)), 1)
	}
	outcome, err := read(t, text).Run(vendor.CompileOptions{Budget: 20})
	if err != nil {
		t.Fatal(err)
	}
	if len(outcome.Warnings) == 0 || !strings.Contains(outcome.Warnings[0].Message, `the search over groups for ticket "ta" stopped at its budget, so it may have missed a match`) {
		t.Errorf("got warnings %q, want first that the search for ticket ta stopped at its budget", outcome.Warnings)
	}
}

func TestExplain(t *testing.T) {
	_, list := explain(t, `{"rules": {"Name": "q", "MinMatchSize": 3, "MaxMatchSize": 3,
		"StringEqualityRules": [{"Name": "Build", "Attribute": {"Path": "b", "Source": "User"}, "AttributeNotSpecifiedBehavior": "MatchAny", "SecondsUntilOptional": 60}],
		"SetIntersectionRules": [{"Name": "Maps", "Attribute": {"Path": "m", "Source": "User"}, "MinIntersectionSize": 2, "AttributeNotSpecifiedBehavior": "MatchAny"}],
		"MatchTotalRules": [{"Name": "Hosts", "Attribute": {"Path": "h", "Source": "User"}, "Min": 0, "Max": 1}],
		"RegionSelectionRule": {"Name": "Near", "Path": "l", "MaxLatency": 50, "LinearExpansion": {"Delta": 25, "Limit": 200, "SecondsBetweenExpansions": 10}}},
		"at": 20, "tickets": [
		{"id": "self", "created_at": 0, "give_up_after": 70, "players": [{"id": "p1", "attributes": {"b": "1", "m": ["x", "y"], "h": 1}, "latencies": {"E": 20, "W": 10}}]},
		{"id": "build", "created_at": 5, "players": [{"id": "p2", "attributes": {"b": "2"}, "latencies": {"E": 20}}]},
		{"id": "patient", "created_at": 12, "players": [{"id": "p3", "attributes": {"b": "2"}, "latencies": {"E": 20}}]},
		{"id": "maps", "created_at": 6, "players": [{"id": "p4", "attributes": {"m": ["x", "z"]}, "latencies": {"E": 20}}]},
		{"id": "host", "created_at": 6, "players": [{"id": "p5", "attributes": {"h": 1}, "latencies": {"E": 20}}]},
		{"id": "far", "created_at": 7, "players": [{"id": "p6", "latencies": {"E": 140}}]},
		{"id": "elsewhere", "created_at": 8, "players": [{"id": "p7", "latencies": {"S": 10}}]},
		{"id": "gone", "created_at": 0, "give_up_after": 20, "players": [{"id": "p8"}]}]}`)
	// The region limit is 50 ms, plus 25 ms every 10 s. It is 100 ms at 20 s and 150 ms at 40 s,
	// the first step that allows 140 ms. A rule becomes optional when the newer of two tickets has
	// waited 60 s. That is at 65 s for build. For patient it would be at 72 s, but self gives up
	// before that, at 70 s.
	sixtyFive, forty := 65.0, 40.0
	want := []Obstacle{
		{Ticket: "build", Rule: "Build", Because: "different values", UntilS: &sixtyFive},
		{Ticket: "maps", Rule: "Maps", Because: "1 in common, at least 2"},
		{Ticket: "host", Rule: "Hosts", Because: "sum 2, at most 1"},
		{Ticket: "far", Rule: "Near", Because: "best common region 140 ms, at most 100 ms", UntilS: &forty},
		{Ticket: "elsewhere", Rule: "Near", Because: "no region in common"},
		{Ticket: "patient", Rule: "Build", Because: "different values; one of them gives up before 72 s"},
	}
	e := list[0] // in scene order
	if e.Ticket != "self" || !reflect.DeepEqual(e.Others, want) {
		got, _ := json.MarshalIndent(e.Others, "", " ")
		t.Errorf("got ticket %s with %s, want ticket self with %+v", e.Ticket, got, want)
	}
	if e.WaitedS != 20 || !strings.HasPrefix(e.Note, "no other ticket is compatible") {
		t.Errorf("got waited %g s and note %q, want 20 s and the note that no other ticket is compatible", e.WaitedS, e.Note)
	}
}

// A ticket that is compatible with a session needs no other ticket. So the note must not say that
// no other ticket is compatible.
func TestExplainBesideASession(t *testing.T) {
	_, list := explain(t, `{"rules": {"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 8,
		"Teams": [{"Name": "red", "MinTeamSize": 1, "MaxTeamSize": 4}, {"Name": "blue", "MinTeamSize": 1, "MaxTeamSize": 4}],
		"TeamSizeBalanceRule": {"Name": "Even", "Difference": 0}},
		"at": 9, "tickets": [{"id": "t", "created_at": 0, "players": [{"id": "p1"}]}],
		"sessions": [{"id": "s", "created_at": 0, "teams": [{"name": "red", "players": [{"id": "p2"}]}, {"name": "blue", "players": [{"id": "p3"}]}]}]}`)
	if len(list) != 1 || list[0].Note != "the ticket would have been matched without Even" {
		t.Errorf("got %+v, want one ticket with the note that it would have been matched without Even", list)
	}
}

func TestScoresKeepTheirOrder(t *testing.T) {
	got, err := json.Marshal(Outcome{Matches: []Match{}, Unmatched: []string{}, Scores: Scores{{"b", 1}, {`a"`, 0.5}}, Chosen: NewServer})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"matches":[],"scores":{"b":1,"a\"":0.5},"chosen":"new","unmatched":[]}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFormatInstant(t *testing.T) {
	for ms, want := range map[int64]string{0: "0 s", 10_500: "10.5 s", 3_599_999: "3599.999 s", 72_923_000: "20:15:23", 86_400_250: "24:00:00.25"} {
		if got := FormatInstant(ms); got != want {
			t.Errorf("%d ms: got %q, want %q", ms, got, want)
		}
	}
}
