package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"mmsim/sim"
)

// outcomeCounts counts players from outcomes only, as a report does.
type outcomeCounts struct{ entered, matched, ended int }

func (a *outcomeCounts) Entered(s *sim.Search) { a.entered += len(s.Players) }
func (a *outcomeCounts) Matched(m *sim.Match)  { a.matched += len(m.Players) }
func (a *outcomeCounts) Ended(e *sim.Ended)    { a.ended += len(e.Players) }
func (a *outcomeCounts) Sampled(*sim.Census)   {}

// balance returns 0 if the outcomes and the totals account for every search.
func (a *outcomeCounts) balance(t *sim.Totals) int {
	return a.entered + t.SearchingAtStart - a.matched - a.ended - t.SearchingAtEnd
}

// A run may be cancelled at any instant of the warm-up period or the window. At each instant,
// Verify finds no error, and outcomes and totals balance. Before the window, nothing is measured.
func TestCancelAtEveryInstant(t *testing.T) {
	for name, draw := range map[string]func(uint64) (sim.Config, *sim.Places, []sim.Arrival){
		"datacenters": randomSetup,
		"pool":        func(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) { return ruledSetup(seed, sim.PlacePool) },
		"rules": func(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
			return ruledSetup(seed, sim.PlaceDatacenters)
		},
		"servers": randomServers,
		"queues":  randomQueues,
	} {
		t.Run(name, func(t *testing.T) {
			searching := 0 // instants in warm-up periods at which some player is searching
			for seed := range uint64(12) {
				cfg, places, joins := draw(seed)
				cfg.WarmUp += 90
				for i := range joins {
					joins[i].At -= 90
				}
				searching += cancelEverywhere(t, fmt.Sprintf("seed %d", seed), cfg, places, joins)
			}
			if searching == 0 {
				t.Error("no player searched at any instant of the warm-up periods, want some; the test does not cover cancelling then")
			}
		})
	}
}

// cancelEverywhere finishes a run at every millisecond. It returns the number of milliseconds in
// the warm-up period at which a player was searching. One engine suffices, because Finish does not
// change it.
func cancelEverywhere(t *testing.T, name string, cfg sim.Config, places *sim.Places, joins []sim.Arrival) (searching int) {
	t.Helper()
	arrivals, counts := list(joins), &outcomeCounts{}
	e, err := New(cfg, places, &arrivals, counts)
	if err != nil {
		t.Fatal(err)
	}
	for {
		totals := e.Finish()
		if err := e.Verify(); err != nil {
			t.Fatalf("%s, cancelled at %d ms: %v", name, e.Now(), err)
		}
		if open := counts.balance(&totals); open != 0 {
			t.Fatalf("%s, cancelled at %d ms: got %d searches without an end, want 0", name, e.Now(), open)
		}
		if e.Now() < 0 {
			some := false
			for _, q := range e.queues {
				q.Unfinished(func(*sim.Search) { some = true })
			}
			if some {
				searching++
			}
			if err := empty(&totals, len(cfg.Queues)); err != nil || *counts != (outcomeCounts{}) {
				t.Fatalf("%s, cancelled at %d ms, in the warm-up: totals: %v; got outcomes %+v, want none", name, e.Now(), err, *counts)
			}
		} else if totals.Reached != e.Now() {
			t.Fatalf("%s, cancelled at %d ms: got totals until %d ms", name, e.Now(), totals.Reached)
		}
		if e.Now() >= sim.Instant(cfg.Duration) {
			return searching
		}
		if err := e.RunUntil(e.Now() + 1); err != nil {
			t.Fatal(err)
		}
	}
}

// empty returns an error unless totals are those of a run that measured nothing.
func empty(totals *sim.Totals, queues int) error {
	if len(totals.Rules) != queues {
		return fmt.Errorf("got totals of %d queues, want %d", len(totals.Rules), queues)
	}
	for _, r := range totals.Rules {
		if r != nil && (r.GroupBudgetHits != 0 || r.TeamBudgetHits != 0 || len(r.Refusals) > 0 || r.SearchingAtEnd != 0) {
			return fmt.Errorf("got rule totals %+v, want zeros", *r)
		}
	}
	plain := *totals
	plain.Rules = nil
	if got, want := fmt.Sprintf("%+v", plain), fmt.Sprintf("%+v", sim.Totals{}); got != want {
		return fmt.Errorf("got %s, want zeros", got)
	}
	return nil
}

// randomQueues returns a random configuration with three queues: a pool with a ruleset, the
// article's queue, and a queue with servers.
func randomQueues(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
	cfg, places, joins := ruledSetup(seed, sim.PlacePool)
	article, _, _ := randomSetup(seed + 1)
	servers, _, _ := randomServers(seed)
	cfg.Queues = append(cfg.Queues, article.Queues[0], servers.Queues[0])
	r := rand.New(rand.NewPCG(seed, 4))
	for i := range joins {
		joins[i].Queue = r.IntN(len(cfg.Queues))
	}
	return cfg, places, joins
}
