package engine

import (
	"fmt"
	"slices"
	"testing"

	"mmsim/sim"
)

// openSearches is an observer that opens an entry when a player begins to search and closes it when
// the search ends. No entry may be open at the end of a run.
type openSearches struct {
	t       *testing.T
	open    map[uint64]sim.Search // open searches by player
	atStart int                   // players whose search began before the window
	atEnd   []sim.Search
}

func (a *openSearches) Entered(s *sim.Search) {
	if s.State != sim.StateNew || int(s.PartySize) != len(s.Players) || s.Party != s.Players[0].ID {
		a.t.Errorf("got new search %+v, want state NEW, the party's size and the first player's ID as Party", s)
	}
	for _, p := range s.Players {
		if _, twice := a.open[p.ID]; twice {
			a.t.Errorf("player %d begins a search at %d ms while another is open", p.ID, s.Began)
		}
		a.open[p.ID] = *s
	}
}

// close closes the entry of a player.
func (a *openSearches) close(player uint64, s *sim.Search) {
	entered, found := a.open[player]
	delete(a.open, player)
	if s.Began < 0 {
		a.atStart++
	}
	if found != (s.Began >= 0) {
		a.t.Errorf("player %d: a search that began at %d ms ended; got Entered called: %v, want it called only for searches since 0 ms", player, s.Began, found)
	}
	if found && (entered.Began != s.Began || entered.Return != s.Return || entered.Party != s.Party ||
		entered.PartySize != s.PartySize || entered.Queue != s.Queue) {
		a.t.Errorf("player %d: got Entered with %+v, but the search ends as %+v", player, entered, *s)
	}
}

func (a *openSearches) Matched(m *sim.Match) {
	for i := range m.Players {
		p := &m.Players[i]
		a.close(p.ID, &sim.Search{Queue: m.Queue, Began: p.Began, Return: p.Return, Party: p.Party, PartySize: p.PartySize})
	}
}

func (a *openSearches) Ended(e *sim.Ended) {
	from := map[sim.State][]sim.State{
		sim.StateFailed: {sim.StateWarmBody}, sim.StateBots: {sim.StateWarmBody}, sim.StateExpired: {sim.StateWaiting}, sim.StateRejected: {sim.StateNew},
		sim.StateClosed: {sim.StateIdeal, sim.StateExpand, sim.StateWarmBody, sim.StateWaiting},
	}
	if !slices.Contains(from[e.Into], e.State) {
		a.t.Errorf("got a search that ended with the transition %v -> %v", e.State, e.Into)
	}
	for _, p := range e.Players {
		a.close(p.ID, &e.Search)
	}
}

func (a *openSearches) Unfinished(s *sim.Search, at sim.Instant) {
	switch s.State {
	case sim.StateIdeal, sim.StateExpand, sim.StateWarmBody, sim.StateWaiting:
	default:
		a.t.Errorf("got an unfinished search in state %v, want IDEAL, EXPAND, WARMBODY or WAITING", s.State)
	}
	if s.Began > at {
		a.t.Errorf("got an unfinished search that begins at %d ms, want at most %d ms, the end of the run", s.Began, at)
	}
	if n := len(a.atEnd); n > 0 && a.atEnd[n-1].Began > s.Began {
		a.t.Errorf("the unfinished search that began at %d ms is reported after one that began at %d ms, want the oldest first", s.Began, a.atEnd[n-1].Began)
	}
	kept := *s
	kept.Players = append([]sim.Player(nil), s.Players...)
	a.atEnd = append(a.atEnd, kept)
	for _, p := range s.Players {
		a.close(p.ID, s)
	}
}

func (a *openSearches) Sampled(*sim.Census) {}

// For every search that observers know of, exactly one end is reported: with a match, without a
// match, or unfinished at the end of the run. This also holds for an interrupted run.
func TestEverySearchEnds(t *testing.T) {
	kinds := []struct {
		name  string
		seeds uint64
		draw  func(seed uint64) (sim.Config, *sim.Places, []sim.Arrival)
	}{
		{"states", 60, randomSetup},
		{"rules", 60, func(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
			return ruledSetup(seed, sim.PlaceDatacenters)
		}},
		{"pool", 60, func(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) { return ruledSetup(seed, sim.PlacePool) }},
		{"servers", 400, randomServers},
	}
	for _, kind := range kinds {
		atStart, atEnd := 0, 0
		for seed := range kind.seeds {
			t.Run(fmt.Sprint(kind.name, seed), func(t *testing.T) {
				cfg, places, joins := kind.draw(seed)
				a := &openSearches{t: t, open: map[uint64]sim.Search{}}
				arrivals := list(joins)
				e, err := New(cfg, places, &arrivals, a)
				if err != nil {
					t.Fatal(err)
				}
				reached := sim.Instant(cfg.Duration)
				if seed%3 == 0 {
					reached = reached / 2 // interrupt the run
				}
				if err := e.RunUntil(reached); err != nil {
					t.Fatal(err)
				}
				totals := e.Finish()
				unfinished := 0
				for _, s := range a.atEnd {
					unfinished += len(s.Players)
				}
				if a.atStart != totals.SearchingAtStart || unfinished != totals.SearchingAtEnd || len(a.open) > 0 {
					t.Errorf("searches begun before the window: got %d, want %d; unfinished: got %d, want %d; without any end: got %d, want 0",
						a.atStart, totals.SearchingAtStart, unfinished, totals.SearchingAtEnd, len(a.open))
				}
				atStart += a.atStart
				atEnd += unfinished
			})
		}
		if atStart < 5 || atEnd < 5 {
			t.Errorf("%s: got %d searches at the start and %d at the end of the windows, want at least 5 of each", kind.name, atStart, atEnd)
		}
	}
}

// A run that ends in the warm-up period reports no unfinished searches, because observers were not
// told that they began.
func TestUnfinishedInTheWarmUp(t *testing.T) {
	cfg := articleConfig()
	cfg.WarmUp = 100 * sim.Second
	a := &openSearches{t: t, open: map[uint64]sim.Search{}}
	arrivals := list(solos(0, -99))
	e, err := New(cfg, placesOf(cfg, []int{20}), &arrivals, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.RunUntil(sim.Instant(-98 * sim.Second)); err != nil {
		t.Fatal(err)
	}
	if e.Finish(); len(a.atEnd) > 0 {
		t.Errorf("got unfinished searches %+v, want none", a.atEnd)
	}
}
