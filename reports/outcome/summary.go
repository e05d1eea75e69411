package outcome

import "math"

// Schema is the version of summary.json. It increases when the meaning of a key changes.
const Schema = 2

// Summary is the content of summary.json. Statistics count each player once per search, unless
// their name says otherwise, and are null without players. Waits and counts of players cover
// searches that began inside the measured window. Players.Matched, Matches and the RTTs also
// include the few players who were already searching when the window began. The wait of a search
// is in exactly one block: Wait if it was matched, FailedWait if it failed, expired, was
// declined, cancelled or closed, and BotsWait if it ended with bots. A rejected search has no wait.
type Summary struct {
	Schema      int        `json:"schema" meaning:"-"`
	Complete    bool       `json:"complete"` // false if the run was interrupted, so that the window ends early
	Run         Run        `json:"run" meaning:"-"`
	Warnings    []string   `json:"warnings"`
	Players     Players    `json:"players"`
	Wait        WaitStats  `json:"wait_s" better:"lower" words:"all searches" meaning:"all searches that ended in a match"`
	WaitFirst   WaitStats  `json:"wait_first_s" better:"lower" words:"first searches" meaning:"first searches (right after joining) that ended in a match"`
	WaitRepeat  WaitStats  `json:"wait_repeat_s" better:"lower" words:"repeat searches" meaning:"repeat searches (after an earlier match) that ended in a match"`
	FailedWait  WaitStats  `json:"failed_wait_s" words:"failed searches" meaning:"searches that failed, expired, or were declined, cancelled or closed"`
	BotsWait    WaitStats  `json:"bots_wait_s" words:"searches that ended with bots" meaning:"searches that ended with bots"`
	RTT         RTTStats   `json:"rtt_ms" better:"lower" words:"RTT" meaning:"RTT of matched players to their match's datacenter"`
	RTTEstimate *RTTStats  `json:"rtt_estimate_ms,omitempty" when:"jitter or an event with latency" better:"lower" words:"estimated RTT" meaning:"RTT that the rules used for matched players"`
	DeltaRTT    DeltaStats `json:"delta_rtt_ms" better:"lower" base:"rtt_ms.count"`
	RTTOverAll  *OverAll   `json:"rtt_over_all_ms,omitempty" when:"a part of the datacenters in use" better:"lower" base:"rtt_ms.count"`
	Latency     Latency    `json:"latency"`
	Thresholds  Thresholds `json:"thresholds_ms" meaning:"-"`
	Limits      *Limits    `json:"limits,omitempty"`
	Matches     Matches    `json:"matches"`
	CCU         CCU        `json:"ccu"`
	States      States     `json:"states"`
	Common
	Matchmaking `when:"one queue"`
	Servers     *Servers    `json:"servers,omitempty" when:"players on servers"`
	Fleet       *Fleet      `json:"fleet,omitempty" when:"a fleet (fleet.prices)"`
	Acceptance  *Acceptance `json:"acceptance,omitempty" when:"acceptance of matches"`
	Life        *Life       `json:"life,omitempty" when:"players missing from matches"`
	Season      *Season     `json:"season,omitempty" when:"a season"`

	Events            Object[Event] `json:"events,omitempty" when:"events" keys:"events" words:"event <key>" meaning:"one event"`     // in the order of the configuration
	ByDatacenter      Datacenters   `json:"by_datacenter" keys:"datacenters" words:"in datacenter <key>" meaning:"in one datacenter"` // in the order of the datacenter list
	ByContinent       Groups        `json:"by_continent" keys:"continents" words:"in <continent>" meaning:"of one continent"`
	ByHour            []Group       `json:"by_hour" keys:"hours" words:"at <key>:00" meaning:"whose search began in one hour of the day"` // 24 items; searches that began in the warm-up period are included
	ByPartySize       Groups        `json:"by_party_size" words:"in parties of <key>" meaning:"in parties of one size"`
	ByAttributeDecile Deciles       `json:"by_attribute_decile" keys:"attributes" words:"in decile <next> (from 0) of <key>" meaning:"in one decile of an attribute"`
	Queues            QueueList     `json:"queues,omitempty" when:"several queues" keys:"queues" words:"in queue <key>" meaning:"(in one queue)"`

	Replications *Replications `json:"replications,omitempty" meaning:"-"` // nil if the summary is of a single run
}

// Unmeasured reports whether the run was interrupted before its measured window began, so that
// there is nothing to show.
func (s *Summary) Unmeasured() bool { return !s.Complete && s.Run.Reached == 0 }

