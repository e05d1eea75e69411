package engine

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/scan"
	"mmsim/matcher/engine/internal/store"
)

// scans forms matches with the algorithm of matcher.Scan.
type scans struct {
	pivots
	rules   *scan.Rules
	search  *scan.Search
	reserve []Row
	opened  []*scan.Open
	places  []*scan.Open // scratch of backfillAll
	numbers []int        // scratch of propose: by team of the group, the number of its side from 1; 0: none yet
}

func newScans(p *Pool) *scans {
	v := &scans{rules: scan.Compile(p.rules.Pivot, p.schema)}
	v.pool = p
	return v
}

// begin implements method.
func (v *scans) begin() {
	v.pool.rows.WholeSeconds = true
	v.rules.Attach(v.pool.rows)
	v.search = scan.NewSearch(v.rules)
}

// forget implements method.
func (v *scans) forget() { v.rows, v.sides, v.regionList = v.rows[:0], v.sides[:0], v.regionList[:0] }

// largestTicket implements method: a ticket that is too large for any team still waits and is a
// candidate.
func (v *scans) largestTicket() int { return matcher.MaxGroupPlayers }

// refuse implements method.
func (v *scans) refuse(t *matcher.Ticket) error {
	if t.From == matcher.NoPlace {
		v.rules.Measure(t.Players)
	}
	return nil
}

func (v *scans) load(row Row, t *matcher.Ticket) { v.rules.Load(row, t.Values, t.Players, t.From) }

func (v *scans) loadSession(row Row, s *matcher.Session) {
	v.rules.Measure(nil)
	v.rules.Load(row, s.Values, playersOf(s), matcher.NoPlace)
}

func (v *scans) clear(row Row) { v.rules.Clear(row) }

func (v *scans) addPlace(rttMS []float64) int32 {
	v.rules.Measure([]matcher.Player{{RTTMS: rttMS}})
	return v.rules.AddPlace()
}

func (v *scans) stageAt(waitMS int64) store.Stage { return v.rules.StageAt(waitMS) }

func (v *scans) indexRules() *candidate.Rules { return &v.rules.Index }

func (v *scans) criteria() []criterion.Criterion { return nil }

// room implements method: tickets that are too large for any team are candidates too.
func (v *scans) room(Row) int32 { return matcher.MaxGroupPlayers }

// try implements method. If enough players are around a seed and there is still no match, a
// match may become possible when one of them leaves. The result is then exhausted, although no
// budget was reached.
func (v *scans) try(c *circle) verdict {
	p, index := v.pool, c.subset.index
	if v.rules.Single() {
		v.search.Alone(c.seed)
		return v.match(c, v.rules.Nearest(c.seed))
	}
	sizes := v.rules.Sizes(c.seed)
	need := int32(sizes.MinTeams*sizes.MinPlayers) - p.rows.Players[c.seed] - c.reserved
	if !index.Enough(need) {
		return failed
	}
	v.reserve = v.reserve[:0]
	if c.reserve != nil {
		v.reserve = c.reserve.AppendRows(v.reserve)
	}
	reached, none := v.rules.Reached(c.seed), [1]matcher.Region{matcher.NoRegion}
	if len(reached) == 0 {
		reached = none[:]
	}
	searched := false
	for _, region := range reached {
		if region != matcher.NoRegion {
			index.Only(scan.RegionRule, 1<<region)
			if !index.Enough(need) {
				continue
			}
		}
		searched = true
		if v.search.Begin(c.seed, region, index, v.reserve, int(need)) && v.search.Fill(sizes) {
			if region == matcher.NoRegion {
				region = v.rules.Nearest(c.seed)
			}
			return v.match(c, region)
		}
	}
	if !searched || c.reserve != nil { // failures with a reserve are not remembered
		return failed
	}
	p.around(c) // the query was narrowed to regions
	return exhausted
}

// match adds a proposal with the group to the outcome.
func (v *scans) match(c *circle, region matcher.Region) verdict {
	s := v.search
	proposal := v.propose(s.Members, s.Teams, nil, region)
	v.pool.out.Matches = append(v.pool.out.Matches, proposal)
	v.take(c, proposal.Tickets)
	return matched
}

// ends implements passEnder: the team sizes must depend on the wait.
func (v *scans) ends() bool { return len(v.rules.Set.Sizes) > 1 && !v.rules.Single() }

// over implements passEnder: a seed that needs more teams than there are remaining tickets ends
// the pass.
func (v *scans) over(seed Row, left int) bool { return left < v.rules.Sizes(seed).MinTeams }

