package playfab

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// reading returns a queue with one rule that reads a path.
func reading(t *testing.T, rule, path, source string) *Queue {
	t.Helper()
	text := map[string]string{
		"number": `"DifferenceRules": [{"Difference": 1, `,
		"text":   `"StringEqualityRules": [{`,
		"set":    `"SetIntersectionRules": [{"MinIntersectionSize": 1, `,
	}[rule]
	queue, _ := compileOne(t, queueOf(`, `+text+`"Name": "R", "Attribute": {"Path": "`+path+`", "Source": "`+source+`"}, "AttributeNotSpecifiedBehavior": "MatchAny"}]`))
	return queue
}

func parse(t *testing.T, text string) jsontree.Value {
	t.Helper()
	v, err := jsontree.Parse("p.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAttributes(t *testing.T) {
	const missing, wrong = "missing", "wrong"
	for _, test := range []struct {
		name, kind, path, source string
		player                   string
		want                     any // number, text, list of texts, missing or wrong
	}{
		{"plain", "number", "mmr", "User", `{"mmr": 1500}`, 1500.0},
		{"dots", "number", "a.b.c", "User", `{"a": {"b": {"c": 2}}}`, 2.0},
		{"dollar", "number", "$.a.b", "User", `{"a": {"b": 2}}`, 2.0},
		{"literal key first", "number", "a.b", "User", `{"a": {"b": 1}, "a.b": 2}`, 2.0},
		{"literal key with dollar", "number", "$.a", "User", `{"$.a": 3, "a": 4}`, 3.0},
		{"hyphen", "text", "game-mode", "User", `{"game-mode": "ctf"}`, "ctf"},
		{"null is missing", "number", "mmr", "User", `{"mmr": null}`, missing},
		{"null inside", "number", "a.b", "User", `{"a": null}`, missing},
		{"absent", "number", "mmr", "User", `{}`, missing},
		{"through a number", "number", "a.b", "User", `{"a": 5}`, missing},
		{"zero is a value", "number", "mmr", "User", `{"mmr": 0}`, 0.0},
		{"empty text is a value", "text", "b", "User", `{"b": ""}`, ""},
		{"text for number", "number", "mmr", "User", `{"mmr": "1500"}`, wrong},
		{"number for text", "text", "b", "User", `{"b": 12}`, wrong},
		{"true for text", "text", "b", "User", `{"b": true}`, wrong},
		{"object for number", "number", "a", "User", `{"a": {"b": 1}}`, wrong},
		{"beyond doubles", "number", "a", "User", `{"a": 1e999}`, wrong},
		{"set", "set", "m", "User", `{"m": ["b", "a", "b"]}`, []string{"a", "b"}},
		{"empty set is a value", "set", "m", "User", `{"m": []}`, []string{}},
		{"text for set", "set", "m", "User", `{"m": "a"}`, wrong},
		{"number in set", "set", "m", "User", `{"m": ["a", 1]}`, wrong},
		{"null in set", "set", "m", "User", `{"m": ["a", null]}`, wrong},
		{"entity", "number", "$.playerSkill.Mean", "PlayerEntity", `{"playerSkill": {"Mean": 3}}`, 3.0},
		{"entity without dollar", "number", "playerSkill.Mean", "PlayerEntity", `{"playerSkill": {"Mean": 3}}`, 3.0},
		{"entity by brackets", "number", "$['player skill'].Mean", "PlayerEntity", `{"player skill": {"Mean": 3}}`, 3.0},
		{"entity by index", "number", "$.seasons[1].mu", "PlayerEntity", `{"seasons": [{"mu": 1}, {"mu": 2}]}`, 2.0},
		{"entity from the end", "number", "$.seasons[-1].mu", "PlayerEntity", `{"seasons": [{"mu": 1}, {"mu": 2}]}`, 2.0},
		{"path without a value", "number", "$.seasons[7].mu", "PlayerEntity", `{"seasons": []}`, missing},
		{"several found", "number", "$.seasons[*].mu", "PlayerEntity", `{"seasons": [{"mu": 1}, {"mu": 2}]}`, wrong},
	} {
		queue := reading(t, test.kind, test.path, test.source)
		attributes, entity := parse(t, test.player), jsontree.Value{}
		if test.source == "PlayerEntity" {
			attributes, entity = entity, attributes
		}
		player, err := queue.Player(attributes, entity)
		var got any
		switch v := player.Values[0]; {
		case err != nil:
			got = wrong
			var refusal *Refusal
			if !errors.As(err, &refusal) || refusal.Code != codeAttribute {
				t.Errorf("%s: got error %v, want a Refusal of the ticket with the attribute's code", test.name, err)
			}
		case v.Kind == matcher.Missing:
			got = missing
		case v.Kind == matcher.IsNumber:
			got = v.Number
		case v.Kind == matcher.IsText:
			got = queue.Schema.TextString(v.Text)
		default:
			texts := []string{}
			for _, id := range v.Set {
				texts = append(texts, queue.Schema.TextString(id))
			}
			if len(texts) == 2 && texts[0] > texts[1] {
				texts[0], texts[1] = texts[1], texts[0]
			}
			got = texts
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v (%v), want %v", test.name, got, err, test.want)
		}
	}
}

func TestRequiredAttributes(t *testing.T) {
	queue, _ := compileOne(t, queueOf(`, "DifferenceRules": [{"Name": "Skill", "Difference": 1, "Attribute": {"Path": "mmr", "Source": "User"}, "AttributeNotSpecifiedBehavior": "UseDefault"}]`))
	_, err := queue.Player(parse(t, `{}`), jsontree.Value{})
	if err == nil || !strings.HasPrefix(err.Error(), "MatchmakingAttributeInvalid: attribute mmr of rule Skill is missing") {
		t.Errorf("got error %v, want the ticket without mmr refused", err)
	}
	if _, err := queue.Player(parse(t, `{"mmr": 0}`), jsontree.Value{}); err != nil {
		t.Errorf("got error %v, want the ticket with mmr accepted", err)
	}
}

func TestLatencies(t *testing.T) {
	queue, _ := compileOne(t, queueOf(`, "RegionSelectionRule": {"Name": "Near", "Path": "net.l", "MaxLatency": 100}`))
	for _, test := range []struct {
		attributes string
		want       []float64 // latencies to EastUs and WestUs; nil if none were reported
		wrong      bool
	}{
		{`{"net": {"l": [{"region": "EastUs", "latency": 50}, {"region": "WestUs", "latency": 120.5}]}}`, []float64{50, 120.5}, false},
		{`{"net.l": [{"region": "WestUs", "latency": 7}]}`, []float64{math.NaN(), 7}, false},
		{`{"net": {"l": []}}`, []float64{}, false},
		{`{}`, nil, false},
		{`{"net": {"l": {"EastUs": 50}}}`, nil, true},
		{`{"net": {"l": [{"region": "EastUs"}]}}`, nil, true},
		{`{"net": {"l": [{"region": "EastUs", "latency": -1}]}}`, nil, true},
		{`{"net": {"l": [{"region": 5, "latency": 1}]}}`, nil, true},
	} {
		player, err := queue.Player(parse(t, test.attributes), jsontree.Value{})
		if (err != nil) != test.wrong {
			t.Errorf("%s: got error %v, want one: %v", test.attributes, err, test.wrong)
		}
		if err != nil {
			continue
		}
		same := len(player.RTTMS) == len(test.want) && (player.RTTMS == nil) == (test.want == nil)
		for i := 0; same && i < len(test.want); i++ {
			same = player.RTTMS[i] == test.want[i] || math.IsNaN(player.RTTMS[i]) && math.IsNaN(test.want[i])
		}
		if !same {
			t.Errorf("%s: got RTTs %v, want %v", test.attributes, player.RTTMS, test.want)
		}
	}
}

func TestTicketSizes(t *testing.T) {
	teams := `, "Teams": [{"Name": "red", "MinTeamSize": 1, "MaxTeamSize": 3}, {"Name": "blue", "MinTeamSize": 1, "MaxTeamSize": 5}]`
	for _, test := range []struct {
		members string
		players int
		want    string // prefix of the refusal; "" if the ticket is accepted
	}{
		{"", 7, ""},
		{"", 8, "MatchmakingNumberOfPlayersInTicketTooLarge: 8 players in the ticket, expected fewer than MaxMatchSize, which is 8"},
		{`, "MaxTicketSize": 2`, 2, ""},
		{`, "MaxTicketSize": 2`, 3, "MatchmakingNumberOfPlayersInTicketTooLarge: 3 players in the ticket, expected at most MaxTicketSize, which is 2"},
		{teams, 5, ""},
		{teams, 6, "TicketUnmatchable: 6 players in the ticket, but the largest MaxTeamSize is 5"},
	} {
		queue, _ := compileOne(t, queueOf(test.members))
		got := ""
		if err := queue.CheckSize(test.players); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%d players%s: got refusal %q, want %q", test.players, test.members, got, test.want)
		}
	}
}

