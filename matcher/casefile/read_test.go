package casefile

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

const rules = `"rules": {"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 4}`

// scene adds keys to an otherwise valid case.
func scene(members string) string {
	return `{` + rules + `, "at": 10, "tickets": [
		{"id": "t1", "created_at": 0, "players": [{"id": "p1"}]},
		{"id": "t2", "created_at": 1.5, "give_up_after": 120, "players": [{"id": "p2"}, {"id": "p3"}]}]` + members + `}`
}

func read(t *testing.T, text string) *Case {
	t.Helper()
	c, err := Read("c.json", []byte(text), nil)
	if err != nil {
		t.Fatalf("%v\nin %s", err, text)
	}
	return c
}

// A case may name a rules file. Without access to files, the name is an error.
func TestReadNamedRules(t *testing.T) {
	text := []byte(strings.Replace(scene(""), rules, `"rules": "../queue.json"`, 1))
	files := map[string]string{"../queue.json": `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 4}`}
	open := func(name string) (jsontree.Value, string, error) {
		name, part, _ := strings.Cut(name, "#")
		rules, ok := files[name]
		if !ok {
			return jsontree.Value{}, "", errors.New(name + ": not there")
		}
		root, err := jsontree.ParseRelaxed(name, []byte(rules))
		return root, part, err
	}
	c, err := Read("c.json", text, open)
	if err != nil || c.Dialect != "playfab" {
		t.Fatalf("got %+v, %v", c, err)
	}
	if outcome, err := c.Run(vendor.CompileOptions{}); err != nil || len(outcome.Matches) != 1 {
		t.Errorf("got %+v, %v, want a match of both tickets", outcome, err)
	}
	for _, test := range []struct{ queue, want string }{
		{`{"Name": }`, "../queue.json:1:10: "},
		{`{"Nome": "q"}`, "../queue.json:1:1: the vendor of the rules cannot be recognised"},
		{"", "c.json:1:11: rules: ../queue.json: not there"},
	} {
		files["../queue.json"] = test.queue
		if test.queue == "" {
			delete(files, "../queue.json")
		}
		if _, err := Read("c.json", text, open); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want prefix %s", test.queue, err, test.want)
		}
	}
	if _, err := Read("c.json", text, nil); err == nil || !strings.Contains(err.Error(), "the vendor of the rules cannot be recognised") {
		t.Errorf("got error %v, want rules without a known dialect refused", err)
	}
}

// A case may name one of several rulesets in a file, and its files may have comments.
func TestReadNamedPart(t *testing.T) {
	const queues = `{"MatchMakingQueues": [
		{"Name": "quad", "MinMatchSize": 4, "MaxMatchSize": 4}, // a match of four
		{"Name": "trio", "MinMatchSize": 3, "MaxMatchSize": 3},
		{"Name": "broken", "MinMatchSize": "2"}
	]}`
	for _, test := range []struct {
		part    string
		strict  bool
		matches int
		want    string
	}{
		{"#trio", false, 1, ""},
		{"#quad", false, 0, ""},
		{"#trio", true, 0, "queues.json:2:59: remove the comment"},
		{"", false, 0, "queues.json:1:1: got rules with 3 queues, expected one: remove the queues that the case does not test, or name a file and one of its queues, such as queues.json#quad"},
		{"#none", false, 0, `queues.json:1:1: the file has no ruleset "none", expected one of quad, trio, broken`},
		{"#broken", false, 0, "queues.json:4:38: MinMatchSize: got \"2\""},
	} {
		text := []byte(strings.Replace(scene(""), rules, `"rules": "queues.json`+test.part+`"`, 1))
		c, err := Read("c.json", text, func(name string) (jsontree.Value, string, error) {
			name, part, _ := strings.Cut(name, "#")
			root, err := jsontree.ParseRelaxed(name, []byte(queues))
			return root, part, err
		})
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := c.Run(vendor.CompileOptions{Strict: test.strict})
		switch {
		case test.want != "":
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("%s: got error %v, want prefix %s", test.part, err, test.want)
			}
		case err != nil || len(outcome.Matches) != test.matches:
			t.Errorf("%s: got %+v (error %v), want %d matches", test.part, outcome, err, test.matches)
		case len(outcome.Warnings) != 1 || outcome.Warnings[0].Position != "queues.json:2:59":
			t.Errorf("%s: got warnings %v, want one, about the comment", test.part, outcome.Warnings)
		}
	}
}

