package reports

// Rules describes how the ruleset of a queue fared: how far it had to give way for
// matches, and what kept those apart who never found one. Matches are counted as they
// start; who joins a running one is told apart.
type Rules struct {
	Name           string `json:"name"`
	Dialect        string `json:"dialect"`
	Placement      string `json:"placement"`
	Follow         string `json:"follow,omitempty"` // service or page, where the two differ under these rules
	ExpansionBasis string `json:"expansion_basis"`
	OptionalBasis  string `json:"optional_basis"`

	Matches      Count       `json:"matches"`
	ShareRelaxed Share       `json:"share_relaxed"` // matches for which at least one rule had given way
	Relaxation   Relaxations `json:"relaxation"`
	ByHour       []RulesHour `json:"by_hour"` // 24, by the UTC hour in which a match starts

	FillAtStart Share     `json:"fill_at_start"` // players / (matches x size)
	Sizes       Parts     `json:"match_sizes"`   // matches by their players
	Layouts     Parts     `json:"team_layouts"`  // matches by the players of their teams: "5v4"
	Backfill    Backfill  `json:"backfill"`
	BudgetHits  BudgetHit `json:"budget_hits"`
	Refused     Parts     `json:"refused"` // players by the reason for which their ticket was not taken
	Expiry      Expiry    `json:"expiry"`
}

// RulesHour describes the matches of one hour of the day.
type RulesHour struct {
	Matches      Count `json:"matches"`
	ShareRelaxed Share `json:"share_relaxed"`
	// Furthest has the matches by how far that rule had given way which had done so
	// most: by its steps, "0", "1", "2-3", "4-7" and "8+", then "not_enforced".
	Furthest Parts `json:"furthest"`
}

// Relaxation is how far one rule had given way, over matches.
type Relaxation struct {
	Name         string `json:"-"`
	ShareRelaxed Share  `json:"share_relaxed"` // matches in which it had
	// Stages has the matches by the stage of the rule's expansion ("0" is as at the
	// start), "inactive" where the stage does not enforce it, and "optional" where it
	// was not enforced any more, whatever its stage. In this order.
	Stages Parts `json:"stages"`
}

// Part is an item of a list whose items add up to a whole: a list without the item
// has 0 of it.
type Part struct {
	Name  string `json:"-"`
	Count Count  `json:"count"`
	Share Share  `json:"share"` // of the whole
}

// Lists that are objects in JSON, in the order of the list.
type (
	// Relaxations are in the order of the ruleset.
	Relaxations []Relaxation
	// Parts are in the order of what parts them.
	Parts []Part
)

// Backfill counts who joined running matches.
type Backfill struct {
	Tickets Count `json:"tickets"`
	Players Count `json:"players"`
}

// BudgetHit counts searches that stopped at a budget before they had seen everything:
// a match may have been missed.
type BudgetHit struct {
	Groups Count `json:"groups"`
	Teams  Count `json:"teams"`
}

// Expiry says why tickets gave up, as they stood then. Where very many do, not all are
// looked into. Every ticket that is has one reason, the first of these that holds:
//
//   - Group: nothing kept it apart, one by one, from enough others for a match, and yet
//     none came about: those do not fit each other, in size, or into teams;
//   - TooFew: all who waited were too few for a match, a player counted for each ticket;
//   - what kept most others apart from it: a rule, the first one that did so of each, or,
//     TooLarge, that together they have more players than a match holds.
type Expiry struct {
	Tickets   Count `json:"tickets"`
	Players   Count `json:"players"`
	Explained Count `json:"explained"` // tickets looked into, of which shares are
	ByRule    Parts `json:"by_rule"`   // in the order of the ruleset
	TooLarge  Part  `json:"too_large"`
	TooFew    Part  `json:"too_few"`
	Group     Part  `json:"group"`
	Pairs     Pairs `json:"pairs"`
}

// Pairs are those of an expired ticket and another one that waited then, by the first
// rule that kept them apart.
type Pairs struct {
	Count    Count `json:"count"`
	ByRule   Parts `json:"by_rule"`
	TooLarge Part  `json:"too_large"` // together more players than a match holds
	MayMeet  Part  `json:"may_meet"`  // nothing kept them apart
}

// QueueStatistics is what the vendor's service tells about a queue while it runs, as it
// would at the end of the run. Backfills do not count.
type QueueStatistics struct {
	PlayersMatching Count       `json:"players_matching"` // who wait at the end
	Window          Seconds     `json:"window_s"`         // how far TimeToMatch looks back
	TimeToMatch     TimeToMatch `json:"time_to_match_s"`
	WholeRun        TimeToMatch `json:"time_to_match_whole_run_s"`
	// PlayersSee lists which of players_matching and time_to_match_s the service shows
	// to players; servers see both. Without any it refuses players the request.
	PlayersSee []string `json:"players_see"`
}

// What players may see of QueueStatistics.
const (
	SeePlayersMatching = "players_matching"
	SeeTimeToMatch     = "time_to_match_s"
)

// TimeToMatch describes the waits of tickets that found a match, each once whatever its
// size. Percentiles are nearest-rank.
type TimeToMatch struct {
	Tickets Count   `json:"tickets"`
	Average Seconds `json:"average"`
	P50     Seconds `json:"p50"`
	P90     Seconds `json:"p90"`
	P99     Seconds `json:"p99"`
}
