package engine

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/clique"
	"slices"
	"testing"
)

// randomCase generates random rulesets and tickets from one seed. Its numbers are small integers, so
// that equal values and values exactly at a threshold are common.
//
// A new kind of rule must be added to the list in the method ruleset. If it reads a new attribute,
// that needs a column in newRandomCase and values in the method player. See also the list of places in
// package criterion.
type randomCase struct {
	*rand.Rand
	schema *matcher.Schema
	names  []string // names of the columns
	texts  []matcher.Text
}

func newRandomCase(seed uint64) *randomCase {
	w := &randomCase{Rand: rand.New(rand.NewPCG(seed, 7)), schema: new(matcher.Schema)}
	w.names = []string{"skill", "build", "maps", "host"}
	for _, name := range w.names {
		w.schema.Column(name)
	}
	for _, text := range []string{"a", "b", "c", "d"} {
		w.texts = append(w.texts, w.schema.Intern(text))
	}
	names := []string{"west", "east", "north"}
	w.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		w.schema.Region(name)
	}
	return w
}

// column returns the column with a name, which must be in the list in newRandomCase.
func (w *randomCase) column(name string) matcher.Column {
	if !slices.Contains(w.names, name) {
		panic("newRandomCase has no column " + name)
	}
	return w.schema.Column(name)
}

func (w *randomCase) one(chance float64) bool { return w.Float64() < chance }

// schedule returns a random schedule with thresholds around base, which may be constant, linear or
// a list.
func (w *randomCase) schedule(base, step, limit float64) matcher.Schedule {
	every := int64(1+w.IntN(4)) * 2000
	switch w.IntN(4) {
	case 0, 1:
		return matcher.Fixed(base)
	case 2:
		if w.one(0.2) {
			limit = math.Inf(int(step))
			if step < 0 {
				limit = 0
			}
		}
		return matcher.Linear(base, step, limit, every)
	}
	list := make([]matcher.Override, 1+w.IntN(4))
	for i := range list {
		list[i] = matcher.Override{Value: base + step*float64(w.IntN(4)), Inactive: w.one(0.15)}
	}
	return matcher.Custom(base, every, list)
}

func (w *randomCase) commonOf(name string) matcher.Common {
	c := matcher.Common{Name: name, Weight: []float64{1, 1, 0.3, 2.7}[w.IntN(4)], OptionalAfterMS: matcher.Never}
	if w.one(0.25) {
		c.OptionalAfterMS = int64(w.IntN(4)) * 5000
	}
	return c
}

