package quick_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/quick"
	"mmsim/matcher/engine/internal/store"

	"pgregory.net/rapid"
)

// The columns of a world, the texts of its tickets, and two instants.
const (
	skill matcher.Column = iota
	mode
	role
	rank
	healer  = matcher.Text(1)
	fighter = matcher.Text(2)

	nowMS   = 100_000
	laterMS = 10_000
)

// The limits of a stage.
const (
	width quick.Limit = iota // of the spread
	least                    // players of each team
	most
	fewest // healers of each team
	cap
)

// world is a few tickets for two teams. All players need the same mode, and skills that differ by
// at most a number that grows with the wait of the newest ticket. Each team needs a number of healers, and
// a rule about players alone lets each ticket join only some teams. The lowest rank of the first team must
// be at least the highest of the second.
type world struct {
	skills, modes []int // indexed by ticket
	ranks         []int
	roles         [][]matcher.Text // of each ticket's players
	waitsMS       []int64
	alone         []uint64
	widths        [2]float64 // before laterMS and after
	size          int        // players of each team
	fewest, cap   int        // healers of each team
	counted       bool       // there is a smallest number of healers

	rows   *store.Rows
	list   []quick.Row
	group  quick.Group
	state  quick.State
	checks quick.Checks
}

func drawWorld(t *rapid.T) *world {
	w := &world{size: rapid.IntRange(2, 3).Draw(t, "size"), cap: rapid.IntRange(0, 2).Draw(t, "cap"), counted: rapid.Bool().Draw(t, "counted")}
	if w.counted {
		w.fewest = rapid.IntRange(0, w.cap).Draw(t, "fewest")
	}
	w.widths[0] = float64(rapid.IntRange(0, 4).Draw(t, "width"))
	w.widths[1] = w.widths[0] + float64(rapid.IntRange(0, 4).Draw(t, "more"))
	for range rapid.IntRange(3, 7).Draw(t, "tickets") {
		w.skills = append(w.skills, rapid.IntRange(0, 8).Draw(t, "skill"))
		w.ranks = append(w.ranks, rapid.IntRange(0, 4).Draw(t, "rank"))
		w.modes = append(w.modes, rapid.IntRange(1, 2).Draw(t, "mode"))
		w.roles = append(w.roles, rapid.SliceOfN(rapid.SampledFrom([]matcher.Text{healer, fighter}), 1, 2).Draw(t, "roles"))
		w.alone = append(w.alone, rapid.SampledFrom([]uint64{1, 2, 3, 3, 3}).Draw(t, "alone"))
		w.waitsMS = append(w.waitsMS, rapid.SampledFrom([]int64{0, laterMS}).Draw(t, "wait"))
	}
	w.load()
	return w
}

// stageAt returns the limits after a wait. Because the newest ticket decides, the wait that counts
// can only shrink while tickets join.
func (w *world) stageAt(waitMS int64) store.Stage {
	exact := []float64{w.widths[0], float64(w.size), float64(w.size), float64(w.fewest), float64(w.cap)}
	stage := store.Stage{UntilMS: laterMS}
	if waitMS >= laterMS {
		exact[width], stage.UntilMS = w.widths[1], matcher.Never
	}
	for _, n := range exact {
		stage.Limits = append(stage.Limits, store.Limit{Least: n, Bound: n, Active: true})
	}
	stage.Limits = append(stage.Limits, stage.Limits...)
	stage.Limits[len(exact)+int(width)].Least = w.widths[0]
	return stage
}

