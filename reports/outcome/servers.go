package outcome

// Servers is the part of the summary about players who were placed on servers. A contest is a join
// with at least two running servers to choose from. Measures describe a server as it is just before
// a player joins it.
type Servers struct {
	Revision      string  `json:"revision"` // revision of the service's documents that the rules follow
	Capacity      Count   `json:"capacity" unit:"seats" words:"seats of a server" meaning:"Seats of a server"`
	Opened        Count   `json:"opened" unit:"servers" words:"started servers" meaning:"Servers that were started"`
	Peak          Count   `json:"peak" unit:"servers" words:"running servers at the peak" meaning:"Highest number of servers that ran at once"`
	Mean          Average `json:"mean" unit:"servers" words:"running servers on average" meaning:"Mean number of running servers over time"`
	Hours         Average `json:"server_hours" unit:"hours" words:"server hours" meaning:"Total running time of all servers"`
	OccupancyMean Share   `json:"occupancy_mean" base:"peak" words:"mean share of taken seats" meaning:"Mean share of taken seats on running servers over time"`

	Placed  Count `json:"placed" unit:"players" words:"placed players" meaning:"Players who were placed on a server"`
	Opening Count `json:"opening" unit:"players" words:"players for whom a server was started" meaning:"Players for whom a server was started; of all measures, only ping_ms and preferred_player_match_ratio include them"`
	Contest Count `json:"contests" unit:"players" words:"players with a choice of servers" meaning:"Contests: players who had two or more running servers to choose from"`
	// A preferred player is a friend or a player of the same household.
	PreferredMatch Share          `json:"preferred_player_match_ratio" better:"higher" base:"placed" words:"share of players placed with a friend or their household" meaning:"Share of placed players who joined a server with a friend or a player of the same household"`
	Metrics        PlacementStats `json:"metrics" better:"*_difference lower, ping_ms lower, common_*_ratio higher" words:"<key>"`

	ScoreMean  Value            `json:"score_mean" base:"placed - opening" words:"mean score of chosen servers" meaning:"Mean score of the chosen servers, over players who had at least one running server to choose"`
	MarginMean Value            `json:"margin_mean" base:"contests" words:"mean lead of the chosen server's score" meaning:"Mean lead of the chosen server's score over the runner-up's"`
	ByScore    Share            `json:"decided_by_score" base:"contests" words:"share of choices decided by the score" meaning:"Share of contests that the score decided"`
	ByAge      Share            `json:"decided_by_age" base:"contests" words:"share of choices decided by age" meaning:"Share of contests in which the best scores were equal and the older server won"`
	BySequence Share            `json:"decided_by_sequence" base:"contests" words:"share of choices decided by the order of starts" meaning:"Share of contests in which the best scores and the ages in ms were equal and the server that was started first won"`
	Signals    PlacementSignals `json:"signals" words:"<key>"` // only signals with a weight
}

// PlacementStat describes one measure of placements, over the joins that have it. Percentiles are
// nearest-rank. Most measures have no better direction, because the rules decide which servers to
// prefer. The exceptions are the measures of the service's own signals, whose purpose is to bring
// friends and similar players together.
type PlacementStat struct {
	Name  string `json:"-"`
	Count Count  `json:"count" unit:"players" words:"placed players with *" meaning:"Placed players for whom the measure that the key names has a value"`
	Avg   Value  `json:"avg" better:"*" base:"count" words:"mean *" meaning:"Mean of the measure that the key names, over placed players with a value"`
	P10   Value  `json:"p10" better:"*" base:"count" words:"p10 *" meaning:"10th percentile of the measure that the key names, over placed players with a value"`
	P50   Value  `json:"p50" better:"*" base:"count" words:"median *" meaning:"Median of the measure that the key names, over placed players with a value"`
	P90   Value  `json:"p90" better:"*" base:"count" words:"p90 *" meaning:"90th percentile of the measure that the key names, over placed players with a value"`
}