func (w *randomCase) ruleset() *matcher.Ruleset {
	r := &matcher.Ruleset{
		Name:           "random",
		ExpansionBasis: matcher.ExpansionBasis(w.IntN(2)), OptionalBasis: matcher.OptionalBasis(w.IntN(2)),
	}
	if w.one(0.3) {
		r.Budget = 1 + w.IntN(30)
	}
	ownBasis := w.one(0.5)
	plain := w.one(0.25) // use only numbers and regions, for which the engine has a faster path
	if plain {
		r.ExpansionBasis = matcher.LongestWait
	}
	r.MinPlayers = 2 + w.IntN(3)
	r.MaxPlayers = r.MinPlayers + w.IntN(4)
	teams := w.one(0.5)
	if teams {
		for i := range 2 + w.IntN(2) {
			least := w.IntN(3)
			r.Teams = append(r.Teams, matcher.Team{Name: fmt.Sprint("team", i), Min: least, Max: max(1, least+w.IntN(3))})
		}
		if w.one(0.3) {
			r.MinTeams = 1 + w.IntN(len(r.Teams))
		}
	}
	for _, draw := range []func() matcher.Rule{
		func() matcher.Rule {
			enabled := matcher.Fixed(0)
			if w.one(0.3) {
				enabled = matcher.Custom(0, 3000, []matcher.Override{{Value: 0, Inactive: w.one(0.5)}, {Value: 0, Inactive: w.one(0.5)}, {Value: 0, Inactive: false}})
			}
			return &matcher.EqualText{Common: w.commonOf("build"), Column: w.column("build"), Enabled: enabled, MissingAny: w.one(0.5), Default: w.texts[w.IntN(3)]}
		},
		func() matcher.Rule {
			return &matcher.NumberDistance{Common: w.commonOf("skill"), Column: w.column("skill"), Max: w.schedule(float64(w.IntN(6)), 2, 9), Merge: matcher.Merge(w.IntN(3)), MissingAny: w.one(0.5), Default: 5}
		},
		func() matcher.Rule {
			return &matcher.NumberDistance{Common: w.commonOf("skill2"), Column: w.column("host"), Max: w.schedule(float64(w.IntN(3)), 1, 4), Merge: matcher.Merge(w.IntN(3)), MissingAny: w.one(0.5), Default: 1}
		},
		func() matcher.Rule {
			return &matcher.SetOverlap{Common: w.commonOf("maps"), Column: w.column("maps"), MinShared: w.schedule(float64(w.IntN(3)), -1, 0), MissingAny: w.one(0.5), Default: w.texts[:w.IntN(4)]}
		},
		func() matcher.Rule {
			return &matcher.MatchTotal{Common: w.commonOf("host"), Column: w.column("host"), Min: w.period(matcher.Fixed(float64(w.IntN(3)))), Max: w.period(matcher.Fixed(float64(2 + w.IntN(4))))}
		},
		func() matcher.Rule {
			return &matcher.ReachRegion{Common: w.commonOf("region"), MaxRTTMS: w.schedule(float64(10*w.IntN(6)), 20, 90)}
		},
		func() matcher.Rule {
			return &matcher.TeamGap{Common: w.commonOf("gap"), Column: w.column("skill"), Max: w.schedule(float64(w.IntN(4)), 1, 6), Default: 5}
		},
		func() matcher.Rule {
			return &matcher.TeamGap{Common: w.commonOf("gap2"), Column: w.column("host"), Max: w.schedule(float64(w.IntN(2)), 1, 6), Default: 0}
		},
		func() matcher.Rule {
			return &matcher.TeamBalance{Common: w.commonOf("balance"), Max: w.schedule(float64(w.IntN(2)), 1, 3)}
		},
		func() matcher.Rule { return &matcher.LargeParties{Common: w.commonOf("parties")} },
		func() matcher.Rule {
			return &matcher.TeamBalance{Common: w.commonOf("balance2"), Max: w.schedule(float64(w.IntN(2)), 1, 3)}
		},
		func() matcher.Rule { return &matcher.LargeParties{Common: w.commonOf("parties2")} },
	} {
		rule := draw()
		if plain {
			rule.Settings().OptionalAfterMS = matcher.Never
		} else if ownBasis && len(rule.Schedules()) > 0 && w.one(0.5) {
			rule.Settings().Basis = new(matcher.ExpansionBasis(w.IntN(2)))
		}
		if name := rule.Settings().Name; plain && (name == "skill" || name == "region") || !plain && w.one(0.35) && (teams || !matcher.IsTeamRule(rule)) {
			r.Rules = append(r.Rules, rule)
		}
	}
	w.Shuffle(len(r.Rules), func(i, j int) { r.Rules[i], r.Rules[j] = r.Rules[j], r.Rules[i] })
	return r
}

// plainRules returns a ruleset with only rules about numbers and regions. The longest wait
// determines the stage.
func (w *randomCase) plainRules() *matcher.Ruleset {
	r := &matcher.Ruleset{Name: "plain", ExpansionBasis: matcher.LongestWait, MinPlayers: 1 + w.IntN(6)}
	if w.one(0.5) {
		r.Budget = 1 + w.IntN(30)
	}
	r.MaxPlayers = max(2, r.MinPlayers+w.IntN(4)*w.IntN(2))
	skill := &matcher.NumberDistance{Common: w.commonOf("skill"), Column: w.column("skill"), Max: w.schedule(float64(w.IntN(6)-w.IntN(2)), 2, 9), Merge: matcher.Merge(w.IntN(3)), MissingAny: w.one(0.5), Default: 5}
	region := &matcher.ReachRegion{Common: w.commonOf("region"), MaxRTTMS: w.schedule(float64(10*w.IntN(6)-10*w.IntN(2)), 20, 90)}
	skill.OptionalAfterMS, region.OptionalAfterMS = matcher.Never, matcher.Never
	if w.one(0.8) {
		r.Rules = append(r.Rules, skill)
	}
	if w.one(0.8) {
		r.Rules = append(r.Rules, region)
	}
	w.Shuffle(len(r.Rules), func(i, j int) { r.Rules[i], r.Rules[j] = r.Rules[j], r.Rules[i] })
	return r
}

