package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"mmsim/sim"
)

// account counts players from outcomes only, as a report does.
type account struct{ entered, matched, ended int }

func (a *account) Entered(s *sim.Search) { a.entered += len(s.Players) }
func (a *account) Matched(m *sim.Match)  { a.matched += len(m.Players) }
func (a *account) Ended(e *sim.Ended)    { a.ended += len(e.Players) }
func (a *account) Sampled(*sim.Census)   {}

// balance returns 0 if the outcomes and the totals account for every search.
func (a *account) balance(t *sim.Totals) int {
	return a.entered + t.SearchingAtStart - a.matched - a.ended - t.SearchingAtEnd
}

// A run may be cancelled at any instant of the warm-up period or the window. At each instant,
// Verify finds no error, and outcomes and totals balance. Before the window, nothing is measured.
func TestCancelAtEveryInstant(t *testing.T) {
	for name, draw := range map[string]func(uint64) (sim.Config, *sim.Places, []sim.Arrival){
		"datacenters": randomWorld,
		"pool":        func(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) { return ruledWorld(seed, sim.PlacePool) },
		"rules": func(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
			return ruledWorld(seed, sim.PlaceDatacenters)
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
				searching += cancelEverywhere(t, fmt.Sprintf("world %d", seed), cfg, places, joins)
			}
			if searching == 0 {
				t.Error("nobody searches in any warm-up: the worlds prove nothing")
			}
		})
	}
}

// cancelEverywhere finishes a run at every millisecond. It returns the number of milliseconds in
// the warm-up period at which a player was searching. One engine suffices, because Finish does not
// change it.
func cancelEverywhere(t *testing.T, name string, cfg sim.Config, places *sim.Places, joins []sim.Arrival) (searching int) {
	t.Helper()
	arrivals, told := list(joins), &account{}
	e, err := New(cfg, places, &arrivals, told)
	if err != nil {
		t.Fatal(err)
	}
	for {
		totals := e.Finish()
		if err := e.Verify(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if lost := told.balance(&totals); lost != 0 {
			t.Fatalf("%s, cancelled at %d ms: %d more players began to search than are accounted for", name, e.Now(), lost)
		}
		if e.Now() < 0 {
			some := false
			for _, q := range e.queues {
				q.Unfinished(func(*sim.Search) { some = true })
			}
			if some {
				searching++
			}
			if err := empty(&totals, len(cfg.Queues)); err != nil || *told != (account{}) {
				t.Fatalf("%s, cancelled at %d ms, in the warm-up: %v, outcomes %+v", name, e.Now(), err, *told)
			}
		} else if totals.Reached != e.Now() {
			t.Fatalf("%s, cancelled at %d ms: the window ends at %d ms", name, e.Now(), totals.Reached)
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
		return fmt.Errorf("totals of %d queues, want %d", len(totals.Rules), queues)
	}
	for _, r := range totals.Rules {
		if r != nil && (r.GroupBudgetHits != 0 || r.TeamBudgetHits != 0 || len(r.Refusals) > 0 || r.SearchingAtEnd != 0) {
			return fmt.Errorf("totals of rules %+v, want none", *r)
		}
	}
	plain := *totals
	plain.Rules = nil
	if got, want := fmt.Sprintf("%+v", plain), fmt.Sprintf("%+v", sim.Totals{}); got != want {
		return fmt.Errorf("totals %s, want none", got)
	}
	return nil
}

// randomQueues returns a random configuration with three queues: a pool with a ruleset, the
// article's queue, and a queue with servers.
func randomQueues(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
	cfg, places, joins := ruledWorld(seed, sim.PlacePool)
	article, _, _ := randomWorld(seed + 1)
	servers, _, _ := randomServers(seed)
	cfg.Queues = append(cfg.Queues, article.Queues[0], servers.Queues[0])
	r := rand.New(rand.NewPCG(seed, 4))
	for i := range joins {
		joins[i].Queue = r.IntN(len(cfg.Queues))
	}
	return cfg, places, joins
}
