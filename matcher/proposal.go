package matcher

// Proposal is a match that the engine proposes and that is not applied yet.
type Proposal struct {
	Tickets []Row    // the seed first, then in the order in which they were added
	Teams   []Side   // one per Ruleset.Teams, in its order; nil without teams
	Region  Region   // the best of Regions; NoRegion without a region rule or a common region
	Regions []Region // regions where all players can play, the lowest worst RTT first
}

// Side is one team of a proposal.
type Side struct {
	Tickets []Row // joining tickets, each with all of its players
	Members []int // players of the session, by their index in Session.Members
}

// Backfill is a proposal to add tickets to an open session. Teams includes the session's
// members.
type Backfill struct {
	Session Row
	Proposal
}

// Exhausted is the budget that a search used up.
type Exhausted uint8

// The two budgets.
const (
	GroupSearch Exhausted = iota // Ruleset.Budget steps for one seed
	TeamSearch                   // TeamBudget placements for one group of more than two teams
)

// BudgetHit reports a search that ran out of budget: there may be a match that it did not
// find.
type BudgetHit struct {
	Seed Row
	What Exhausted
}

// Outcome is the result of one pass, each list in the order of the decisions. It stays valid
// until the next pass over the same pool.
type Outcome struct {
	Backfills  []Backfill
	Matches    []Proposal
	Expired    []Row // tickets that gave up before the pass
	BudgetHits []BudgetHit
	Fault      error // of an external matchmaker, which makes no further proposals
}

// Evaluations counts how often a search evaluated a rule: for each ticket that it tried to
// add to a group, and for each complete group. Passed counts the evaluations that the rule
// allowed.
type Evaluations struct{ Passed, Failed int64 }
