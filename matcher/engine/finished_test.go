package engine

import (
	"math"
	"math/rand/v2"
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"slices"
	"testing"
)

// drawFinished draws a random match from some of the rows, with teams and a region.
func drawFinished(r *rand.Rand, rows []Row, teams, regions int) (m matcher.Proposal) {
	rows = slices.Clone(rows)
	r.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
	m.Tickets = rows[:1+r.IntN(min(5, len(rows)))]
	if teams > 0 {
		m.Teams = make([]matcher.Side, teams)
		for _, row := range m.Tickets {
			side := &m.Teams[r.IntN(teams)]
			side.Tickets = append(side.Tickets, row)
		}
	}
	m.Region = matcher.Region(r.IntN(regions))
	return m
}

// TestBrokenAgainstTwin draws random matches. Broken must return exactly the rules that the twin
// finds broken when it checks each rule alone.
func TestBrokenAgainstTwin(t *testing.T) {
	held, broken := map[string]int{}, map[string]int{}
	for seed := range uint64(3000) {
		b := newBoth(t, seed)
		for range 1 + b.w.IntN(7) {
			b.addTicket(b.w.ticket(20_000, 3))
		}
		if b.w.one(0.3) {
			b.addSession(b.w.session(20_000, b.twin.rules))
		}
		b.twin.nowMS = 20_000
		var session *twinEntry
		var rows []Row
		for _, w := range b.twin.all {
			if w.session != nil {
				session = w
			} else {
				rows = append(rows, w.row)
			}
		}
		if len(rows) == 0 {
			continue
		}
		teams := len(b.twin.rules.Teams) * b.w.IntN(2)
		m := drawFinished(b.w.Rand, rows, teams, b.w.schema.Regions())
		got := b.pool.Broken(nil, 20_000, sessionOf(session), &m)
		for at, rule := range b.twin.rules.Rules {
			holds := b.holds(rule, session, &m)
			if name := rule.Settings().Name; holds {
				held[name]++
			} else {
				broken[name]++
			}
			if slices.Contains(got, at) == holds {
				b.describe(t, seed)
				t.Fatalf("seed %d: got broken rules %v of match %+v; want %s to be satisfied: %v", seed, got, m, rule.Settings().Name, holds)
			}
		}
	}
	for name := range held {
		if held[name] < 20 || broken[name] < 10 {
			t.Errorf("%s was satisfied %d times and broken %d times, want at least 20 and 10", name, held[name], broken[name])
		}
	}
}

func sessionOf(w *twinEntry) *Row {
	if w == nil {
		return nil
	}
	return &w.row
}

// holds reports whether a match satisfies a rule according to the twin.
func (b *both) holds(rule matcher.Rule, session *twinEntry, m *matcher.Proposal) bool {
	var group []*twinEntry
	if session != nil {
		group = append(group, session)
	}
	for _, row := range m.Tickets {
		group = append(group, b.twin.all[slices.IndexFunc(b.twin.all, func(w *twinEntry) bool { return w.row == row })])
	}
	if _, is := rule.(*matcher.ReachRegion); is {
		v, enforced := b.twin.held(rule, group)
		return !enforced || worst(m.Region, group) <= v[0]
	}
	if !matcher.IsTeamRule(rule) || m.Teams == nil {
		return b.twin.fits(rule, group, true)
	}
	list := teamUnits(group)
	var teams []int
	for i := range list {
		if list[i].ticket {
			at := slices.IndexFunc(m.Teams, func(side matcher.Side) bool {
				return slices.Contains(side.Tickets, m.Tickets[len(teams)-(len(list)-len(m.Tickets))])
			})
			teams = append(teams, at)
			continue
		}
		if list[i].fixed == matcher.NoTeam { // the member may be in any team, so its players are ignored
			list[i].players = nil
			list[i].fixed = 0
		}
		teams = append(teams, list[i].fixed)
	}
	alone := *b.twin
	rules := *b.twin.rules
	rules.Rules, alone.rules = []matcher.Rule{rule}, &rules
	rules.Teams = slices.Clone(rules.Teams)
	most := 0
	for i := range rules.Teams { // every team may have any size up to the largest, because team sizes are not checked here
		most = max(most, rules.Teams[i].Max)
	}
	if _, is := rule.(*matcher.LargeParties); !is {
		most = math.MaxInt
	}
	for i := range rules.Teams {
		if rules.Teams[i].Min = 0; rules.Teams[i].Max < most && most == math.MaxInt {
			rules.Teams[i].Max = most
		}
	}
	if _, is := rule.(*matcher.LargeParties); is {
		return b.largeHold(rule, group, m, most)
	}
	return alone.teamsFit(group, list, teams, len(m.Teams))
}

