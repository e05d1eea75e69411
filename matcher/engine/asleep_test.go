package engine

import (
	"fmt"
	"math"
	"mmsim/matcher"
	"testing"
)

// rttParty lets a party of players with the same round-trip times wait.
func rttParty(t *testing.T, p *Pool, createdMS int64, players int, rttMS ...float64) Row {
	t.Helper()
	party := make([]matcher.Player, players)
	for i := range party {
		party[i].RTTMS = rttMS
	}
	row, err := p.Add(matcher.Ticket{CreatedMS: createdMS, Players: party})
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// Whom a budget stopped stays a candidate of younger seeds, by its own wider threshold:
// that few reach their regions by theirs does not tell.
func TestTiredCandidateReachesFurther(t *testing.T) {
	s := newScene(t, &matcher.Ruleset{MinPlayers: 8, MaxPlayers: 8, Budget: 6, Rules: []matcher.Rule{
		&matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: matcher.Never}, MaxRTTMS: matcher.Linear(50, 50, 100, 10_000)},
	}})
	tired := rttParty(t, s.Pool, 0, 3, 10, 90, 200)
	solo := rttParty(t, s.Pool, 11_000, 1, 200, 40, 200)
	four := rttParty(t, s.Pool, 11_001, 4, 200, 40, 200)
	for i := range 6 { // pairs that never make eight with the oldest
		rttParty(t, s.Pool, int64(11_010+i), 2, 10, 200, 200)
	}
	out := s.Pass(12_000)
	if len(out.BudgetHits) == 0 || out.BudgetHits[0].Seed != tired {
		t.Fatalf("budget hit by %v, want %d", out.BudgetHits, tired)
	}
	if len(out.Matches) != 2 || fmt.Sprint(out.Matches[0].Tickets) != fmt.Sprint([]Row{solo, four, tired}) {
		t.Errorf("matches %v, want %d, %d and %d first", out.Matches, solo, four, tired)
	}
}

// A region may be learnt for a vantage between two passes, and nobody comes.
func TestRegionsLearntForAVantage(t *testing.T) {
	var schema matcher.Schema
	learn := func(name string) {
		if _, err := schema.Region(name); err != nil {
			t.Fatal(err)
		}
	}
	learn("m")
	learn("z")
	p, err := NewPool(&matcher.Ruleset{MinPlayers: 4, MaxPlayers: 4, Rules: []matcher.Rule{
		&matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: matcher.Never}, MaxRTTMS: matcher.Fixed(50)},
	}}, &schema)
	if err != nil {
		t.Fatal(err)
	}
	nowhere := math.NaN()
	for i := range int64(3) {
		rttParty(t, p, i, 1, nowhere, 10)
	}
	for i := range int64(3) {
		rttParty(t, p, 10+i, 1, 10, nowhere)
	}
	p.Pass(1000)
	learn("a") // comes before both
	if _, err := p.Vantage([]float64{10, nowhere, nowhere}); err != nil {
		t.Fatal(err)
	}
	p.Pass(2000)
	rttParty(t, p, 3000, 1, 10, nowhere)
	if out := p.Pass(3000); len(out.Matches) != 1 {
		t.Errorf("matches %v, want one of the four who reach m", out.Matches)
	}
}

// A threshold below 0 keeps all apart who have a number, but not one from those without.
func TestNegativeThreshold(t *testing.T) {
	s := newScene(t, &matcher.Ruleset{MinPlayers: 4, MaxPlayers: 4, Rules: []matcher.Rule{skillRule(matcher.Fixed(-1))}})
	for i, players := range [][]matcher.Player{make([]matcher.Player, 1), make([]matcher.Player, 2), make([]matcher.Player, 3)} {
		if i == 2 {
			players[0].Values = []matcher.Value{matcher.NumberValue(5)}
		}
		if _, err := s.Add(matcher.Ticket{CreatedMS: int64(i), Players: players}); err != nil {
			t.Fatal(err)
		}
	}
	if out := s.Pass(1000); len(out.Matches) != 1 {
		t.Errorf("matches %v, want one", out.Matches)
	}
}