func TestMembers(t *testing.T) {
	queue, _ := compileOne(t, queueOf(""))
	admit := queue.admission()
	if err := admit("t1", []string{"a", "b"}, 0, 1000); err != nil {
		t.Fatal(err)
	}
	err := admit("t2", []string{"c", "b"}, 999, matcher.Never)
	if err == nil || !strings.Contains(err.Error(), `player "b" is already in ticket "t1"`) {
		t.Errorf("got error %v, want player b refused, who is in ticket t1", err)
	}
	if err := admit("t3", []string{"c"}, 999, matcher.Never); err != nil {
		t.Errorf("got error %v, want player c accepted, because the ticket before was refused", err)
	}
	if err := admit("t4", []string{"b"}, 1000, matcher.Never); err != nil {
		t.Errorf("got error %v, want player b accepted, because t1 gave up before", err)
	}
}

func TestStatistics(t *testing.T) {
	queue, _ := compileOne(t, queueOf(`, "StatisticsVisibilityToPlayers": {"ShowNumberOfPlayersMatching": true, "ShowTimeToMatch": false}`))
	var matched []vendor.MatchedTicket
	for i := range int64(100) { // wait i+1 s, matched one per second, the last at 1000 s
		matched = append(matched, vendor.MatchedTicket{AtMS: (901 + i) * 1000, WaitMS: (100 - i) * 1000})
	}
	matched = append(matched, vendor.MatchedTicket{AtMS: 700_000, WaitMS: 5000}, vendor.MatchedTicket{AtMS: 700_001, WaitMS: 50_500})
	s := queue.Statistics(1_000_000, 12, matched)
	// The window (700 s, 1000 s] excludes the ticket that was matched at 700 s. It contains 101
	// waits with the sum 5050 + 50.5. The nearest ranks are 51, 91 and 100.
	want := TimeToMatch{Average: 5100.5 / 101, Percentile50: 50.5, Percentile90: 90, Percentile99: 99}
	if got := *s.Live.TimeToMatchStatisticsInSeconds; got != want {
		t.Errorf("live statistics: got %+v, want %+v", got, want)
	}
	if *s.Live.NumberOfPlayersMatching != 12 {
		t.Errorf("live statistics: got %d players matching, want 12", *s.Live.NumberOfPlayersMatching)
	}
	if got := s.Whole.Average; got != 5105.5/102 {
		t.Errorf("whole run: got average %v, want %v", got, 5105.5/102)
	}
	if s.Players == nil || *s.Players.NumberOfPlayersMatching != 12 || s.Players.TimeToMatchStatisticsInSeconds != nil {
		t.Errorf("got statistics for players %+v, want the number of players only", s.Players)
	}
	hidden, _ := compileOne(t, queueOf(""))
	if s := hidden.Statistics(0, 0, nil); s.Players != nil || s.Whole != nil || s.Live.TimeToMatchStatisticsInSeconds != nil {
		t.Errorf("got %+v, want no statistics for players and no times", s)
	}
}

