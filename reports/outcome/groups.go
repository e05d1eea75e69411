package outcome

// Attribute describes how similar the players of a match are in one numeric attribute when the
// match starts; players who join later are not included. Spread is the highest minus the lowest
// value among the players who have one, over matches with at least two such players. TeamGap is
// the highest minus the lowest team mean in the same matches. A match without teams counts as one
// team, so its gap is 0.
type Attribute struct {
	Name        string   `json:"-"`
	Rules       []string `json:"rules,omitempty"` // rules that use the attribute
	Matches     Count    `json:"matches" unit:"matches" words:"matches with two players who have *" meaning:"Matches with at least two players who have the attribute *"`
	SpreadMean  Value    `json:"spread_mean" better:"lower" base:"matches" range:"from 0" words:"mean spread of *" meaning:"Mean difference between the highest and the lowest value of the attribute in a match *"`
	SpreadP95   Value    `json:"spread_p95" better:"lower" base:"matches" range:"from 0" words:"p95 spread of *" meaning:"95th percentile of the difference between the highest and the lowest value of the attribute in a match *"`
	TeamGapMean Value    `json:"team_gap_mean" better:"lower" base:"matches" range:"from 0" words:"mean team gap of *" meaning:"Mean difference between the highest and the lowest team mean of the attribute in a match *"`
}

// Overlap describes what the players of a match have in common in one attribute that is a text or
// a list of texts. It covers matches that start with at least two players who have a value. For a
// text, ShareAny is the share of matches in which all values are equal.
type Overlap struct {
	Name       string   `json:"-"`
	Rules      []string `json:"rules"` // rules that use the attribute
	Matches    Count    `json:"matches" unit:"matches" words:"matches with two texts or lists of *" meaning:"Matches with at least two players who have the attribute *"`
	SharedMean Average  `json:"shared_mean" unit:"elements" better:"higher" base:"matches" words:"mean number of shared elements of *" meaning:"Mean number of elements shared by all players of a match who have the attribute *"`
	ShareAny   Share    `json:"share_any" better:"higher" base:"matches" words:"share of matches that share an element of *" meaning:"Share of matches in which all players who have the attribute share an element *"`
}

// Served describes the matched players of one group.
type Served struct {
	Players Count `json:"players" unit:"players" words:"matched players *" meaning:"Matched players *"`
	// Matches counts a match once, in the group of the player who waited longest (the first such
	// player if several waited equally long). So the groups add up to all matches, but Matches is
	// not the number of matches in which players of this group took part.
	Matches  Count   `json:"matches" unit:"matches" words:"matches *" meaning:"Matches whose longest-waiting player is in this group (players *)"`
	WaitMean Seconds `json:"wait_mean_s" better:"lower" base:"players" words:"mean wait *" meaning:"Mean wait of matched players *, over first and repeat searches"`
	WaitP95  Seconds `json:"wait_p95_s" step:"tick" better:"lower" base:"players" words:"p95 wait *" meaning:"95th percentile of the wait of matched players *, over first and repeat searches"`
	RTTMean  Millis  `json:"rtt_mean_ms" better:"lower" base:"players" words:"mean RTT *" meaning:"Mean RTT of matched players *"`
	RTTP95   Millis  `json:"rtt_p95_ms" step:"1/16" better:"lower" base:"players" words:"p95 RTT *" meaning:"95th percentile of the RTT of matched players *"`
}

// Datacenter describes the matches in one datacenter.
type Datacenter struct {
	Name      string  `json:"-"`
	Latitude  Degrees `json:"latitude" meaning:"-"`
	Longitude Degrees `json:"longitude" meaning:"-"`
	Served
	SiteFleet
}

// Group describes one group of players: their matches, the searches that they began and those
// that ended without a match. The groups of one kind (by continent, hour or party size) add up to
// Players.
type Group struct {
	Name string `json:"-"`
	Served
	Entries Count `json:"entries" unit:"players" words:"players who began to search *" meaning:"Players *, counted at the start of each search"`
	Losses
	Ends
}

// Decile is a tenth of the matched players by the value of one attribute. Players with equal
// values are always in the same decile. So if there are few distinct values, deciles differ in
// size, and some are missing. An attribute without values has no deciles.
//
// Deciles are exact for up to 255 distinct values. With more values, the rows of the dataset are
// sorted into 255 bins of equal size, and each decile consists of whole bins. From and To are
// then still values of rows, but the limit between two deciles is off by up to half a bin, 0.2 %
// of the rows. 95th percentiles are within 0.4 %. All other numbers are exact.
type Decile struct {
	From       Value `json:"from" words:"lowest value *" meaning:"Lowest value of the attribute in the decile"`
	To         Value `json:"to" words:"highest value *" meaning:"Highest value of the attribute in the decile"`
	SpreadMean Value `json:"spread_mean" better:"lower" base:"players" range:"from 0" words:"mean spread in the matches of players *" meaning:"Mean spread (highest minus lowest value of the attribute) in the player's match, over matched players *"`
	Group
}

// AttributeDeciles has the deciles of one attribute, lowest first.
type AttributeDeciles struct {
	Name    string
	Deciles []Decile
}

// Member implements the Member interface.
func (a *AttributeDeciles) Member() (*string, any) { return &a.Name, &a.Deciles }

