package world

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/sim"
)

// A verifier detects lost players and lost searches.
func TestVerifierFindsLostPlayersAndSearches(t *testing.T) {
	for _, test := range []struct {
		name   string
		want   string // part of the error; "" if there is none
		change func(w *World, v *Verifier)
	}{
		{"equal counts", "", func(w *World, v *Verifier) { v.Counted[sim.StateIdeal]++ }},
		{"a player whom no queue counts", "1 players are IDEAL, counted 0", func(*World, *Verifier) {}},
		{"a search that ended twice", "1 players searched, 2 are accounted for", func(w *World, v *Verifier) {
			v.Counted[sim.StateIdeal]++
			w.SearchesEnd(1, sim.StatePlaying)
		}},
		{"a server that no queue counts", "counted {Running:0 Seats:0", func(w *World, v *Verifier) {
			v.Counted[sim.StateIdeal]++
			w.ServerStarts(8)
		}},
		{"the first error is kept", "a ticket is lost", func(w *World, v *Verifier) { v.Errorf("a ticket is lost") }},
	} {
		w := New(sim.Config{}, &sim.Places{}, nil)
		w.AddPlayers(1)
		w.SearchesBegin(1)
		w.Move(1, sim.StateNew, sim.StateIdeal)
		v := NewVerifier(w)
		test.change(w, v)
		if err := v.Finish(); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want %q", test.name, err, test.want)
		}
	}
}

// A transition that the state machine does not have causes a panic that names both states.
func TestIllegalTransition(t *testing.T) {
	defer func() {
		err, _ := recover().(error)
		if want := "sim: illegal transition FAILED -> PLAYING"; err == nil || err.Error() != want {
			t.Errorf("got panic %v, want %q", err, want)
		}
	}()
	New(sim.Config{}, &sim.Places{}, nil).Move(1, sim.StateFailed, sim.StatePlaying)
}

// Totals are sums over the measured window: one player waits for 3 s of it and plays for 2 s. The 4
// s in the warm-up period do not count.
func TestTotals(t *testing.T) {
	w := New(sim.Config{WarmUp: 5 * sim.Second}, &sim.Places{}, nil)
	w.Advance(-4000)
	w.AddPlayers(1)
	w.Move(1, sim.StateNew, sim.StateWaiting)
	w.Advance(0)
	w.StartMeasuring()
	w.Advance(3000)
	w.Move(1, sim.StateWaiting, sim.StatePlaying)
	w.Advance(5000)
	got := w.Totals()
	want := sim.Totals{
		Reached: 5000, SearchingAtStart: 1, OnlineAtStart: 1, OnlineAtEnd: 1, CCU: sim.Peak{Value: 1},
		SearchingTime: 3000, PlayingTime: 2000,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}