func (w *world) load() {
	w.rows = store.New(w.stageAt)
	columns := &expression.Columns{}
	quota := quick.Quota{Rule: &quick.Rule{Least: -1, Most: cap}, Text: healer, Of: []int{0, 1}}
	if w.counted {
		quota.Rule.Least = fewest
	}
	for team := range 2 {
		path := &matcher.Expression{Type: matcher.Type{Base: matcher.Texts, Depth: 1}, Teams: []int{team}, Field: matcher.InColumn, Column: role}
		quota.Measured = append(quota.Measured, columns.Compile(path, matcher.PartyAvg))
	}
	compared := quick.Compared{Rule: &quick.Rule{Least: -1, Most: -1, Quick: true}, Operation: ">="}
	for team, function := range []matcher.Function{matcher.Min, matcher.Max} {
		path := &matcher.Expression{Type: matcher.Type{Base: matcher.Numbers, Depth: 1}, Teams: []int{team}, Field: matcher.InColumn, Column: rank}
		of := columns.Compile(&matcher.Expression{Type: matcher.Type{Base: matcher.Numbers}, Function: function, Argument: path}, matcher.PartyAvg)
		compared.Sides[team] = quick.Side{Of: of, Column: columns.Column(rank, matcher.PartyAvg), Teams: 1 << team, Empty: expression.NewTally(w.size, true)}
	}
	quota.Column = columns.Column(role, matcher.PartyAvg)
	w.checks = quick.Checks{
		Spreads:    []quick.Spread{{Rule: &quick.Rule{Least: -1, Most: width, Quick: true}, Column: columns.Column(skill, matcher.PartyAvg), Factor: 1}},
		Agreements: []quick.Agreement{{Rule: &quick.Rule{Least: -1, Most: -1, Quick: true}, Column: columns.Column(mode, matcher.PartyAvg)}},
		Quotas:     []quick.Quota{quota},
		Compared:   []quick.Compared{compared},
		Alone:      []quick.Alone{{Rule: &quick.Rule{Least: -1, Most: -1, Quick: true}}},
	}
	w.group = quick.Group{Rows: w.rows, Teams: []quick.TeamSize{{Least: least, Most: most}, {Least: least, Most: most}}}
	w.group.Group = expression.Group{Columns: columns, Sides: make([][]expression.Entry, 2), Counts: make([]int32, 2), Room: []int32{int32(w.size), int32(w.size)},
		Needs: []bool{true, true}, Domains: columns.Domains()}
	w.state.Begin(&w.checks, 2)
	for i := range w.skills {
		row := w.rows.Add(store.Ticket, nowMS-w.waitsMS[i], matcher.Never, len(w.roles[i]))
		var players []matcher.Player
		for _, text := range w.roles[i] {
			players = append(players, matcher.Player{Values: []matcher.Value{matcher.NumberValue(float64(w.skills[i])), matcher.TextValue(matcher.Text(w.modes[i])), matcher.TextValue(text), matcher.NumberValue(float64(w.ranks[i]))}})
		}
		columns.Load(row, players)
		w.checks.Alone[0].Teams = append(w.checks.Alone[0].Teams, w.alone[i])
		w.checks.Load(columns, row)
		w.list = append(w.list, row)
	}
	w.rows.Advance(nowMS)
	stage := w.stageAt(laterMS)
	w.group.Stage = &stage
	w.state.Reset(&w.group)
}

// allows reports whether the rules allow a group, in plain arithmetic. teams are the teams of the
// first tickets, or -1 for those outside the group. If the group is a whole match, the teams must be
// full and have enough healers. If the number of healers has a lower bound, only a whole match shows
// whether it is too large.
func (w *world) allows(teams []int, whole bool) bool {
	var skills, modes []int
	var players, healers [2]int
	lowest, highest := math.MaxInt, math.MinInt // ranks of the first and the second team
	limit := w.widths[1]
	for i, team := range teams {
		if team < 0 {
			continue
		}
		if w.alone[i]>>team&1 == 0 {
			return false
		}
		if skills, modes = append(skills, w.skills[i]), append(modes, w.modes[i]); w.waitsMS[i] < laterMS {
			limit = w.widths[0]
		}
		if team == 0 {
			lowest = min(lowest, w.ranks[i])
		} else {
			highest = max(highest, w.ranks[i])
		}
		for _, text := range w.roles[i] {
			if players[team]++; text == healer {
				healers[team]++
			}
		}
	}
	for team := range 2 {
		if players[team] > w.size || healers[team] > w.cap && (whole || !w.counted) || whole && (players[team] < w.size || healers[team] < w.fewest) {
			return false
		}
	}
	return lowest >= highest && float64(slices.Max(skills)-slices.Min(skills)) <= limit && slices.Max(modes) == slices.Min(modes)
}

// push adds the next ticket to a team, if the state lets it.
func (w *world) push(i, team, tickets int) bool {
	row, g := w.list[i], &w.group
	before := g.Stage
	if stage := w.rows.Stage[row]; stage.UntilMS < g.Stage.UntilMS || tickets == 0 {
		g.Stage = stage
	}
	g.Sides[team] = append(g.Sides[team], expression.Entry(row))
	g.Counts[team] += w.rows.Players[row]
	g.Room[team] -= w.rows.Players[row]
	if w.state.Push(g, row, team, tickets+1) {
		return true
	}
	g.Sides[team] = g.Sides[team][:len(g.Sides[team])-1]
	g.Counts[team] -= w.rows.Players[row]
	g.Room[team] += w.rows.Players[row]
	g.Stage = before
	return false
}