// largeHold reports whether a match satisfies the rule about large parties. It ignores team sizes.
func (b *both) largeHold(rule matcher.Rule, group []*twinEntry, m *matcher.Proposal, most int) bool {
	with := 0
	for _, side := range m.Teams {
		if slices.ContainsFunc(group, func(w *twinEntry) bool {
			return w.session == nil && slices.Contains(side.Tickets, w.row) && 2*len(w.players) >= most
		}) {
			with++
		}
	}
	_, enforced := b.twin.held(rule, group)
	return !enforced || group[0].session != nil || with == 0 || with == len(m.Teams)
}

// The engine's own matches break no rule. This test covers rules about pairs, accelPage and accelService.
func TestOwnMatchesBreakNoRule(t *testing.T) {
	matches := 0
	check := func(seed uint64, pool *Pool, fill func(pool *Pool), nowMS int64) {
		fill(pool)
		again, err := NewPool(pool.rules, pool.schema)
		if err != nil {
			t.Fatal(err)
		}
		fill(again)
		out := pool.Pass(nowMS)
		for i := range out.Matches {
			matches++
			if broken := again.Broken(nil, nowMS, nil, &out.Matches[i]); len(broken) > 0 {
				older := func(row Row) bool { return again.rows.Older(row, out.Matches[i].Tickets[0]) }
				if rules := pool.rules.Pivot; rules != nil && rules.InTurn != nil && slices.ContainsFunc(again.AppendWaiting(nil), older) {
					continue // an older ticket may have been the seed and found no seat; a match does not name its seed
				}
				t.Fatalf("seed %d: match %+v of the pool's own breaks the rules %v of %v, want none", seed, out.Matches[i], broken, again.names)
			}
		}
		for i := range out.Backfills {
			b := &out.Backfills[i]
			if broken := again.Broken(nil, nowMS, &b.Session, &b.Proposal); len(broken) > 0 {
				t.Fatalf("seed %d: backfill %+v of the pool's own breaks the rules %v of %v, want none", seed, b, broken, again.names)
			}
		}
	}
	for seed := range uint64(1500) {
		b := newBoth(t, seed)
		var tickets []matcher.Ticket
		for range 2 + b.w.IntN(8) {
			tickets = append(tickets, b.w.ticket(20_000, 3))
		}
		check(seed, b.pool, func(pool *Pool) {
			for _, ticket := range tickets {
				_, _ = pool.Add(ticket) // if the ticket is refused, it is in neither pool
			}
		}, 20_000)
		w := drawPivotCase(rand.New(rand.NewPCG(seed, 7)), false)
		if seed%2 == 1 {
			w.asReleased(rand.New(rand.NewPCG(seed, 8)))
		}
		pool, err := NewPool(w.rules, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		check(seed, pool, func(pool *Pool) { w.fill(t, pool) }, w.nowMS)
	}
	if matches < 1000 {
		t.Errorf("got %d matches, want at least 1000", matches)
	}
}

// asReleased changes the rules to those of AccelByte's released service, which matcher.InTurn
// describes.
func (w *pivotCase) asReleased(r *rand.Rand) {
	s := w.rules.Pivot
	s.InTurn = &matcher.InTurn{Equal: []matcher.Column{colSame}, Others: matcher.NoColumn, SmallestFirst: r.IntN(2) == 0}
	s.Region.Relative = true
	withoutOptionsOfPage(s)
}

// fill adds the case's tickets and sessions to a pool. A refused ticket has no row.
func (w *pivotCase) fill(t *testing.T, pool *Pool) (rows map[Row]int, sessions []Row) {
	rows = map[Row]int{}
	for i := range w.tickets {
		if row, err := pool.Add(w.tickets[i]); err == nil {
			rows[row] = i
		}
	}
	for i := range w.sessions {
		row, err := pool.AddSession(w.sessions[i])
		if err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, row)
	}
	return rows, sessions
}

