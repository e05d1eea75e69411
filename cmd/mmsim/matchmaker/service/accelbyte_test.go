package service

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"mmsim/cmd/mmsim/matchmaker/service/accelbytepb"
	"mmsim/matcher/external/exchange"
)

func number(name string, x float64) exchange.Attribute {
	return exchange.Attribute{Name: name, Value: exchange.Value{Kind: exchange.Number, Number: x}}
}

// A ticket has the attributes in the stat codes, the worst RTT in whole ms, and the
// datacenters that it may use.
func TestAccelByteDescribe(t *testing.T) {
	h := &exchange.Hello{Queue: "ranked", Run: 2, Datacenters: []string{"frankfurt", "ashburn", "tokyo", "madrid"}}
	m := &accelByte{hello: h, names: NamesOf(h), codes: map[string]bool{"mmr": true, "maps": true}}
	from := &exchange.Ticket{ID: "t1", Party: "p9", Reach: 0b0111, Players: []exchange.Player{
		{ID: "p1", RTTMS: []float64{20.4, 90.5, math.NaN(), 1}, Attributes: []exchange.Attribute{number("mmr", 1500), number("level", 3)}},
		{ID: "p2", RTTMS: []float64{3, 80, 5, 1}, Attributes: []exchange.Attribute{{Name: "maps", Value: exchange.Value{Kind: exchange.List, List: []string{"dust"}}},
			{Name: "excluded_sessions", Value: exchange.Value{Kind: exchange.List, List: []string{"m3", "m4"}}}}},
	}}
	got, err := m.describe(from, timestamppb.New(time.Unix(5, 0)))
	if err != nil {
		t.Fatal(err)
	}
	if got.TicketId != "ranked-2-t1" || got.MatchPool != "ranked" || got.PartySessionId != "p9" || got.CreatedAt.Seconds != 5 ||
		got.Namespace != "mmsim" || !slices.Equal(got.ExcludedSessions, []string{"ranked-2-m3", "ranked-2-m4"}) ||
		!reflect.DeepEqual(got.Latencies, map[string]int64{"frankfurt": 20, "ashburn": 91}) {
		t.Errorf("got ticket %v, want the ID, pool, party, creation time, namespace, excluded sessions and latencies of the message", got)
	}
	var attributes []map[string]any
	for _, p := range got.Players {
		attributes = append(attributes, p.Attributes.AsMap())
	}
	if want := []map[string]any{{"mmr": 1500.0}, {"maps": []any{"dust"}}}; !reflect.DeepEqual(attributes, want) {
		t.Errorf("got attributes %v, want %v", attributes, want)
	}
}