// whole reports whether some of the tickets after the given ones make the group a match.
func (w *world) whole(teams []int) bool {
	if len(teams) == len(w.list) {
		return w.allows(teams, true)
	}
	for team := -1; team < 2; team++ {
		if w.whole(append(slices.Clone(teams), team)) {
			return true
		}
	}
	return false
}

// together reports whether the rules allow the group with two further tickets, in some teams.
func (w *world) together(teams []int, i, k int) bool {
	for at := range 4 {
		all := append(slices.Clone(teams), slices.Repeat([]int{-1}, len(w.list)-len(teams))...)
		if all[i], all[k] = at%2, at/2; w.allows(all, false) {
			return true
		}
	}
	return false
}

// checkPairs fails if Meeting leaves out a ticket that may be in a match with the group and another
// ticket. It returns the number of tickets left out.
func (w *world) checkPairs(t *rapid.T, teams []int, tickets int, pace quick.Row) (out int) {
	rest := w.list[len(teams):]
	w.state.List(&w.group, rest, nil)
	all := w.state.All()
	var options quick.Options
	w.state.AnyTeam(&w.group, &options)
	w.state.Pairs(tickets, pace, &options)
	for i := range rest {
		var met quick.Set
		for again := range 3 { // the state computes a set at the second call, and reads it at the third
			set := slices.Clone(all)
			if w.state.Meeting(&w.group, set, i); again > 0 && !slices.Equal(set, met) {
				t.Fatalf("option %d may be in a match with %v at first and with %v later", i, met, set)
			}
			met = set
		}
		for k := i + 1; k < len(rest); k++ {
			meets := met[0]>>k&1 == 1
			if a, b := len(teams)+i, len(teams)+k; !meets && w.together(teams, a, b) {
				t.Fatalf("tickets %d and %d may be in a match with %v, but one leaves out the other", a, b, teams)
			}
			if !meets {
				out++
			}
		}
	}
	return out
}

// checkClosed fails if Close or Shut excludes other tickets than Open does, or counts other evaluations.
func (w *world) checkClosed(t *rapid.T, rows []quick.Row, tickets int) {
	rules := []*quick.Rule{w.checks.Alone[0].Rule, w.checks.Quotas[0].Rule}
	counted := func(call func()) (failed [2]int64) {
		for i, r := range rules {
			r.Counts.Failed = 0
			defer func() { failed[i] = r.Counts.Failed }()
		}
		call()
		return failed
	}
	filled := w.state.Filled(&w.group, tickets)
	open, closed, shut := make([]uint64, len(rows)), 0, len(rows)
	want := counted(func() {
		for i, row := range rows {
			open[i] = w.state.Open(&w.group, &filled, row, 3)
			if closed += 2 - bits.OnesCount64(open[i]); open[i] != 0 || w.rows.Players[row] != w.rows.Players[rows[0]] {
				shut = min(shut, i)
			}
		}
	})
	var options quick.Options
	w.state.AnyTeam(&w.group, &options)
	n := 0
	if got := counted(func() { n = w.state.Close(&w.group, &filled, &options, 0, 1, ^uint64(0)) }); n != closed || got != want {
		t.Fatalf("Close excludes %d tickets from teams and counts %v, Open %d and %v", n, got, closed, want)
	}
	for i := range rows {
		if options.At(0).Teams(i) != open[i] {
			t.Fatalf("Close leaves teams %b for ticket %d, Open %b", options.At(0).Teams(i), i, open[i])
		}
	}
	want = counted(func() {
		for _, row := range rows[:shut] {
			w.state.Open(&w.group, &filled, row, 3)
		}
	})
	if got := counted(func() { n = w.state.Shut(&w.group, &filled, rows, w.rows.Players[rows[0]], 3) }); n != shut || got != want {
		t.Fatalf("Shut excludes %d tickets and counts %v, want %d and %v", n, got, shut, want)
	}
}