// Run identifies the run. A result can be reproduced from it and the configuration.
type Run struct {
	Seed          uint64  `json:"seed"`
	Run           int     `json:"run"`
	Version       string  `json:"version"`
	ConfigSHA256  string  `json:"config_sha256"`
	DatasetSHA256 string  `json:"dataset_sha256"`
	Duration      Seconds `json:"duration_s"`
	Reached       Seconds `json:"reached_s"` // end of the window: Duration, or earlier if the run was interrupted; 0 if nothing was measured
	Warmup        Seconds `json:"warmup_s"`
	Tick          Seconds `json:"tick_s"`
	Resample      bool    `json:"resample,omitempty"`     // whether the players were drawn from the file anew (dataset.resample)
	TimeZone      string  `json:"time_zone,omitempty"`    // of all times of day, if a dataset has other days than those of UTC
	UTCOffset     Seconds `json:"utc_offset_s,omitempty"` // how far TimeZone is ahead of UTC at the first midnight
	Production    bool    `json:"production,omitempty"`   // whether a production log reports the run, so that nothing was simulated
}

// Players counts the players who began to search, and how their searches ended:
//
//	ended = matched + failed + expired + bots + rejected + declined + cancelled + closed
//	entries + searching at start = ended + searching at end
type Players struct {
	Joins   Count `json:"joins" unit:"players" words:"joins" meaning:"Players who joined and began their first search"`
	Returns Count `json:"returns" unit:"players" words:"returns" meaning:"Players who returned after a match and began another search"`
	Entries Count `json:"entries" unit:"players" words:"players who began to search" meaning:"Players who began to search: joins and returns"`
	Matched Count `json:"matched" unit:"players" words:"matched players" meaning:"Players who were matched"`
	Losses
	TurnedAway       *Count `json:"turned_away,omitempty" when:"a maintenance" unit:"players" better:"lower" words:"players whom a maintenance turned away" meaning:"Players who would have joined during a maintenance and never came"`
	Overlapping      *Count `json:"overlapping,omitempty" when:"rows that are searches and have a player_id" unit:"players" better:"lower" words:"overlapping searches of a player" meaning:"Players who began to search while an earlier search or match of theirs was still running"`
	SearchingAtStart Count  `json:"searching_at_start" unit:"players" words:"players searching at the start" meaning:"Players who were searching when the measured window began"`
	SearchingAtEnd   Count  `json:"searching_at_end" unit:"players" words:"players searching at the end" meaning:"Players who were searching when the measured window ended"`
	Ends
}

// Balance returns the left side of the second equation of Players minus the right side. It is 0
// unless players were lost or counted twice. It is rounded, because counts of an aggregate are
// inexact by thousandths.
func (p *Players) Balance() int {
	return int(math.Round(float64(p.Entries + p.SearchingAtStart - (Unmatched(p).Ended + Given(p.Lost) + p.SearchingAtEnd))))
}

// WaitStats describes waits. Percentiles are nearest-rank and exact.
type WaitStats struct {
	Count     Count   `json:"count" unit:"players" words:"players in *" meaning:"Number of *, counted once per player"`
	Mean      Seconds `json:"mean" better:"*" base:"count" words:"mean wait of *" meaning:"Mean wait of *"`
	SD        Seconds `json:"sd" better:"*" base:"count" words:"SD of the wait of *" meaning:"Standard deviation of the wait of *"`
	P50       Seconds `json:"p50" step:"tick" better:"*" base:"count" words:"median wait of *" meaning:"Median wait of *"`
	P90       Seconds `json:"p90" step:"tick" better:"*" base:"count" words:"p90 wait of *" meaning:"90th percentile of the wait of *"`
	P95       Seconds `json:"p95" step:"tick" better:"*" base:"count" words:"p95 wait of *" meaning:"95th percentile of the wait of *"`
	P99       Seconds `json:"p99" step:"tick" better:"*" base:"count" words:"p99 wait of *" meaning:"99th percentile of the wait of *"`
	Max       Seconds `json:"max" step:"tick" better:"*" base:"count" words:"longest wait of *" meaning:"Longest wait of *"`
	ShareZero Share   `json:"share_zero" better:"-*" base:"count" words:"share of waits of 0 s in *" meaning:"Share of zero waits (0 s) among *"`
}

