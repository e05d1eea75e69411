package service

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"mmsim/cmd/mmsim/matchmaker/service/openmatchpb"
	"mmsim/matcher/external/exchange"
)

func matchmakerFor(h *exchange.Hello) *openMatch {
	return &openMatch{hello: h, names: NamesOf(h)}
}

// player returns a player with attributes.
func player(id string, rtt []float64, mmr float64, mode string, maps ...string) exchange.Player {
	return exchange.Player{ID: id, RTTMS: rtt, Attributes: []exchange.Attribute{
		{Name: "mmr", Value: exchange.Value{Kind: exchange.Number, Number: mmr}},
		{Name: "mode", Value: exchange.Value{Kind: exchange.Text, Text: mode}},
		{Name: "maps", Value: exchange.Value{Kind: exchange.List, List: maps}},
	}}
}

// A party has the mean of its players' numbers, their worst RTTs, and the texts and list
// entries that all of them share.
func TestOpenMatchAttributes(t *testing.T) {
	m := matchmakerFor(&exchange.Hello{Queue: "ranked", Run: 3, Datacenters: []string{"frankfurt", "ashburn", "tokyo", "madrid"}})
	nan := math.NaN()
	from := &exchange.Ticket{ID: "t1", CreatedMS: 1000, GiveUpMS: 5000, Reach: 0b0111, Players: []exchange.Player{
		player("p1", []float64{20, 90, nan, 1}, 1000, "duel", "dust", "mirage"), player("p2", []float64{30, 80, 5, 1}, 1500, "duel", "mirage"),
	}}
	other := *from
	other.ID, other.Players = "t2", []exchange.Player{from.Players[0], player("p3", []float64{1, 1, 1, 1}, 0, "arena")}
	m.describe(&exchange.Pass{Waiting: []*exchange.Ticket{from, &other}})
	before := time.Now()
	got, err := m.message(m.tickets["t1"], ClockAt(11_000), 11_000)
	after := time.Now()
	if err != nil {
		t.Fatal(err)
	}
	a := got.Attributes
	if got.Id != "ranked-3-t1" || !slices.Equal(a.Tags, []string{"mirage", "frankfurt", "ashburn"}) || !maps.Equal(a.StringArgs, map[string]string{"mode": "duel"}) ||
		!maps.Equal(a.DoubleArgs, map[string]float64{"mmr": 1250, "players": 2, "rtt.frankfurt": 30, "rtt.ashburn": 90}) {
		t.Errorf("got ticket %v, want the ID, tags and arguments of the message", got)
	}
	created := a.CreationTime.AsTime()
	if before.Sub(created) > 10*time.Second || after.Sub(created) < 10*time.Second || got.ExpirationTime.AsTime().Sub(created) != 5*time.Second {
		t.Errorf("created %v ago, expires %v; want 10 s ago and 5 s later", after.Sub(created), got.ExpirationTime.AsTime())
	}
	mmsim := &structpb.Struct{}
	if err := got.Extensions["mmsim"].UnmarshalTo(mmsim); err != nil || !reflect.DeepEqual(mmsim.AsMap(), map[string]any{"now_s": 11.0, "wait_s": 10.0}) {
		t.Errorf("got extension %v (error %v), want now_s 11 and wait_s 10", mmsim, err)
	}
	if b := &m.tickets["t2"].attr; len(b.StringArgs) > 0 || slices.Contains(b.Tags, "dust") {
		t.Errorf("got attributes %v of a party, want only the texts and list entries that all its players have", b)
	}
}