// PlacementSignal describes the effect of one signal.
type PlacementSignal struct {
	Name         string `json:"-"`
	Weight       Value  `json:"weight" words:"weight of *" meaning:"Weight of the signal"`
	Contribution Value  `json:"contribution_mean" base:"placed - opening" words:"mean contribution of *" meaning:"Mean amount that the signal adds to the score of the chosen server"`
	Advantage    Value  `json:"advantage_mean" base:"contests" words:"mean advantage by *" meaning:"Mean amount that the signal adds to the score of the chosen server, minus the amount that it adds to the runner-up's score"`
	Decided      Share  `json:"decided" base:"contests" words:"share of choices decided by *" meaning:"Share of contests that the score decided and in which this signal favours the chosen server more than any other signal does"`
}

// Unknown reports whether the signal had nothing to compare for any player, such as a language
// signal without languages. Any other signal adds more than 0 to some score.
func (s *PlacementSignal) Unknown() bool { return !(s.Contribution > 0) }

// These lists are written as JSON objects whose members keep the order of the list.
type (
	// PlacementStats are in the order in which Roblox's documentation lists the measures.
	PlacementStats = Object[PlacementStat]
	// PlacementSignals are in the order in which the rules add them up.
	PlacementSignals = Object[PlacementSignal]
)

// External is the part of the summary about an external matchmaker, a program that makes the
// matches of a queue. It counts from the start of the measured window.
type External struct {
	Matcher string `json:"matcher"` // the argument of --matcher
	Name    string `json:"name"`    // Name and Version are what the matchmaker reports
	Version string `json:"version"`

	Passes       Count `json:"passes" unit:"passes" words:"passes of the external matchmaker *" meaning:"Passes in which the external matchmaker was asked for matches"`
	Messages     Count `json:"messages" unit:"messages" better:"lower" words:"messages to and from the external matchmaker *" meaning:"Messages to and from the external matchmaker"`
	Bytes        Count `json:"bytes" unit:"bytes" better:"lower" words:"bytes to and from the external matchmaker *" meaning:"Total size of the messages to and from the external matchmaker"`
	Proposals    Count `json:"proposals" unit:"proposals" words:"proposals of the external matchmaker *" meaning:"Matches and backfills that the external matchmaker proposed"`
	Accepted     Count `json:"accepted" unit:"proposals" words:"accepted proposals of the external matchmaker *" meaning:"Proposals of the external matchmaker that were accepted"`
	ShareDropped Share `json:"share_dropped" better:"lower" base:"proposals" words:"share of dropped proposals *" meaning:"Share of proposals that were invalid and dropped"`
	// ShareCollided repeats the share of the kind "collision" in Dropped.
	ShareCollided Share     `json:"share_collided" better:"lower" base:"proposals" words:"share of proposals with a ticket already taken *" meaning:"Share of proposals with a ticket that an earlier proposal of the same pass already had"`
	Dropped       Parts     `json:"dropped" unit:"proposals" words:"proposals dropped for <key> *" meaning:"proposals that were dropped because of one kind of fault"`
	Examples      []Example `json:"examples"`

	// Checked counts the accepted proposals that were checked against a ruleset. A proposal that
	// breaks a rule remains accepted.
	Checked     Count `json:"checked" unit:"proposals" words:"checked proposals *" meaning:"Accepted proposals that were checked against the ruleset"`
	ShareBroken Share `json:"share_broken" better:"lower" base:"checked" words:"share of checked proposals that break a rule *" meaning:"Share of checked proposals that break a rule of the ruleset"`
	Violations  Parts `json:"violations" keys:"rules that are checked" unit:"proposals" words:"checked proposals that break rule <key> *" meaning:"checked proposals that break one rule"`

	Expired Parts `json:"expired" unit:"players" words:"players whose ticket gave up because of <key> *" meaning:"players whose ticket gave up, by the last reason that the external matchmaker gave for not matching it"`
}

// Example describes the first proposal that was dropped for one kind of fault.
type Example struct {
	Kind string `json:"kind"` // a name in Dropped
	Why  string `json:"why"`
}
