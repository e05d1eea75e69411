package engine

import (
	"fmt"
	"math"
	"mmsim/matcher"
	"testing"
)

// Every match among many tickets must satisfy the rules. The test checks each rule alone.
func TestPivotCrowdKeepsTheRules(t *testing.T) {
	pool, crowd := crowdedPool(t, flexing(), 3000)
	tickets := crowd.tickets
	const nowMS = 60_000
	skill := func(row Row) float64 { return tickets[row].Players[0].Values[skillColumn].Number }
	wait := func(row Row) int64 { return nowMS - tickets[row].CreatedMS }
	allowed := func(row Row) float64 { return 200 + 100*math.Floor(float64(wait(row))/15_000) }
	seen := make(map[Row]bool)
	out := pool.Pass(nowMS)
	for _, m := range out.Matches {
		if len(m.Tickets) != 10 || len(m.Teams) != 2 || len(m.Teams[0].Tickets) != 5 || len(m.Teams[1].Tickets) != 5 {
			t.Errorf("got match %v, want two teams of five tickets", m)
		}
		seed := m.Tickets[0]
		for _, row := range m.Tickets {
			difference := math.Abs(skill(row) - skill(seed))
			reach := min(350, 50+50*math.Floor(float64(wait(row))/10_000))
			switch {
			case seen[row]:
				t.Errorf("ticket %d is in two matches, want at most one", row)
			case difference > min(500, allowed(row)) || difference > min(500, allowed(seed)):
				t.Errorf("ticket %d has distance %g from the pivot, more than both allow", row, difference)
			case crowd.rttMS[tickets[row].place][m.Region] > reach:
				t.Errorf("ticket %d does not reach region %d of its match", row, m.Region)
			}
			seen[row] = true
		}
	}
	if len(out.Matches) < 250 {
		t.Errorf("got %d matches of 3000 tickets, want at least 250", len(out.Matches))
	}
}

// Explain must name what keeps two tickets apart, and the first instant at which it no longer does.
func TestPivotExplain(t *testing.T) {
	schema := new(matcher.Schema)
	for _, region := range []string{"ap", "eu"} {
		schema.Region(region)
	}
	rules := flexing()
	rules.Pivot.Region.Name = "near"
	pool, err := NewPool(rules, schema)
	if err != nil {
		t.Fatal(err)
	}
	add := func(createdMS int64, skill float64, name string, rttMS ...float64) Row {
		row, err := pool.Add(matcher.Ticket{CreatedMS: createdMS, Players: []matcher.Player{{RTTMS: rttMS, Values: []matcher.Value{matcher.NumberValue(skill), matcher.TextValue(schema.Intern(name))}}}})
		if err != nil {
			t.Fatal(err)
		}
		return row
	}
	self := add(0, 1000, "self", 20, math.NaN())
	add(4000, 1250, "skill", 20)            // may meet once both have waited for 15 s
	add(4000, 1700, "never", 20)            // may never meet, because the final limit is 500
	add(4000, 1000, "self", 20)             // may never meet, because this is the same player
	add(4000, 1000, "far", 140)             // may meet once this ticket has waited for 20 s
	add(4000, 1000, "elsewhere", 400, 10)   // may never meet, because there is no common region within 350 ms
	add(4000, 1000, "anywhere")             // may meet
	add(4000, 1200.0000000001, "close", 50) // may meet
	want := []string{"skill 19000", "skill never", "same player never", "near 24000", "near never", "-", "-"}
	list := pool.Explain(5000, self)
	for i, o := range list {
		got := "-"
		if o.Why != MayMeet {
			got = o.Name + " never"
			if o.AllowedMS != matcher.Never {
				got = fmt.Sprint(o.Name, " ", o.AllowedMS)
			}
		}
		if got != want[i] {
			t.Errorf("%d: got %s, want %s", i, got, want[i])
		}
	}
}

func TestPivotRefusals(t *testing.T) {
	for _, change := range []func(*matcher.Ruleset){
		func(r *matcher.Ruleset) {
			r.Teams = []matcher.Team{{Name: "a", Min: 0, Max: 1}, {Name: "b", Min: 0, Max: 1}}
		},
		func(r *matcher.Ruleset) { r.Pivot.Sizes = nil },
		func(r *matcher.Ruleset) { r.Pivot.Sizes[0].AfterMS = 1 },
		func(r *matcher.Ruleset) { r.Pivot.Sizes[0].MinTeams = 0 },
		func(r *matcher.Ruleset) { r.Pivot.Sizes[0].MaxPlayers = 4 },
		func(r *matcher.Ruleset) {
			r.Pivot.Sizes[0] = matcher.TeamSizes{MinTeams: math.MaxInt32, MaxTeams: math.MaxInt32, MinPlayers: math.MaxInt32, MaxPlayers: math.MaxInt32}
		},
		func(r *matcher.Ruleset) { r.Pivot.Distances[0].Max = nil },
		func(r *matcher.Ruleset) { r.Pivot.Distances[0].Max[1].Value = math.NaN() },
		func(r *matcher.Ruleset) { r.Pivot.Distances[0].Max[2].AfterMS = 1 },
		func(r *matcher.Ruleset) { r.Pivot.Distances[0].Weight = -1 },
		func(r *matcher.Ruleset) { r.Pivot.Region.MaxMS = math.NaN() },
		func(r *matcher.Ruleset) { r.Pivot.Region.ReachMS.EveryMS = -1 },
	} {
		rules := flexing()
		change(rules)
		if _, err := NewPool(rules, new(matcher.Schema)); err == nil {
			t.Errorf("NewPool accepted %+v, want an error", rules.Pivot)
		}
	}
	pool, err := NewPool(flexing(), new(matcher.Schema))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Add(matcher.Ticket{Players: make([]matcher.Player, 6)}); err == nil {
		t.Error("Add accepted a party larger than any team, want an error")
	}
	for _, team := range []int{-1, -2, matcher.MaxGroupPlayers} {
		if _, err := pool.AddSession(matcher.Session{Members: []matcher.Member{{Team: team}}}); err == nil {
			t.Errorf("AddSession accepted a member of team %d, want an error", team)
		}
	}
}
