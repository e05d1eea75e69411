package external

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/flexmatch"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/external/exchange"
)

// person returns a player with a number, and RTTs to a and b.
func person(id uint64, value, a, b float64) matcher.Player {
	return matcher.Player{ID: id, Values: []matcher.Value{matcher.NumberValue(value)}, RTTMS: []float64{a, b}}
}

// alone returns a ticket with a single player.
func alone(createdMS int64, p matcher.Player) matcher.Ticket {
	return matcher.Ticket{CreatedMS: createdMS, Values: []matcher.Value{}, Players: []matcher.Player{p}}
}

// skill returns a schema with one number, and the regions of a testPool.
func skill(t *testing.T) *matcher.Schema {
	s := &matcher.Schema{}
	s.Column("skill")
	for _, name := range []string{"a", "b"} {
		if _, err := s.Region(name); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// pairRules returns rules about pairs: numbers that differ by at most 100, plus 50 every 10 s; a
// common region within 100 ms; and a sum of at most 4,000.
func pairRules() *matcher.Ruleset {
	always := func(name string) matcher.Common {
		return matcher.Common{Name: name, Weight: 1, OptionalAfterMS: matcher.Never}
	}
	return &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 4, Rules: []matcher.Rule{
		&matcher.NumberDistance{Common: always("skill"), Max: matcher.Linear(100, 50, math.Inf(1), 10_000)},
		&matcher.ReachRegion{Common: always("region"), MaxRTTMS: matcher.Fixed(100)},
		&matcher.MatchTotal{Common: always("total"), Min: matcher.Fixed(0), Max: matcher.Fixed(4000)},
	}}
}

// pivotRules returns rules around the oldest ticket: numbers that differ by at most 100; regions
// within 50 ms of a ticket's best region; and one team of two or, after 30 s, one team of one to
// three.
func pivotRules() *matcher.Ruleset {
	return &matcher.Ruleset{MinPlayers: 1, MaxPlayers: 4, Pivot: &matcher.PivotRules{
		Same: matcher.NoColumn, People: matcher.NoColumn, Blocked: matcher.NoColumn, NewOnly: matcher.NoColumn, Backfill: true,
		Sizes:     []matcher.TeamSizes{{MinTeams: 1, MaxTeams: 1, MinPlayers: 2, MaxPlayers: 2}, {AfterMS: 30_000, MinTeams: 1, MaxTeams: 1, MinPlayers: 1, MaxPlayers: 3}},
		Distances: []matcher.PivotDistance{{Name: "skill", Max: matcher.Steps[float64]{{Value: 100}}, Scale: 100, Weight: 1}},
		Region:    matcher.PivotRegion{Name: "region", ReachMS: matcher.Fixed(50), Relative: true, MaxMS: 200, OneWayAfterMS: matcher.Never},
	}}
}

// An accepted match may break rules. It remains accepted, and the violations are counted by rule.
func TestViolations(t *testing.T) {
	refuseAbove := func(most float64) func(*matcher.Ticket) error {
		return func(t *matcher.Ticket) error {
			if t.Players[0].Values[0].Number > most {
				return matcher.Refusal("too good")
			}
			return nil
		}
	}
	for name, test := range map[string]struct {
		rules   *matcher.Ruleset
		refuse  func(*matcher.Ticket) error
		tickets []matcher.Ticket
		make    exchange.Proposal
		want    []Count
	}{
		"kept":                                  {rules: pairRules(), tickets: []matcher.Ticket{alone(0, person(1, 1500, 20, 90)), alone(0, person(2, 1600, 90, 20))}, make: of("t1", "t2")},
		"too far apart":                         {rules: pairRules(), tickets: []matcher.Ticket{alone(0, person(1, 1500, 20, 90)), alone(0, person(2, 1601, 90, 20))}, make: of("t1", "t2"), want: []Count{{"skill", 1}}},
		"one waited longer":                     {rules: pairRules(), tickets: []matcher.Ticket{alone(-10_000, person(1, 1500, 20, 90)), alone(0, person(2, 1650, 90, 20))}, make: of("t1", "t2")},
		"above the RTT limit of the datacenter": {rules: pairRules(), tickets: []matcher.Ticket{alone(0, person(1, 1500, 20, 90)), alone(0, person(2, 1500, 101, 20))}, make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Datacenter: "a"}, want: []Count{{"region", 1}}},
		"the fairest is far":                    {rules: pairRules(), tickets: []matcher.Ticket{alone(0, person(1, 1500, 20, 190)), alone(0, person(2, 1500, 150, 20))}, make: of("t1", "t2"), want: []Count{{"region", 1}}},
		"several rules":                         {rules: pairRules(), tickets: []matcher.Ticket{alone(0, person(1, 1500, 20, 190)), alone(0, person(2, 2501, 150, 20))}, make: of("t1", "t2"), want: []Count{{"skill", 1}, {"region", 1}, {"total", 1}}},
		"a ticket that the rules refuse":        {rules: pairRules(), refuse: refuseAbove(1500), tickets: []matcher.Ticket{alone(0, person(1, 1500, 20, 90)), alone(0, person(2, 1501, 20, 20))}, make: of("t1", "t2"), want: []Count{{RefusedTicket, 1}}},
		"a ticket too large":                    {rules: pairRules(), tickets: []matcher.Ticket{{Players: []matcher.Player{person(1, 1, 1, 1), person(2, 1, 1, 1), person(3, 1, 1, 1), person(4, 1, 1, 1)}}}, make: of("t1"), want: []Count{{RefusedTicket, 1}}},

		// 150 is within 50 of this ticket's best RTT, 110, but not within 50 of a best RTT of 20.
		// An absolute limit of 50 must have no effect here.
		"within the own best":                         {rules: pivotRules(), tickets: []matcher.Ticket{alone(0, person(1, 1500, 150, 110)), alone(0, person(2, 1500, 140, 120))}, make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Datacenter: "a"}},
		"beyond the own best":                         {rules: pivotRules(), tickets: []matcher.Ticket{alone(0, person(1, 1500, 150, 110)), alone(0, person(2, 1500, 140, 20))}, make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Datacenter: "a"}, want: []Count{{"region", 1}}},
		"beyond the pivot's best":                     {rules: pivotRules(), tickets: []matcher.Ticket{alone(0, person(1, 1500, 150, 20)), alone(0, person(2, 1500, 140, 120))}, make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Datacenter: "a"}, want: []Count{{"region", 1}}},
		"each near the pivot":                         {rules: pivotRules(), tickets: []matcher.Ticket{alone(-30_000, person(1, 1500, 20, 20)), alone(0, person(2, 1400, 20, 20)), alone(0, person(3, 1600, 20, 20))}, make: of("t3", "t2", "t1")},
		"near another, not the one":                   {rules: pivotRules(), tickets: []matcher.Ticket{alone(-30_000, person(1, 1400, 20, 20)), alone(0, person(2, 1500, 20, 20)), alone(0, person(3, 1600, 20, 20))}, make: of("t1", "t2", "t3"), want: []Count{{"skill", 1}}},
		"three players before the expansion to three": {rules: pivotRules(), tickets: []matcher.Ticket{alone(-29_999, person(1, 1500, 20, 20)), alone(0, person(2, 1500, 20, 20)), alone(0, person(3, 1500, 20, 20))}, make: of("t1", "t2", "t3"), want: []Count{{"team sizes", 1}}},
		"above the RTT limit of every wait":           {rules: pivotRules(), tickets: []matcher.Ticket{alone(0, person(1, 1500, 20, 20)), alone(0, person(2, 1500, 201, 300))}, make: of("t1", "t2"), want: []Count{{"team sizes", 1}, {RefusedTicket, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newTestPool(t, Config{Hello: &exchange.Hello{Match: exchange.Match{Min: 1, Max: 4}}, Schema: skill(t), Rules: test.rules, Refuse: test.refuse})
			for _, ticket := range test.tickets {
				d.add(ticket)
			}
			first := test.make.Tickets
			for range 2 { // checking the first match must not affect the check of the second
				if out := d.pass(0, matches(test.make)); len(out.Matches) != 1 {
					t.Fatalf("got %+v and dropped proposals %+v, want one match", out, d.Dropped())
				}
				var next []string
				for _, ticket := range test.tickets {
					next = append(next, d.add(ticket))
				}
				test.make.Tickets = nil
				for _, id := range first {
					test.make.Tickets = append(test.make.Tickets, next[id[1]-'1'])
				}
			}
			r := d.Report()
			var want []Count
			for _, c := range test.want {
				want = append(want, Count{c.Name, 2 * c.Count})
			}
			broken := map[bool]int{true: 2}[len(want) > 0]
			equal(t, "report", []any{r.Checked, r.Broken, r.Violations}, []any{2, broken, want})
		})
	}
}

