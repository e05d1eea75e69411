package outcome

// Rules describes the effects of the ruleset of a queue: how far it was relaxed for matches, and
// what kept the tickets apart that never found one. Matches are counted when they start; players
// who join a running match are counted in Backfill.
type Rules struct {
	Name           string `json:"name"`
	Dialect        string `json:"dialect"`
	Placement      string `json:"placement"`
	Follow         string `json:"follow,omitempty"` // service or page, if the two differ under these rules
	ExpansionBasis string `json:"expansion_basis"`
	OptionalBasis  string `json:"optional_basis"`

	Matches      Count       `json:"matches" unit:"matches" meaning:"Matches under the ruleset, as they start"`
	ShareRelaxed Share       `json:"share_relaxed" better:"lower" base:"matches" meaning:"Share of matches for which at least one rule was relaxed"`
	Relaxation   Relaxations `json:"relaxation" keys:"rules"`
	ByHour       []RulesHour `json:"by_hour"` // 24, by the UTC hour in which a match starts

	FillAtStart Share     `json:"fill_at_start" better:"higher" base:"matches" meaning:"Players per seat of matches as they start"`
	Sizes       Parts     `json:"match_sizes" unit:"matches" meaning:"matches with a number of players"`
	Layouts     Parts     `json:"team_layouts" unit:"matches" meaning:"matches with a layout of teams, such as 5v4"`
	Backfill    Backfill  `json:"backfill"`
	BudgetHits  BudgetHit `json:"budget_hits"`
	Refused     Parts     `json:"refused" unit:"players" meaning:"players whose ticket was refused, by reason"`
	Expiry      Expiry    `json:"expiry"`

	Evaluations Evaluations `json:"evaluations,omitempty"` // nil: not counted

	Acceptance *Acceptance `json:"acceptance,omitempty" when:"acceptance of matches"`
}

// RulesHour describes the matches of one hour of the day.
type RulesHour struct {
	Matches      Count `json:"matches" unit:"matches" meaning:"Matches that start in one UTC hour"`
	ShareRelaxed Share `json:"share_relaxed" better:"lower" base:"matches" meaning:"Share of matches that start in one UTC hour for which at least one rule was relaxed"`
	// Furthest divides the matches by the rule that was relaxed most: by its steps, "0",
	// "1", "2-3", "4-7" and "8+", then "not_enforced".
	Furthest Parts `json:"furthest" unit:"matches" meaning:"matches that start in one UTC hour, by the steps of the rule that was relaxed most"`
}

// Relaxation describes how far one rule was relaxed, over matches.
type Relaxation struct {
	Name         string `json:"-"`
	ShareRelaxed Share  `json:"share_relaxed" better:"lower" base:"matches" meaning:"Share of matches for which the rule was relaxed"`
	// Stages divides the matches by the stage of the rule's expansion ("0": not relaxed), then
	// "inactive" if the stage does not enforce the rule, and "optional" if the rule was no
	// longer enforced, whatever its stage. In this order.
	Stages Parts `json:"stages" unit:"matches" meaning:"matches by the stage of the rule's expansion"`
}

// Member implements the interface of items of an Object.
func (r *Relaxation) Member() (*string, any) { return &r.Name, r }

// Part is an item of a list whose items add up to a whole: a list without the item has 0 of it.
type Part struct {
	Name  string `json:"-"`
	Count Count  `json:"count" unit:"*" meaning:"Number of *"`
	Share Share  `json:"share" meaning:"Share of *"`
}

// Member implements the interface of items of an Object.
func (p *Part) Member() (*string, any) { return &p.Name, p }

// Lists that are objects in JSON, in the order of the list.
type (
	// Relaxations are in the order of the ruleset.
	Relaxations = Object[Relaxation]
	// Parts are in the order of their keys in the whole.
	Parts = Object[Part]
)

// Backfill counts tickets and players that joined running matches.
type Backfill struct {
	Tickets Count `json:"tickets" unit:"tickets" meaning:"Tickets that joined a running match"`
	Players Count `json:"players" unit:"players" meaning:"Players who joined a running match"`
}

// BudgetHit counts searches that stopped at a budget before they had tried everything: a match
// may have been missed.
type BudgetHit struct {
	Groups Count `json:"groups" unit:"searches" meaning:"Searches for a group that stopped at their budget, so that a match may have been missed"`
	Teams  Count `json:"teams" unit:"searches" meaning:"Searches for teams that stopped at their budget, so that a match may have been missed"`
}

// Evaluation counts how often the search evaluated a rule, like ruleEvaluationMetrics in the
// service's events. The warm-up period counts too.
type Evaluation struct {
	Name   string `json:"-"`
	Passed Count  `json:"passed" unit:"evaluations" meaning:"Times that a rule let a ticket join others, or a match be made"`
	Failed Count  `json:"failed" unit:"evaluations" meaning:"Times that a rule kept a ticket from others, or a match from being made"`
}

// Member implements the interface of items of an Object.
func (e *Evaluation) Member() (*string, any) { return &e.Name, e }

// Evaluations are in the order of the ruleset.
type Evaluations = Object[Evaluation]

