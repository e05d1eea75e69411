package outcome

// Rules describes the effects of a queue's ruleset: how far matches relaxed it, and why tickets
// that gave up found no match. Matches are counted when they start. Players who join a running
// match are counted in Backfill instead.
type Rules struct {
	Name           string `json:"name"`
	Dialect        string `json:"dialect"`
	Placement      string `json:"placement"`
	Follow         string `json:"follow,omitempty"` // what the rules follow: the vendor's "service" or its documentation ("page"); "" if the two agree
	ExpansionBasis string `json:"expansion_basis"`
	OptionalBasis  string `json:"optional_basis"`

	Matches      Count       `json:"matches" unit:"matches" words:"matches under the ruleset *" meaning:"Matches that start under the ruleset"`
	ShareRelaxed Share       `json:"share_relaxed" better:"lower" base:"matches" words:"share of matches with a relaxed rule *" meaning:"Share of matches for which at least one rule was relaxed"`
	Relaxation   Relaxations `json:"relaxation" keys:"rules" words:"rule <key> *"`
	ByHour       []RulesHour `json:"by_hour" words:"at <key>:00 *"` // 24 items, by the hour of the day in which a match starts

	FillAtStart Share     `json:"fill_at_start" better:"higher" base:"matches" words:"fill at the start of matches *" meaning:"Players per seat at the start of matches"`
	Sizes       Parts     `json:"match_sizes" unit:"matches" words:"matches that start with <key> players *" meaning:"matches that start with a given number of players"`
	Layouts     Parts     `json:"team_layouts" unit:"matches" words:"matches that start as <key> *" meaning:"matches that start with a given team layout, such as 5v4"`
	Backfill    Backfill  `json:"backfill"`
	BudgetHits  BudgetHit `json:"budget_hits"`
	Refused     Parts     `json:"refused" unit:"players" words:"players refused for <key> *" meaning:"players whose ticket was refused for one reason"`
	Expiry      Expiry    `json:"expiry"`

	Evaluations Evaluations `json:"evaluations,omitempty" words:"rule <key> *"` // nil if they were not counted
}

// RulesHour describes the matches that start in one hour of the day.
type RulesHour struct {
	Matches      Count `json:"matches" unit:"matches" words:"matches started *" meaning:"Matches that start in one hour of the day"`
	ShareRelaxed Share `json:"share_relaxed" better:"lower" base:"matches" words:"share of matches with a relaxed rule *" meaning:"Share of matches that start in one hour of the day for which at least one rule was relaxed"`
	// Furthest counts matches by how far the most relaxed rule was relaxed. The keys are
	// RelaxKeys.
	Furthest Parts `json:"furthest" unit:"matches" words:"matches relaxed by <key> steps *" meaning:"matches that start in one hour of the day and whose most relaxed rule was relaxed by a given number of steps"`
}

// Relaxation describes how far matches relaxed one rule.
type Relaxation struct {
	Name         string `json:"-"`
	ShareRelaxed Share  `json:"share_relaxed" better:"lower" base:"matches" words:"share of matches that relax *" meaning:"Share of matches for which the rule was relaxed"`
	// Stages counts matches by the stage of the rule's expansion. The stages are in order from "0"
	// (not relaxed). After them follow "inactive", for stages that do not enforce the rule, and
	// "optional", for a rule that was no longer enforced whatever its stage.
	Stages Parts `json:"stages" unit:"matches" words:"matches at stage <key> of *" meaning:"matches that start at one stage of the rule's expansion"`
}

// Part is an item of a list whose items add up to a whole. An item that is missing from the list
// has the count 0.
type Part struct {
	Name  string `json:"-"`
	Count Count  `json:"count" unit:"*" words:"*" meaning:"Number of *"`
	Share Share  `json:"share" words:"share of *" meaning:"Share of *"`
}

// Lists that are written as JSON objects in the order of the list.
type (
	// Relaxations are in the order of the ruleset.
	Relaxations = Object[Relaxation]
	// Parts add up to a whole.
	Parts = Object[Part]
)

// Backfill counts the tickets and players that joined running matches.
type Backfill struct {
	Tickets Count `json:"tickets" unit:"tickets" words:"tickets that joined a running match *" meaning:"Tickets that joined a running match"`
	Players Count `json:"players" unit:"players" words:"players who joined a running match *" meaning:"Players who joined a running match"`
}

// BudgetHit counts searches that used up their budget before they had tried everything, so they
// may have missed a match.
type BudgetHit struct {
	Groups Count `json:"groups" unit:"searches" words:"searches for a group that used up their budget *" meaning:"Searches for a group of tickets that stopped because their budget was used up; they may have missed a match"`
	Teams  Count `json:"teams" unit:"searches" words:"searches for teams that used up their budget *" meaning:"Searches for a division into teams that stopped because their budget was used up; they may have missed a match"`
}

// Evaluation counts how often one rule was evaluated, like ruleEvaluationMetrics in the events of
// the vendor's service. Evaluations in the warm-up period count too.
type Evaluation struct {
	Name   string `json:"-"`
	Passed Count  `json:"passed" unit:"evaluations" words:"passed evaluations of *" meaning:"How often the rule let a ticket join others or let a match be made"`
	Failed Count  `json:"failed" unit:"evaluations" words:"failed evaluations of *" meaning:"How often the rule kept a ticket from joining others or kept a match from being made"`
}

// Evaluations is a list of evaluations in the order of the ruleset.
type Evaluations = Object[Evaluation]