// period sometimes replaces a constant schedule with a list.
func (w *randomCase) period(s matcher.Schedule) matcher.Schedule {
	if w.one(0.3) {
		s = matcher.Custom(s.Base, 3000, []matcher.Override{{Value: s.Base + 1, Inactive: false}, {Value: s.Base, Inactive: w.one(0.3)}, {Value: max(0, s.Base-1), Inactive: false}})
	}
	return s
}

func (w *randomCase) player() matcher.Player {
	values := make([]matcher.Value, w.schema.Columns())
	if w.one(0.85) {
		values[w.column("skill")] = matcher.NumberValue(float64(w.IntN(10)))
	}
	if w.one(0.8) {
		values[w.column("build")] = matcher.TextValue(w.texts[w.IntN(3)])
	}
	if w.one(0.8) {
		var set []matcher.Text
		for _, text := range w.texts {
			if w.one(0.6) {
				set = append(set, text)
			}
		}
		values[w.column("maps")] = matcher.SetValue(set)
	}
	if w.one(0.8) {
		values[w.column("host")] = matcher.NumberValue(float64(w.IntN(3)))
	}
	if w.one(0.02) {
		values[w.column("host")] = matcher.NumberValue(-1)
	}
	rtt := make([]float64, w.IntN(w.schema.Regions()+1))
	for i := range rtt {
		if rtt[i] = float64(w.IntN(10) * 10); w.one(0.1) {
			rtt[i] = math.NaN()
		}
		if w.one(0.01) {
			rtt[i] += 0.1 // not a whole number of ms
		}
	}
	return matcher.Player{Values: values, RTTMS: rtt}
}

func (w *randomCase) party(largest int) []matcher.Player {
	list := []matcher.Player{w.player()}
	for len(list) < largest && w.one(0.3) {
		list = append(list, w.player())
	}
	return list
}

func (w *randomCase) ticket(nowMS int64, largest int) matcher.Ticket {
	t := matcher.Ticket{CreatedMS: nowMS - int64(w.IntN(6))*1000, Players: w.party(largest)}
	if w.one(0.2) {
		t.GiveUpMS = int64(1+w.IntN(10)) * 2000
	}
	return t
}

func (w *randomCase) session(nowMS int64, r *matcher.Ruleset) matcher.Session {
	s := matcher.Session{CreatedMS: nowMS - int64(w.IntN(6))*1000, Region: matcher.Region(w.IntN(w.schema.Regions()+1)) - 1}
	if w.one(0.5) {
		s.Capacity = 1 + w.IntN(r.MaxPlayers)
	}
	for range w.IntN(3) {
		s.Members = append(s.Members, matcher.Member{Player: w.player(), Team: w.IntN(len(r.Teams)+1) - 1})
	}
	return s
}

// both is a pool of the engine and a twin with the same ruleset and tickets.
type both struct {
	w        *randomCase
	pool     *Pool
	assigner *placeAssigner
	twin     *twin
}

// lazyAbove contains two values of clique.LazyAbove, the number of candidates above which a search
// compares pairs only when it needs the result. Random cases have fewer candidates than the
// default, so their searches do this only with 0.
var lazyAbove = []int32{clique.LazyAbove, 0}

func newBoth(t *testing.T, seed uint64) *both {
	w := newRandomCase(seed)
	rules := w.ruleset()
	pool, err := NewPool(rules, w.schema)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	twin := &twin{rules: rules, schema: w.schema}
	return &both{w, pool, newPlaceAssigner(pool), twin}
}

func (b *both) addTicket(ticket matcher.Ticket) {
	if row, err := b.pool.Add(b.assigner.place(ticket)); err == nil {
		b.twin.all = append(b.twin.all, &twinEntry{row: row, createdMS: ticket.CreatedMS, giveUpMS: ticket.GiveUpMS, players: ticket.Players})
	}
}