// A profile above 4 MB is sent in chunks. Each chunk has a part of every pool, in order.
func TestOpenMatchChunks(t *testing.T) {
	m := matchmakerFor(&exchange.Hello{Datacenters: []string{"frankfurt"}})
	p := &exchange.Pass{NowMS: 60_000}
	for n := range 50_000 {
		p.Waiting = append(p.Waiting, &exchange.Ticket{ID: fmt.Sprint("t", n), CreatedMS: int64(n), Reach: 1,
			Players: []exchange.Player{player("p", []float64{20}, float64(n%2), "duel", "dust")}})
	}
	m.describe(p)
	profile := &Profile{Name: "a", Pools: []Pool{{Name: "all"},
		{Name: "odd", Tags: []string{"dust"}, Strings: []String{{Name: "mode", Value: "duel"}}, Doubles: []Double{{Name: "mmr", Range: Range{Min: 0, Max: 1, MinExcluded: true}}}, Waited: &Wait{Max: time.Hour}},
		{Name: "none", Waited: &Wait{Min: time.Minute + time.Millisecond, Max: time.Hour}}}}
	chunks, err := m.chunks(profile, p, ClockAt(p.NowMS), &Budget{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, chunk := range chunks {
		if size := proto.Size(&openmatchpb.ChunkedMmfRunRequest{Profile: chunk, NumChunks: 99}); size >= 4<<20 {
			t.Errorf("got a chunk of %d bytes, want less than 4 MiB", size)
		}
		for name, pool := range chunk.Pools {
			if name != "none" && len(pool.Participants.Tickets) == 0 {
				t.Errorf("got a chunk without tickets of pool %s, want some", name)
			}
			for _, ticket := range pool.Participants.Tickets {
				found[name] = append(found[name], ticket.Id)
			}
		}
	}
	if len(chunks) < 2 || len(found["all"]) != 50_000 || len(found["odd"]) != 25_000 || len(found["none"]) != 0 || found["all"][49_999] != "0-t49999" || found["odd"][0] != "0-t1" {
		t.Errorf("got %d chunks with %d, %d and %d tickets in the pools, want at least 2 with 50000, 25000 and 0", len(chunks), len(found["all"]), len(found["odd"]), len(found["none"]))
	}
	odd := chunks[0].Pools["odd"]
	if f := odd.DoubleRangeFilters[0]; f.Bounds != 1 || f.Maximum != 1 || odd.TagPresentFilters[0].Tag != "dust" || odd.StringEqualsFilters[0].Value != "duel" ||
		odd.CreationTimeRangeFilter.End.AsTime().Sub(odd.CreationTimeRangeFilter.Start.AsTime()) != time.Hour {
		t.Errorf("got filters %v, want those of the profile", odd)
	}
}

// Rosters become teams in the order of the match's teams, and determine the datacenter.
func TestOpenMatchProposal(t *testing.T) {
	m := matchmakerFor(&exchange.Hello{Queue: "q", Match: exchange.Match{Min: 3, Max: 3, Teams: []exchange.Team{{Name: "red"}, {Name: "blue"}}}, Datacenters: []string{"frankfurt"}})
	m.describe(&exchange.Pass{Waiting: []*exchange.Ticket{
		{ID: "t1", Players: []exchange.Player{{ID: "p1", RTTMS: []float64{1}}}},
		{ID: "t2", Players: []exchange.Player{{ID: "p2", RTTMS: []float64{1}}, {ID: "p3", RTTMS: []float64{1}}}},
	}})
	roster := func(ids ...string) *openmatchpb.Roster {
		r := &openmatchpb.Roster{}
		for _, id := range ids {
			r.Tickets = append(r.Tickets, &openmatchpb.Ticket{Id: id})
		}
		return r
	}
	place, err := anypb.New(wrapperspb.String("frankfurt"))
	if err != nil {
		t.Fatal(err)
	}
	byExtension, byAssignment := roster("q-0-t1"), roster("q-0-t1")
	byExtension.Extensions = map[string]*anypb.Any{"datacenter": place}
	byAssignment.Assignment = &openmatchpb.Assignment{Connection: "ashburn"}
	for name, test := range map[string]struct {
		match *openmatchpb.Match
		want  exchange.Proposal
	}{
		"teams":       {&openmatchpb.Match{Rosters: map[string]*openmatchpb.Roster{"blue": roster("q-0-t1"), "red": roster("q-0-t2")}}, exchange.Proposal{Tickets: []string{"t2", "t1"}, Teams: [][]string{{"p2", "p3"}, {"p1"}}}},
		"other names": {&openmatchpb.Match{Rosters: map[string]*openmatchpb.Roster{"b": roster("q-0-t1"), "c": roster("q-1-t2")}}, exchange.Proposal{Tickets: []string{"t1", "q-1-t2"}, Teams: [][]string{{"p1"}, {}}}},
		"extension":   {&openmatchpb.Match{Rosters: map[string]*openmatchpb.Roster{"red": byExtension}}, exchange.Proposal{Tickets: []string{"t1"}, Teams: [][]string{{"p1"}}, Datacenter: "frankfurt"}},
		"assignment":  {&openmatchpb.Match{Rosters: map[string]*openmatchpb.Roster{"red": byAssignment}}, exchange.Proposal{Tickets: []string{"t1"}, Teams: [][]string{{"p1"}}, Datacenter: "ashburn"}},
		"of a match":  {&openmatchpb.Match{Extensions: map[string]*anypb.Any{"datacenter": place}}, exchange.Proposal{Datacenter: "frankfurt"}},
	} {
		if got := m.proposal(test.match); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
}

// A profile is sent with its extensions, each as the message of its type, and with the sizes of
// matches and teams.
func TestOpenMatchExtensions(t *testing.T) {
	m := matchmakerFor(&exchange.Hello{Match: exchange.Match{Min: 2, Max: 6, MinTeams: 1, Teams: []exchange.Team{{Name: "team 1", Min: 2, Max: 3}}}})
	from := &Profile{Name: "a", Pools: []Pool{{Name: "all"}}}
	want := map[string]proto.Message{
		"4": wrapperspb.Int32(4), "-2147483647": wrapperspb.Int32(-2147483647), "2147483648": wrapperspb.Double(2147483648), "0.5": wrapperspb.Double(0.5),
		"true": wrapperspb.Bool(true), `"4"`: wrapperspb.String("4"),
		`["a"]`:   &structpb.ListValue{Values: []*structpb.Value{structpb.NewStringValue("a")}},
		`{"a":1}`: &structpb.Struct{Fields: map[string]*structpb.Value{"a": structpb.NewNumberValue(1)}},
	}
	for text := range want {
		from.Extensions = append(from.Extensions, Extension{Name: text, JSON: []byte(text)})
	}
	chunks, err := m.chunks(from, &exchange.Pass{NowMS: 11_000}, ClockAt(11_000), &Budget{})
	if err != nil {
		t.Fatal(err)
	}
	got := chunks[0].Extensions
	for text, message := range want {
		if is, err := got[text].UnmarshalNew(); err != nil || !proto.Equal(is, message) {
			t.Errorf("%s: got %v (error %v), want %v", text, is, err, message)
		}
	}
	own := &structpb.Struct{}
	match := map[string]any{"min": 2.0, "max": 6.0, "min_teams": 1.0, "teams": []any{map[string]any{"name": "team 1", "min": 2.0, "max": 3.0}}}
	if err := got["mmsim"].UnmarshalTo(own); err != nil || !reflect.DeepEqual(own.AsMap(), map[string]any{"now_s": 11.0, "match": match}) || len(got) != len(want)+1 {
		t.Errorf("got extensions %v, want mmsim with the time and the sizes of a match, and those of the profile", got)
	}
	if _, err := typed([]byte("null")); err == nil {
		t.Error("null: got no error, want one")
	}
}
