package matcher

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// world makes random rulesets and tickets out of one seed. Numbers are few and
// whole, so that ties and bounds that are just met are common.
type world struct {
	*rand.Rand
	schema *Schema
	column map[string]Column
	texts  []Text
}

func newWorld(seed uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 7)), schema: new(Schema), column: make(map[string]Column)}
	for _, name := range []string{"skill", "build", "maps", "host"} {
		w.column[name] = w.schema.Column(name)
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

func (w *world) one(chance float64) bool { return w.Float64() < chance }

// schedule returns a threshold around base that may change by steps or by a list.
func (w *world) schedule(base, step, limit float64) Schedule {
	every := int64(1+w.IntN(4)) * 2000
	switch w.IntN(4) {
	case 0, 1:
		return Fixed(base)
	case 2:
		if w.one(0.2) {
			limit = math.Inf(int(step))
			if step < 0 {
				limit = 0
			}
		}
		return Linear(base, step, limit, every)
	}
	list := make([]Override, 1+w.IntN(4))
	for i := range list {
		list[i] = Override{base + step*float64(w.IntN(4)), w.one(0.15)}
	}
	return Custom(base, every, list)
}

func (w *world) commonOf(name string) Common {
	c := Common{Name: name, Weight: []float64{1, 1, 0.3, 2.7}[w.IntN(4)], OptionalAfterMS: Never}
	if w.one(0.25) {
		c.OptionalAfterMS = int64(w.IntN(4)) * 5000
	}
	return c
}

func (w *world) ruleset() *Ruleset {
	r := &Ruleset{
		Name:           "random",
		ExpansionBasis: ExpansionBasis(w.IntN(2)), OptionalBasis: OptionalBasis(w.IntN(2)),
	}
	if w.one(0.3) {
		r.Budget = 1 + w.IntN(30)
	}
	plain := w.one(0.25) // numbers and regions alone, which is quicker than all others
	if plain {
		r.ExpansionBasis = LongestWait
	}
	r.MinPlayers = 2 + w.IntN(3)
	r.MaxPlayers = r.MinPlayers + w.IntN(4)
	teams := w.one(0.5)
	if teams {
		for i := range 2 + w.IntN(2) {
			least := w.IntN(3)
			r.Teams = append(r.Teams, Team{fmt.Sprint("team", i), least, max(1, least+w.IntN(3))})
		}
	}
	for _, make := range []func() Rule{
		func() Rule {
			enabled := Fixed(0)
			if w.one(0.3) {
				enabled = Custom(0, 3000, []Override{{0, w.one(0.5)}, {0, w.one(0.5)}, {0, false}})
			}
			return &EqualText{w.commonOf("build"), w.column["build"], enabled, w.one(0.5), w.texts[w.IntN(3)]}
		},
		func() Rule {
			return &NumberDistance{w.commonOf("skill"), w.column["skill"], w.schedule(float64(w.IntN(6)), 2, 9), Merge(w.IntN(3)), w.one(0.5), 5}
		},
		func() Rule {
			return &NumberDistance{w.commonOf("skill2"), w.column["host"], w.schedule(float64(w.IntN(3)), 1, 4), Merge(w.IntN(3)), w.one(0.5), 1}
		},
		func() Rule {
			return &SetOverlap{w.commonOf("maps"), w.column["maps"], w.schedule(float64(w.IntN(3)), -1, 0), w.one(0.5), w.texts[:w.IntN(4)]}
		},
		func() Rule {
			return &MatchTotal{w.commonOf("host"), w.column["host"], w.period(Fixed(float64(w.IntN(3)))), w.period(Fixed(float64(2 + w.IntN(4))))}
		},
		func() Rule { return &ReachRegion{w.commonOf("region"), w.schedule(float64(10*w.IntN(6)), 20, 90)} },
		func() Rule {
			return &TeamGap{w.commonOf("gap"), w.column["skill"], w.schedule(float64(w.IntN(4)), 1, 6), 5}
		},
		func() Rule {
			return &TeamGap{w.commonOf("gap2"), w.column["host"], w.schedule(float64(w.IntN(2)), 1, 6), 0}
		},
		func() Rule { return &TeamBalance{w.commonOf("balance"), w.schedule(float64(w.IntN(2)), 1, 3)} },
		func() Rule { return &LargeParties{w.commonOf("parties")} },
	} {
		rule := make()
		if plain {
			rule.common().OptionalAfterMS = Never
		}
		if name := rule.RuleName(); plain && (name == "skill" || name == "region") || !plain && w.one(0.35) && (teams || !isTeamRule(rule)) {
			r.Rules = append(r.Rules, rule)
		}
	}
	w.Shuffle(len(r.Rules), func(i, j int) { r.Rules[i], r.Rules[j] = r.Rules[j], r.Rules[i] })
	return r
}

// plainRules are rules about numbers and regions alone, in which the longest wait counts.
func (w *world) plainRules() *Ruleset {
	r := &Ruleset{Name: "plain", ExpansionBasis: LongestWait, MinPlayers: 1 + w.IntN(6)}
	if w.one(0.5) {
		r.Budget = 1 + w.IntN(30)
	}
	r.MaxPlayers = max(2, r.MinPlayers+w.IntN(4)*w.IntN(2))
	skill := &NumberDistance{w.commonOf("skill"), w.column["skill"], w.schedule(float64(w.IntN(6)-w.IntN(2)), 2, 9), Merge(w.IntN(3)), w.one(0.5), 5}
	region := &ReachRegion{w.commonOf("region"), w.schedule(float64(10*w.IntN(6)-10*w.IntN(2)), 20, 90)}
	skill.OptionalAfterMS, region.OptionalAfterMS = Never, Never
	if w.one(0.8) {
		r.Rules = append(r.Rules, skill)
	}
	if w.one(0.8) {
		r.Rules = append(r.Rules, region)
	}
	w.Shuffle(len(r.Rules), func(i, j int) { r.Rules[i], r.Rules[j] = r.Rules[j], r.Rules[i] })
	return r
}

// period sometimes makes a list of a constant threshold.
func (w *world) period(s Schedule) Schedule {
	if w.one(0.3) {
		s = Custom(s.Base, 3000, []Override{{s.Base + 1, false}, {s.Base, w.one(0.3)}, {max(0, s.Base-1), false}})
	}
	return s
}

func (w *world) player() Player {
	values := make([]Value, w.schema.Columns())
	if w.one(0.85) {
		values[w.column["skill"]] = NumberValue(float64(w.IntN(10)))
	}
	if w.one(0.8) {
		values[w.column["build"]] = TextValue(w.texts[w.IntN(3)])
	}
	if w.one(0.8) {
		var set []Text
		for _, text := range w.texts {
			if w.one(0.6) {
				set = append(set, text)
			}
		}
		values[w.column["maps"]] = SetValue(set)
	}
	if w.one(0.8) {
		values[w.column["host"]] = NumberValue(float64(w.IntN(3)))
	}
	if w.one(0.02) {
		values[w.column["host"]] = NumberValue(-1)
	}
	rtt := make([]float64, w.IntN(w.schema.Regions()+1))
	for i := range rtt {
		if rtt[i] = float64(w.IntN(10) * 10); w.one(0.1) {
			rtt[i] = math.NaN()
		}
		if w.one(0.01) {
			rtt[i] += 0.1 // views.brief cannot hold it
		}
	}
	return Player{values, rtt}
}

func (w *world) party(largest int) []Player {
	list := []Player{w.player()}
	for len(list) < largest && w.one(0.3) {
		list = append(list, w.player())
	}
	return list
}

func (w *world) ticket(nowMS int64, largest int) Ticket {
	t := Ticket{CreatedMS: nowMS - int64(w.IntN(6))*1000, Players: w.party(largest)}
	if w.one(0.2) {
		t.GiveUpMS = int64(1+w.IntN(10)) * 2000
	}
	return t
}

func (w *world) session(nowMS int64, r *Ruleset) Session {
	s := Session{CreatedMS: nowMS - int64(w.IntN(6))*1000, Region: Region(w.IntN(w.schema.Regions()+1)) - 1}
	if w.one(0.5) {
		s.Capacity = 1 + w.IntN(r.MaxPlayers)
	}
	for range w.IntN(3) {
		s.Members = append(s.Members, Member{w.player(), w.IntN(len(r.Teams)+1) - 1})
	}
	return s
}

// both is the engine and its twin on the same world.
type both struct {
	w      *world
	pool   *Pool
	survey *surveyor
	twin   *twin
}

func newBoth(t *testing.T, seed uint64) *both {
	w := newWorld(seed)
	rules := w.ruleset()
	pool, err := NewPool(rules, w.schema)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if seed%2 == 0 {
		pool.index.perBlock = 0 // however few wait
	}
	twin := &twin{rules: rules, schema: w.schema}
	if pool.index.axis != nil {
		twin.axis = pool.index.axis.rule.(*NumberDistance)
	}
	return &both{w, pool, newSurveyor(pool), twin}
}

func (b *both) addTicket(ticket Ticket) {
	if row, err := b.pool.Add(b.survey.place(ticket)); err == nil {
		b.twin.all = append(b.twin.all, &waiter{row: row, createdMS: ticket.CreatedMS, giveUpMS: ticket.GiveUpMS, players: ticket.Players})
	}
}

func (b *both) addSession(session Session) {
	row, err := b.pool.AddSession(session)
	if err != nil {
		return
	}
	w := &waiter{row: row, createdMS: session.CreatedMS, session: &session}
	for _, m := range session.Members {
		w.players = append(w.players, m.Player)
	}
	b.twin.all = append(b.twin.all, w)
}

// check makes both pass and compares what they decided.
func (b *both) check(t *testing.T, nowMS int64, hits bool) {
	t.Helper()
	got, want := b.pool.Pass(nowMS), b.twin.pass(nowMS)
	if !slices.Equal(got.Expired, want.expired) {
		t.Errorf("expired %v, want %v", got.Expired, want.expired)
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
		t.Errorf("matches %v, want %v", groups, wanted)
	}
	if hits {
		var rows []Row
		for _, hit := range got.BudgetHits {
			if hit.What == GroupSearch {
				rows = append(rows, hit.Seed)
			}
		}
		if !slices.Equal(rows, want.hits) {
			t.Errorf("budget hit by %v, want %v", rows, want.hits)
		}
	}
}

// checkTeams checks the teams of the i-th proposal by the twin's rules.
func (b *both) checkTeams(t *testing.T, out Outcome, i int, group []*waiter) {
	t.Helper()
	var teams []Side
	if i < len(out.Backfills) {
		teams = out.Backfills[i].Teams
	} else {
		teams = out.Matches[i-len(out.Backfills)].Teams
	}
	if len(teams) != len(b.twin.rules.Teams) {
		t.Fatalf("%d teams, want %d", len(teams), len(b.twin.rules.Teams))
	}
	if len(teams) == 0 {
		return
	}
	list := pieces(group)
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
			if list[at].fixed != NoTeam && list[at].fixed != of[at] {
				t.Errorf("member %d was moved from team %d to %d", k, list[at].fixed, of[at])
			}
			at++
		}
	}
	if seen != len(list) || !b.twin.teamsFit(group, list, of) {
		t.Errorf("teams %v of %v break a rule", teams, rowsOf(group))
	}
}