// RTTStats describes RTTs. Percentiles are nearest-rank and exact to 1/16 ms. A run cannot store
// RTTs above 4,095.94 ms and counts them as 4,095.94 ms. ShareLEIdeal and ShareLEExpand have no
// better direction, because the configuration itself sets their thresholds.
type RTTStats struct {
	Count         Count  `json:"count" unit:"players" words:"players in the statistics of *" meaning:"Players in the statistics of the *"`
	Mean          Millis `json:"mean" better:"*" base:"count" words:"mean *" meaning:"Mean *"`
	SD            Millis `json:"sd" better:"*" base:"count" words:"SD of *" meaning:"Standard deviation of the *"`
	P50           Millis `json:"p50" step:"1/16" better:"*" base:"count" words:"median *" meaning:"Median *"`
	P90           Millis `json:"p90" step:"1/16" better:"*" base:"count" words:"p90 *" meaning:"90th percentile of the *"`
	P95           Millis `json:"p95" step:"1/16" better:"*" base:"count" words:"p95 *" meaning:"95th percentile of the *"`
	P99           Millis `json:"p99" step:"1/16" better:"*" base:"count" words:"p99 *" meaning:"99th percentile of the *"`
	Max           Millis `json:"max" step:"1/16" better:"*" base:"count" words:"highest *" meaning:"Highest *"`
	ShareLE50     Share  `json:"share_le_50" better:"higher" base:"count" words:"share of players with * of 50 ms or less" meaning:"Share of players with at most 50 ms (a fixed limit), by the *"`
	ShareLE100    Share  `json:"share_le_100" better:"higher" base:"count" words:"share of players with * of 100 ms or less" meaning:"Share of players with at most 100 ms (a fixed limit), by the *"`
	ShareLEIdeal  Share  `json:"share_le_ideal" base:"count" words:"share of players with * within the ideal threshold" meaning:"Share of players within the run's ideal threshold, by the *"`
	ShareLEExpand Share  `json:"share_le_expand" base:"count" words:"share of players with * within the expand threshold" meaning:"Share of players within the run's expand threshold, by the *"`
}

// DeltaStats describes what matchmaking costs players in RTT: the estimate to the match's
// datacenter minus the player's lowest estimate to any datacenter in use.
type DeltaStats struct {
	Mean Millis `json:"mean" better:"*" words:"mean extra RTT" meaning:"Mean extra RTT: to the match's datacenter minus the player's lowest to any datacenter in use, by the RTTs that the rules used"`
	P50  Millis `json:"p50" step:"1/16" better:"*" words:"median extra RTT" meaning:"Median extra RTT: to the match's datacenter minus the player's lowest to any datacenter in use, by the RTTs that the rules used"`
	P90  Millis `json:"p90" step:"1/16" better:"*" words:"p90 extra RTT" meaning:"90th percentile of the extra RTT: to the match's datacenter minus the player's lowest to any datacenter in use, by the RTTs that the rules used"`
	P95  Millis `json:"p95" step:"1/16" better:"*" words:"p95 extra RTT" meaning:"95th percentile of the extra RTT: to the match's datacenter minus the player's lowest to any datacenter in use, by the RTTs that the rules used"`
	P99  Millis `json:"p99" step:"1/16" better:"*" words:"p99 extra RTT" meaning:"99th percentile of the extra RTT: to the match's datacenter minus the player's lowest to any datacenter in use, by the RTTs that the rules used"`
}

// OverAll describes what it costs players in RTT that only a part of the datacenters is in use: the
// estimate to the match's datacenter minus the player's lowest estimate to any datacenter of the list.
type OverAll struct {
	Mean Millis `json:"mean" better:"*" words:"mean RTT above that of all datacenters" meaning:"Mean RTT to the match's datacenter minus the player's lowest to any datacenter of the list, in use or not, by the RTTs that the rules used"`
}

// Latency describes where the players' RTTs come from, as shares of the RTTs from all joins to all
// datacenters in use. It also counts the cells that were removed from the latency maps to clean them.
type Latency struct {
	ShareMeasured Share   `json:"share_measured" words:"share of RTTs from the dataset" meaning:"Share of the RTTs from joining players to all datacenters that come from the dataset"`
	ShareMap      Share   `json:"share_map" words:"share of RTTs from latency maps" meaning:"Share of the RTTs from joining players to all datacenters that come from latency maps"`
	ShareModel    Share   `json:"share_model" words:"share of RTTs from the latency model" meaning:"Share of the RTTs from joining players to all datacenters that come from the latency model"`
	ShareLine     Share   `json:"share_line" words:"share of RTTs from the fitted line" meaning:"Share of the RTTs from joining players to all datacenters that come from the line that is fitted to RTT over distance"`
	ShareFibre    Share   `json:"share_fibre" words:"share of RTTs estimated from distance" meaning:"Share of the RTTs from joining players to all datacenters that are estimated from distance and the speed of light in fibre"`
	Cleaned       Cleaned `json:"cleaned"`
}