// A match contains tickets, and teams as lists of players or parties, even a single team. It is
// played in the first region that the run knows.
func TestAccelByteProposal(t *testing.T) {
	h := &exchange.Hello{Datacenters: []string{"frankfurt", "ashburn"}}
	m := &accelByte{hello: h, names: NamesOf(h)}
	tickets := []*accelbytepb.Ticket{{TicketId: "0-t1"}, {TicketId: "0-t2"}}
	two := []*accelbytepb.Match_Team{{UserIds: []string{"p1"}}, {Parties: []*accelbytepb.Party{{UserIds: []string{"p2", "p3"}}, {UserIds: []string{"p4"}}}}}
	for name, test := range map[string]struct {
		match *accelbytepb.Match
		want  exchange.Proposal
	}{
		"teams":     {&accelbytepb.Match{Tickets: tickets, Teams: two, RegionPreferences: []string{"mars", "ashburn", "frankfurt"}}, exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1"}, {"p2", "p3", "p4"}}, Datacenter: "ashburn"}},
		"one team":  {&accelbytepb.Match{Tickets: tickets, Teams: two[:1]}, exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1"}}}},
		"no teams":  {&accelbytepb.Match{Tickets: tickets}, exchange.Proposal{Tickets: []string{"t1", "t2"}}},
		"no region": {&accelbytepb.Match{RegionPreferences: []string{"mars"}}, exchange.Proposal{Datacenter: "mars"}},
		"any":       {&accelbytepb.Match{RegionPreferences: []string{"any"}}, exchange.Proposal{}},
		"any other": {&accelbytepb.Match{RegionPreferences: []string{"any", "ashburn"}}, exchange.Proposal{Datacenter: "ashburn"}},
	} {
		if got := m.proposal(test.match); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
}

// A session is sent with its players by team. From the teams in the answer, only the new
// players are used.
func TestAccelByteBackfill(t *testing.T) {
	h := &exchange.Hello{Queue: "q", Datacenters: []string{"frankfurt"}, Match: exchange.Match{Min: 2, Max: 4, Teams: []exchange.Team{{Name: "red"}, {Name: "blue"}}}}
	m := &accelByte{hello: h, names: NamesOf(h)}
	s := &exchange.Session{ID: "m3", CreatedMS: 1000, Players: []exchange.Player{{ID: "p1", Team: 1}, {ID: "p2", Team: 0}}}
	got, err := m.session(s, ClockAt(5000))
	if err != nil {
		t.Fatal(err)
	}
	match := got.PartialMatch
	if got.TicketId != "q-0-m3" || got.MatchSessionId != "q-0-m3" || len(match.Teams) != 2 || match.Teams[0].TeamId != "red" || match.Teams[0].UserIds[0] != "p2" ||
		match.Teams[1].UserIds[0] != "p1" || match.RegionPreferences[0] != "frankfurt" || !match.Backfill || len(match.Tickets[0].Players) != 2 {
		t.Errorf("got session %v, want its IDs and teams from the message", got)
	}
	added := m.added(&accelbytepb.BackfillProposal{MatchSessionId: got.MatchSessionId, AddedTickets: []*accelbytepb.Ticket{{TicketId: "q-0-t4"}},
		ProposedTeams: []*accelbytepb.Match_Team{{UserIds: []string{"p2", "p4"}}, {UserIds: []string{"p1"}}}}, map[string]*exchange.Session{"m3": s})
	want := exchange.Backfill{Session: "m3", Proposal: exchange.Proposal{Tickets: []string{"t4"}, Teams: [][]string{{"p4"}, {}}}}
	if !reflect.DeepEqual(added, want) {
		t.Errorf("got backfill %+v, want %+v", added, want)
	}
}

// In an alliance, a session is sent with the teams that have players, so that a server can add a
// team. The new team of its proposal has only new players.
func TestAccelByteBackfillOfAlliance(t *testing.T) {
	h := &exchange.Hello{Datacenters: []string{"frankfurt"}, Match: exchange.Match{Min: 2, Max: 6, MinTeams: 2, Teams: []exchange.Team{{Name: "team 1"}, {Name: "team 2"}, {Name: "team 3"}}}}
	m := &accelByte{hello: h, names: NamesOf(h)}
	s := &exchange.Session{ID: "m3", Players: []exchange.Player{{ID: "p1", Team: 0}, {ID: "p2", Team: 1}}}
	got, err := m.session(s, ClockAt(0))
	if err != nil {
		t.Fatal(err)
	}
	teams := got.PartialMatch.Teams
	if len(teams) != 2 || teams[0].TeamId != "team 1" || teams[1].TeamId != "team 2" {
		t.Errorf("got teams %v, want the two teams of the players", teams)
	}
	added := m.added(&accelbytepb.BackfillProposal{BackfillTicketId: got.TicketId, AddedTickets: []*accelbytepb.Ticket{{TicketId: "0-t4"}},
		ProposedTeams: append(teams, &accelbytepb.Match_Team{UserIds: []string{"p4"}})}, map[string]*exchange.Session{"m3": s})
	if want := [][]string{{}, {}, {"p4"}}; !reflect.DeepEqual(added.Teams, want) {
		t.Errorf("got new players by team %v, want %v", added.Teams, want)
	}
}