func TestLint(t *testing.T) {
	balance := `, "Teams": [{"Name": "one", "MinTeamSize": 1, "MaxTeamSize": 1}, {"Name": "four", "MinTeamSize": 4, "MaxTeamSize": 7}],
		"TeamSizeBalanceRule": {"Name": "Size", "Difference": %}`
	for _, test := range []struct {
		name, text string
		giveUpMS   int64
		want       string // part of a warning; "" for none
	}{
		{"sound", difference(`, "LinearExpansion": {"Delta": 5, "Limit": 30, "SecondsBetweenExpansions": 10}, "SecondsUntilOptional": 60`), 120_000, ""},
		{"unlimited expansion, optional later", difference(`, "LinearExpansion": {"Delta": 5, "SecondsBetweenExpansions": 10}, "SecondsUntilOptional": 60`), 120_000, ""},
		{"unlimited expansion, optional before its first step", difference(`, "LinearExpansion": {"Delta": 5, "SecondsBetweenExpansions": 10}, "SecondsUntilOptional": 10`), 120_000, "Difference becomes 15 after 10 s, but the rule is optional after 10 s, unless the match has a newer ticket"},
		{"documented example", difference(`, "CustomExpansion": {"DifferenceOverrides": [1, 2, 3, 4, 5, 6], "SecondsBetweenExpansions": 5}, "SecondsUntilOptional": 30`), matcher.Never, ""},
		{"limit at the base", difference(`, "LinearExpansion": {"Delta": 5, "Limit": 10, "SecondsBetweenExpansions": 10}`), matcher.Never, `rule "Skill": the expansion has no effect: Difference stays 10`},
		{"delta of 0", difference(`, "LinearExpansion": {"Delta": 0, "SecondsBetweenExpansions": 10}`), matcher.Never, `rule "Skill": the expansion has no effect: Difference stays 10`},
		{"step after optional", difference(`, "LinearExpansion": {"Delta": 10, "Limit": 30, "SecondsBetweenExpansions": 10}, "SecondsUntilOptional": 20`), matcher.Never, "Difference becomes 30 after 20 s, but the rule is optional after 20 s, unless the match has a newer ticket"},
		{"override after optional", difference(`, "CustomExpansion": {"DifferenceOverrides": [1, 2, 3], "SecondsBetweenExpansions": 10}, "SecondsUntilOptional": 15`), matcher.Never, "Difference becomes 3 after 20 s"},
		{"step after give-up", difference(`, "LinearExpansion": {"Delta": 10, "Limit": 40, "SecondsBetweenExpansions": 50}`), 120_000, "Difference becomes 40 after 150 s, but tickets give up after 120 s"},
		{"optional after give-up", difference(`, "LinearExpansion": {"Delta": 10, "Limit": 40, "SecondsBetweenExpansions": 5}, "SecondsUntilOptional": 120`), 120_000, `rule "Skill": it never becomes optional: SecondsUntilOptional is 120 s, but tickets give up after 120 s`},
		{"optional before give-up", difference(`, "SecondsUntilOptional": 119`), 120_000, ""},
		{"give-up first", difference(`, "SecondsUntilOptional": 60`), 30_000, "tickets give up after 30 s, but the first rule relaxes only after 60 s"},
		{"negative difference", queueOf(`, "DifferenceRules": [{"Name": "Skill", "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": -1, "AttributeNotSpecifiedBehavior": "MatchAny"}]`), matcher.Never, `rule "Skill": no match can satisfy it: a difference is never below 0, but Difference is at most -1`},
		{"tightens", difference(`, "LinearExpansion": {"Delta": -5, "Limit": 0, "SecondsBetweenExpansions": 10}`), matcher.Never, "Delta is -5, so the rule becomes stricter"},
		{"no latency", queueOf(`, "RegionSelectionRule": {"Name": "Near", "Path": "l", "MaxLatency": 0}`), matcher.Never, `rule "Near": no match can satisfy it: MaxLatency is 0 ms`},
		{"never enabled", queueOf(`, "StringEqualityRules": [{"Name": "B", "Attribute": {"Path": "b", "Source": "User"}, "AttributeNotSpecifiedBehavior": "MatchAny", "Expansion": {"EnabledOverrides": [false], "SecondsBetweenExpansions": 5}}]`), matcher.Never, `rule "B": the expansion disables the rule forever`},
		{"bounds crossed", queueOf(`, "MatchTotalRules": [{"Name": "H", "Attribute": {"Path": "h", "Source": "User"}, "Min": 5, "Max": 9, "Expansion": {"MaxOverrides": [6, 4], "SecondsBetweenExpansions": 5}}]`), matcher.Never, `rule "H": no match can satisfy it after a wait of 5 s: Min is 5, but Max is 4`},
		{"small default set", queueOf(`, "SetIntersectionRules": [{"Name": "M", "Attribute": {"Path": "m", "Source": "User"}, "MinIntersectionSize": 2, "AttributeNotSpecifiedBehavior": "UseDefault", "DefaultAttributeValue": ["a"]}]`), matcher.Never, "players without the attribute cannot be matched: DefaultAttributeValue has 1 text, but MinIntersectionSize is at least 2"},
		{"one override", difference(`, "CustomExpansion": {"DifferenceOverrides": [5], "SecondsBetweenExpansions": 10}`), matcher.Never, `rule "Skill": the expansion has no effect: Difference stays 5`},
		{"never active", difference(`, "CustomExpansion": {"DifferenceOverrides": [null], "SecondsBetweenExpansions": 10}`), matcher.Never, `rule "Skill": the expansion disables the rule forever`},
		{"balance impossible", queueOf(strings.Replace(balance, "%", "2", 1)), matcher.Never, `rule "Size": no match can satisfy it: team sizes that differ by at most 2 cannot add up to 2 to 8 players`},
		{"balance possible", queueOf(strings.Replace(balance, "%", "3", 1)), matcher.Never, ""},
		{"odd match of equal teams", `{"Name": "q", "MinMatchSize": 7, "MaxMatchSize": 7` + twoTeams + `, "TeamSizeBalanceRule": {"Name": "Size", "Difference": 0}}`, matcher.Never, `rule "Size": no match can satisfy it: team sizes that differ by at most 0 cannot add up to 7 players`},
		{"match larger than teams", `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 12` + twoTeams + `}`, matcher.Never, "MaxMatchSize is 12, but all teams together have room for only 8 players"},
		{"ticket larger than teams", queueOf(`, "MaxTicketSize": 5` + twoTeams), matcher.Never, "MaxTicketSize is 5, but the largest team has room for only 4 players"},
		{"ticket limit without effect", queueOf(`, "MaxTicketSize": 8`), matcher.Never, "MaxTicketSize: 8 has no effect, because"},
		{"two types", queueOf(`, "StringEqualityRules": [{"Name": "B", "Attribute": {"Path": "x", "Source": "User"}, "AttributeNotSpecifiedBehavior": "MatchAny"}],
			"MatchTotalRules": [{"Name": "H", "Attribute": {"Path": "x", "Source": "User"}, "Min": 0, "Max": 1}]`), matcher.Never, `rules "B" and "H" read attribute x as different types`},
	} {
		queue, _ := compileOne(t, test.text)
		got := queue.Lint(test.giveUpMS)
		if test.want == "" && len(got) > 0 || !strings.Contains(fmt.Sprint(got), test.want) {
			t.Errorf("%s: got warnings %q, want %q", test.name, got, test.want)
		}
		for _, w := range got {
			if !strings.HasPrefix(w.Position, "q.json:") {
				t.Errorf("%s: got warning %q, want a position with q.json:", test.name, w)
			}
		}
	}
}

// A rule that is never active cannot be impossible, whatever its thresholds are.
func TestLintOfAnInactiveRule(t *testing.T) {
	queue, _ := compileOne(t, queueOf(`, "SetIntersectionRules": [{"Name": "M", "Attribute": {"Path": "m", "Source": "User"},
		"MinIntersectionSize": 2, "AttributeNotSpecifiedBehavior": "UseDefault", "DefaultAttributeValue": ["a"],
		"CustomExpansion": {"MinIntersectionSizeOverrides": [null, null], "SecondsBetweenExpansions": 10}}]`))
	got := queue.Lint(matcher.Never)
	if len(got) != 1 || !strings.Contains(got[0].Message, "disables the rule forever") {
		t.Errorf("got warnings %q, want one, of the expansion", got)
	}
}
