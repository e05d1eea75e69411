package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine"
	"mmsim/sim"
)

// twinSession is a running match of the twin.
type twinSession struct {
	full     bool
	proposed bool // players are being asked whether they accept a proposal to join
	over     bool
	tickets  []*twinTicket
	teams    []int16
	region   matcher.Region
	dc, id   int
	began    sim.Instant
	until    sim.Instant
}

func (s *twinSession) players() (n int) {
	for _, t := range s.tickets {
		n += len(t.people)
	}
	return n
}

// lower returns the lower of two numbers of which the first may be NaN.
func lower(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

// describe returns the ticket in the types of package matcher.
func (w *twin) describe(t *twinTicket) matcher.Ticket {
	rules := w.cfg.Queues[0].Rules
	d := matcher.Ticket{CreatedMS: int64(t.since), GiveUpMS: int64(w.cfg.Queues[0].GiveUp), Values: make([]matcher.Value, rules.Schema.Columns())}
	for i, p := range t.people {
		m := matcher.Player{Values: make([]matcher.Value, rules.Schema.Columns())}
		whole := d.Values
		if i > 0 {
			whole = nil
		}
		rules.Describe(&p.Person, m.Values, whole)
		for _, set := range rules.Regions {
			if w.cfg.Queues[0].Placement != sim.PlacePool {
				break // the states compare RTTs here, not the rules
			}
			best := math.NaN() // not measured
			for dc := range w.places.Datacenters {
				if set>>dc&1 == 1 && isUsable(&w.cfg, w.now, dc) {
					best = lower(best, sim.RTTMillis(rttAt(&w.cfg, w.places, t.measured, p.Place, p.delay, dc)))
				}
			}
			m.RTTMS = append(m.RTTMS, best)
		}
		d.Players = append(d.Players, m)
	}
	return d
}

func (w *twin) newPool() *engine.Pool {
	pool, err := engine.NewPool(w.cfg.Queues[0].Rules.Set, w.cfg.Queues[0].Rules.Schema)
	if err != nil {
		panic(err)
	}
	return pool
}

func (w *twin) enterPool(t *twinTicket) {
	if w.isRefused(t) {
		t.state = sim.StateRejected
		w.printf("REJECTED %v", t.ids())
		return
	}
	t.state = sim.StateWaiting
	w.order++
	t.order = w.order
}

// isRefused reports whether the rules refuse a ticket as it is now.
func (w *twin) isRefused(t *twinTicket) bool {
	_, refused := w.newPool().Add(w.describe(t))
	if refused == nil {
		refused = w.cfg.Queues[0].Rules.Refuse(len(t.people))
	}
	for _, required := range w.cfg.Queues[0].Rules.Required {
		for _, p := range w.describe(t).Players {
			if v := p.Values[required.Column]; v.Kind != matcher.IsText {
				refused = required.Refusal
			}
		}
	}
	return refused != nil
}

// poolPass makes a pass with a new pool, to which it adds every waiting ticket and every session.
func (w *twin) poolPass() {
	w.cancel(w.waiting(func(t *twinTicket) bool { return t.state == sim.StateWaiting }))
	pool, tickets, sessions := w.newPool(), map[matcher.Row]*twinTicket{}, map[matcher.Row]*twinSession{}
	late := w.waiting(func(t *twinTicket) bool { // their age in the pool does not show that their time is over
		return t.state == sim.StateWaiting && t.ends <= w.now && t.since.Add(w.cfg.Queues[0].GiveUp) > w.now
	})
	list := w.waiting(func(t *twinTicket) bool { return t.state == sim.StateWaiting && !slices.Contains(late, t) })
	slices.SortStableFunc(list, func(a, b *twinTicket) int { return a.order - b.order })
	for _, t := range list {
		row, err := pool.Add(w.describe(t))
		if err != nil {
			panic(err)
		}
		tickets[row] = t
	}
	for _, s := range w.sessions {
		if s.full || s.proposed || !isUsable(&w.cfg, w.now, s.dc) {
			continue
		}
		offer := matcher.Session{CreatedMS: int64(s.began), Region: s.region}
		for i, t := range s.tickets {
			d := w.describe(t)
			for c, v := range d.Values {
				if i == 0 {
					offer.Values = append(offer.Values, v)
				} else if v.Kind == matcher.IsSet { // the texts that all players share
					offer.Values[c].Set = slices.DeleteFunc(slices.Clone(offer.Values[c].Set), func(t matcher.Text) bool { return !slices.Contains(v.Set, t) })
				}
			}
			for _, p := range d.Players {
				offer.Members = append(offer.Members, matcher.Member{Player: p, Team: int(s.teams[i])})
			}
		}
		row, err := pool.AddSession(offer)
		if err != nil {
			panic(err)
		}
		sessions[row] = s
	}
	out := pool.Pass(int64(w.now))
	if w.fairest(matcher.NoRegion, nil) < 0 { // no datacenter may be used
		out.Matches, out.Backfills = nil, nil
	}
	for _, row := range out.Expired {
		tickets[row].state = sim.StateExpired
		w.printf("EXPIRED %v", tickets[row].ids())
	}
	for _, t := range late {
		t.state = sim.StateExpired
		w.printf("EXPIRED %v", t.ids())
	}
	var offered []*twinSession
	for _, b := range out.Backfills {
		s := sessions[b.Session]
		group, teams := w.sides(b.Proposal, tickets)
		if w.cfg.Queues[0].Acceptance != nil {
			s.proposed = true
			w.propose(&twinProposal{group: group, teams: teams, session: s})
			continue
		}
		w.sessions = slices.DeleteFunc(w.sessions, func(other *twinSession) bool { return other == s })
		s.tickets, s.teams = append(s.tickets, group...), append(s.teams, teams...)
		w.joinSession(s, group, teams)
		offered = append(offered, s)
	}
	for _, p := range out.Matches {
		group, teams := w.sides(p, tickets)
		if w.cfg.Queues[0].Acceptance != nil {
			w.propose(&twinProposal{group: group, teams: teams, region: p.Region, dc: w.fairest(p.Region, group)})
			continue
		}
		s := &twinSession{tickets: group, teams: teams, region: p.Region, dc: w.fairest(p.Region, group), id: w.made, began: w.now, until: min(w.now.Add(w.length(group)), w.killed(w.fairest(p.Region, group)))}
		w.logTeams(s, group, teams, false)
		w.match(s.dc, group)
		offered = append(offered, s)
	}
	w.addSessions(offered...)
}

// addSessions adds sessions to the list of sessions that take players.
func (w *twin) addSessions(sessions ...*twinSession) {
	set := w.cfg.Queues[0].Rules.Set
	for _, s := range sessions {
		s.full = set.Pivot == nil || !set.Pivot.Backfill || s.players() >= set.MaxPlayers
	}
	w.sessions = append(w.sessions, sessions...)
}

func (w *twin) sides(p matcher.Proposal, tickets map[matcher.Row]*twinTicket) (group []*twinTicket, teams []int16) {
	if len(p.Teams) == 0 {
		for _, row := range p.Tickets {
			group, teams = append(group, tickets[row]), append(teams, -1)
		}
	}
	for i, side := range p.Teams {
		for _, row := range side.Tickets {
			group, teams = append(group, tickets[row]), append(teams, int16(i))
		}
	}
	return group, teams
}

func (w *twin) fairest(region matcher.Region, group []*twinTicket) int {
	best := -1
	for dc := range w.places.Datacenters {
		if !isUsable(&w.cfg, w.now, dc) || region != matcher.NoRegion && w.cfg.Queues[0].Rules.Regions[region]>>dc&1 == 0 {
			continue
		}
		if best < 0 || w.worst(group, dc) < w.worst(group, best) {
			best = dc
		}
	}
	return best
}

func (w *twin) logTeams(s *twinSession, group []*twinTicket, teams []int16, backfill bool) {
	var perPlayer []int16
	for i, t := range group {
		for range t.people {
			perPlayer = append(perPlayer, teams[i])
		}
	}
	w.printf("region %d teams %v backfill %v", s.region, perPlayer, backfill)
}

// joinSession is like match, but the tickets join a session.
func (w *twin) joinSession(s *twinSession, group []*twinTicket, teams []int16) {
	w.logTeams(s, group, teams, true)
	all, made, timers := s.tickets, w.made, len(w.timers)
	w.made = s.id
	w.announce(s.dc, s.until, group, all)
	w.made = made
	if len(w.timers) != timers {
		panic("a backfill starts no match")
	}
	for _, t := range group {
		t.state = sim.StatePlaying
	}
}

// ruledTurns makes the turns of all datacenters under a ruleset, each with a new pool.
func (w *twin) ruledTurns(order []int32) {
	for _, dc := range order {
		if !isUsable(&w.cfg, w.now, int(dc)) {
			continue
		}
		w.ruledTurn(int(dc), w.queueOf(int(dc)), nil, 0)
		w.ruledTurn(int(dc), w.queueOf(int(dc)), w.warm(), 1)
	}
	if w.fairest(matcher.NoRegion, nil) >= 0 {
		w.ruledTurn(-1, w.warm(), nil, 0)
	}
}

// ruledTurn makes matches from members and, if any, the tickets in reserve. If limit is above 0, it
// makes at most limit matches.
func (w *twin) ruledTurn(dc int, members, reserve []*twinTicket, limit int) {
	rules := w.cfg.Queues[0].Rules
	pool, err := engine.NewPool(rules.Set.WithoutRegion(), rules.Schema)
	if err != nil {
		panic(err)
	}
	queue, warm, tickets := pool.NewSubset(), pool.NewSubset(), map[matcher.Row]*twinTicket{}
	list := w.waiting(func(t *twinTicket) bool { return slices.Contains(members, t) || slices.Contains(reserve, t) })
	slices.SortStableFunc(list, func(a, b *twinTicket) int { return a.order - b.order })
	for _, t := range list {
		d := w.describe(t)
		d.GiveUpMS = 0
		row, err := pool.Add(d)
		if err != nil {
			panic(err)
		}
		if tickets[row] = t; slices.Contains(members, t) {
			queue.Add(row)
		} else {
			warm.Add(row)
		}
	}
	out := matcher.Outcome{}
	if limit > 0 {
		out = queue.MatchWith(int64(w.now), warm, limit)
	} else {
		out = queue.Match(int64(w.now), limit)
	}
	for _, p := range out.Matches {
		group, _ := w.sides(p, tickets)
		at := dc
		if at < 0 {
			at = w.fairest(matcher.NoRegion, group)
		}
		w.matchOrAsk(at, group)
	}
}

// randomRules draws a ruleset. Half of the rulesets form matches around a pivot.
func randomRules(r *rand.Rand, datacenters int) *sim.Rules {
	schema := &matcher.Schema{}
	skill, mode := schema.Column("skill"), schema.Column("mode")
	set := &matcher.Ruleset{MinPlayers: 2 + r.IntN(3), Budget: 200}
	set.MaxPlayers = set.MinPlayers + r.IntN(4)
	if r.IntN(2) == 0 {
		set = randomPivot(r, skill, schema)
	} else {
		randomPairRules(r, set, skill, mode)
	}
	rules := &sim.Rules{Set: set, Schema: schema, Refuse: func(players int) error {
		if players == 3 {
			return fmt.Errorf("3 players are refused")
		}
		return nil
	}}
	for dc := range datacenters {
		if _, err := schema.Region(fmt.Sprint(dc)); err != nil {
			panic(err)
		}
		rules.Regions = append(rules.Regions, 1<<dc|1<<((dc+1)%datacenters))
	}
	if r.IntN(3) == 0 {
		rules.Required = []sim.RequiredColumn{{Column: mode, Refusal: fmt.Errorf("mode is missing")}}
	}
	texts := schema.Set([]string{"a", "b", "c"})
	rules.Describe = func(p *sim.Person, player, ticket []matcher.Value) {
		player[skill] = matcher.NumberValue(float64(p.Entity % 50))
		if p.Entity/150%8 > 0 {
			player[mode] = matcher.TextValue(texts[p.Entity/50%3])
		}
		if ticket != nil {
			ticket[mode] = matcher.SetValue(texts[:1+p.Entity/50%3])
		}
	}
	return rules
}

// TestTwinRules compares queues with states and a ruleset with a twin that starts over in every
// turn.
func TestTwinRules(t *testing.T) {
	compareWithTwin(t, 100, []string{"REJECTED", " match ", "WARMBODY", "EXPAND", "return true"}, func(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
		cfg, places, joins := randomSetup(seed)
		own := &cfg.Queues[0]
		own.KeepTogether, own.PartnerCooldown = false, 0
		own.Rules = randomRules(rand.New(rand.NewPCG(seed, 3)), places.Datacenters)
		return cfg, places, joins
	})
}

func randomPairRules(r *rand.Rand, set *matcher.Ruleset, skill, mode matcher.Column) {
	optional := []int64{matcher.Never, 60}[r.IntN(2)]
	set.Rules = append(set.Rules, &matcher.NumberDistance{
		Common: matcher.Common{Name: "skill", Weight: 1, OptionalAfterMS: optional}, Column: skill,
		Max: matcher.Linear(float64(r.IntN(20)), 5, 40, 25),
	})
	if r.IntN(2) == 0 {
		set.Rules = append(set.Rules, &matcher.ReachRegion{
			Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: matcher.Never}, MaxRTTMS: matcher.Linear(2+3*r.Float64(), 1, 8, 40)})
	}
	if r.IntN(3) == 0 {
		set.Rules = append(set.Rules, &matcher.EqualText{
			Common: matcher.Common{Name: "mode", Weight: 1, OptionalAfterMS: 90}, Column: mode, Enabled: matcher.Fixed(1)})
	}
	if r.IntN(2) == 0 {
		half := (set.MaxPlayers + 1) / 2
		set.Teams = []matcher.Team{{Name: "red", Min: 1, Max: half}, {Name: "blue", Min: 1, Max: half}}
	}
}