// A state lets exactly those tickets join that the rules allow, and says that there are not enough
// candidates only if none of them make the group a match. A team is closed only to tickets that may not
// join it. Pairs of candidates that it leaves out exclude each other.
func TestStateAgainstPlainArithmetic(t *testing.T) {
	refused, closed, missing, apart := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		var teams []int
		joined, pace := 0, quick.Row(-1)
		for i := range rapid.IntRange(1, len(w.list)).Draw(t, "first") {
			team := rapid.IntRange(0, 1).Draw(t, "team")
			if int(w.group.Room[team]) < len(w.roles[i]) {
				teams = append(teams, -1)
				continue
			}
			want := w.allows(append(slices.Clone(teams), team), false)
			filled := w.state.Filled(&w.group, joined)
			if w.state.Open(&w.group, &filled, w.list[i], 1<<team) == 0 {
				if closed++; want {
					t.Fatalf("team %d is closed to ticket %d, which may join it", team, i)
				}
			}
			if got := w.push(i, team, joined); got != want {
				t.Fatalf("ticket %d may join team %d: %v, want %v", i, team, got, want)
			}
			if teams = append(teams, team); want {
				joined++
				pace = w.state.Deciding(&w.group, pace, w.list[i])
			} else {
				teams[i] = -1
				refused++
			}
		}
		if joined == 0 {
			return
		}
		apart += w.checkPairs(t, teams, joined, pace)
		w.state.List(&w.group, w.list[len(teams):], nil)
		if rest := w.list[len(teams):]; len(rest) > 0 {
			w.checkClosed(t, rest, joined)
		}
		enough := w.state.Enough(&w.group, joined, w.state.All(), w.group.Room[0]+w.group.Room[1])
		if again := w.state.Enough(&w.group, joined, w.state.All(), w.group.Room[0]+w.group.Room[1]); again != enough {
			t.Fatalf("there are enough candidates: %v at first and %v when asked again", enough, again)
		}
		if !enough {
			missing++
		}
		if w.whole(teams) && !enough {
			t.Fatalf("a match with %v exists, but the candidates are too few", teams)
		}
	})
	if refused == 0 || closed == 0 || missing == 0 || apart == 0 {
		t.Errorf("%d tickets refused, %d of them because a team is closed to them, %d groups without enough candidates and %d pairs left out, want some of each", refused, closed, missing, apart)
	}
}

// A team must have players if its least number, at any wait, is above 0, and unless it may be absent. A
// team that may be absent but has a player must have players too.
func TestMeasure(t *testing.T) {
	// The limits at the group's wait, and after them the range of each at any wait.
	stage := &store.Stage{Limits: []store.Limit{{Least: 2, Bound: 2}, {Least: 3, Bound: 3}, {Least: 0, Bound: 2}, {Least: 3, Bound: 4}}}
	const two, three = quick.Limit(0), quick.Limit(1) // at any wait 0 to 2, and 3 to 4
	for _, c := range []struct {
		name     string
		team     quick.TeamSize
		anchored bool
		count    int32
		needs    bool
		room     int32
		ok       bool
	}{
		{"least 2", quick.TeamSize{Least: two, Most: three}, true, 0, true, 3, true},
		{"least 0 after some wait", quick.TeamSize{Least: two, Most: three}, false, 0, false, 4, true},
		{"least 3 or 4", quick.TeamSize{Least: three, Most: three}, false, 1, true, 3, true},
		{"absent", quick.TeamSize{Least: two, Most: three, Varies: true}, true, 0, false, 3, true},
		{"no longer absent", quick.TeamSize{Least: two, Most: three, Varies: true}, true, 1, true, 2, true},
		{"full", quick.TeamSize{Least: two, Most: three}, true, 3, true, 0, true},
		{"too many", quick.TeamSize{Least: two, Most: three}, true, 4, true, -1, false},
	} {
		g := quick.Group{Teams: []quick.TeamSize{c.team}, Stage: stage, Anchored: c.anchored}
		g.Counts, g.Room, g.Needs = []int32{c.count}, make([]int32, 1), make([]bool, 1)
		if ok := g.Measure(); ok != c.ok || g.Needs[0] != c.needs || g.Room[0] != c.room {
			t.Errorf("%s: got %v, needs players: %v, room for %d; want %v, %v, %d", c.name, ok, g.Needs[0], g.Room[0], c.ok, c.needs, c.room)
		}
	}
}
