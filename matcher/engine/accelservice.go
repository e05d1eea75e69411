package engine

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/accelservice"
	"mmsim/matcher/engine/internal/store"
)

// accelService forms matches with the algorithm of matcher.InTurn.
type accelService struct {
	seedRules
	rules    *accelservice.Rules
	search   *accelservice.Search
	sessions []*accelservice.Open
	order    []*accelservice.Open // scratch space for backfillAll
}

// newAccelService returns an empty accelService for a pool. A ticket that is too large for any team may still be
// added, and is a candidate.
func newAccelService(p *Pool) *accelService {
	rules := accelservice.Compile(p.rules, p.schema)
	v := &accelService{seedRules: seedRules{pool: p, each: rules, shared: &rules.Rules}, rules: rules}
	p.rows, p.index, p.largest, p.teams = store.New(v.rules.StageAt), &v.rules.Index, matcher.MaxGroupPlayers, matcher.MaxGroupPlayers
	p.rows.WholeSeconds = true
	v.rules.Attach(p.rows)
	v.search = accelservice.NewSearch(v.rules)
	if p.backfillAll = v.backfillAll; len(v.rules.Set.Sizes) > 1 && !v.rules.Single() {
		p.over = v.over
	}
	return v
}

func (v *accelService) begin() (changed bool) { return false }

func (v *accelService) clear(row Row) { v.rules.Clear(row) }

// room implements method.room. Tickets that are too large for any team are candidates as well.
func (v *accelService) room(Row) int32 { return matcher.MaxGroupPlayers }

// try implements method.try. It returns exhausted if there are enough players around the seed but
// no match. A match may then become possible when a ticket around the seed leaves.
func (v *accelService) try(w *window) verdict {
	p := v.pool
	if v.rules.Single() {
		v.search.SeedOnly(w.seed)
		return v.propose(w, v.search.Members, v.search.Teams, v.rules.Regions.Nearest(w.seed))
	}
	sizes := v.rules.Sizes(w.seed)
	need := int32(sizes.MinTeams*sizes.MinPlayers) - p.rows.Players[w.seed] - w.reserved
	if w.missing = w.query.Shortfall(need); w.missing > 0 {
		return failed
	}
	reserve, searched := v.reserved(w), false
	for _, region := range v.pool.preferred(w.seed, v.rules.Regions.Reached(w.seed)) {
		q := v.in(w.query, region)
		if region != matcher.NoRegion && !q.Enough(need) {
			continue
		}
		searched = true
		if v.search.Begin(w.seed, region, q, reserve, int(need)) && v.search.Fill(sizes) {
			if region == matcher.NoRegion {
				region = v.rules.Regions.Nearest(w.seed)
			}
			return v.propose(w, v.search.Members, v.search.Teams, region)
		}
	}
	if !searched || w.reserve != nil { // failures of searches with a reserve are not remembered
		return failed
	}
	return exhausted
}

// over implements optionalFuncs.over. The pass ends if the last seed needs more teams than there are
// tickets left.
func (v *accelService) over(seed Row, left int) bool { return left < v.rules.Sizes(seed).MinTeams }

// backfillAll implements optionalFuncs.backfillAll. A session that becomes full is removed from the list
// during the loop. The sessions after it move forward by one position, the last position keeps its
// session, and the loop continues with the next position. The service behaves in this way, see
// matcher.InTurn.
func (v *accelService) backfillAll() {
	p := v.pool
	v.sessions, v.order = v.sessions[:0], v.order[:0]
	for _, row := range p.sessions {
		v.sessions = append(v.sessions, v.rules.Open(row, p.details[row]))
	}
	v.order = append(v.order, v.sessions...)
	live := len(v.order)
	for i := range v.order {
		o, index := v.order[i], p.all.index
		p.query.Around(index, o.Row, v.room(o.Row), true)
		full := v.search.Visit(o, v.in(&p.query, o.Session.Region), index.Withdraw)
		if at := slices.Index(v.order[:live], o); full && at >= 0 {
			copy(v.order[at:live-1], v.order[at+1:live])
			live--
		}
	}
	for _, o := range v.sessions {
		if len(o.Joined) == 0 {
			continue
		}
		if v.rules.Set.Balance {
			v.search.Balance(o)
		}
		v.propose(&window{subset: p.all, seed: o.Row, session: true}, o.Joined, o.Teams, o.Session.Region)
	}
}
