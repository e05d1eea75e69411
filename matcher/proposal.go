package matcher

// Proposal is a match that the engine suggests, not yet applied.
type Proposal struct {
	Tickets []Row    // the seed first, then as they were added
	Teams   []Side   // one per Ruleset.Teams, in its order; nil without teams
	Region  Region   // the best of Regions; NoRegion without region rule or common region
	Regions []Region // where all players can play, the fastest worst RTT first
}

// Side is one team of a proposal.
type Side struct {
	Tickets []Row // joining tickets, each with all of its players
	Members []int // players of the session, by their index in Session.Members
}

// Backfill is a proposal to add tickets to an open session. Teams holds the
// session's members too.
type Backfill struct {
	Session Row
	Proposal
}

// Exhausted tells what the search had no budget left for.
type Exhausted uint8

// The two budgets.
const (
	GroupSearch Exhausted = iota // Ruleset.Budget steps for one seed
	TeamSearch                   // TeamBudget placements for one group of more than two teams
)

// BudgetHit reports a search that stopped before it had seen everything: a match
// may exist that was not found.
type BudgetHit struct {
	Seed Row
	What Exhausted
}

// Outcome is what one pass decided, in the order in which it did. It stays valid
// until the next pass over the same pool.
type Outcome struct {
	Backfills  []Backfill
	Matches    []Proposal
	Expired    []Row // tickets that gave up before the pass
	BudgetHits []BudgetHit
}

// Evaluations is how often a search looked at a rule: when it tried a ticket beside others,
// and for each complete group. Passed counts those that the rule did not rule out.
type Evaluations struct{ Passed, Failed int64 }
