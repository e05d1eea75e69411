package collect

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// There are two queues. In the first, a match of two is full. In the second, a third player later
// joins a match of four.
func TestQueues(t *testing.T) {
	c := NewCollector(setup.Run{
		Duration: sim.Minute, Continents: []string{"EU"}, Countries: []string{"DE"}, Places: []setup.Place{{}},
		Datacenters: []setup.Datacenter{{Name: "here"}},
		Attributes:  []setup.Attribute{{Name: "mmr", Rules: []string{"skill"}, Of: func(p *sim.Player) float64 { return float64(p.ID * p.ID) }}},
		Texts:       []setup.Texts{{Name: "maps", Of: func(p *sim.Player) []uint32 { return []uint32{1, uint32(2 + p.ID)} }}},
		Queues:      []setup.Queue{{Name: "duel", MatchSize: 2}, {Name: "team", MatchSize: 4}},
	})
	enter := func(queue, players int) {
		c.Entered(&sim.Search{Queue: queue, Players: make([]sim.Player, players)})
	}
	match := func(queue int, at sim.Instant, backfill bool, began ...sim.Instant) {
		m := &sim.Match{Queue: queue, At: at, Backfill: backfill, Region: sim.NoRegion}
		for i, b := range began {
			m.Players = append(m.Players, sim.Matched{Return: backfill, Player: sim.Player{ID: uint64(i + 1 + queue)}, Team: int16(i), Began: b, PartySize: 1, RTT: 20 * sim.RTTUnit})
		}
		c.Matched(m)
	}
	enter(0, 2)
	enter(0, 1)
	match(0, 1000, false, 0, -500)
	enter(1, 4)
	match(1, 2000, false, 0, 1000)
	match(1, 5000, true, 1000)
	for queue, into := range []sim.State{sim.StateFailed, sim.StateExpired} {
		c.Ended(&sim.Ended{At: 9000, Into: into, Search: sim.Search{Queue: queue, Players: make([]sim.Player, 1)}})
	}
	r := c.Finish(sim.Totals{Reached: sim.Instant(sim.Minute)}, Header{Complete: true})
	s := r.Summary
	if len(s.Queues) != 2 {
		t.Fatalf("got %d queues, want 2", len(s.Queues))
	}
	duel, team := s.Queues[0], s.Queues[1]
	ends := func(ended outcome.Count, share outcome.Share) outcome.Ends {
		return outcome.Ends{Ended: ended, UnmatchedShare: share}
	}
	if want := (outcome.QueuePlayers{Entries: 3, Matched: 2, Losses: outcome.Losses{Failed: 1}, Ends: ends(3, 0.33333)}); duel.Name != "duel" || !cmp.Equal(duel.Players, want) || duel.Wait.Count != 1 || duel.Wait.Mean != 1 {
		t.Errorf("queue duel: got %+v, want 3 entries, 2 matched, 1 failed and their waits", duel)
	}
	if want := (outcome.QueuePlayers{Entries: 4, Matched: 3, Losses: outcome.Losses{Expired: 1}, Ends: ends(4, 0.25)}); !cmp.Equal(team.Players, want) || team.Wait.Max != 4 || team.RTT.Mean != 20 {
		t.Errorf("queue team: got %+v, want 4 entries, 3 matched, 1 expired, wait 4 s and RTT 20 ms", team)
	}
	if duel.WaitFirst.Count != 1 || team.WaitFirst.Count != 2 || team.WaitFirst.Max != 2 { // the third player searches again after a match
		t.Errorf("first searches: got %+v and %+v, want 1 of duel and 2 of team, at most 2 s", duel.WaitFirst, team.WaitFirst)
	}
	counts := map[string]int{}
	for _, d := range r.Distributions {
		for _, b := range d.Bins {
			counts[d.Name()] += b.Players
		}
	}
	if counts["queues.duel.rtt_ms"] != 2 || counts["queues.team.wait_first_s"] != 2 {
		t.Errorf("got players in distributions %v, want 2 in queues.duel.rtt_ms and in queues.team.wait_first_s", counts)
	}
	loaded, err := result.Load(resulttest.Written(t, r).FS())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Distributions, loaded.Distributions, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("distributions (-written +loaded):\n%s", diff)
	}
	if want := (outcome.QueueMatches{Count: 1, Players: 3, Fill: 0.75}); team.Matches != want || s.Matches.Count != 2 {
		t.Errorf("got matches %+v of queue team and %v in total, want one match with 3 of 4 players, and 2", team.Matches, s.Matches.Count)
	}
	// Players 1 and 2 meet in the queue duel, 2 and 3 in team. Their values are squares, so they
	// are 3 and 5 apart.
	for i, spread := range []outcome.Value{3, 5} {
		want := outcome.Attributes{{Name: "mmr", Rules: []string{"skill"}, Matches: 1, SpreadMean: spread, SpreadP95: spread, TeamGapMean: spread}}
		if got := s.Queues[i].Attributes; !cmp.Equal(got, want) {
			t.Errorf("queue %d: got attributes %+v, want %+v", i, got, want)
		}
		if got, want := s.Queues[i].Overlaps, (outcome.Overlaps{{Name: "maps", Matches: 1, SharedMean: 1, ShareAny: 1}}); !cmp.Equal(got, want) {
			t.Errorf("queue %d: got overlaps %+v, want %+v", i, got, want)
		}
	}
	if a := s.Attributes[0]; a.Matches != 2 || a.SpreadMean != 4 || a.TeamGapMean != 4 {
		t.Errorf("both queues: got attribute %+v, want 2 matches, spread 4 and team gap 4", a)
	}
	var text bytes.Buffer
	if err := s.Write(&text); err != nil {
		t.Fatal(err)
	}
	if back, err := outcome.ParseSummary(text.Bytes()); err != nil || !cmp.Equal(back.Queues, s.Queues, cmpopts.EquateNaNs()) {
		t.Errorf("queues read back: got %+[2]v (error %[1]v), want those written", err, back)
	}
	for _, v := range s.MetricValues() {
		if v.Name == "queues.duel.wait_s.mean" && v.Value != 1 {
			t.Errorf("%s: got %g, want 1", v.Name, v.Value)
		}
	}
}

