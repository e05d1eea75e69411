package engine

import (
	"fmt"
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/accelpage"
	"mmsim/matcher/engine/internal/around"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/split"
	"mmsim/matcher/engine/internal/store"
)

// accelPage forms matches around a seed and compares candidates only with the seed.
type accelPage struct {
	seedRules
	rules    *accelpage.Rules
	search   *accelpage.Search
	solver   split.Solver
	even     split.Even
	given    []int // scratch space for balance
	listed   []Row
	distinct []int                 // indexed by option: number of distinct values among all waiting tickets, or -1 if not counted yet
	seen     map[matcher.Text]bool // scratch space for values
}

func newAccelPage(p *Pool) *accelPage {
	rules := accelpage.Compile(p.rules, p.schema)
	v := &accelPage{seedRules: seedRules{pool: p, each: rules, shared: &rules.Rules}, rules: rules,
		distinct: make([]int, len(p.rules.Pivot.Options)), seen: make(map[matcher.Text]bool)}
	p.rows, p.index, p.largest, p.teams = store.New(v.rules.StageAt), &v.rules.Index, v.rules.LargestTicket(), matcher.MaxGroupPlayers
	p.refuse = v.refuse
	v.rules.Attach(p.rows)
	v.search = accelpage.NewSearch(v.rules, p.budget)
	return v
}

// begin implements method.begin.
func (v *accelPage) begin() (changed bool) {
	for i := range v.distinct {
		v.distinct[i] = -1
	}
	return v.pool.rules.CountsMeans()
}

// refuse returns a Refusal if all regions that a ticket's players measured are too far away.
func (v *accelPage) refuse(t *matcher.Ticket) error {
	if bestMS, tooFar := v.rules.Regions.TooFar(t.Players, t.From); tooFar {
		return matcher.Refusal(fmt.Sprintf("no region within %v ms, the nearest common one is at %v ms", v.rules.Set.Region.MaxMS, bestMS))
	}
	return nil
}

func (v *accelPage) clear(Row) {}

// room implements method.room. It returns the number of players that a team may have, because a
// ticket joins a team as a whole.
func (v *accelPage) room(seed Row) int32 {
	most := v.rules.Sizes(seed).MaxPlayers
	if v.pool.rows.Kind[seed] == store.Session {
		s := v.pool.details[seed]
		most = min(most, s.Capacity-len(s.Members))
	}
	return int32(min(most, matcher.MaxGroupPlayers))
}

// try implements method.try.
func (v *accelPage) try(w *window) verdict {
	p := v.pool
	if w.session {
		return v.backfill(w)
	}
	sizes, players := v.rules.Sizes(w.seed), int(p.rows.Players[w.seed])
	need, single := sizes.MinTeams*sizes.MinPlayers-players, around.Single(sizes)
	if !single && (players > sizes.MaxPlayers || v.tooFewValues(w, sizes)) {
		return failed
	}
	if !single { // counting players is cheaper than comparing tickets
		if w.missing = w.query.Shortfall(int32(need) - w.reserved); w.missing > 0 {
			return failed
		}
	}
	v.search.NewSeed()
	for _, region := range p.preferred(w.seed, v.rules.Regions.Reached(w.seed)) {
		if single {
			v.search.Begin(w.seed, region, 0)
		} else if !v.gather(w, region, need) {
			continue
		}
		if !v.search.Fill(sizes) {
			continue
		}
		if v.rules.Set.Balance {
			v.balance(*sizes, nil)
		}
		return v.propose(w, v.search.Members, v.search.Teams, region)
	}
	if !v.search.Hit {
		return failed
	}
	return p.exhaust(w.seed, matcher.GroupSearch)
}

// gather collects the candidates of a seed in a region. It returns false if the candidates have too
// few players. The parameter need is the required number.
func (v *accelPage) gather(w *window, region matcher.Region, need int) bool {
	q := v.in(w.query, region)
	if !q.Enough(int32(need) - w.reserved) {
		return false
	}
	v.search.Begin(w.seed, region, v.room(w.seed))
	players := math.MaxInt32 // no upper bound is known
	if v.listed = q.Append(v.listed[:0]); len(v.listed) > candidate.Few && len(v.rules.Set.Distances) > 0 {
		v.search.Outward(q.Outward())
	} else {
		players = v.search.Offer(v.listed, false)
	}
	if w.reserve != nil && players+int(w.reserved) >= need {
		players += v.search.Offer(v.reserved(w), true)
	}
	return players >= need
}

