package casefile

import (
	"bytes"
	"strings"
	"testing"

	"mmsim/matcher/dialect/vendor"
)

// draftOf returns a small scene under AccelByte rules that uses every field of a draft.
func draftOf() *Draft {
	player := func(id string, mmr float64) DraftPlayer {
		return DraftPlayer{
			ID: id, Attributes: map[string]any{"mmr": mmr}, Entity: map[string]any{"note": "<kept> & shown"},
			Latencies: map[string]float64{"east": 20.0625},
		}
	}
	return &Draft{
		Name: "written", Dialect: "accelbyte", Source: "a test", Why: "it can be read",
		Rules: []byte(" \n{\"alliance\": {\"min_number\": 2, \"max_number\": 2, \"player_min_number\": 1, \"player_max_number\": 2},\n" +
			"  \"auto_backfill\": true}\n"),
		At: 12_345,
		Tickets: []DraftTicket{
			{ID: "t1", CreatedAt: 1, GiveUpAfter: 12_344, Players: []DraftPlayer{player("p1", 1)}},
			{ID: "t2", CreatedAt: 2001, Attributes: map[string]any{"client_version": "7"}, Players: []DraftPlayer{player("p2", 2), player("p3", 2)}},
		},
		Sessions: []DraftSession{{
			ID: "s1", CreatedAt: 500, Region: "east", Attributes: map[string]any{"client_version": "7"},
			Teams: []DraftTeam{{Players: []DraftPlayer{player("p4", 1)}}, {Name: "blue", Players: []DraftPlayer{}}},
		}},
		Expect: Expectation{
			Matches:   []ExpectedMatch{},
			Backfills: []ExpectedMatch{{Session: "s1", Tickets: []string{"t2"}, Teams: [][]string{{"p4"}, {"p2", "p3"}}}},
			Unmatched: []string{}, Expired: []string{"t1"},
		},
	}
}

// The server that a player is expected to join, and the seats of a server, are written.
func TestDraftOfServers(t *testing.T) {
	d := &Draft{
		Name: "written", Dialect: "roblox", Rules: []byte(`{"signals": [{"signal": "Occupancy", "weight": 1}]}`),
		Tickets:  []DraftTicket{{ID: "t1", Players: []DraftPlayer{{ID: "p1"}}}},
		Sessions: []DraftSession{{ID: "s1", Capacity: 8, Teams: []DraftTeam{{Players: []DraftPlayer{{ID: "p2"}}}}}},
		Expect:   Expectation{Chosen: "s1"},
	}
	var file bytes.Buffer
	if err := d.Write(&file); err != nil {
		t.Fatal(err)
	}
	c, err := Read("written.json", file.Bytes(), nil)
	if err != nil || c.Expect[0].Chosen != "s1" || c.Scene.Sessions[0].Capacity != 8 {
		t.Errorf("got %+v (error %v) from\n%s, want the server s1 with 8 seats", c, err, file.String())
	}
}

// A written draft can be read back with the same content, and the case passes.
func TestDraft(t *testing.T) {
	var file bytes.Buffer
	if err := draftOf().Write(&file); err != nil {
		t.Fatal(err)
	}
	c, err := Read("written.json", file.Bytes(), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, file.String())
	}
	if c.Name != "written" || c.Dialect != "accelbyte" || c.Scene.AtMS != 12_345 || c.Scene.Tickets[0].CreatedMS != 1 ||
		c.Scene.Tickets[0].GiveUpMS != 12_344 || c.Scene.Tickets[1].Players[1].Latencies[0] != (Latency{"east", 20.0625}) {
		t.Errorf("the written case was read as %+v, want the name, dialect, instants and give-up time of the draft", c)
	}
	if note, _ := c.Scene.Tickets[0].Players[0].Entity.Member("note"); note.Text() != "<kept> & shown" {
		t.Errorf("got note %v in the entity, want <kept> & shown", note)
	}
	if len(c.Expect) != 1 || c.Expect[0].Matches == nil || c.Expect[0].Unmatched == nil || c.Expect[0].Expired == nil {
		t.Errorf("got expectations %+v, want empty lists of matches, unmatched and expired to be written", c.Expect)
	}
	outcome, err := c.Run(vendor.CompileOptions{})
	if differences := c.Compare(outcome, err); differences != nil {
		t.Error(strings.Join(differences, "\n"))
	}
}

// A nil list is neither written nor checked.
func TestDraftWritesOnlyGivenExpectations(t *testing.T) {
	d := draftOf()
	d.Tickets, d.Sessions, d.Expect = nil, nil, Expectation{Unmatched: []string{}}
	var file bytes.Buffer
	if err := d.Write(&file); err != nil {
		t.Fatal(err)
	}
	c, err := Read("written.json", file.Bytes(), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, file.String())
	}
	if e := c.Expect[0]; e.Matches != nil || e.Backfills != nil || e.Expired != nil || e.Unmatched == nil {
		t.Errorf("got expectations %+v, want only the list of unmatched tickets", e)
	}
}

// If a draft exceeds a limit of case files, Write returns an error and writes nothing.
func TestDraftTooLarge(t *testing.T) {
	d := draftOf()
	d.Sessions = make([]DraftSession, SessionsMax+1)
	var file bytes.Buffer
	err := d.Write(&file)
	if err == nil || !strings.Contains(err.Error(), "2 tickets and 10001 sessions, expected at most 100000 and 10000") || file.Len() > 0 {
		t.Errorf("got %d bytes written and error %v, want none written and an error with both limits", file.Len(), err)
	}
}