// Expiry describes why tickets found no match before their time was over, judged by the other
// tickets that were waiting at that time. In a pool, the time is over when a ticket gives up, and
// with placement datacenters, when its time in WARMBODY ends. If very many tickets end in a minute,
// only the first are examined. Each examined ticket has one reason, the first of these that applies:
//
//   - Own: a rule keeps the ticket's own players apart, so that no match can hold the ticket.
//   - Group: enough other tickets could each have played with the ticket, but they did not form a
//     match together. They excluded each other, had the wrong sizes, or did not fit into teams.
//   - TooFew: the ticket's players, plus one for each other waiting ticket, were too few for a
//     match.
//   - ByRule or TooLarge, whichever kept most of the other tickets apart from it. ByRule counts
//     the first rule that keeps two tickets apart. TooLarge means that two tickets together have
//     more players than a match has seats.
type Expiry struct {
	Tickets   Count `json:"tickets" unit:"tickets" words:"tickets without a match *" meaning:"Tickets that found no match before their time was over"`
	Players   Count `json:"players" unit:"players" words:"players of tickets without a match *" meaning:"Players of tickets that found no match before their time was over"`
	Explained Count `json:"explained" unit:"tickets" words:"explained tickets without a match *" meaning:"Tickets that found no match before their time was over, and for which a reason was determined"`
	ByRule    Parts `json:"by_rule" keys:"rules" unit:"tickets" words:"tickets without a match because of rule <key> *" meaning:"tickets that found no match mainly because one rule kept other waiting tickets apart from them"` // in the order of the ruleset
	TooLarge  Part  `json:"too_large" unit:"tickets" base:"explained" words:"tickets without a match because they are too large *" meaning:"tickets that found no match mainly because they are too large to play with other waiting tickets"`
	TooFew    Part  `json:"too_few" unit:"tickets" base:"explained" words:"tickets without a match because too few players waited *" meaning:"tickets that found no match because too few players were waiting for a match"`
	Group     Part  `json:"group" unit:"tickets" base:"explained" words:"tickets without a match because others formed no match together *" meaning:"tickets that found no match although each could have played with enough other tickets, because these did not form a match together"`
	Own       Part  `json:"own_players" unit:"tickets" base:"explained" words:"tickets without a match because of their own players *" meaning:"tickets that found no match because a rule keeps their own players apart"`
	Pairs     Pairs `json:"pairs"`
}

// Pairs counts pairs of a ticket that found no match and another that was waiting at that time, by the
// first rule that kept the two apart.
type Pairs struct {
	Count    Count `json:"count" unit:"pairs" words:"pairs with a ticket without a match *" meaning:"Pairs of a ticket that found no match and another ticket that was waiting at that time"`
	ByRule   Parts `json:"by_rule" keys:"rules" unit:"pairs" words:"pairs kept apart by rule <key> *" meaning:"pairs of a ticket that found no match and another waiting ticket that one rule kept apart from it"`
	TooLarge Part  `json:"too_large" unit:"pairs" base:"count" words:"pairs that are too large for a match *" meaning:"pairs of a ticket that found no match and another waiting ticket that together have more players than a match has seats"`
	MayMeet  Part  `json:"may_meet" unit:"pairs" base:"count" words:"pairs that could have played together *" meaning:"pairs of a ticket that found no match and another waiting ticket that could have played together"`
}

// QueueStatistics is what the vendor's service would report about a queue at the end of the run.
// Players who join running matches are not included.
type QueueStatistics struct {
	PlayersMatching Count       `json:"players_matching" unit:"players" words:"waiting players that the service reports *" meaning:"Players who are waiting at the end of the run, as the vendor's service reports it"`
	Window          Seconds     `json:"window_s" meaning:"-"` // length of the period that TimeToMatch covers, up to the end of the run
	TimeToMatch     TimeToMatch `json:"time_to_match_s" words:"that the service reports *" meaning:"in the last window_s seconds of the run, as the vendor's service reports it"`
	WholeRun        TimeToMatch `json:"time_to_match_whole_run_s" words:"in the whole run *" meaning:"in the whole run, counted as the vendor's service counts"`
	// PlayersSee lists which of players_matching and time_to_match_s the service shows to
	// players. Game servers see both. If the list is empty, the service refuses players'
	// requests.
	PlayersSee []string `json:"players_see"`
}

// The values of QueueStatistics.PlayersSee.
const (
	SeePlayersMatching = "players_matching"
	SeeTimeToMatch     = "time_to_match_s"
)

// TimeToMatch describes the waits of tickets that found a match. A ticket counts once, however
// many players it has. Percentiles are nearest-rank.
type TimeToMatch struct {
	Tickets Count   `json:"tickets" unit:"tickets" words:"matched tickets *" meaning:"Tickets that found a match *"`
	Average Seconds `json:"average" base:"tickets" words:"mean time to match *" meaning:"Mean wait of tickets that found a match *"`
	P50     Seconds `json:"p50" step:"tick" base:"tickets" words:"median time to match *" meaning:"Median wait of tickets that found a match *"`
	P90     Seconds `json:"p90" step:"tick" base:"tickets" words:"p90 time to match *" meaning:"90th percentile of the wait of tickets that found a match *"`
	P99     Seconds `json:"p99" step:"tick" base:"tickets" words:"p99 time to match *" meaning:"99th percentile of the wait of tickets that found a match *"`
}
