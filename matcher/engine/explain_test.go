package engine

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"mmsim/matcher"
)

func TestExplain(t *testing.T) {
	rules := &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 4, Rules: []matcher.Rule{
		skillRule(matcher.Linear(10, 5, 25, 10_000)),
		&matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: 60_000}, MaxRTTMS: matcher.Custom(50, 20_000, []matcher.Override{{Value: 50}, {Value: 80}})},
		&matcher.MatchTotal{Common: matcher.Common{Name: "total", Weight: 1, OptionalAfterMS: matcher.Never}, Column: 0, Min: matcher.Fixed(0), Max: matcher.Fixed(205)},
	}}
	s := newScene(t, rules)
	me := s.solo(0, 100, 30, 60)
	s.solo(0, 104, 40)                                                         // may meet
	s.solo(1000, 77, 40)                                                       // skill: 23 apart, at most 10; may meet from the third step on
	s.solo(1000, 130, 40)                                                      // skill: may never meet
	s.solo(2000, 100, 90, 70)                                                  // region: 70 ms, at most 50 ms; may meet from 20 s on
	s.solo(3000, 100, 200)                                                     // region: may meet once the rule is optional for both
	s.solo(4000, 105.5, 20)                                                    // total: 205.5, at most 205
	s.Add(matcher.Ticket{CreatedMS: 5000, Players: make([]matcher.Player, 3)}) // may meet: four players fit into a match
	want := []Obstacle{
		{Other: 1, Why: MayMeet, AllowedMS: matcher.Never},
		{Other: 2, Why: ByRule, Rule: 0, Value: 23, Bound: 10, Words: "23 apart, at most 10", AllowedMS: 30_000},
		{Other: 3, Why: ByRule, Rule: 0, Value: 30, Bound: 10, Words: "30 apart, at most 10", AllowedMS: matcher.Never},
		{Other: 4, Why: ByRule, Rule: 1, Value: 70, Bound: 50, Words: "best common region 70 ms, at most 50 ms", AllowedMS: 20_000},
		{Other: 5, Why: ByRule, Rule: 1, Value: 200, Bound: 50, Words: "best common region 200 ms, at most 50 ms", AllowedMS: 63_000},
		{Other: 6, Why: ByRule, Rule: 2, Value: 205.5, Bound: 205, Words: "sum 205.5, at most 205", AllowedMS: matcher.Never},
		{Other: 7, Why: ByRule, Rule: 1, Value: math.Inf(1), Bound: 50, Words: "no region in common", AllowedMS: 65_000},
	}
	got := s.Explain(8000, me)
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// A rule that opens early does not help if another one opens later or never.
func TestExplainWaitsForAllRules(t *testing.T) {
	level := skillRule(matcher.Custom(0, 7000, []matcher.Override{{Value: 0}, {Value: 8}, {Value: 0}, {Value: 9}}))
	level.Column = 1
	for _, c := range []struct {
		levels [2]float64
		want   int64
	}{
		{[2]float64{1, 1}, 10_000},         // skill alone decides
		{[2]float64{1, 9}, 10_000},         // both allow the two from 10 s to 14 s
		{[2]float64{1, 10}, 21_000},        // levels 9 apart: allowed from 21 s on
		{[2]float64{1, 11}, matcher.Never}, // levels 10 apart: never
	} {
		s := newScene(t, &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []matcher.Rule{skillRule(matcher.Linear(10, 5, 25, 10_000)), level}})
		var rows []Row
		for i, skill := range []float64{100, 113} {
			player := matcher.Player{Values: []matcher.Value{matcher.NumberValue(skill), matcher.NumberValue(c.levels[i])}}
			row, err := s.Add(matcher.Ticket{Players: []matcher.Player{player}})
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
		if got := s.Explain(5000, rows[0])[0]; got.Rule != 0 || got.AllowedMS != c.want {
			t.Errorf("levels %v: got %+v, want the first rule until %d ms", c.levels, got, c.want)
		}
	}
}

