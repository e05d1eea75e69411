package criterion_test

import (
	"math"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

var schema = new(matcher.Schema)

func always(name string) matcher.Common {
	return matcher.Common{Name: name, Weight: 1, OptionalAfterMS: matcher.Never}
}

func load(rule matcher.Rule, tickets ...[]matcher.Player) criterion.Criterion {
	c := criterion.New(rule, &matcher.Ruleset{}, schema)
	for i, players := range tickets {
		c.Load(store.Row(i), players)
	}
	return c
}

// party returns one player for each value. The player has the value in the first column, or no
// value if it is the zero Value.
func party(values ...matcher.Value) (players []matcher.Player) {
	for _, v := range values {
		players = append(players, matcher.Player{Values: []matcher.Value{v}})
	}
	return players
}

func numbers(list ...float64) (players []matcher.Player) {
	for _, n := range list {
		players = append(players, party(matcher.NumberValue(n))...)
	}
	return players
}

func texts(list ...string) (players []matcher.Player) {
	for _, text := range list {
		players = append(players, party(matcher.TextValue(schema.Intern(text)))...)
	}
	return players
}

// sets returns one player for each string. The player's set consists of the letters of the string.
func sets(list ...string) (players []matcher.Player) {
	for _, letters := range list {
		var set []string
		for _, letter := range letters {
			set = append(set, string(letter))
		}
		players = append(players, party(matcher.SetValue(schema.Set(set)))...)
	}
	return players
}

func rtts(players ...[]float64) (list []matcher.Player) {
	for _, rttMS := range players {
		list = append(list, matcher.Player{RTTMS: rttMS})
	}
	return list
}

// TestPairs checks the distance of two rows, and whether they may meet, at the start of a rule's
// schedule.
func TestPairs(t *testing.T) {
	for _, region := range []string{"west", "east"} {
		schema.Region(region)
	}
	none, nan := matcher.Value{}, math.NaN()
	number := func(max float64, merge matcher.Merge, missingAny bool) matcher.Rule {
		return &matcher.NumberDistance{Common: always("number"), Max: matcher.Fixed(max), Merge: merge, MissingAny: missingAny, Default: 5}
	}
	text := func(missingAny bool) matcher.Rule {
		return &matcher.EqualText{Common: always("text"), Enabled: matcher.Fixed(0), MissingAny: missingAny, Default: schema.Intern("a")}
	}
	set := func(least float64, missingAny bool) matcher.Rule {
		return &matcher.SetOverlap{Common: always("set"), MinShared: matcher.Fixed(least), MissingAny: missingAny, Default: schema.Set([]string{"a", "b"})}
	}
	total := &matcher.MatchTotal{Common: always("total"), Min: matcher.Fixed(0), Max: matcher.Fixed(100)}
	region := func(max float64) matcher.Rule {
		return &matcher.ReachRegion{Common: always("region"), MaxRTTMS: matcher.Fixed(max)}
	}
	for _, c := range []struct {
		name     string
		rule     matcher.Rule
		a, b     []matcher.Player
		distance float64
		ok       bool
	}{
		{"60 of 100", number(100, 0, false), numbers(1500), numbers(1560), 0.6, true},
		{"all of 100", number(100, 0, false), numbers(1600), numbers(1500), 1, true},
		{"101 of 100", number(100, 0, false), numbers(1601), numbers(1500), 1, false},
		{"0.8 and 0.6 within 0.2", number(0.2, 0, false), numbers(0.8), numbers(0.6), 1, true},
		{"equal within 0", number(0, 0, false), numbers(7), numbers(7), 0, true},
		{"different within 0", number(0, 0, false), numbers(7), numbers(8), 1, false},
		{"average of 10 and 40", number(50, matcher.Average, false), numbers(10, 40), numbers(0), 0.5, true},
		{"lowest of 10 and 40", number(50, matcher.Lowest, false), numbers(10, 40), numbers(0), 0.2, true},
		{"highest of 10 and 40", number(50, matcher.Highest, false), numbers(10, 40), numbers(0), 0.8, true},
		{"missing counts 5", number(50, 0, false), party(none), numbers(30), 0.5, true},
		{"missing counts 5 in a party", number(50, 0, false), party(none, matcher.NumberValue(15)), numbers(0), 0.2, true},
		{"a missing number is ignored", number(50, 0, true), party(none), numbers(3000), 0, true},
		{"a missing number in a party is ignored", number(50, 0, true), party(none, matcher.NumberValue(15)), numbers(0), 0.3, true},

		{"equal texts", text(false), texts("a"), texts("a", "a"), 0, true},
		{"different texts", text(false), texts("a"), texts("A"), 1, false},
		{"a party with two texts", text(false), texts("a", "b"), texts("a"), 1, false},
		{"missing text is a", text(false), party(none), texts("a"), 0, true},
		{"missing text is not b", text(false), party(none), texts("b"), 1, false},
		{"a missing text is ignored", text(true), party(none), texts("b"), 0, true},
		{"but not two texts", text(true), party(none), texts("a", "b"), 1, false},

		{"two of three shared", set(2, false), sets("abc"), sets("bcd"), 1.0 / 3, true},
		{"two shared, three wanted", set(3, false), sets("abc"), sets("bcd"), 1.0 / 3, false},
		{"a party has the intersection of its sets", set(1, false), sets("abc", "bcd"), sets("bx"), 0.5, true},
		{"nothing shared", set(1, false), sets("ab"), sets("cd"), 1, false},
		{"missing set is a and b", set(1, false), party(none), sets("bc"), 0.5, true},
		{"a missing set is ignored", set(1, true), party(none), sets("z"), 0, true},
		{"an empty set shares nothing", set(1, true), sets(""), sets("z"), 1, false},

		{"80 of at most 100", total, numbers(30), numbers(20, 30), 0.2, true},
		{"100 of at most 100", total, numbers(50), numbers(50), 0, true},
		{"101 of at most 100", total, numbers(50), numbers(51), 0, false},
		{"a missing number adds 0", total, party(none), numbers(90), 0.1, true},
		{"a negative sum may bring it down", total, numbers(-1), numbers(150), 0, true},

		{"one region in common", region(80), rtts([]float64{20, 60}), rtts([]float64{40, 100}), 1 / 1.5, true},
		{"two regions, one at the limit", region(100), rtts([]float64{20, 60}), rtts([]float64{40, 100}), 1 / 1.6, true},
		{"none within the limit", region(39), rtts([]float64{20, 60}), rtts([]float64{40, 100}), 1, false},
		{"the worst of a party", region(80), rtts([]float64{20, 60}, []float64{90, 40}), rtts([]float64{40, 40}), 1 / 1.25, true},
		{"not measured", region(80), rtts([]float64{nan, 60}), rtts([]float64{40}), 1, false},
	} {
		rule := load(c.rule, c.a, c.b).(criterion.Ranking)
		l, _ := rule.At(0)
		for _, pair := range [][2]store.Row{{0, 1}, {1, 0}} {
			distance, ok := rule.Distance(&l, pair[0], pair[1]), rule.Meet(&l, pair[0], pair[1])
			if math.Abs(distance-c.distance) > 1e-12 || ok != c.ok {
				t.Errorf("%s: Pair: got distance %v, %v; want %v, %v", c.name, distance, ok, c.distance, c.ok)
			}
		}
		if least := rule.Nearest(&l, 0); least > c.distance+1e-12 {
			t.Errorf("%s: Nearest: got %v, want at most %v, the distance of this row", c.name, least, c.distance)
		}
		if v, valued := rule.(criterion.Valued); valued && c.ok && v.Filters(&l) && v.Mask(&l, 0)&v.Mask(&l, 1) == 0 {
			t.Errorf("%s: the masks of two rows that may meet share no bit, want at least one", c.name)
		}
	}
}

// TestSchedules checks a rule's Limit after a wait, and the wait at which it changes next.
func TestSchedules(t *testing.T) {
	list := []matcher.Override{{Value: 2}, {Value: 2}, {Inactive: true}, {Value: 1}}
	optional := func(afterMS int64) matcher.Common { return matcher.Common{OptionalAfterMS: afterMS} }
	for _, c := range []struct {
		name    string
		rule    matcher.Rule
		waitMS  int64
		want    store.Limit
		untilMS int64
	}{
		{"at first", &matcher.NumberDistance{Common: optional(matcher.Never), Max: matcher.Linear(100, 50, 175, 5000)}, 0, store.Limit{Bound: 100, Active: true}, 5000},
		{"after a step", &matcher.NumberDistance{Common: optional(matcher.Never), Max: matcher.Linear(100, 50, 175, 5000)}, 9999, store.Limit{Bound: 150, Active: true}, 10_000},
		{"at the limit", &matcher.NumberDistance{Common: optional(matcher.Never), Max: matcher.Linear(100, 50, 175, 5000)}, 10_000, store.Limit{Bound: 175, Active: true}, matcher.Never},
		{"before it is optional", &matcher.TeamGap{Common: optional(7000), Max: matcher.Linear(1, 1, 9, 5000)}, 6000, store.Limit{Bound: 2, Active: true}, 7000},
		{"after the rule became optional", &matcher.TeamGap{Common: optional(7000), Max: matcher.Linear(1, 1, 9, 5000)}, 7000, store.Limit{Bound: 2, Active: true, Optional: true}, 10_000},
		{"a repeated stage", &matcher.SetOverlap{Common: optional(matcher.Never), MinShared: matcher.Custom(9, 1000, list)}, 500, store.Limit{Bound: 2, Active: true}, 2000},
		{"an inactive stage", &matcher.SetOverlap{Common: optional(matcher.Never), MinShared: matcher.Custom(9, 1000, list)}, 2500, store.Limit{Bound: 9}, 3000},
		{"the last stage", &matcher.SetOverlap{Common: optional(matcher.Never), MinShared: matcher.Custom(9, 1000, list)}, 99_000, store.Limit{Bound: 1, Active: true}, matcher.Never},
		{"two schedules", &matcher.MatchTotal{Common: optional(matcher.Never), Min: matcher.Linear(10, -1, 0, 3000), Max: matcher.Linear(20, 1, 30, 5000)}, 5000, store.Limit{Bound: 21, Least: 9, Active: true}, 6000},
		{"one of two inactive", &matcher.MatchTotal{Common: optional(matcher.Never), Min: matcher.Custom(3, 1000, list), Max: matcher.Fixed(20)}, 2000, store.Limit{Bound: 20, Least: 3}, 3000},
		{"a switch", &matcher.EqualText{Common: optional(matcher.Never), Enabled: matcher.Custom(0, 4000, []matcher.Override{{Inactive: true}, {}})}, 0, store.Limit{}, 4000},
		{"team sizes", &matcher.TeamBalance{Common: optional(matcher.Never), Max: matcher.Linear(0, 1, 1, 10_000)}, 10_000, store.Limit{Bound: 1, Active: true}, matcher.Never},
		{"no schedule", &matcher.LargeParties{Common: optional(5000)}, 0, store.Limit{Active: true}, 5000},
	} {
		got, untilMS := load(c.rule).At(c.waitMS)
		if got != c.want || untilMS != c.untilMS {
			t.Errorf("%s: got limit %+v until %d ms, want %+v until %d ms", c.name, got, untilMS, c.want, c.untilMS)
		}
	}
}

// TestInForce checks whose wait determines a rule's limit, and whether the rule is enforced.
func TestInForce(t *testing.T) {
	limit := func(optional bool) *store.Limit { return &store.Limit{Active: true, Optional: optional} }
	off := &store.Limit{}
	for _, c := range []struct {
		basis      criterion.Basis
		old, young *store.Limit
		byOld      bool
		enforced   bool
	}{
		{criterion.Basis{}, limit(false), limit(false), true, true},
		{criterion.Basis{}, limit(true), limit(false), true, true}, // the younger ticket has not waited long enough
		{criterion.Basis{}, limit(true), limit(true), true, false},
		{criterion.Basis{}, off, limit(false), true, false},
		{criterion.Basis{Any: true}, limit(true), limit(false), true, false},
		{criterion.Basis{Shortest: true}, off, limit(false), false, true},
		{criterion.Basis{Shortest: true, Any: true}, limit(true), limit(false), false, false},
	} {
		l, enforced := c.basis.InForce(c.old, c.young)
		if (l == c.old) != c.byOld || enforced != c.enforced {
			t.Errorf("basis %+v of limits %+v and %+v: got the limit of the older ticket: %v, enforced %v; want %v, %v", c.basis, *c.old, *c.young, l == c.old, enforced, c.byOld, c.enforced)
		}
	}
}

// TestGroups checks which tickets a rule allows to join a group, and whether it allows the complete
// group as a match.
func TestGroups(t *testing.T) {
	for _, region := range []string{"west", "east"} {
		schema.Region(region)
	}
	set := &matcher.SetOverlap{Common: always("set"), MinShared: matcher.Fixed(1), MissingAny: true}
	total := &matcher.MatchTotal{Common: always("total"), Min: matcher.Fixed(60), Max: matcher.Fixed(100)}
	region := &matcher.ReachRegion{Common: always("region"), MaxRTTMS: matcher.Fixed(50)}
	for _, c := range []struct {
		name    string
		rule    matcher.Rule
		tickets [][]matcher.Player
		fits    int // number of tickets that can be pushed
		final   bool
	}{
		{"one element in all", set, [][]matcher.Player{sets("ab"), sets("bc"), sets("b")}, 3, true},
		{"two that share nothing", set, [][]matcher.Player{sets("ab"), sets("cd")}, 1, true},
		{"all pairs share a value, but not all three", set, [][]matcher.Player{sets("ab"), sets("bc"), sets("ac")}, 2, true},
		{"missing sets are ignored", set, [][]matcher.Player{sets("ab"), party(matcher.Value{}), sets("b")}, 3, true},
		{"an empty set and a missing set", set, [][]matcher.Player{sets(""), party(matcher.Value{})}, 0, true},
		{"a sum within both bounds", total, [][]matcher.Player{numbers(30), numbers(20, 20)}, 2, true},
		{"a sum below the minimum", total, [][]matcher.Player{numbers(30), numbers(29)}, 2, false},
		{"a sum above the maximum", total, [][]matcher.Player{numbers(30), numbers(40), numbers(31)}, 2, true},
		{"a sum that a later ticket may lower", total, [][]matcher.Player{numbers(80), numbers(40), numbers(-10)}, 3, false},
		{"a region that all reach", region, [][]matcher.Player{rtts([]float64{20, 40}), rtts([]float64{90, 50}), rtts([]float64{30, 10})}, 3, true},
		{"regions of pairs", region, [][]matcher.Player{rtts([]float64{20, 40}), rtts([]float64{90, 50}), rtts([]float64{30, 60})}, 2, true},
	} {
		rule := load(c.rule, c.tickets...).(criterion.Grouped)
		l, _ := rule.At(0)
		var group []store.Row
		for len(group) < len(c.tickets) {
			if group = append(group, store.Row(len(group))); !rule.Push(&l, group) {
				group = group[:len(group)-1]
				break
			}
		}
		if len(group) != c.fits || rule.Final(&l, len(group)) != c.final {
			t.Errorf("%s: got %d tickets accepted and Final %v; want %d, %v", c.name, len(group), rule.Final(&l, len(group)), c.fits, c.final)
		}
	}
}

// TestSpread checks the largest possible difference between the numbers of two tickets of a match.
func TestSpread(t *testing.T) {
	number := func(max matcher.Schedule, optionalAfterMS int64) matcher.Rule {
		return &matcher.NumberDistance{Common: matcher.Common{OptionalAfterMS: optionalAfterMS}, Max: max}
	}
	for _, c := range []struct {
		name       string
		rule       matcher.Rule
		basis      matcher.ExpansionBasis
		own, group float64 // expected results of Spread if the oldest ticket has waited for 5 s, and for any match
	}{
		{"it widens", number(matcher.Linear(100, 50, 500, 5000), matcher.Never), matcher.LongestWait, 150, 500},
		{"it narrows", number(matcher.Linear(100, -50, 0, 5000), matcher.Never), matcher.LongestWait, 100, 100},
		{"the newest counts", number(matcher.Linear(100, 50, 500, 5000), matcher.Never), matcher.ShortestWait, 500, 500},
		{"it becomes optional", number(matcher.Linear(100, 50, 500, 5000), 60_000), matcher.LongestWait, math.Inf(1), math.Inf(1)},
		{"it is inactive at times", number(matcher.Custom(0, 5000, []matcher.Override{{Value: 1}, {Value: 2}, {Inactive: true}}), matcher.Never), matcher.LongestWait, math.Inf(1), math.Inf(1)},
	} {
		keyed := criterion.New(c.rule, &matcher.Ruleset{ExpansionBasis: c.basis}, schema).(criterion.Keyed)
		l, _ := keyed.At(5000)
		own, group := keyed.Spread(&l), keyed.Spread(nil)
		near := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-6 }
		if !near(own, c.own) || !near(group, c.group) {
			t.Errorf("%s: got spread %v to the oldest and %v of the group; want %v and %v", c.name, own, group, c.own, c.group)
		}
	}
}