// TestPivotBrokenAgainstTwin draws random matches around a pivot. Broken must return exactly the
// rules that finishedTwin finds broken.
func TestPivotBrokenAgainstTwin(t *testing.T) {
	held, broken := make([]int, 5), make([]int, 5)
	for seed := range uint64(6000) {
		r := rand.New(rand.NewPCG(seed, 9))
		w := drawPivotCase(rand.New(rand.NewPCG(seed, 7)), false)
		released := seed%2 == 1
		if released {
			w.asReleased(r)
		}
		pool, err := NewPool(w.rules, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		at, sessions := w.fill(t, pool)
		var rows []Row
		for row := range at {
			rows = append(rows, row)
		}
		if slices.Sort(rows); len(rows) == 0 {
			continue
		}
		m := drawFinished(r, rows, 1+r.IntN(3), w.schema.Regions())
		twin := finishedTwin{pivotTwin: &pivotTwin{pivotCase: w}, at: at, m: &m, released: released}
		var session *Row
		if len(sessions) > 0 && r.IntN(2) == 0 {
			session, twin.session = &sessions[0], &w.sessions[0]
		}
		want := twin.broken()
		got := pool.Broken(nil, w.nowMS, session, &m)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: match %+v of session %+v: got broken rules %v of %v, want %v\n%+v", seed, m, twin.session, got, pool.names, want, w.rules.Pivot)
		}
		for i := range held { // the last five rules are the region and the conditions without a name
			if slices.Contains(want, len(pool.names)-5+i) {
				broken[i]++
			} else {
				held[i]++
			}
		}
	}
	for i := range held {
		if held[i] < 100 || broken[i] < 100 {
			t.Errorf("the rule %d from the end was satisfied %d times and broken %d times, want at least 100 of each", 5-i, held[i], broken[i])
		}
	}
}

// finishedTwin decides from the players' values which rules a match around a pivot breaks. It
// checks each rule alone.
type finishedTwin struct {
	*pivotTwin
	at       map[Row]int
	m        *matcher.Proposal
	session  *matcher.Session
	released bool // the rules have an InTurn
}

func (f *finishedTwin) broken() (list []int) {
	s := f.rules.Pivot
	var tickets []int
	for _, row := range f.m.Tickets {
		tickets = append(tickets, f.at[row])
	}
	slices.SortFunc(tickets, func(a, b int) int {
		if f.older(a, b) {
			return -1
		}
		return 1
	})
	seed, others := f.seedOf(tickets)
	n := 0
	note := func(broken bool) {
		if broken {
			list = append(list, n)
		}
		n++
	}
	for i := range s.Distances {
		note(slices.ContainsFunc(others, func(k int) bool { return !f.near(i, seed, k) }))
	}
	for _, o := range s.Options {
		note(!f.optionHolds(o, seed, others))
	}
	note(!f.inReach(seed, others))
	note(slices.ContainsFunc(others, func(k int) bool {
		ofSeed, ofCandidate := seed.values[colSame], f.tickets[k].Values[colSame]
		differ := ofSeed.Kind != ofCandidate.Kind || ofSeed.Text != ofCandidate.Text
		if f.released { // only attributes that the pivot has are compared
			differ = ofSeed.Kind == matcher.IsText && differ
		}
		return differ || f.session != nil && f.tickets[k].Values[colNewOnly].Kind != matcher.Missing
	}))
	note(f.samePlayer(seed, others))
	note(f.blocked(seed, others))
	note(!f.sized(seed))
	return list
}

// seedOf returns the seed and the other tickets. The seed is the session, or else the oldest
// ticket.
func (f *finishedTwin) seedOf(tickets []int) (*twinSeed, []int) {
	if f.session == nil {
		t := &f.tickets[tickets[0]]
		return &twinSeed{createdMS: t.CreatedMS, values: t.Values, players: t.Players, ticket: tickets[0]}, tickets[1:]
	}
	s := &twinSeed{createdMS: f.session.CreatedMS, values: f.session.Values, session: f.session, ticket: -1}
	for _, m := range f.session.Members {
		s.players = append(s.players, m.Player)
	}
	return s, tickets
}