func randomPivot(r *rand.Rand, skill matcher.Column, schema *matcher.Schema) *matcher.Ruleset {
	none := matcher.NoColumn
	sizes := matcher.TeamSizes{MinTeams: 1 + r.IntN(2), MinPlayers: 1 + r.IntN(2)}
	sizes.MaxTeams, sizes.MaxPlayers = sizes.MinTeams+r.IntN(2), sizes.MinPlayers+r.IntN(3)
	if sizes.MaxTeams*sizes.MaxPlayers == 1 {
		sizes.MaxPlayers = 2
	}
	pivot := &matcher.PivotRules{
		Sizes: []matcher.TeamSizes{sizes},
		Distances: []matcher.PivotDistance{{Name: "skill", Column: skill, Scale: 50, Weight: 1, Balanced: true, Max: matcher.Steps[float64]{
			{Value: float64(r.IntN(20))}, {AfterMS: 50, Value: 30}}}},
		Same: none, People: none, Blocked: none, NewOnly: none,
		Region:   matcher.PivotRegion{Name: "region", ReachMS: matcher.Linear(2, 2, math.Inf(1), 30), MaxMS: 8 + 4*r.Float64(), Weight: 1, OneWayAfterMS: matcher.Never},
		Backfill: r.IntN(3) > 0, Balance: r.IntN(2) == 0,
	}
	if r.IntN(2) == 0 {
		pivot.Options = []matcher.PivotOption{{Name: "mode", Column: schema.Column("mode"), Kind: matcher.SharedValue, Own: none}}
	}
	return &matcher.Ruleset{MinPlayers: max(2, sizes.MinTeams*sizes.MinPlayers), MaxPlayers: sizes.MaxTeams * sizes.MaxPlayers, Pivot: pivot}
}

// TestTwinPool compares the pool that the engine keeps for the whole run with a twin that makes a
// new pool for every pass. It compares every fact of small random runs.
func TestTwinPool(t *testing.T) {
	compareWithTwin(t, 100, []string{"backfill true", "EXPIRED", "REJECTED", " match ", "return true"}, func(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
		return ruledSetup(seed, sim.PlacePool)
	})
}