func TestRead(t *testing.T) {
	c := read(t, scene(`, "sessions": [{"id": "s1", "created_at": 0.25, "region": "EastUs", "capacity": 8,
		"teams": [{"name": "red", "players": [{"id": "p9", "latencies": {"EastUs": 45, "WestUs": null}}]}]}],
		"expect": {"matches": [], "backfills": [{"session": "s1", "tickets": ["t2"], "teams": [["p9", "p2"]]}], "scores": {"s1": 6.5}, "chosen": "new"}`))
	if c.Name != "c.json" || c.Dialect != "playfab" || c.Scene.AtMS != 10_000 {
		t.Errorf("got case %q of dialect %q at %d ms, want c.json of playfab at 10000 ms", c.Name, c.Dialect, c.Scene.AtMS)
	}
	if two := c.Scene.Tickets[1]; two.CreatedMS != 1500 || two.GiveUpMS != 120_000 || len(two.Players) != 2 {
		t.Errorf("got ticket %+v, want two players, created at 1500 ms, giving up at 120000 ms", two)
	}
	s := c.Scene.Sessions[0]
	if s.CreatedMS != 250 || s.Capacity != 8 || !slices.Equal(s.Teams[0].Players[0].Latencies, []Latency{{"EastUs", 45}}) {
		t.Errorf("got session %+v, want 8 seats, created at 250 ms, with one player's latency of 45 ms", s)
	}
	e := c.Expect[0]
	if e.Matches == nil || e.Unmatched != nil || e.Backfills[0].Teams[0][1] != "p2" || e.Scores[0].Value != 6.5 || e.Chosen != NewServer {
		t.Errorf("got expectation %+v, want matches, one backfill with p2, score 6.5 and a new server", e)
	}
}