func (f *finishedTwin) near(i int, seed *twinSeed, ticket int) bool {
	d, c := &f.rules.Pivot.Distances[i], &f.tickets[ticket]
	difference := math.Abs(mean(c.Players, d.Column) - mean(seed.players, d.Column))
	if !f.released {
		return difference <= f.threshold(*d, seed.createdMS, c.CreatedMS)+criterion.Tolerance
	}
	ofSeed, ofCandidate := stageAt(d.Max, f.wait(seed.createdMS)), stageAt(d.Max, f.wait(c.CreatedMS))
	return math.IsInf(ofSeed, 1) || difference <= ofSeed && difference <= ofCandidate
}

func (f *finishedTwin) optionHolds(o matcher.PivotOption, seed *twinSeed, others []int) bool {
	if !f.released {
		rules, alone := *f.rules, *f.rules.Pivot
		alone.Options, alone.Blocking = []matcher.PivotOption{o}, matcher.IgnoreBlocks
		rules.Pivot = &alone
		changed := *f.pivotCase
		changed.rules = &rules
		parts := []part{{seed.values, nil}}
		for _, k := range others {
			parts = append(parts, part{f.tickets[k].Values, nil})
		}
		return (&pivotTwin{pivotCase: &changed}).together(seed.createdMS, parts)
	}
	all, own := [][]matcher.Text{setOf(seed.values, o.Column)}, setOf(seed.values, o.Own)
	for _, k := range others {
		ofCandidate, ownOfCandidate := setOf(f.tickets[k].Values, o.Column), setOf(f.tickets[k].Values, o.Own)
		all = append(all, ofCandidate)
		ofSeed := all[0]
		switch { // the search checks only the options that the pivot has
		case len(own) > 0 && o.Kind == matcher.SharedValue:
			if len(ownOfCandidate) == 0 || !holdsAll(ofCandidate, own) || !holdsAll(ofSeed, ownOfCandidate) || !overlap(ofSeed, ofCandidate) {
				return false
			}
		case len(ofSeed) == 0:
		case len(ofCandidate) == 0,
			o.Kind == matcher.SharedValue && !overlap(ofSeed, ofCandidate),
			o.Kind == matcher.SameSet && !holdsAll(ofCandidate, ofSeed),
			o.Kind == matcher.NoRepeat && overlap(ofSeed, ofCandidate):
			return false
		}
	}
	count, have := map[matcher.Text]int{}, 0 // needed for the final check of the complete match
	for _, set := range all {
		if len(set) > 0 {
			have++
		}
		for _, text := range set {
			count[text]++
		}
	}
	inAll, most := 0, 0
	for _, n := range count {
		if most = max(most, n); n == len(all) {
			inAll++
		}
	}
	switch {
	case have == 0:
		return true
	case o.Kind == matcher.NoRepeat:
		return most < 2
	case o.Kind == matcher.SameSet:
		return inAll == len(count)
	}
	return inAll > 0
}

// inReach reports whether the seed and all other tickets can play in the match's region.
func (f *finishedTwin) inReach(seed *twinSeed, others []int) bool {
	rule, region := &f.rules.Pivot.Region, f.m.Region
	reached := func(players []matcher.Player, createdMS int64) (reach []bool, measured, any bool) {
		rtts, measured := f.rtts(players)
		limit := f.reach(players, createdMS)
		if f.released {
			steps := max(0, math.Ceil(float64(f.wait(createdMS))/5000)-1)
			limit = min(slices.Min(rtts)+rule.ReachMS.Base+20*steps, rule.MaxMS)
		}
		for _, ms := range rtts {
			in := measured && ms <= limit && ms < math.Inf(1)
			reach, any = append(reach, in), any || in
		}
		return reach, measured, any
	}
	ofSeed, measured, any := reached(seed.players, seed.createdMS)
	oneWay := seed.session == nil && f.wait(seed.createdMS) > rule.OneWayAfterMS
	switch {
	case seed.session != nil && f.released: // any region is allowed, because the caller chooses the region of a session
	case seed.session != nil:
		if seed.session.Region != matcher.NoRegion && seed.session.Region != region {
			return false
		}
	case f.released && !any: // a seed that reaches no region accepts any region and any ticket
		return true
	case measured && !ofSeed[region]:
		return false
	}
	for _, k := range others {
		c := &f.tickets[k]
		ofCandidate, measured, any := reached(c.Players, c.CreatedMS)
		if oneWay {
			rtts, _ := f.rtts(c.Players)
			any = false
			for i, ms := range rtts {
				ofCandidate[i] = measured && ms < math.Inf(1) && (f.released || ms <= rule.MaxMS)
				any = any || ofCandidate[i]
			}
		}
		anywhere := seed.session == nil && (!measured || f.released && !any)
		if !anywhere && !ofCandidate[region] {
			return false
		}
	}
	return true
}

