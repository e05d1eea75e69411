package casefile

import (
	"errors"
	"strings"
	"testing"

	"mmsim/matcher/dialect/jsontree"
)

func TestCompare(t *testing.T) {
	got := &Outcome{
		Matches: []Match{
			{Tickets: []string{"t1", "t2"}, Teams: []TeamList{{"red", []string{"p1"}}, {"blue", []string{"p2"}}}, Region: "EastUs"},
			{Tickets: []string{"t3"}},
		},
		Backfills: []Match{{Session: "s1", Tickets: []string{"t5"}}},
		Scores:    Scores{{"s1", 6.5}},
		Chosen:    "s1",
		Unmatched: []string{"t4"},
		Rejected:  []Rejection{{"t4", "TooLarge: 4 players, MaxMatchSize is 4"}},
	}
	for _, test := range []struct{ name, expect, want string }{ // want is the differences, or "" for none
		{"nothing is checked", `{}`, ""},
		{"order is ignored", `{"matches": [{"tickets": ["t3"]}, {"tickets": ["t2", "t1"], "teams": [["p2"], ["p1"]], "region": "EastUs"}], "unmatched": ["t4"], "expired": []}`, ""},
		{"one too many", `{"matches": [{"tickets": ["t3"]}]}`, "matches\n  got  t1 + t2 as [red: p1 | blue: p2] in EastUs"},
		{"one missing", `{"matches": [{"tickets": ["t3"]}, {"tickets": ["t1", "t2"]}, {"tickets": ["t4"]}]}`, "matches\n  want t4"},
		{"other tickets", `{"matches": [{"tickets": ["t3"]}, {"tickets": ["t1"]}]}`, "matches\n  want t1\n  got  t1 + t2 as [red: p1 | blue: p2] in EastUs"},
		{"none expected", `{"backfills": []}`, "backfills\n  want none\n  got  s1 takes t5"},
		{"other teams", `{"matches": [{"tickets": ["t3"]}, {"tickets": ["t1", "t2"], "teams": [["p1", "p2"], []]}]}`, "matches\n  want t1 + t2 as [p1 p2 | ]\n  got  t1 + t2 as [red: p1 | blue: p2] in EastUs"},
		{"other region", `{"matches": [{"tickets": ["t3"]}, {"tickets": ["t1", "t2"], "region": "WestUs"}]}`, "matches\n  want t1 + t2 in WestUs\n  got  t1 + t2 as [red: p1 | blue: p2] in EastUs"},
		{"other session", `{"backfills": [{"session": "s2", "tickets": ["t5"]}]}`, "backfills\n  want s2 takes t5\n  got  s1 takes t5"},
		{"score near enough", `{"scores": {"s1": 6.5000009}}`, ""},
		{"score", `{"scores": {"s1": 6.4}}`, "scores\n  want s1 6.4\n  got  s1 6.5"},
		{"eligible", `{"scores": {}}`, "scores\n  want s1 not eligible\n  got  s1 6.5"},
		{"chosen", `{"chosen": "new"}`, "chosen\n  want new\n  got  s1"},
		{"unmatched", `{"unmatched": ["t5"]}`, "unmatched\n  want t5\n  got  t4\nticket t4 was rejected: TooLarge: 4 players, MaxMatchSize is 4"},
		{"expired", `{"expired": ["t5"]}`, "expired\n  want t5\n  got  none\nticket t4 was rejected: TooLarge: 4 players, MaxMatchSize is 4"},
		{"rejection is an error", `{"error": "maxmatchsize"}`, ""},
		{"error", `{"error": "Weight"}`, "error\n  want one that contains \"Weight\"\n  got  TooLarge: 4 players, MaxMatchSize is 4"},
		{"alternative", `{"any_of": [{"matches": []}, {"unmatched": ["t4"]}]}`, ""},
		{"no alternative", `{"any_of": [{"matches": []}, {"chosen": "new"}]}`, "none of the 2 alternatives matches the outcome; the closest one differs in:\nchosen\n  want new\n  got  s1"},
	} {
		c := read(t, `{`+rules+`, "at": 0, "tickets": [`+tickets("t1", "t2", "t3", "t4", "t5")+`], "sessions": [{"id": "s1", "created_at": 0}, {"id": "s2", "created_at": 0}], "expect": `+test.expect+`}`)
		want := test.want
		if lines := strings.Join(c.Compare(got, nil), "\n"); !strings.HasPrefix(lines, want) || want == "" && lines != "" {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, lines, want)
		}
	}
}

func tickets(ids ...string) string {
	var list []string
	for _, id := range ids {
		list = append(list, `{"id": "`+id+`", "created_at": 0, "players": [{"id": "p`+id[1:]+`"}]}`)
	}
	return strings.Join(list, ",")
}

func TestCompareRefusals(t *testing.T) {
	place, err := jsontree.Parse("Weight.json", []byte(`{"Weight": 5}`))
	if err != nil {
		t.Fatal(err)
	}
	refused := errors.Join(place.Errorf("Name: missing"), errors.New("and Limit"))
	c := read(t, scene(`, "expect": {"error": "limit"}`))
	if lines := c.Compare(nil, refused); lines != nil {
		t.Errorf("got differences %q, want none, because the case expects the second of the two errors", lines)
	}
	// The position and the quoted line also contain the word, but they do not count.
	c = read(t, scene(`, "expect": {"error": "Weight"}`))
	if lines := c.Compare(nil, refused); lines == nil {
		t.Error("got no differences, want one: the expected text is in the name of the file, not in the message")
	}
	c = read(t, scene(`, "expect": {"matches": []}`))
	if lines := c.Compare(nil, refused); len(lines) == 0 || lines[1] != "  want no error" {
		t.Errorf("got differences %q, want \"want no error\" in the second line", lines)
	}
	if lines := read(t, scene("")).Compare(&Outcome{}, nil); len(lines) != 1 {
		t.Errorf("got differences %q, want one line, because the case has no expectation", lines)
	}
}