func TestReadIsStrict(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`[]`, "c.json:1:1: got a list, expected an object"},
		{`{"tickets": [], "at": 0}`, "rules: missing, expected the vendor's configuration"},
		{`{` + rules + `, "at": 0}`, "tickets: missing"},
		{`{` + rules + `, "tickets": []}`, "at: missing, expected seconds from 0"},
		{`{` + rules + `, "tickets": {}, "at": 0}`, "tickets: got an object, expected a list"},
		{scene(`, "tickts": []`), `c.json:3:100: tickts: unknown key, expected one of name, source, why, follow, dialect, rules, at, tickets, sessions, expect`},
		{scene(`, "at2": 1, "dialect": "open"`), `dialect: got "open", expected one of playfab`},
		{`{"rules": {"x": 1}, "at": 0, "tickets": []}`, "c.json:1:11: the vendor of the rules cannot be recognised"},
		{`{` + rules + `, "at": -1, "tickets": []}`, "at: got -1, expected seconds from 0 to"},
		{`{` + rules + `, "at": 1e300, "tickets": []}`, "at: got 1e300, expected seconds from 0 to"},
		{`{` + rules + `, "at": 5, "tickets": [{"id": "t", "created_at": 6, "players": [{"id": "p"}]}]}`, "tickets[0]: created_at: got 6, expected at most 5"},
		{`{` + rules + `, "at": 5, "tickets": [{"id": "t", "players": [{"id": "p"}]}]}`, "tickets[0]: created_at: missing"},
		{`{` + rules + `, "at": 5, "tickets": [{"id": "t", "created_at": 0, "give_up_after": 0, "players": [{"id": "p"}]}]}`, "give_up_after: got 0, expected seconds above 0"},
		{`{` + rules + `, "at": 5, "tickets": [{"id": "t", "created_at": 0, "players": []}]}`, "tickets[0]: players: missing, expected at least one player"},
		{`{` + rules + `, "at": 5, "tickets": [{"id": "t", "created_at": 0, "players": ["p"]}]}`, `tickets[0]: players[0]: got "p", expected an object`},
		{`{` + rules + `, "at": 5, "tickets": [{"id": "t", "created_at": 0, "players": [{"id": "p", "attributes": []}]}]}`, "attributes: got a list, expected an object"},
		{`{` + rules + `, "at": 5, "tickets": [{"id": "t", "created_at": 0, "players": [{"id": "p", "latencies": {"E": -1}}]}]}`, "latencies: E: got -1, expected milliseconds from 0 to 1e+12"},
		{`{` + rules + `, "at": 5, "tickets": [{"id": "t", "created_at": 0, "players": [{"id": "p"}, {"id": "p"}]}]}`, `players[1]: id: got "p", expected a unique id`},
		{`{` + rules + `, "at": 5, "tickets": [{"id": "", "created_at": 0, "players": [{"id": "p"}]}]}`, `id: got "", expected a text that is not empty`},
		{scene(`, "sessions": [{"id": "s", "created_at": 0, "teams": [{"name": "a", "player": []}]}]`), `sessions[0]: teams[0]: player: unknown key`},
		{scene(`, "expect": {"matchs": []}`), `expect: matchs: unknown key`},
		{scene(`, "expect": {"unmatched": ["t3"]}`), `expect: unmatched: got "t3", expected a ticket of the scene`},
		{scene(`, "expect": {"matches": [{"teams": [["p1"]]}]}`), "expect: matches[0]: tickets: missing"},
		{scene(`, "expect": {"matches": [{"tickets": ["t1"], "teams": [["p7"]]}]}`), `expected a player of the scene`},
		{scene(`, "expect": {"backfills": [{"session": "s1", "tickets": ["t1"]}]}`), `session: got "s1", expected a session of the scene`},
		{scene(`, "expect": {"chosen": "s1"}`), `chosen: got "s1", expected a session of the scene or "new"`},
		{scene(`, "expect": {"scores": {"s1": 1}}`), `scores: "s1": got an unknown name, expected a session of the scene`},
		{scene(`, "expect": {"any_of": []}`), "any_of: got a list, expected a list of alternatives"},
		{scene(`, "expect": {"any_of": [{"matches": []}], "unmatched": []}`), `expect: got "unmatched" beside any_of`},
		{scene(`, "why": 5`), "why: got 5, expected a text"},
		{scene(`, "follow": "book"`), `follow: got "book", expected one of service, page`},
	} {
		_, err := Read("c.json", []byte(test.text), nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v\nwant one that contains %s\nfor %s", err, test.want, test.text)
		} else if !strings.HasPrefix(err.Error(), "c.json:") {
			t.Errorf("got error %q, want prefix c.json:", err)
		}
	}
}

func TestRepeatedTicketIDs(t *testing.T) {
	text := strings.Replace(scene(""), `"t2"`, `"t1"`, 1)
	if _, err := Read("c.json", []byte(text), nil); err == nil || !strings.Contains(err.Error(), `tickets[1]: id: got "t1", expected a unique id`) {
		t.Errorf("got error %v, want the repeated id refused", err)
	}
}

func TestTooManyTickets(t *testing.T) {
	text := `{` + rules + `, "at": 0, "tickets": [` + strings.Repeat("1,", TicketsMax) + `1]}`
	if _, err := Read("c.json", []byte(text), nil); err == nil || !strings.Contains(err.Error(), "tickets: got 100001 entries, expected at most 100000") {
		t.Errorf("got error %.200v, want the limit of 100000 tickets", err)
	}
}

func TestSceneErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{scene(`, "sessions": [{"id": "s", "created_at": 0, "capacity": 1, "teams": [{"name": "a", "players": [{"id": "x"}, {"id": "y"}]}]}]`), `c.json:3:113: session "s": 2 players in a session, want at most 1`},
		{strings.Replace(scene(""), `"MaxMatchSize": 4`, `"MaxMatchSize": 1`, 1), "MaxMatchSize: got 1, expected at least MinMatchSize"},
		{strings.Replace(scene(""), `"rules": {`, `"rules": {"MatchMakingQueues": [{"Name": "a", "MinMatchSize": 2, "MaxMatchSize": 2}, {`, 1), ""},
	} {
		text := test.text
		if test.want == "" {
			text = strings.Replace(text, `"MaxMatchSize": 4}`, `"MaxMatchSize": 4}]}`, 1)
			test.want = "got rules with 2 queues, expected one"
		}
		_, err := read(t, text).Run(vendor.CompileOptions{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one that contains %s", err, test.want)
		}
	}
}

// Too many regions are an error about the scene, and not about a ticket.
func TestTooManyRegions(t *testing.T) {
	var latencies []string
	for i := range 65 {
		latencies = append(latencies, `"r`+string(rune('a'+i/26))+string(rune('a'+i%26))+`": 5`)
	}
	text := strings.Replace(scene(""), `{"id": "p1"}`, `{"id": "p1", "latencies": {`+strings.Join(latencies, ", ")+`}}`, 1)
	_, err := read(t, text).Run(vendor.CompileOptions{})
	if err == nil || !strings.Contains(err.Error(), `c.json:2:3: ticket "t1": player "p1": region`) {
		t.Errorf("got error %v, want one that names line, ticket, player and region", err)
	}
}

func TestRejectedTicketsAreUnmatched(t *testing.T) {
	text := `{"rules": {"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2,
		"DifferenceRules": [{"Name": "Skill", "Difference": 5, "Attribute": {"Path": "mmr", "Source": "User"}, "AttributeNotSpecifiedBehavior": "MatchAny"}]},
		"at": 10, "tickets": [
		{"id": "text", "created_at": 0, "players": [{"id": "p1", "attributes": {"mmr": "5"}}]},
		{"id": "a", "created_at": 3, "players": [{"id": "p2", "attributes": {"mmr": 5}}]},
		{"id": "b", "created_at": 2, "players": [{"id": "p3", "attributes": {"mmr": 6}}]},
		{"id": "again", "created_at": 2.5, "players": [{"id": "p3", "attributes": {"mmr": 6}}]}]}`
	outcome, err := read(t, text).Run(vendor.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(outcome)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"matches":[{"tickets":["b","a"]}],"unmatched":["text","again"],"rejected":[` +
		`{"ticket":"text","reason":"MatchmakingAttributeInvalid: attribute mmr of rule Skill: got \"5\", expected a number (player \"p1\")"},` +
		`{"ticket":"again","reason":"MatchmakingTicketMembershipLimitExceeded: player \"p3\" is already in ticket \"b\""}],` +
		// b has waited 8 s and a 7 s. Rejected tickets do not count as matching.
		`"queue_statistics":{"queue":"q","live":{"NumberOfPlayersMatching":0,` +
		`"TimeToMatchStatisticsInSeconds":{"Average":7.5,"Percentile50":7,"Percentile90":8,"Percentile99":8}},` +
		`"players":null,"whole":{"Average":7.5,"Percentile50":7,"Percentile90":8,"Percentile99":8}}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(scene(`, "expect": {"any_of": [{"matches": []}, {"error": "x"}]}`)))
	files, err := filepath.Glob("../*/testdata/cases/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for i, file := range files {
		if i%12 != 0 {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Read("c.json", text, nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "c.json:") {
				t.Fatalf("Read: got error %q, want prefix c.json:", err)
			}
			return
		}
		outcome, refused := c.Run(vendor.CompileOptions{Budget: 100})
		if (outcome == nil) == (refused == nil) {
			t.Fatalf("Run: got outcome %v and error %v, want exactly one of them", outcome, refused)
		}
		c.Compare(outcome, refused)
		if refused != nil && !strings.HasPrefix(refused.Error(), "c.json:") {
			t.Fatalf("Run: got error %q, want prefix c.json:", refused)
		}
	})
}