// If Explain returns an instant, something must keep the two tickets apart until the millisecond
// before it, and nothing at that instant.
func TestExplainedOpenInstantIsRight(t *testing.T) {
	seen := 0
	for seed := range uint64(400) {
		w := newRandomCase(seed)
		pool, err := NewPool(w.ruleset(), w.schema)
		if err != nil {
			t.Fatal(err)
		}
		a, errA := pool.Add(w.ticket(20_000, 2))
		_, errB := pool.Add(w.ticket(20_000, 2))
		if errA != nil || errB != nil {
			continue
		}
		o := pool.Explain(20_000, a)[0]
		if o.Why != ByRule {
			continue
		}
		apart := func(nowMS int64) bool {
			pool.rows.Advance(nowMS)
			return pool.method.obstacle(a, o.Other, false).Why != MayMeet
		}
		for now := int64(20_000); now < min(o.AllowedMS, 60_000); now += 250 {
			if !apart(now) {
				t.Fatalf("seed %d: %+v says that the two are kept apart until AllowedMS, but at %d ms they are not", seed, o, now)
			}
		}
		if o.AllowedMS < matcher.Never {
			if seen++; apart(o.AllowedMS) || !apart(o.AllowedMS-1) {
				t.Fatalf("seed %d: got %+v, want AllowedMS to be the first instant at which nothing keeps the two apart", seed, o)
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d explanations have a finite AllowedMS, want at least 20", seen)
	}
}

// A rule may keep the players of one ticket apart for as long as it is enforced. Rules for which a
// party has a single number, and rules about totals, never do.
func TestOwnObstacle(t *testing.T) {
	text := func(word matcher.Text) matcher.Value { return matcher.TextValue(word) }
	duo := func(column int, a, b matcher.Value) matcher.Ticket {
		t := matcher.Ticket{Players: []matcher.Player{{Values: make([]matcher.Value, 3)}, {Values: make([]matcher.Value, 3)}}}
		t.Players[0].Values[column], t.Players[1].Values[column] = a, b
		return t
	}
	common := func(name string, optionalMS int64) matcher.Common {
		return matcher.Common{Name: name, Weight: 1, OptionalAfterMS: optionalMS}
	}
	var schema matcher.Schema
	mode, maps, level := schema.Column("mode"), schema.Column("maps"), schema.Column("level")
	red, blue := schema.Intern("red"), schema.Intern("blue")
	rules := &matcher.Ruleset{MinPlayers: 4, MaxPlayers: 4, Rules: []matcher.Rule{
		&matcher.EqualText{Common: common("mode", 30_000), Column: mode, Enabled: matcher.Fixed(0), MissingAny: true},
		&matcher.SetOverlap{Common: common("maps", matcher.Never), Column: maps, MinShared: matcher.Fixed(1), MissingAny: true},
		&matcher.NumberDistance{Common: common("level", matcher.Never), Column: level, Max: matcher.Fixed(10), MissingAny: true},
		&matcher.MatchTotal{Common: common("total", matcher.Never), Column: level, Min: matcher.Fixed(0), Max: matcher.Fixed(150)},
	}}
	pool, err := NewPool(rules, &schema)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		ticket matcher.Ticket
		nowMS  int64
		rule   int
		apart  bool
	}{
		{"same text", duo(0, text(red), text(red)), 0, 0, false},
		{"other texts", duo(0, text(red), text(blue)), 29_999, 0, true},
		{"other texts, optional", duo(0, text(red), text(blue)), 30_000, 0, false},
		{"a text and none", duo(0, text(red), matcher.Value{}), 0, 0, false},
		{"shared element", duo(1, matcher.SetValue([]matcher.Text{red}), matcher.SetValue([]matcher.Text{red, blue})), 0, 0, false},
		{"no shared element", duo(1, matcher.SetValue([]matcher.Text{red}), matcher.SetValue([]matcher.Text{blue})), 90_000, 1, true},
		{"distant numbers", duo(2, matcher.NumberValue(0), matcher.NumberValue(100)), 0, 0, false},
		{"solo", matcher.Ticket{Players: make([]matcher.Player, 1)}, 0, 0, false},
	} {
		row, err := pool.Add(c.ticket)
		if err != nil {
			t.Fatal(err)
		}
		if rule, apart := pool.OwnObstacle(c.nowMS, row); rule != c.rule || apart != c.apart {
			t.Errorf("%s: got rule %d, apart %t; want %d, %t", c.name, rule, apart, c.rule, c.apart)
		}
		pool.Remove(row)
	}
}

// KeptApart must count the same reasons that Explain lists.
func TestKeptApartAgreesWithExplain(t *testing.T) {
	seen := 0
	for seed := range uint64(300) {
		w := newRandomCase(seed)
		pool, err := NewPool(w.ruleset(), w.schema)
		if err != nil {
			t.Fatal(err)
		}
		var rows []Row
		for range 6 {
			if row, err := pool.Add(w.ticket(20_000, 3)); err == nil {
				rows = append(rows, row)
			}
		}
		for _, row := range rows {
			seen += checkApart(t, pool, 20_000, row)
		}
	}
	pool, _ := crowdedPool(t, flexing(), 200)
	if seen += checkApart(t, pool, 60_000, 0); seen < 1000 {
		t.Errorf("got %d obstacles, want at least 1000", seen)
	}
}

func checkApart(t *testing.T, pool *Pool, nowMS int64, row Row) (seen int) {
	t.Helper()
	var got Apart
	pool.KeptApart(nowMS, row, &got)
	want := Apart{ByRule: make([]int, len(pool.names))}
	_, want.Own = pool.OwnObstacle(nowMS, row)
	for _, o := range pool.Explain(nowMS, row) {
		switch seen++; o.Why {
		case MayMeet:
			want.MayMeet++
		case TooMany:
			want.TooMany++
		default:
			want.ByRule[o.Rule]++
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("row %d: got reasons %+v, want %+v", row, got, want)
	}
	return seen
}
