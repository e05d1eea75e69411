package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher"
)

// A match must list only regions that all players measured, sorted by the worst round-trip time,
// then by the mean, then by name.
func TestRegionsOfAMatch(t *testing.T) {
	rule := &matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: 30_000}, MaxRTTMS: matcher.Fixed(100)}
	for _, c := range []struct {
		name string
		a, b []float64 // round-trip times to west, east and north
		at   int64
		want string
	}{
		{"lowest worst first", []float64{90, 25, 40}, []float64{80, 35, 10}, 0, "[east north west]"},
		{"equal highest RTT: by mean", []float64{50, 50, 90}, []float64{50, 20, 90}, 0, "[east west north]"},
		{"equal RTTs: by name", []float64{50, 50, 50}, []float64{50, 50, 50}, 0, "[east north west]"},
		{"not measured, not available", []float64{50, math.NaN(), 60}, []float64{50, 10}, 0, "[west]"},
		{"beyond the limit once optional", []float64{150, 400, 500}, []float64{300, 200}, 30_000, "[west east]"},
		{"none in common once optional", []float64{math.NaN(), 20}, []float64{20}, 30_000, "[]"},
	} {
		s := newScene(t, &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []matcher.Rule{rule}})
		s.solo(0, 0, c.a...)
		s.solo(0, 0, c.b...)
		out := s.Pass(c.at)
		if len(out.Matches) != 1 {
			t.Errorf("%s: got %d matches, want 1", c.name, len(out.Matches))
			continue
		}
		var names []string
		for _, region := range out.Matches[0].Regions {
			names = append(names, s.schema.RegionName(region))
		}
		if fmt.Sprint(names) != c.want || len(names) > 0 && out.Matches[0].Region != out.Matches[0].Regions[0] {
			t.Errorf("%s: got regions %v with first choice %v, want %s", c.name, names, out.Matches[0].Region, c.want)
		}
	}
}

// Under every method, a match is played in the region that its seed prefers, otherwise in the one that
// the ruleset prefers, otherwise in the nearest one. Both tickets are 20 ms from west, 40 ms from east
// and 300 ms from north, which no rule allows.
func TestRegionsInOrderOfPreference(t *testing.T) {
	const west, east, north = matcher.Region(0), matcher.Region(1), matcher.Region(2)
	one := matcher.Steps[float64]{{Value: 1}}
	pivot := func(inTurn *matcher.InTurn) *matcher.PivotRules {
		return &matcher.PivotRules{Sizes: []matcher.TeamSizes{{MinTeams: 2, MaxTeams: 2, MinPlayers: 1, MaxPlayers: 1}}, InTurn: inTurn,
			Region: matcher.PivotRegion{ReachMS: matcher.Fixed(100), MaxMS: 100, OneWayAfterMS: matcher.Never},
			Same:   matcher.NoColumn, People: matcher.NoColumn, Blocked: matcher.NoColumn, NewOnly: matcher.NoColumn}
	}
	for method, set := range map[string]matcher.Ruleset{
		"pairs":   {Rules: []matcher.Rule{&matcher.ReachRegion{Common: matcher.Common{Weight: 1, OptionalAfterMS: matcher.Never}, MaxRTTMS: matcher.Fixed(100)}}},
		"page":    {Pivot: pivot(nil)},
		"service": {Pivot: pivot(&matcher.InTurn{Others: matcher.NoColumn})},
		"seats": {Seats: &matcher.SeatRules{Teams: []matcher.SeatTeam{{Name: "red", Min: one, Max: one}, {Name: "blue", Min: one, Max: one}},
			Rules: []matcher.SeatRule{&matcher.Latency{Max: matcher.Steps[float64]{{Value: 100}}}}}},
	} {
		for _, c := range []struct {
			rules, seed, other []matcher.Region
			want               matcher.Region
		}{
			{nil, nil, nil, west},
			{[]matcher.Region{east, west}, nil, nil, east},
			{[]matcher.Region{north, east}, nil, nil, east},
			{[]matcher.Region{east}, []matcher.Region{west}, nil, west},
			{nil, []matcher.Region{north, east}, []matcher.Region{west}, east},
			{nil, nil, []matcher.Region{east}, west}, // only the seed's preference counts
		} {
			set := set
			set.MinPlayers, set.MaxPlayers, set.Regions = 2, 2, c.rules
			s := newScene(t, &set)
			for i, regions := range [][]matcher.Region{c.seed, c.other} {
				player := matcher.Player{Values: []matcher.Value{matcher.NumberValue(0)}, RTTMS: []float64{20, 40, 300}}
				if _, err := s.Add(matcher.Ticket{CreatedMS: int64(1000 * i), Regions: regions, Players: []matcher.Player{player}}); err != nil {
					t.Fatal(err)
				}
			}
			if out := s.Pass(5000); len(out.Matches) != 1 || out.Matches[0].Region != c.want {
				t.Errorf("%s: rules prefer %v, tickets %v and %v: got %+v, want one match in region %d", method, c.rules, c.seed, c.other, out.Matches, c.want)
			}
		}
		set.MinPlayers, set.MaxPlayers = 2, 2
		if _, err := newScene(t, &set).Add(matcher.Ticket{Regions: []matcher.Region{3}, Players: make([]matcher.Player, 1)}); err == nil || !strings.Contains(err.Error(), "region 3") {
			t.Errorf("%s: got error %v, want one about region 3 of 3", method, err)
		}
		if set.Regions = []matcher.Region{east, east}; set.Validate() == nil {
			t.Errorf("%s: got no error for a region that is preferred twice", method)
		}
	}
}