// QueueStats describes one of several queues. The queues of a run add up to its Players and
// Matches.
type QueueStats struct {
	Name    string       `json:"-"`
	Players QueuePlayers `json:"players" words:"*" meaning:"in one queue"`
	Wait    WaitStats    `json:"wait_s" better:"lower" words:"all searches *" meaning:"all searches that ended in a match in one queue"`

	WaitFirst WaitStats `json:"wait_first_s" better:"lower" words:"first searches *" meaning:"first searches (right after joining) that ended in a match in one queue"`

	RTT     RTTStats     `json:"rtt_ms" better:"lower" words:"RTT *" meaning:"RTT of players who were matched in one queue"`
	Matches QueueMatches `json:"matches"`

	Common
	Matchmaking
	Acceptance *Acceptance `json:"acceptance,omitempty" when:"acceptance of matches" words:"*" meaning:"in one queue"`
}

// Common has the statistics that a run and each of several queues have in the same form. In the
// statistics of a queue, "*" at the end of a meaning becomes "(in one queue)"; in those of the run,
// it is omitted. Players, waits, RTTs and matches are not here, because their meanings differ and
// their keys come earlier.
type Common struct {
	Attributes Attributes `json:"attributes" keys:"attributes" words:"<key> *" meaning:"*"`
	Overlaps   Overlaps   `json:"overlaps,omitempty" when:"text attributes" words:"<key> *" meaning:"*"` // only attributes that rules use
}

// Matchmaking describes how the matches of one queue were made. The summary of a run with several
// queues has it for each queue only.
type Matchmaking struct {
	Rules           *Rules           `json:"rules,omitempty" when:"a ruleset"` // nil if the queue makes the article's matches
	QueueStatistics *QueueStatistics `json:"queue_statistics,omitempty" when:"a vendor service that reports on the queue"`
	External        *External        `json:"external,omitempty" when:"an external matchmaker"`
}

// QueuePlayers counts the players who began to search in one queue, and how their searches ended.
type QueuePlayers struct {
	Entries Count `json:"entries" unit:"players" words:"players who began to search *" meaning:"Players who began to search in one queue"`
	Matched Count `json:"matched" unit:"players" words:"matched players *" meaning:"Players who were matched in one queue"`
	Losses
	Ends
}

type QueueMatches struct {
	Count   Count `json:"count" unit:"matches" words:"matches *" meaning:"Matches that were made in one queue"`
	Players Count `json:"players" unit:"players" words:"players of matches *" meaning:"Players of all matches of one queue"`
	Fill    Share `json:"fill" better:"higher" base:"count" range:"from 0" words:"fill of matches *" meaning:"Players per seat of all matches of one queue"`
}

// Acceptance describes the proposals to players that have been decided. A dropped proposal costs
// waiting time: the tickets were in no queue until the proposal was decided.
type Acceptance struct {
	Proposals    Count   `json:"proposals" unit:"proposals" words:"proposals to players *" meaning:"Decided proposals to players: for new matches, or for tickets to join running matches *"`
	Started      Count   `json:"started" unit:"proposals" words:"proposals that all accepted *" meaning:"Proposals that all players accepted *"`
	Refused      Count   `json:"refused" unit:"proposals" better:"lower" words:"refused proposals *" meaning:"Proposals that a player refused *"`
	TimedOut     Count   `json:"timed_out" unit:"proposals" better:"lower" words:"proposals that timed out *" meaning:"Proposals that timed out because a player had not answered *"`
	Lapsed       Count   `json:"lapsed" unit:"proposals" better:"lower" words:"lapsed proposals *" meaning:"Proposals during which the time of a ticket was over, or the running match ended *"`
	ShareStarted Share   `json:"share_started" better:"higher" base:"proposals" words:"share of proposals that all accepted *" meaning:"Share of proposals that all players accepted *"`
	PerStart     Average `json:"per_start" unit:"proposals" better:"lower" base:"started" words:"proposals per accepted proposal *" meaning:"Proposals made for each proposal that all players accepted *"`
	AnswerMean   Seconds `json:"answer_mean_s" better:"lower" base:"started" words:"mean time until all accepted *" meaning:"Mean time from the proposal to the start of the match, over players *"`
	Returned     Count   `json:"returned" unit:"players" better:"lower" words:"players who continued to wait after a dropped proposal *" meaning:"Players who continued to wait after a dropped proposal, counted once per proposal *"`
	LostMean     Seconds `json:"lost_mean_s" better:"lower" base:"returned" words:"mean time in a dropped proposal *" meaning:"Mean time that a dropped proposal lasted, over players who continued to wait *"`
	LostPerMatch Seconds `json:"lost_per_player_s" better:"lower" base:"started" words:"time in dropped proposals per matched player *" meaning:"Total time in dropped proposals of players who continued to wait, per player of an accepted proposal *"`
}

// Lists that are written as JSON objects in the order of the list.
type (
	// Attributes are in the order of the dataset's columns.
	Attributes = Object[Attribute]
	// Overlaps are in the order of the rules that use them.
	Overlaps = Object[Overlap]
	// Datacenters are in the order of the datacenter list.
	Datacenters = Object[Datacenter]
	// Groups are sorted: continents by code, party sizes from small to large.
	Groups = Object[Group]
	// Deciles are in the order of the dataset's columns.
	Deciles = Object[AttributeDeciles]
	// QueueList is in the order of the configuration.
	QueueList = Object[QueueStats]
)
