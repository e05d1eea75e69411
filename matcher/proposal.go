package matcher

// Proposal is a match that the engine proposes and that is not applied yet.
type Proposal struct {
	Tickets []Row    // the seed, then the other tickets in the order in which they joined; without the seed if it found no seat, see InTurn
	Teams   []Side   // in the order of the ruleset's teams, or nil if the match has no teams
	Region  Region   // the first of Regions, or NoRegion if there is none
	Regions []Region // regions where all players can play, ordered by the worst RTT of any player
	Ref     Ref
}

// Ref identifies the proposal of an external matchmaker: the number of the pass that it answered, and
// the index of the proposal in the answer, where backfills follow matches.
type Ref struct{ Pass, Index int }

// Side is one team of a proposal.
type Side struct {
	Tickets []Row // the tickets that join this team
	Members []int // players of the session, as indexes in Session.Members
}

// Backfill is a proposal to add tickets to an open session. Its Teams include the session's
// members.
type Backfill struct {
	Session Row
	Proposal
}

// Exhausted identifies the budget that a search used up.
type Exhausted uint8

// The two budgets.
const (
	GroupSearch Exhausted = iota // the limit of Ruleset.Budget on the search steps for one seed
	TeamSearch                   // the limit on the assignments to teams that are tried for one seed's groups
)

// BudgetHit reports a search that ran out of budget. There may be a match that it did not find.
type BudgetHit struct {
	Seed   Row
	Search Exhausted
}

// Outcome is the result of one pass. Each list is in the order of the decisions. An Outcome is
// valid until the next pass over the same pool.
type Outcome struct {
	Backfills  []Backfill
	Matches    []Proposal
	Expired    []Row // tickets that gave up before the pass
	BudgetHits []BudgetHit
	Fault      error // error of an external matchmaker, which then makes no further proposals
}

// Evaluations counts how often a search evaluated a rule. A search evaluates a rule for each
// ticket that it tries to add to a group, and for each complete group.
type Evaluations struct{ Passed, Failed int64 }
