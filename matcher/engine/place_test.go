package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"mmsim/matcher"

	"reflect"
	"strings"
	"testing"
)

// placeAssigner gives solo tickets a place instead of their own round-trip times, so that the tests of a
// pool cover places too.
type placeAssigner struct {
	pool  *Pool
	known map[string]matcher.Place // places, keyed by their round-trip times
	calls int
}

func newPlaceAssigner(pool *Pool) *placeAssigner {
	return &placeAssigner{pool: pool, known: make(map[string]matcher.Place)}
}

// place gives two of three solo tickets a place, unless they cannot have one.
func (s *placeAssigner) place(t matcher.Ticket) matcher.Ticket {
	s.calls++
	if len(t.Players) != 1 || s.calls%3 == 0 {
		return t
	}
	player := t.Players[0]
	name := fmt.Sprint(player.RTTMS)
	if s.known[name] == matcher.NoPlace {
		from, err := s.pool.AddPlace(player.RTTMS)
		if err != nil {
			return t
		}
		s.known[name] = from
	}
	t.From, player.RTTMS = s.known[name], nil
	t.Players = []matcher.Player{player}
	return t
}

// A ticket with a place must be matched like a ticket with the same round-trip times of its own,
// even if the schema learns regions while it waits.
func TestPlacesEqualRTTs(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 12))
		var schema matcher.Schema
		learn := func(name string) {
			if _, err := schema.Region(name); err != nil {
				t.Fatal(err)
			}
		}
		learn("m")
		rules := &matcher.Ruleset{MinPlayers: 3, MaxPlayers: 3, Rules: []matcher.Rule{
			&matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: matcher.Never}, MaxRTTMS: matcher.Linear(30, 10, 80, 1000)}}}
		if seed%3 == 0 {
			rules = &matcher.Ruleset{MinPlayers: 3, MaxPlayers: 3, Pivot: &matcher.PivotRules{
				Sizes: []matcher.TeamSizes{{MinTeams: 1, MaxTeams: 1, MinPlayers: 3, MaxPlayers: 3}}, Region: matcher.PivotRegion{ReachMS: matcher.Linear(30, 10, 80, 1000), MaxMS: 80, OneWayAfterMS: 3000}}}
		}
		plain, placed := &scene{}, &scene{}
		plain.Pool, _ = NewPool(rules, &schema)
		placed.Pool, _ = NewPool(rules, &schema)
		assigner := newPlaceAssigner(placed.Pool)
		for nowMS := int64(0); nowMS < 8000; nowMS += 1000 {
			learn(string(rune('a' + r.IntN(20))))
			for range 3 {
				rtt := make([]float64, r.IntN(schema.Regions()+1))
				for i := range rtt {
					if rtt[i] = float64(20 * r.IntN(6)); r.IntN(4) == 0 {
						rtt[i] = math.NaN()
					}
				}
				ticket := matcher.Ticket{CreatedMS: nowMS, Players: []matcher.Player{{RTTMS: rtt}}}
				_, err := plain.Add(ticket)
				_, same := placed.Add(assigner.place(ticket))
				if fmt.Sprint(err) != fmt.Sprint(same) {
					t.Fatalf("seed %d: got error %v for a ticket with RTTs, but %v for the same ticket with a place", seed, err, same)
				}
			}
			if want, got := plain.Pass(nowMS), placed.Pass(nowMS); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d at %d ms: got %v for tickets with RTTs, but %v for the same tickets with places", seed, nowMS, want, got)
			}
		}
	}
}

func TestPlaceRefusals(t *testing.T) {
	s := newScene(t, &matcher.Ruleset{MinPlayers: 3, MaxPlayers: 3})
	if _, err := s.AddPlace([]float64{-1}); err == nil || !strings.Contains(err.Error(), "time of -1 ms") {
		t.Errorf("a place with an RTT of -1 ms: got error %v, want it refused", err)
	}
	from, err := s.AddPlace(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(matcher.Ticket{From: from, Players: make([]matcher.Player, 2)}); err == nil || !strings.Contains(err.Error(), "2 players with one place") {
		t.Errorf("a party with one place: got error %v, want it refused", err)
	}
}