func (b *both) addSession(session matcher.Session) {
	row, err := b.pool.AddSession(session)
	if err != nil {
		return
	}
	w := &twinEntry{row: row, createdMS: session.CreatedMS, session: &session}
	for _, m := range session.Members {
		w.players = append(w.players, m.Player)
	}
	b.twin.all = append(b.twin.all, w)
}

// check makes a pass in the engine and in the twin, and compares their decisions.
func (b *both) check(t *testing.T, nowMS int64, hits bool) {
	t.Helper()
	got, want := b.pool.Pass(nowMS), b.twin.pass(nowMS)
	if !slices.Equal(got.Expired, want.expired) {
		t.Errorf("got expired rows %v, want %v", got.Expired, want.expired)
	}
	var groups, wanted [][]Row
	for _, fill := range got.Backfills {
		groups = append(groups, append([]Row{fill.Session}, fill.Tickets...))
	}
	for _, match := range got.Matches {
		groups = append(groups, match.Tickets)
	}
	for i, group := range want.groups {
		wanted = append(wanted, rowsOf(group))
		if i < len(groups) {
			b.checkTeams(t, got, i, group)
		}
	}
	if fmt.Sprint(groups) != fmt.Sprint(wanted) {
		t.Errorf("got matches %v, want %v", groups, wanted)
	}
	if hits {
		var rows []Row
		for _, hit := range got.BudgetHits {
			if hit.Search == matcher.GroupSearch {
				rows = append(rows, hit.Seed)
			}
		}
		if !slices.Equal(rows, want.hits) {
			t.Errorf("got budget hits of seeds %v, want %v", rows, want.hits)
		}
	}
}

// checkTeams checks the teams of proposal i against the twin's rules.
func (b *both) checkTeams(t *testing.T, out matcher.Outcome, i int, group []*twinEntry) {
	t.Helper()
	var teams []matcher.Side
	if i < len(out.Backfills) {
		teams = out.Backfills[i].Teams
	} else {
		teams = out.Matches[i-len(out.Backfills)].Teams
	}
	if least := b.twin.rules.MinTeams; len(teams) > len(b.twin.rules.Teams) || len(teams) < least || least == 0 && len(teams) != len(b.twin.rules.Teams) {
		t.Fatalf("got %d teams, want %d, at least %d", len(teams), len(b.twin.rules.Teams), least)
	}
	if len(teams) == 0 {
		return
	}
	list := teamUnits(group)
	of := make([]int, len(list))
	at, seen := 0, 0
	for _, w := range group {
		n := 1
		if w.session != nil {
			n = len(w.session.Members)
		}
		for k := range n {
			for team, side := range teams {
				if w.session == nil && slices.Contains(side.Tickets, w.row) || w.session != nil && slices.Contains(side.Members, k) {
					of[at] = team
					seen++
				}
			}
			if list[at].fixed != matcher.NoTeam && list[at].fixed != of[at] {
				t.Errorf("session member %[1]d: got team %[3]d, want %[2]d, where the member plays", k, list[at].fixed, of[at])
			}
			at++
		}
	}
	if seen != len(list) || !b.twin.teamsFit(group, list, of, len(teams)) {
		t.Errorf("got teams %v of rows %v, which break a rule or omit a player", teams, rowsOf(group))
	}
}

// Every kind of rule that package matcher declares must occur in some random case. Otherwise it
// would never be compared with the twin.
func TestRandomCasesHaveEveryKindOfRule(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../rules.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, is := n.(*ast.TypeSpec)
		if !is {
			return true
		}
		if s, is := spec.Type.(*ast.StructType); is {
			for _, field := range s.Fields.List {
				if name, is := field.Type.(*ast.Ident); is && field.Names == nil && name.Name == "Common" {
					want["*matcher."+spec.Name.Name] = true
				}
			}
		}
		return true
	})
	if len(want) < 8 {
		t.Fatalf("got %d kinds of rules in rules.go, want at least 8", len(want))
	}
	for seed := range uint64(200) {
		for _, rule := range newRandomCase(seed).ruleset().Rules {
			delete(want, fmt.Sprintf("%T", rule))
		}
	}
	for kind := range want {
		t.Errorf("no random case contains a rule of kind %s", kind)
	}
}