// Acceptance describes the proposals to players that were decided. A dropped proposal costs time:
// players who continue to wait were not part of the search meanwhile.
type Acceptance struct {
	Proposals    Count   `json:"proposals" unit:"proposals" meaning:"Matches, and tickets for running matches, that were proposed to players"`
	Started      Count   `json:"started" unit:"proposals" meaning:"Proposals that all players accepted"`
	Refused      Count   `json:"refused" unit:"proposals" better:"lower" meaning:"Proposals that a player refused"`
	TimedOut     Count   `json:"timed_out" unit:"proposals" better:"lower" meaning:"Proposals to which a player had not answered at the timeout"`
	Lapsed       Count   `json:"lapsed" unit:"proposals" better:"lower" meaning:"Proposals during which a ticket reached its give-up time, or the running match ended"`
	ShareStarted Share   `json:"share_started" better:"higher" base:"proposals" meaning:"Share of proposals that all players accepted"`
	PerStart     Average `json:"per_start" unit:"proposals" better:"lower" base:"started" meaning:"Proposals per proposal that all players accepted"`
	AnswerMean   Seconds `json:"answer_mean_s" better:"lower" base:"started" meaning:"Mean time from the proposal to the start of the match, over players"`
	Returned     Count   `json:"returned" unit:"players" better:"lower" meaning:"Players who continued to wait after a dropped proposal, once for each proposal"`
	LostMean     Seconds `json:"lost_mean_s" better:"lower" base:"returned" meaning:"Mean time in a dropped proposal, over players who continued to wait"`
	LostPerMatch Seconds `json:"lost_per_player_s" better:"lower" base:"started" meaning:"Wait that dropped proposals cost, for each player whose match was accepted"`
}

// Expiry describes why tickets gave up, judged by the tickets that waited at that time. If very
// many give up, not all are explained. Every explained ticket has one reason, the first of these
// that applies:
//
//   - Group: nothing kept it apart, one by one, from enough others for a match, and yet
//     none came about: those do not fit each other, in size, or into teams;
//   - TooFew: all that waited were too few for a match, a player counted for each ticket;
//   - what kept most others apart from it: a rule, the first one that did so of each, or,
//     TooLarge, that together they have more players than a match holds.
type Expiry struct {
	Tickets   Count `json:"tickets" unit:"tickets" meaning:"Tickets that reached their give-up time"`
	Players   Count `json:"players" unit:"players" meaning:"Players of tickets that reached their give-up time"`
	Explained Count `json:"explained" unit:"tickets" meaning:"Tickets that reached their give-up time and whose reason was determined"`
	ByRule    Parts `json:"by_rule" keys:"rules" unit:"tickets" meaning:"tickets that gave up because a rule kept most others apart from them"` // in the order of the ruleset
	TooLarge  Part  `json:"too_large" unit:"tickets" base:"explained" meaning:"tickets that gave up because they and most others have more players than a match holds"`
	TooFew    Part  `json:"too_few" unit:"tickets" base:"explained" meaning:"tickets that gave up because all that waited were too few for a match"`
	Group     Part  `json:"group" unit:"tickets" base:"explained" meaning:"tickets that gave up although no rule kept them apart from the others, because these do not make up a match"`
	Pairs     Pairs `json:"pairs"`
}

// Pairs counts pairs of an expired ticket and another one that waited at that time, by the first
// rule that kept them apart.
type Pairs struct {
	Count    Count `json:"count" unit:"pairs" meaning:"Pairs of a ticket that gave up and another one that waited at that time"`
	ByRule   Parts `json:"by_rule" keys:"rules" unit:"pairs" meaning:"pairs of a ticket that gave up and another one, kept apart by a rule"`
	TooLarge Part  `json:"too_large" unit:"pairs" base:"count" meaning:"pairs of a ticket that gave up and another one that together have more players than a match holds"`
	MayMeet  Part  `json:"may_meet" unit:"pairs" base:"count" meaning:"pairs of a ticket that gave up and another one that no rule kept apart"`
}

// QueueStatistics is what the vendor's service would report about a queue at the end of the run.
// Backfills do not count.
type QueueStatistics struct {
	PlayersMatching Count       `json:"players_matching" unit:"players" meaning:"Players who wait at the end of the run, as the vendor's service reports them"`
	Window          Seconds     `json:"window_s" meaning:"-"` // how far TimeToMatch looks back
	TimeToMatch     TimeToMatch `json:"time_to_match_s" meaning:"in the last window, as the vendor's service reports it"`
	WholeRun        TimeToMatch `json:"time_to_match_whole_run_s" meaning:"in the whole run, counted as the vendor's service does"`
	// PlayersSee lists which of players_matching and time_to_match_s the service shows to
	// players; servers see both. If the list is empty, the service refuses requests of players.
	PlayersSee []string `json:"players_see"`
}

// What players may see of QueueStatistics.
const (
	SeePlayersMatching = "players_matching"
	SeeTimeToMatch     = "time_to_match_s"
)

// TimeToMatch describes the waits of tickets that found a match, each counted once whatever its
// size. Percentiles are nearest-rank.
type TimeToMatch struct {
	Tickets Count   `json:"tickets" unit:"tickets" meaning:"Tickets that found a match *"`
	Average Seconds `json:"average" base:"tickets" meaning:"Mean wait of tickets that found a match *"`
	P50     Seconds `json:"p50" base:"tickets" meaning:"Median wait of tickets that found a match *"`
	P90     Seconds `json:"p90" base:"tickets" meaning:"90th percentile of the wait of tickets that found a match *"`
	P99     Seconds `json:"p99" base:"tickets" meaning:"99th percentile of the wait of tickets that found a match *"`
}
