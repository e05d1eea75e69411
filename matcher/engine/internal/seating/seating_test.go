package seating_test

import (
	"math"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/seating"
	"mmsim/matcher/engine/internal/store"

	"pgregory.net/rapid"
)

// The columns and the instant of a world.
const (
	skill matcher.Column = iota
	mode
	nowMS = 100_000
)

// world is a small pool of tickets, whose first ticket is the seed, and rules over two
// or three teams, of which some may be absent.
type world struct {
	set      *matcher.SeatRules
	minTeams int
	tickets  []matcher.Ticket
}

// path returns the values of a column for all players of the given teams.
func path(base matcher.Base, column matcher.Column, teams ...int) *matcher.Expression {
	x := &matcher.Expression{Type: matcher.Type{Base: base, Depth: 1}, Teams: teams, Field: matcher.InColumn, Column: column}
	if len(teams) > 1 {
		x.PerTeam, x.Depth = true, 2
		x = &matcher.Expression{Type: matcher.Type{Base: base, Depth: 1}, Function: matcher.Flatten, Argument: x}
	}
	return x
}

func mean(x *matcher.Expression) *matcher.Expression {
	return &matcher.Expression{Type: matcher.Type{Base: x.Base}, Function: matcher.Avg, Argument: x}
}

// drawSteps draws a number that may change twice.
func drawSteps(t *rapid.T, label string, from, to int) matcher.Steps[float64] {
	number := func() float64 { return float64(rapid.IntRange(from, to).Draw(t, label)) }
	steps := matcher.Steps[float64]{{Value: number()}}
	for _, afterMS := range []int64{10_000, 20_000} {
		if rapid.Bool().Draw(t, label+" changes") {
			steps = append(steps, matcher.Step[float64]{AfterMS: afterMS, Value: number()})
		}
	}
	return steps
}

// drawCommon draws whose wait counts for a rule, and when the rule is enforced.
func drawCommon(t *rapid.T, name string) matcher.SeatCommon {
	c := matcher.SeatCommon{Name: name}
	if basis := rapid.IntRange(-1, 2).Draw(t, name+" basis"); basis >= 0 {
		c.Basis = new(matcher.ExpansionBasis(basis))
	}
	if untilMS := rapid.SampledFrom([]int64{0, 5_000, 10_000, 15_000}).Draw(t, name+" until"); untilMS > 0 {
		c.Enforced = matcher.Steps[bool]{{Value: true}, {AfterMS: untilMS}}
	}
	return c
}

func drawWorld(t *rapid.T) *world {
	w := &world{set: &matcher.SeatRules{Oldest: rapid.Bool().Draw(t, "oldest")}}
	for _, name := range []string{"red", "blue", "green"}[:rapid.IntRange(2, 3).Draw(t, "teams")] {
		least := drawSteps(t, name+" min", 1, 2)
		w.set.Teams = append(w.set.Teams, matcher.SeatTeam{Name: name, Min: least, Max: matcher.Steps[float64]{{Value: float64(rapid.IntRange(2, 3).Draw(t, name+" max"))}}})
	}
	teams := []int{0, 1, 2}[:len(w.set.Teams)]
	w.minTeams = rapid.IntRange(0, len(teams)).Draw(t, "min teams")
	rules := []matcher.SeatRule{
		&matcher.BatchDistance{SeatCommon: drawCommon(t, "spread"), Column: skill, Max: drawSteps(t, "spread", 0, 9)},
		&matcher.Distance{SeatCommon: drawCommon(t, "gap"), Measured: []*matcher.Expression{mean(path(matcher.Numbers, skill, 0))},
			Reference: matcher.Steps[matcher.Reference]{{Value: matcher.Reference{Expression: mean(path(matcher.Numbers, skill, 1))}}}, Max: drawSteps(t, "gap", 0, 4)},
		&matcher.Comparison{SeatCommon: drawCommon(t, "same mode"), Operation: "=", Measured: []*matcher.Expression{path(matcher.Texts, mode, teams...)}},
	}
	for _, rule := range rules {
		if _, gap := rule.(*matcher.Distance); gap && w.minTeams == 1 {
			continue // the rule reads two teams, which must not be absent
		}
		if rapid.Bool().Draw(t, "has "+rule.Common().Name) {
			w.set.Rules = append(w.set.Rules, rule)
		}
	}
	for range rapid.IntRange(2, 5).Draw(t, "tickets") {
		text := matcher.TextValue(matcher.Text(rapid.IntRange(1, 2).Draw(t, "mode")))
		ticket := matcher.Ticket{CreatedMS: nowMS - 1000*int64(rapid.IntRange(0, 25).Draw(t, "wait"))}
		for range rapid.IntRange(1, 2).Draw(t, "players") {
			number := matcher.NumberValue(float64(rapid.IntRange(0, 8).Draw(t, "skill")))
			ticket.Players = append(ticket.Players, matcher.Player{Values: []matcher.Value{number, text}})
		}
		w.tickets = append(w.tickets, ticket)
	}
	return w
}