// The schema may learn regions while tickets and sessions wait. These regions must have the same
// effect as regions that it knew from the start.
func TestRegionsAddedLater(t *testing.T) {
	names := []string{"west", "east", "north", "alpha"}
	outcome := func(late bool) (text string) {
		schema := new(matcher.Schema)
		rules := &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []matcher.Rule{
			skillRule(matcher.Fixed(50)), &matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: matcher.Never}, MaxRTTMS: matcher.Fixed(60)},
		}}
		pool, err := NewPool(rules, schema)
		if err != nil {
			t.Fatal(err)
		}
		known := 0
		learn := func(n int) {
			for ; known < n; known++ {
				if _, err := schema.Region(names[known]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if learn(1); !late {
			learn(len(names))
		}
		if _, err := pool.AddSession(matcher.Session{Region: matcher.NoRegion, Members: []matcher.Member{{Team: matcher.NoTeam}}}); err != nil {
			t.Fatal(err)
		}
		for i := range 40 {
			n := 1 + i/10
			learn(n)
			rtt := make([]float64, n)
			for k := range rtt {
				rtt[k] = float64((i*37 + k*53) % 120)
			}
			if _, err := pool.Add(matcher.Ticket{CreatedMS: int64(i), Players: []matcher.Player{{Values: []matcher.Value{matcher.NumberValue(float64(i * 29 % 97))}, RTTMS: rtt}}}); err != nil {
				t.Fatal(err)
			}
			if i%20 == 19 {
				pool.Remove(Row(i - 15))
			}
		}
		out := pool.Pass(100)
		return fmt.Sprint(out.Backfills, out.Matches)
	}
	if early, late := outcome(false), outcome(true); early != late || !strings.Contains(early, "{") {
		t.Errorf("regions known from the start: got outcome %s\nregions added later: got outcome %s\nwant equal outcomes with a match", early, late)
	}
}

// rttParty adds a party whose players all have the same round-trip times.
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

// The schema learns a region for a place between two passes. No ticket is added between them.
func TestRegionsAddedLaterForAPlace(t *testing.T) {
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
	learn("a") // this name sorts before the two others
	if _, err := p.AddPlace([]float64{10, nowhere, nowhere}); err != nil {
		t.Fatal(err)
	}
	p.Pass(2000)
	rttParty(t, p, 3000, 1, 10, nowhere)
	if out := p.Pass(3000); len(out.Matches) != 1 {
		t.Errorf("got matches %v, want one of the four tickets that reach m", out.Matches)
	}
}

func hasRegion(r *matcher.Ruleset) bool {
	if r.Pivot != nil {
		return !r.Pivot.Region.Ignored
	}
	return slices.ContainsFunc(r.Rules, func(rule matcher.Rule) bool {
		_, is := rule.(*matcher.ReachRegion)
		return is
	})
}

// A ruleset without its region rule must ignore round-trip times but keep all other rules.
func TestWithoutRegion(t *testing.T) {
	for name, rules := range map[string]*matcher.Ruleset{"rules": skillAndRegion(), "pivot": flexing()} {
		free := rules.WithoutRegion()
		if !hasRegion(rules) || hasRegion(free) {
			t.Errorf("%s: hasRegion: got %v, and %v without the region rule; want true and false", name, hasRegion(rules), hasRegion(free))
		}
		for _, apart := range []bool{true, false} {
			schema := new(matcher.Schema)
			schema.Column("skill")
			schema.Region("west")
			schema.Region("east")
			if !apart {
				rules = free
			}
			pool, err := NewPool(rules, schema)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 10 {
				rtt := []float64{math.NaN(), math.NaN()}
				rtt[i%2] = 20
				if _, err := pool.Add(matcher.Ticket{Players: []matcher.Player{{Values: []matcher.Value{matcher.NumberValue(1500)}, RTTMS: rtt}}}); err != nil {
					t.Fatal(err)
				}
			}
			out := pool.Pass(0)
			if apart && len(out.Matches) > 0 || !apart && (len(out.Matches) != 1 || out.Matches[0].Region != matcher.NoRegion) {
				t.Errorf("%s: got matches %+v, want one without a region, or none if the regions are apart", name, out.Matches)
			}
		}
	}
}
