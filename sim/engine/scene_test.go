package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher/external"
	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// ruledSetup returns a random configuration with a ruleset.
func ruledSetup(seed uint64, placement sim.Placement) (sim.Config, *sim.Places, []sim.Arrival) {
	cfg, places, joins := randomSetup(seed)
	r := rand.New(rand.NewPCG(seed, 2))
	own := &cfg.Queues[0]
	own.Placement, own.KeepTogether, own.PartnerCooldown = placement, false, 0
	own.GiveUp = sim.Duration(60 + r.IntN(200))
	own.Rules = randomRules(r, places.Datacenters)
	return cfg, places, joins
}

// Capturing scenes does not change a run. A run in which every tick is captured equals the same run
// without captures. Every ticket that a scene reports as matched or expired was waiting when the
// scene began.
func TestCaptureChangesNothing(t *testing.T) {
	for _, placement := range []sim.Placement{sim.PlacePool, sim.PlaceDatacenters} {
		matches := 0
		for seed := range uint64(40) {
			cfg, places, joins := ruledSetup(seed, placement)
			want := runVerified(t, cfg, places, joins)
			cfg, places, joins = ruledSetup(seed, placement) // a fresh copy, because a run adds to the schema
			arrivals, log := list(joins), &logger{}
			e, err := New(cfg, places, &arrivals, log)
			if err != nil {
				t.Fatal(err)
			}
			scenes := 0
			for at := sim.Instant(0); at.CeilTo(cfg.Tick) < sim.Instant(cfg.Duration); at = at.CeilTo(cfg.Tick) + 1 {
				turns := []int{-1}
				if placement == sim.PlaceDatacenters {
					turns = slices.DeleteFunc([]int{0, places.Datacenters - 1}, func(dc int) bool { return !isUsable(&cfg, at.CeilTo(cfg.Tick), dc) })
				}
				for _, dc := range turns {
					scenes++
					deliver := func(s *sim.Scene) {
						scenes--
						matches += len(s.Matches)
						checkScene(t, s, at.CeilTo(cfg.Tick), max(dc, world.WholePool))
					}
					if err := e.Capture(0, at, dc, deliver); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
				t.Fatal(err)
			}
			e.Finish()
			if err := e.Verify(); err != nil {
				t.Error(err)
			}
			if got := log.String(); got != want {
				t.Fatalf("seed %d: the log with captured scenes differs from the log without: %s", seed, firstDifference(got, want))
			}
			if scenes != 0 {
				t.Fatalf("seed %d: %d requested scenes were not delivered", seed, scenes)
			}
		}
		if matches < 500 {
			t.Errorf("placement %d: got %d matches in all scenes, want at least 500", placement, matches)
		}
	}
}

// checkScene checks that all tickets that were matched or gave up in a scene were waiting at its
// start.
func checkScene(t *testing.T, s *sim.Scene, at sim.Instant, datacenter int) {
	t.Helper()
	if s.At != at || s.Datacenter != datacenter {
		t.Fatalf("got a scene at %d ms of datacenter %d, want %d ms and %d", s.At, s.Datacenter, at, datacenter)
	}
	waiting := map[uint64]bool{}
	for i := range s.Tickets {
		if i > 0 && s.Tickets[i].Began < s.Tickets[i-1].Began {
			t.Fatalf("got tickets %+v, want them sorted by Began", s.Tickets)
		}
		if rtts := s.Tickets[i].RTTMS; rtts != nil && len(rtts) != len(s.Tickets[i].Players) || rtts == nil && datacenter < 0 {
			t.Fatalf("got RTTs %v of the players %+v, want one list per player", rtts, s.Tickets[i].Players)
		}
		waiting[s.Tickets[i].Players[0].ID] = true
	}
	leave := func(first uint64) {
		if !waiting[first] {
			t.Fatalf("player %d is in a match or expired, but was not waiting at the start of the scene, or left twice: %+v", first, s)
		}
		waiting[first] = false
	}
	for i := range s.Matches {
		for _, p := range s.Matches[i].Players {
			if p.ID == p.Party {
				leave(p.ID)
			}
			if p.State == sim.StateWarmBody {
				t.Fatalf("got match %+v, want no player in state WARMBODY", s.Matches[i])
			}
		}
	}
	for i := range s.Expired {
		leave(s.Expired[i].Players[0].ID)
	}
	for _, session := range s.Sessions {
		if len(session.Players) != len(session.Members) {
			t.Fatalf("session: got %d players and %d members, want equal numbers", len(session.Players), len(session.Members))
		}
	}
}

// A capture that is not possible returns an error with the reason.
func TestCaptureErrors(t *testing.T) {
	cfg, places, joins := ruledSetup(1, sim.PlacePool)
	cfg.Duration, cfg.Tick = 100*sim.Second, sim.Second
	turns, _, _ := ruledSetup(2, sim.PlaceDatacenters)
	plain, _, _ := randomSetup(3)
	cfg.Queues = append(cfg.Queues, turns.Queues[0], plain.Queues[0], turns.Queues[0])
	cfg.Queues[1].Rules = randomRules(rand.New(rand.NewPCG(1, 1)), places.Datacenters)
	cfg.Queues[3].Rules = randomRules(rand.New(rand.NewPCG(1, 1)), places.Datacenters)
	cfg.Queues[3].Rules.Outside = new(external.Pool)
	arrivals := list(joins)
	e, err := New(cfg, places, &arrivals)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		queue      int
		at         sim.Instant
		datacenter int
		want       string
	}{
		{4, 0, -1, "queue 4, want below 4"},
		{2, 0, 0, "queue 2, which has no rules"},
		{0, -1, -1, "from 0"},
		{0, 99_001, -1, "a tick before 100.000 s"},
		{0, 0, 0, "whose datacenters have no turns"},
		{1, 0, -1, "datacenter -1, want below"},
		{1, 0, places.Datacenters, fmt.Sprintf("datacenter %d, want below", places.Datacenters)},
		{3, 0, 0, "an external matchmaker makes"},
	} {
		err := e.Capture(test.queue, test.at, test.datacenter, func(*sim.Scene) {})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got error %v", test, err)
		}
	}
	if err := e.Capture(0, 99_000, -1, func(*sim.Scene) {}); err != nil {
		t.Error(err)
	}
}