// search runs a Search around the first ticket, with a budget that it cannot use up. It returns the
// team of each ticket, or -1 for tickets outside the match.
func (w *world) search(t *rapid.T) (team []int, found bool) {
	var schema matcher.Schema
	for _, name := range []string{"skill", "mode"} {
		schema.Column(name)
	}
	for _, text := range []string{"", "ctf", "duel"} {
		schema.Intern(text)
	}
	set := &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 9, MinTeams: w.minTeams, Seats: w.set}
	if err := set.Validate(); err != nil {
		t.Fatal(err)
	}
	rules := seating.Compile(set, &schema)
	rows := store.New(rules.StageAt)
	rules.Begin(rows)
	var s seating.Search
	s.Begin(rules, 1_000_000)
	var list []store.Row
	for i := range w.tickets {
		row := rows.Add(store.Ticket, w.tickets[i].CreatedMS, matcher.Never, len(w.tickets[i].Players))
		rules.Load(row, &w.tickets[i])
		list = append(list, row)
	}
	rows.Advance(nowMS)
	others := slices.Clone(list[1:])
	slices.SortFunc(others, rows.Compare)
	s.Free = math.MaxInt32
	s.Listed(others, nil, list[0], false)
	found = s.Run(list[0]) == seating.Found
	team = slices.Repeat([]int{-1}, len(list))
	for k, row := range s.Group {
		team[slices.Index(list, row)] = s.Team[k]
	}
	return team, found
}

// allows reports whether the rules allow a match, in plain arithmetic. It is the twin of Search.
func (w *world) allows(team []int) bool {
	var waitsMS []int64
	numbers := make([][]float64, len(w.set.Teams))
	modes := map[matcher.Text]bool{}
	for i, at := range team {
		if at < 0 {
			continue
		}
		ticket := &w.tickets[i]
		waitsMS = append(waitsMS, nowMS-ticket.CreatedMS)
		sum := 0.0
		for _, p := range ticket.Players {
			sum += p.Values[skill].Number
			modes[p.Values[mode].Text] = true
		}
		for range ticket.Players { // every player has the mean of the party
			numbers[at] = append(numbers[at], sum/float64(len(ticket.Players)))
		}
	}
	oldest, newest, sum := slices.Max(waitsMS), slices.Min(waitsMS), int64(0)
	for _, waitMS := range waitsMS {
		sum += waitMS
	}
	wait := newest
	if w.set.Oldest {
		wait = oldest
	}
	count := len(w.set.Teams)
	for w.minTeams > 0 && count > w.minTeams && len(numbers[count-1]) == 0 {
		count--
	}
	for at, limits := range w.set.Teams[:count] {
		least, _ := limits.Min.At(wait)
		most, _ := limits.Max.At(wait)
		if n := float64(len(numbers[at])); n < least || n > most {
			return false
		}
	}
	average := func(list []float64) (mean float64) {
		for _, n := range list {
			mean += n / float64(len(list))
		}
		return mean
	}
	for _, rule := range w.set.Rules {
		wait, c := wait, rule.Common()
		if c.Basis != nil {
			wait = [...]int64{oldest, newest, sum / int64(len(waitsMS))}[*c.Basis]
		}
		if enforced, timed := c.Enforced.At(wait); timed && !enforced {
			continue
		}
		holds := len(modes) == 1
		switch rule := rule.(type) {
		case *matcher.BatchDistance:
			most, _ := rule.Max.At(wait)
			all := slices.Concat(numbers...)
			holds = slices.Max(all)-slices.Min(all) <= most
		case *matcher.Distance:
			most, _ := rule.Max.At(wait)
			holds = math.Abs(average(numbers[0])-average(numbers[1])) <= most+1e-9
		}
		if !holds {
			return false
		}
	}
	return true
}

// exists reports whether any assignment of tickets to teams that contains the seed is a match.
func (w *world) exists(team []int) bool {
	if len(team) == len(w.tickets) {
		return w.allows(team)
	}
	for at := -1; at < len(w.set.Teams); at++ {
		if (len(team) > 0 || at >= 0) && w.exists(append(slices.Clone(team), at)) {
			return true
		}
	}
	return false
}

// A search finds a match exactly if there is one, and the rules allow the match, whatever waits the
// rules count by and whenever they are enforced.
func TestSearchAgainstTwin(t *testing.T) {
	found, none := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		team, ok := w.search(t)
		switch exists := w.exists(nil); {
		case ok != exists:
			t.Fatalf("got a match %v (%v), but one exists: %v", ok, team, exists)
		case ok && !w.allows(team):
			t.Fatalf("got the match %v, which the rules do not allow", team)
		case ok:
			found++
		default:
			none++
		}
	})
	if found == 0 || none == 0 {
		t.Errorf("%d worlds with a match and %d without, want some of each", found, none)
	}
}