// Cleaned counts the cells that were removed from the latency maps, by reason.
type Cleaned struct {
	NullIsland      int `json:"null_island" unit:"cells" words:"dropped latency cells at 0,0" meaning:"Latency map cells that were dropped because they are at 0,0, the position that faulty measurements often have"`
	FasterThanLight int `json:"faster_than_light" unit:"cells" words:"dropped latency cells faster than light" meaning:"Latency map cells that were dropped because their RTT is shorter than light needs for the distance"`
	NaN             int `json:"nan" unit:"cells" words:"dropped latency cells without a number" meaning:"Latency map cells that were dropped because their RTT is not a number"`
}

// Thresholds are the RTT limits of the states IDEAL and EXPAND.
type Thresholds struct {
	Ideal  Millis `json:"ideal"`
	Expand Millis `json:"expand"`
}

// Matches counts matches made inside the window. Matches with bots are not included.
type Matches struct {
	Count        Count `json:"count" unit:"matches" words:"matches" meaning:"Matches that were made, or servers that were started if players are placed on servers"`
	Players      Count `json:"players" unit:"players" words:"players of matches" meaning:"Players of all matches"`
	Fill         Share `json:"fill" better:"higher" base:"count" range:"from 0" words:"fill of matches" meaning:"Players per seat of all matches, or the share of server seats taken over time"`
	WithWarmBody Count `json:"with_warmbody" unit:"matches" better:"lower" words:"matches with a warm body" meaning:"Matches with at least one player who was matched in the state WARMBODY"`
	// The base wait_repeat_s.count does not include returning players who were already searching
	// when the window began, so it is smaller than the number of matched returning players.
	RepeatShare Share `json:"repeat_share" better:"lower" base:"wait_repeat_s.count" words:"share of returning players who meet someone again" meaning:"Share of returning players who are matched again with someone from their previous match who is not in their party"`
}

// CCU counts concurrent users: players who are in a match, between matches or searching. The peak
// is the highest value at any time in the window; means are averages over the time of the window.
type CCU struct {
	Peak          Count   `json:"peak" unit:"players" words:"players online at the peak" meaning:"Highest number of concurrent users: players in a match, between matches or searching"`
	PeakAt        Seconds `json:"peak_at_s" instant:"peak"`
	Mean          Average `json:"mean" unit:"players" words:"players online on average" meaning:"Mean number of concurrent users over time"`
	PlayingMean   Average `json:"playing_mean" unit:"players" words:"playing players on average" meaning:"Mean number of players in a match over time"`
	BetweenMean   Average `json:"between_mean" unit:"players" words:"players between matches on average" meaning:"Mean number of players between two matches over time"`
	SearchingMean Average `json:"searching_mean" unit:"players" better:"lower" words:"searching players on average" meaning:"Mean number of searching players over time"`
	BotsMean      Average `json:"bots_mean" unit:"players" words:"players with bots on average" meaning:"Mean number over time of players in matches with bots; they are not counted as concurrent users"`
}

// States describes the matched players by the state in which their search ended. Only the metrics
// of WARMBODY have a better direction. For the other states a shorter wait, for example, shows
// which players were matched there, not how well they were served.
type States struct {
	Ideal    StateStats `json:"ideal" words:"IDEAL" meaning:"IDEAL"`
	Expand   StateStats `json:"expand" words:"EXPAND" meaning:"EXPAND"`
	WarmBody StateStats `json:"warmbody" better:"lower" words:"WARMBODY" meaning:"WARMBODY"`
}

// Used reports whether any player was matched in a state. Players in a pool have no state.
func (s *States) Used() bool { return s.Ideal.Matched+s.Expand.Matched+s.WarmBody.Matched > 0 }

// HasStates reports whether a report should show states. Players who are placed on servers or
// matched from a pool have none. If nobody was matched, a ruleset or an external matchmaker
// suggests that there is a pool.
func (s *Summary) HasStates() bool {
	return s.States.Used() || s.Players.Matched == 0 && s.Servers == nil && s.Rules == nil && s.External == nil
}

// Pooled returns the share of matched players who were in no state because their queue is a pool.
func (s *Summary) Pooled() Share {
	inStates := s.States.Ideal.Matched + s.States.Expand.Matched + s.States.WarmBody.Matched
	return ShareOf(max(0, s.Players.Matched-inStates), s.Players.Matched)
}

type StateStats struct {
	Matched  Count   `json:"matched" unit:"players" better:"*" words:"players matched in *" meaning:"Players who were matched in the state *"`
	Share    Share   `json:"share" better:"*" base:"players.matched" words:"share of players matched in *" meaning:"Share of all matched players who were matched in the state *"`
	WaitMean Seconds `json:"wait_mean_s" base:"matched" words:"mean wait of players matched in *" meaning:"Mean wait of players who were matched in the state *"`
	RTTMean  Millis  `json:"rtt_mean_ms" base:"matched" words:"mean RTT of players matched in *" meaning:"Mean RTT of players who were matched in the state *"`
}