// backfill looks for tickets to join a session.
func (v *accelPage) backfill(w *window) verdict {
	session := v.pool.details[w.seed]
	if !v.rules.Set.Backfill {
		return failed
	}
	sizes := v.rules.Sizes(w.seed)
	w.query.Around(w.subset.index, w.seed, v.room(w.seed), true)
	v.gather(w, session.Region, 0)
	if !v.search.Join(session, sizes) {
		return failed
	}
	if v.rules.Set.Balance {
		teams := max(sizes.MaxTeams, len(v.search.Teams))
		v.balance(matcher.TeamSizes{MaxTeams: teams, MaxPlayers: sizes.MaxPlayers}, session)
	}
	return v.propose(w, v.search.Members[1:], v.search.Teams, session.Region)
}

// tooFewValues reports whether the options rule out any match around a seed. If no value may
// repeat, every ticket needs a value of its own. The values of all waiting tickets are counted once
// per pass.
func (v *accelPage) tooFewValues(w *window, sizes *matcher.TeamSizes) bool {
	for i := range v.rules.Set.Options {
		own := len(v.rules.Traits[w.seed].Options[i])
		if v.rules.Set.Options[i].Kind != matcher.NoRepeat || own == 0 || !v.rules.Enforced(i, v.rules.Limits(w.seed)) {
			continue
		}
		if v.distinct[i] < 0 {
			v.distinct[i] = v.values(i)
		}
		largest := w.subset.index.Largest(int32(min(sizes.MaxPlayers, math.MaxInt32)))
		if w.reserve != nil {
			largest = int32(sizes.MaxPlayers)
		}
		players := int(v.pool.rows.Players[w.seed]) + (v.distinct[i]-own)*int(largest)
		if players < sizes.MinTeams*sizes.MinPlayers {
			return true
		}
	}
	return false
}

// values returns the number of distinct values that all waiting tickets have for an option.
func (v *accelPage) values(option int) int {
	clear(v.seen)
	for i := range v.pool.all.members {
		if row := v.pool.all.members[i].Row; v.pool.rows.Kind[row] == store.Ticket {
			for _, text := range v.rules.Traits[row].Options[option] {
				v.seen[text] = true
			}
		}
	}
	return len(v.seen)
}

// balance divides the group's tickets into teams that are as even as possible. The players of a
// session stay in their teams. session is nil for a new match.
func (v *accelPage) balance(sizes matcher.TeamSizes, session *matcher.Session) {
	s := v.search
	tickets := s.Members
	if session != nil {
		tickets = tickets[1:]
	}
	if sizes.MaxTeams == 1 || around.Single(&sizes) {
		return
	}
	v.solver.Reset(1)
	teams := min(sizes.MaxTeams, len(s.Teams)+len(tickets))
	for range teams {
		v.solver.AddTeam(sizes.MinPlayers, sizes.MaxPlayers)
	}
	if session != nil {
		for i := range session.Members {
			m := &session.Members[i]
			v.solver.Seat(m.Team, 1, v.rules.Worth(m.Player))
		}
	}
	v.given = v.given[:0]
	for i := range tickets {
		m := &tickets[i]
		v.solver.AddUnit(int(v.pool.rows.Players[m.Row]), false, v.rules.Traits[m.Row].Worth)
		v.given = append(v.given, m.Team)
	}
	v.even = split.Even{Given: v.given, MinTeams: sizes.MinTeams, MoreTeams: sizes.MaxTeams > teams}
	if v.rules.Set.Blocking == matcher.OtherTeams {
		v.even.Apart = func(i, k int) bool { return v.rules.Block(tickets[i].Row, tickets[k].Row) }
		v.even.Barred = func(i, team int) bool { return s.Barred(team, tickets[i].Row) }
	}
	v.solver.Split(&v.even)
	for k := range tickets {
		unit, team := v.solver.Assigned(k)
		for len(s.Teams) <= team {
			s.Teams = append(s.Teams, accelpage.Team{Number: len(s.Teams)})
		}
		tickets[unit].Team = team
	}
}