// Choices sorts regions by the worst round-trip time, then by the mean over all players, then by
// name.
func TestRegionChoices(t *testing.T) {
	three := new(matcher.Schema)
	var west, east, north matcher.Region
	for i, name := range []string{"west", "east", "north"} {
		*[]*matcher.Region{&west, &east, &north}[i], _ = three.Region(name)
	}
	rule := &matcher.ReachRegion{Common: always("region"), MaxRTTMS: matcher.Fixed(50)}
	c := criterion.New(rule, &matcher.Ruleset{}, three).(*criterion.Region)
	c.Load(0, rtts([]float64{30, 20, 30}))
	c.Load(1, rtts([]float64{10, 40, 10}, []float64{20, 20, 20}))
	c.Load(2, rtts([]float64{90, 30, 90}))
	l, _ := c.At(0)
	group := []store.Row{0, 1}
	if !c.Push(&l, group[:1]) || !c.Push(&l, group) {
		t.Fatal("Push refused a group with a common region")
	}
	got := c.Choices(nil, group, 3, true)
	if want := []matcher.Region{north, west, east}; len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("Choices: got regions %v, want %v: by RTT, and by name if it is equal", got, want)
	}
	group = append(group, 2)
	c.Push(&l, group)
	if got := c.Choices(nil, group, 4, true); len(got) != 1 || got[0] != east {
		t.Errorf("Choices: got regions %v, want east alone", got)
	}
}