// backfillAll implements sessionWalker. When a session becomes full, it leaves the list: the
// sessions behind it move up by one place, the last place keeps its entry, and the loop
// continues with the next place.
func (v *scans) backfillAll() {
	p := v.pool
	v.opened, v.places = v.opened[:0], v.places[:0]
	for _, row := range p.sessions {
		v.opened = append(v.opened, v.rules.Open(row, p.details[row]))
	}
	v.places = append(v.places, v.opened...)
	live := len(v.places)
	for i := range v.places {
		o, c := v.places[i], circle{subset: p.all, seed: v.places[i].Row, session: true}
		index := c.subset.index
		index.Around(c.seed, p.rows.Stage[c.seed], v.room(c.seed), true)
		if o.Session.Region != matcher.NoRegion {
			index.Only(scan.RegionRule, 1<<o.Session.Region)
		}
		full := v.search.Visit(o, index, index.Close)
		if at := slices.Index(v.places[:live], o); full && at >= 0 {
			copy(v.places[at:live-1], v.places[at+1:live])
			live--
		}
	}
	for _, o := range v.opened {
		if len(o.Joined) == 0 {
			continue
		}
		if v.rules.Set.Balance {
			v.search.Balance(o)
		}
		proposal := v.propose(o.Joined, o.Teams, o.Session, o.Session.Region)
		p.out.Backfills = append(p.out.Backfills, matcher.Backfill{Session: o.Row, Proposal: proposal})
		p.Remove(o.Row)
		v.take(&circle{subset: p.all}, proposal.Tickets)
	}
}

// propose converts a group into a proposal. A new match has no teams without players; the teams
// of a session keep their numbers.
func (v *scans) propose(members []scan.Member, teams []scan.Team, session *matcher.Session, region matcher.Region) matcher.Proposal {
	from, sides := len(v.rows), 0
	v.numbers = v.numbers[:0]
	for i := range teams {
		number := 0
		if session != nil {
			number = teams[i].Number + 1
			sides = max(sides, number)
		}
		v.numbers = append(v.numbers, number)
	}
	for _, m := range members {
		v.rows = append(v.rows, m.Row)
		if v.numbers[m.Team] == 0 {
			sides++
			v.numbers[m.Team] = sides
		}
	}
	proposal := matcher.Proposal{Tickets: v.rows[from:len(v.rows):len(v.rows)], Region: region}
	if session != nil {
		for i := range session.Members {
			sides = max(sides, session.Members[i].Team+1)
		}
	}
	from = len(v.sides)
	for side := 1; side <= sides; side++ {
		first := len(v.rows)
		for _, m := range members {
			if v.numbers[m.Team] == side {
				v.rows = append(v.rows, m.Row)
			}
		}
		v.sides = append(v.sides, matcher.Side{Tickets: slices.Clip(v.rows[first:])})
	}
	proposal.Teams = v.sides[from:len(v.sides):len(v.sides)]
	v.regionList = complete(&proposal, session, v.regionList)
	return proposal
}

// keepsApart implements method.
func (v *scans) keepsApart(a, b Row) (why Why, rule int) {
	o := v.obstacleOf(a, b, false)
	return o.Why, o.Rule
}

// obstacle implements method.
func (v *scans) obstacle(a, b Row) Obstacle { return v.obstacleOf(a, b, true) }

func (v *scans) obstacleOf(a, b Row, opens bool) Obstacle {
	o := Obstacle{Other: b, OpenMS: matcher.Never}
	seed, row := v.pool.roles(a, b)
	region := matcher.NoRegion
	if s := v.pool.details[seed]; s != nil {
		region = s.Region
	}
	r, apart := v.rules.Fixed(seed, row)
	if !apart {
		if players, seats := int(v.pool.rows.Players[row]), v.rules.Sizes(seed).MaxPlayers; players > seats {
			o.Why, o.Value, o.Bound = TooMany, float64(players), float64(seats)
			return o
		}
		r, apart = v.rules.Waiting(seed, row, v.pool.rows.NowMS, region)
	}
	if apart {
		if o.Why, o.Name, o.Rule, o.Value, o.Bound = ByRule, r.Name, r.Rule, r.Value, r.Bound; r.Rule >= 0 {
			o.Name = v.pool.names[r.Rule]
		}
		if opens && r.Waits {
			o.OpenMS = v.rules.Opens(r, seed, row, region)
		}
	}
	return o
}