// If tickets join a session, the check includes the players of the session.
func TestViolationsOfBackfills(t *testing.T) {
	session := func(values ...float64) matcher.Session {
		s := matcher.Session{Match: 7, CreatedMS: -1000, Region: 0, Values: []matcher.Value{}}
		for i, v := range values {
			s.Members = append(s.Members, matcher.Member{Player: person(90+uint64(i), v, 20, 20), Team: matcher.NoTeam})
		}
		return s
	}
	for name, test := range map[string]struct {
		rules   *matcher.Ruleset
		session matcher.Session
		ticket  matcher.Player
		want    []Count
	}{
		"kept":              {pairRules(), session(1500), person(1, 1600, 20, 20), nil},
		"far from a player": {pairRules(), session(1500), person(1, 1601, 20, 20), []Count{{"skill", 1}}},
		"too much in all":   {pairRules(), session(1400, 1400), person(1, 1400, 20, 20), []Count{{"total", 1}}},
		"above the RTT limit of the session's datacenter": {pairRules(), session(1500), person(1, 1500, 120, 20), []Count{{"region", 1}}},
		"within the distance of pivot rules":              {pivotRules(), session(1500), person(1, 1600, 20, 20), nil},
		"far from the mean":                               {pivotRules(), session(1500), person(1, 1601, 20, 20), []Count{{"skill", 1}}},
		"no room in the team":                             {pivotRules(), session(1500, 1500), person(1, 1500, 20, 20), []Count{{"team sizes", 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newTestPool(t, Config{Hello: &exchange.Hello{Backfill: true, Match: exchange.Match{Min: 1, Max: 4}}, Schema: skill(t), Rules: test.rules})
			d.add(alone(0, test.ticket))
			if _, err := d.AddSession(test.session); err != nil {
				t.Fatal(err)
			}
			out := d.pass(0, exchange.Answer{Backfills: []exchange.Backfill{{Session: "m7", Proposal: of("t1")}}})
			r := d.Report()
			equal(t, "report", []any{len(out.Backfills), r.Checked, r.Violations}, []any{1, 1, test.want})
		})
	}
}

// FlexMatch rules are checked with the teams in the answer, and with the team sizes that apply
// after the waits. Without teams, only rules that do not depend on teams are checked.
func TestViolationsOfFlexMatch(t *testing.T) {
	const rules = `{"ruleLanguageVersion": "1.0", "playerAttributes": [{"name": "skill", "type": "number"}],
		"teams": [{"name": "red", "minPlayers": 2, "maxPlayers": 2}, {"name": "blue", "minPlayers": 1, "maxPlayers": 2}],
		"rules": [{"name": "even", "type": "distance", "measurements": ["avg(teams[*].players.attributes[skill])"], "referenceValue": "avg(flatten(teams[*].players.attributes[skill]))", "maxDistance": 9},
			{"name": "spread", "type": "batchDistance", "batchAttribute": "skill", "maxDistance": 100},
			{"name": "near", "type": "latency", "maxLatency": 80}],
		"expansions": [{"target": "teams[red].minPlayers", "steps": [{"waitTimeSeconds": 10, "value": 1}]}]}`
	for name, test := range map[string]struct {
		waitMS int64
		make   exchange.Proposal
		want   []Count
	}{
		"kept":                               {0, exchange.Proposal{Tickets: []string{"t1", "t2", "t3", "t4"}, Teams: [][]string{{"p1", "p4"}, {"p2", "p3"}}}, nil},
		"uneven":                             {0, exchange.Proposal{Tickets: []string{"t1", "t2", "t3", "t4"}, Teams: [][]string{{"p1", "p2"}, {"p3", "p4"}}}, []Count{{"even", 1}}},
		"no teams":                           {0, of("t1", "t2", "t3", "t4"), nil},
		"spread, no teams":                   {0, of("t1", "t5"), []Count{{"spread", 1}}},
		"too small":                          {0, exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1"}, {"p2"}}}, []Count{{"team sizes", 1}}},
		"after a while":                      {10_000, exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1"}, {"p2"}}}, nil},
		"all of these in another datacenter": {0, exchange.Proposal{Tickets: []string{"t1", "t5"}, Teams: [][]string{{"p1"}, {"p5"}}, Datacenter: "b"}, []Count{{"even", 1}, {"spread", 1}, {"near", 1}, {"team sizes", 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			root, err := jsontree.Parse("rules.json", []byte(rules))
			if err != nil {
				t.Fatal(err)
			}
			compiled, err := flexmatch.Dialect().Compile(root, vendor.CompileOptions{})
			if err != nil {
				t.Fatal(err)
			}
			set := compiled.Queue
			hello := &exchange.Hello{Match: exchange.MatchOf(set.Rules)}
			d := newTestPool(t, Config{Hello: hello, Schema: set.Schema, Rules: set.Rules})
			equal(t, "sizes over all waits", hello.Match, exchange.Match{Min: 2, Max: 4, Teams: []exchange.Team{{Name: "red", Min: 1, Max: 2}, {Name: "blue", Min: 1, Max: 2}}})
			column := set.Schema.Column("attribute skill")
			for i, value := range []float64{1500, 1510, 1520, 1530, 1700} {
				p := person(1+uint64(i), 0, 20, 90)
				p.Values = make([]matcher.Value, set.Schema.Columns())
				p.Values[column] = matcher.NumberValue(value)
				d.add(alone(0, p))
			}
			out := d.pass(test.waitMS, matches(test.make))
			r := d.Report()
			equal(t, "report", []any{len(out.Matches), r.Checked, r.Violations}, []any{1, 1, test.want})
		})
	}
}

// allianceRules returns rules for two or three teams of one or two players and, after 10 s, of up to
// three.
func allianceRules() *matcher.Ruleset {
	rules := pivotRules()
	rules.MinPlayers, rules.MaxPlayers = 2, 9
	rules.Pivot.Sizes = []matcher.TeamSizes{{MinTeams: 2, MaxTeams: 3, MinPlayers: 1, MaxPlayers: 2}, {AfterMS: 10_000, MinTeams: 2, MaxTeams: 3, MinPlayers: 1, MaxPlayers: 3}}
	return rules
}

// The number and sizes of an alliance's teams depend on the wait. A match or backfill that breaks
// them is accepted and counted.
func TestViolationsOfAlliance(t *testing.T) {
	for name, test := range map[string]struct {
		waitMS  int64
		session []int // teams of the players of session m7, which the proposal joins; nil for a new match
		teams   [][]string
		want    []Count
	}{
		"two teams":                    {0, nil, [][]string{{"p1"}, {"p2"}}, nil},
		"one team":                     {0, nil, [][]string{{"p1", "p2"}}, []Count{{"team sizes", 1}}},
		"four teams":                   {0, nil, [][]string{{"p1"}, {"p2"}, {"p3"}, {"p4"}}, []Count{{"team sizes", 1}}},
		"an empty team":                {0, nil, [][]string{{"p1"}, {}, {"p2"}}, nil},
		"three in a team":              {9_999, nil, [][]string{{"p1", "p2", "p3"}, {"p4"}}, []Count{{"team sizes", 1}}},
		"three in a team after a wait": {10_000, nil, [][]string{{"p1", "p2", "p3"}, {"p4"}}, nil},
		"joins a team":                 {0, []int{0, 1}, [][]string{{"p1"}, {}}, nil},
		"joins as a third team":        {0, []int{0, 1}, [][]string{{}, {}, {"p1"}}, nil},
		"joins as a fourth team":       {0, []int{0, 1, 2}, [][]string{{}, {}, {}, {"p1"}}, []Count{{"team sizes", 1}}},
		"joins a full team":            {0, []int{0, 0, 1}, [][]string{{"p1"}, {}}, []Count{{"team sizes", 1}}},
		"joins players without teams":  {0, []int{matcher.NoTeam}, [][]string{{}, {"p1"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			rules := allianceRules()
			d := newTestPool(t, Config{Hello: &exchange.Hello{Backfill: true, Match: exchange.MatchOf(rules)}, Schema: skill(t), Rules: rules})
			made := exchange.Proposal{Teams: test.teams}
			for i := range uint64(4) {
				id := d.add(alone(0, person(1+i, 1500, 20, 20)))
				if slices.Contains(slices.Concat(test.teams...), fmt.Sprint("p", 1+i)) {
					made.Tickets = append(made.Tickets, id)
				}
			}
			var answer exchange.Answer
			if test.session == nil {
				answer.Matches = []exchange.Proposal{made}
			} else {
				s := matcher.Session{Match: 7, Values: []matcher.Value{}}
				for i, team := range test.session {
					s.Members = append(s.Members, matcher.Member{Player: person(90+uint64(i), 1500, 20, 20), Team: team})
				}
				if _, err := d.AddSession(s); err != nil {
					t.Fatal(err)
				}
				answer.Backfills = []exchange.Backfill{{Session: "m7", Proposal: made}}
			}
			out := d.pass(test.waitMS, answer)
			r := d.Report()
			equal(t, "report", []any{len(out.Matches) + len(out.Backfills), d.Dropped(), r.Checked, r.Violations}, []any{1, []exchange.Dropped{}, 1, test.want})
		})
	}
}