func (f *finishedTwin) samePlayer(seed *twinSeed, others []int) bool {
	for i, k := range others {
		if overlap(namesOf(seed.players), namesOf(f.tickets[k].Players)) {
			return true
		}
		for _, other := range others[:i] {
			if !f.released && overlap(namesOf(f.tickets[other].Players), namesOf(f.tickets[k].Players)) {
				return true
			}
		}
	}
	return false
}

// blocked reports whether a player blocks another player of the same match. If the rules allow the
// two in different teams, it reports whether a player blocks another player of the same team.
func (f *finishedTwin) blocked(seed *twinSeed, others []int) bool {
	blocks := func(a, b part) bool {
		return overlap(setOf(a.values, colBlocked), b.names) || overlap(setOf(b.values, colBlocked), a.names)
	}
	switch f.rules.Pivot.Blocking {
	case matcher.IgnoreBlocks:
		return false
	case matcher.KeepApart:
		parts := []part{{seed.values, namesOf(seed.players)}}
		for _, k := range others {
			parts = append(parts, part{f.tickets[k].Values, namesOf(f.tickets[k].Players)})
		}
		for i := range parts {
			for k := range i {
				if blocks(parts[i], parts[k]) {
					return true
				}
			}
		}
		return false
	}
	for team, side := range f.m.Teams {
		var parts []part
		for _, row := range side.Tickets {
			parts = append(parts, part{f.tickets[f.at[row]].Values, namesOf(f.tickets[f.at[row]].Players)})
		}
		for i := range parts {
			for k := range i {
				if blocks(parts[i], parts[k]) {
					return true
				}
			}
			for k := 0; seed.session != nil && k < len(seed.session.Members); k++ {
				m := &seed.session.Members[k]
				if m.Team == team && overlap(setOf(parts[i].values, colBlocked), namesOf([]matcher.Player{m.Player})) {
					return true
				}
			}
		}
	}
	return false
}

// sized reports whether the number of teams and their sizes are allowed.
func (f *finishedTwin) sized(seed *twinSeed) bool {
	s, teams, large, small, opened := f.sizes(seed.createdMS), 0, false, false, false
	base := s
	if f.released {
		base = f.rules.Pivot.Sizes[0]
	}
	if base.MaxTeams == 1 && base.MaxPlayers == 1 && seed.session == nil {
		return len(f.m.Tickets) == 1
	}
	there := 0
	for k := 0; seed.session != nil && k < len(seed.session.Members); k++ {
		there = max(there, seed.session.Members[k].Team+1)
	}
	for team, side := range f.m.Teams {
		n := 0
		for _, row := range side.Tickets {
			n += len(f.tickets[f.at[row]].Players)
		}
		joined := n
		for k := 0; seed.session != nil && k < len(seed.session.Members); k++ {
			if seed.session.Members[k].Team == team {
				n++
			}
		}
		if n == 0 {
			continue
		}
		teams++
		large, small = large || joined > 0 && n > s.MaxPlayers, small || n < s.MinPlayers
		opened = opened || joined > 0 && team >= max(there, s.MaxTeams)
	}
	if seed.session != nil {
		return !large && !opened
	}
	return !large && !small && teams >= s.MinTeams && teams <= s.MaxTeams
}