// Two queues have players in the same map cell. The RTT there is 20 ms for one player in the
// first queue and 80 ms for two players in the second, so the mean over both is 60 ms.
func TestMapsOfQueues(t *testing.T) {
	c := NewCollector(setup.Run{
		Duration: sim.Minute, Continents: []string{"EU"}, Countries: []string{"DE"}, Places: []setup.Place{{Latitude: 4850, Longitude: 230}},
		Datacenters: []setup.Datacenter{{Name: "here"}},
		Queues:      []setup.Queue{{Name: "duel", MatchSize: 1}, {Name: "=team", MatchSize: 2}},
	})
	for queue, rtt := range []sim.RTT{20, 80} {
		m := &sim.Match{Queue: queue, At: 3000, Region: sim.NoRegion}
		for range queue + 1 {
			m.Players = append(m.Players, sim.Matched{Began: sim.Instant(1000 * queue), PartySize: 1, RTT: rtt * sim.RTTUnit})
		}
		c.Matched(m)
	}
	r := c.Finish(sim.Totals{Reached: sim.Instant(sim.Minute)}, Header{Complete: true})
	loaded, err := result.Load(resulttest.Written(t, r).FS())
	if err != nil {
		t.Fatal(err)
	}
	cell := func(players int, rtt outcome.Millis, wait outcome.Seconds) result.Cell {
		return result.Cell{Latitude: 48, Longitude: 2, Players: players, RTTMean: rtt, WaitMean: wait}
	}
	if diff := cmp.Diff([]result.Cell{cell(3, 60, 2.333)}, loaded.Map); diff != "" {
		t.Errorf("both queues (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]result.QueueCell{{Queue: "duel", Cell: cell(1, 20, 3)}, {Queue: "=team", Cell: cell(2, 80, 2)}}, loaded.QueueMaps); diff != "" {
		t.Errorf("queues (-want +got):\n%s", diff)
	}
	if got := loaded.MapOf("=team"); len(got) != 1 || got[0].Players != 2 {
		t.Errorf("map of the second queue: got %v, want one cell with 2 players", got)
	}
}

// A summary of a single queue has no statistics by queue, because they would repeat the totals.
func TestOneQueueHasNoBlock(t *testing.T) {
	s := NewCollector(setup.Run{Duration: sim.Minute, Queues: []setup.Queue{{MatchSize: 2}}}).Finish(sim.Totals{}, Header{}).Summary
	if text, err := json.Marshal(s); err != nil || s.Queues != nil || string(text) == "" {
		t.Errorf("a summary without queues: got %v (error %v), want none", s.Queues, err)
	}
}
