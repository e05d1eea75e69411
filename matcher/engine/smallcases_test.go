package engine

import (
	"fmt"
	"math/rand/v2"
	"mmsim/matcher"
	"slices"
	"testing"
)

// TestAllSmallCases compares the engine with the twin in every case of four tickets. A ticket has
// one or two players, one of two skills, and one of two builds or none. Matches have two to four
// players in two teams.
func TestAllSmallCases(t *testing.T) {
	type kind struct {
		size         int
		skill, build int
	}
	var kinds []kind
	for size := 1; size <= 2; size++ {
		for skill := range 2 {
			for build := range 3 {
				kinds = append(kinds, kind{size, skill * 3, build})
			}
		}
	}
	w := newRandomCase(0)
	rules := &matcher.Ruleset{
		MinPlayers: 2, MaxPlayers: 4, Teams: []matcher.Team{{Name: "red", Min: 1, Max: 2}, {Name: "blue", Min: 1, Max: 2}},
		Rules: []matcher.Rule{
			&matcher.EqualText{Common: matcher.Common{Name: "build", Weight: 1, OptionalAfterMS: matcher.Never}, Column: w.column("build"), Enabled: matcher.Fixed(0), MissingAny: true, Default: 0},
			&matcher.NumberDistance{Common: matcher.Common{Name: "skill", Weight: 1, OptionalAfterMS: 6000}, Column: w.column("skill"), Max: matcher.Linear(1, 2, 3, 3000), Merge: matcher.Average, MissingAny: false, Default: 0},
			&matcher.TeamGap{Common: matcher.Common{Name: "gap", Weight: 0, OptionalAfterMS: matcher.Never}, Column: w.column("skill"), Max: matcher.Linear(1, 1, 9, 2000), Default: 0},
		},
	}
	ticket := func(k kind, createdMS int64) matcher.Ticket {
		values := make([]matcher.Value, w.schema.Columns())
		values[w.column("skill")] = matcher.NumberValue(float64(k.skill))
		if k.build > 0 {
			values[w.column("build")] = matcher.TextValue(w.texts[k.build])
		}
		return matcher.Ticket{CreatedMS: createdMS, Players: slices.Repeat([]matcher.Player{{Values: values}}, k.size)}
	}
	cases := 0
	for code := range len(kinds) * len(kinds) * len(kinds) * len(kinds) {
		pool, err := NewPool(rules, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		b := &both{w, pool, newPlaceAssigner(pool), &twin{rules: rules, schema: w.schema}}
		for i, rest := int64(0), code; i < 4; i, rest = i+1, rest/len(kinds) {
			b.addTicket(ticket(kinds[rest%len(kinds)], i*int64(code%5)*800))
		}
		if b.check(t, 7000, true); t.Failed() {
			b.describe(t, uint64(code))
			t.FailNow()
		}
		cases++
	}
	if cases != 20_736 {
		t.Errorf("got %d cases, want 12^4", cases)
	}
}

// If no two tickets were created at the same time, the order in which they are added does not
// affect the outcome.
func TestOrderOfAddingChangesNothing(t *testing.T) {
	for seed := range uint64(300) {
		var outcomes []string
		for range 3 {
			w := newRandomCase(seed)
			pool, err := NewPool(w.ruleset(), w.schema)
			if err != nil {
				t.Fatal(err)
			}
			tickets := make([]matcher.Ticket, 9)
			for i := range tickets {
				tickets[i] = w.ticket(20_000, 3)
				tickets[i].CreatedMS = int64(i) * 1700
			}
			order := rand.New(rand.NewPCG(seed, uint64(len(outcomes)))).Perm(len(tickets))
			names := make(map[Row]int)
			for _, i := range order {
				if row, err := pool.Add(tickets[i]); err == nil {
					names[row] = i
				}
			}
			text := ""
			for _, match := range pool.Pass(20_000).Matches {
				for _, row := range match.Tickets {
					text += fmt.Sprint(names[row], " ")
				}
				text += fmt.Sprint(match.Regions, "; ")
			}
			outcomes = append(outcomes, text)
		}
		if outcomes[0] != outcomes[1] || outcomes[0] != outcomes[2] {
			t.Fatalf("seed %d: got outcomes %q for three orders of adding, want them equal", seed, outcomes)
		}
	}
}

// Many passes are made over hundreds of tickets. Every proposal must satisfy every rule of the
// twin, and no ticket may be lost or matched twice.
func TestCrowdKeepsTheRules(t *testing.T) {
	for seed := range uint64(60) {
		b := newBoth(t, 1<<40+seed)
		b.twin.rules.Budget, b.pool.method.(*groups).search.Budget = 0, 200
		waiting := make(map[Row]*twinEntry)
		matched, added, expired := 0, 0, 0
		for now := int64(10_000); now < 30_000; now += 2000 {
			for range 30 {
				ticket := b.w.ticket(now, 3)
				if row, err := b.pool.Add(ticket); err == nil {
					waiting[row] = &twinEntry{row: row, createdMS: ticket.CreatedMS, players: ticket.Players}
					added++
				}
			}
			b.twin.nowMS = now
			out := b.pool.Pass(now)
			for _, row := range out.Expired {
				delete(waiting, row)
				expired++
			}
			for i, match := range out.Matches {
				var group []*twinEntry
				for _, row := range match.Tickets {
					if waiting[row] == nil {
						t.Fatalf("seed %d: row %d is in an outcome but was not waiting", seed, row)
					}
					group = append(group, waiting[row])
					delete(waiting, row)
				}
				if n := players(group); n < b.twin.rules.MinPlayers || n > b.twin.rules.MaxPlayers || !b.twin.allFit(group, true) {
					t.Errorf("seed %d: match %v breaks a rule or has a wrong number of players", seed, match.Tickets)
				}
				b.checkTeams(t, out, i+len(out.Backfills), group)
				matched += len(group)
			}
		}
		if b.pool.Waiting() != len(waiting) || added != matched+expired+len(waiting) {
			t.Errorf("seed %d: got %d tickets added, %d matched, %d expired and %d waiting, want the last three to add up to the first", seed, added, matched, expired, b.pool.Waiting())
		}
	}
}
