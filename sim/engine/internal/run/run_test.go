package run

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
		change func(r *Run, v *Verifier)
	}{
		{"equal counts", "", func(r *Run, v *Verifier) { v.Counted[sim.StateIdeal]++ }},
		{"a player whom no queue counts", "1 players are IDEAL, counted 0", func(*Run, *Verifier) {}},
		{"a search that ended twice", "1 players searched, 2 are accounted for", func(r *Run, v *Verifier) {
			v.Counted[sim.StateIdeal]++
			r.SearchesEnd(1, sim.StatePlaying)
		}},
		{"a server that no queue counts", "counted {Running:0 Seats:0", func(r *Run, v *Verifier) {
			v.Counted[sim.StateIdeal]++
			r.ServerStarts(8)
		}},
		{"the first error is kept", "a ticket is lost", func(r *Run, v *Verifier) { v.Errorf("a ticket is lost") }},
	} {
		r := New(sim.Config{}, nil, nil)
		r.AddPlayers(1)
		r.SearchesBegin(1)
		r.Move(1, sim.StateNew, sim.StateIdeal)
		v := NewVerifier(r)
		test.change(r, v)
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
	New(sim.Config{}, nil, nil).Move(1, sim.StateFailed, sim.StatePlaying)
}

// Totals are sums over the measured window: one player waits for 3 s of it and plays for 2 s. The 4
// s in the warm-up period do not count.
func TestTotals(t *testing.T) {
	r := New(sim.Config{WarmUp: 5 * sim.Second}, nil, nil)
	r.Advance(-4000)
	r.AddPlayers(1)
	r.Move(1, sim.StateNew, sim.StateWaiting)
	r.Advance(0)
	r.StartMeasuring()
	r.Advance(3000)
	r.Move(1, sim.StateWaiting, sim.StatePlaying)
	r.Advance(5000)
	got := r.Totals()
	want := sim.Totals{
		Reached: 5000, SearchingAtStart: 1, OnlineAtStart: 1, OnlineAtEnd: 1, CCU: sim.Peak{Value: 1},
		SearchingTime: 3000, PlayingTime: 2000,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}
