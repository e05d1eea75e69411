package outcome

// Event describes the searches around an event of the run, within the measured window.
type Event struct {
	Name   string   `json:"-"` // number in the configuration, from 1
	At     Seconds  `json:"at" meaning:"-"`
	For    Seconds  `json:"for" meaning:"-"`
	Action string   `json:"action"`
	Down   []string `json:"down,omitempty"` // datacenters that cannot be used

	MatchedBefore   Count   `json:"matched_before" unit:"players" words:"matched players who began to search in the hour before *" meaning:"Matched players whose search began in the hour before *"`
	MatchedDuring   Count   `json:"matched_during" unit:"players" words:"matched players who began to search during *" meaning:"Matched players whose search began during *"`
	MatchedAfter    Count   `json:"matched_after" unit:"players" words:"matched players who began to search in the hour after *" meaning:"Matched players whose search began in the hour after *"`
	EndedBefore     Count   `json:"ended_before" unit:"players" words:"searches from the hour before * that ended" meaning:"Players whose search began in the hour before * and ended"`
	EndedDuring     Count   `json:"ended_during" unit:"players" words:"searches from the time of * that ended" meaning:"Players whose search began during * and ended"`
	WaitBefore      Seconds `json:"wait_before_s" base:"matched_before" words:"mean wait before *" meaning:"Mean wait of searches that began in the hour before *"`
	WaitDuring      Seconds `json:"wait_during_s" base:"matched_during" words:"mean wait during *" meaning:"Mean wait of searches that began during *"`
	WaitAfter       Seconds `json:"wait_after_s" base:"matched_after" words:"mean wait after *" meaning:"Mean wait of searches that began in the hour after *"`
	RTTBefore       Millis  `json:"rtt_before_ms" base:"matched_before" words:"mean RTT before *" meaning:"Mean RTT of searches that began in the hour before *"`
	RTTDuring       Millis  `json:"rtt_during_ms" base:"matched_during" words:"mean RTT during *" meaning:"Mean RTT of searches that began during *"`
	UnmatchedBefore Share   `json:"unmatched_before" base:"ended_before" words:"share of searches without a match before *" meaning:"Share of the searches from the hour before * that ended without a match"`
	UnmatchedDuring Share   `json:"unmatched_during" base:"ended_during" words:"share of searches without a match during *" meaning:"Share of the searches from the time of * that ended without a match"`
	Interrupted     Count   `json:"interrupted" unit:"players" better:"lower" words:"players whose match was cut short by *" meaning:"Players whose match, also against bots, was cut short by *: 0 unless it is a maintenance, or an outage with running: kill"`
	SearchingPeak   Count   `json:"searching_peak" unit:"players" better:"lower" words:"most players searching at once from *" meaning:"Highest number of players searching at once, from the begin of * to an hour after its end"`
	Recovery        Seconds `json:"recovery_s" better:"lower" base:"matched_before" words:"time until waits are as before *" meaning:"Time from the end of * to the first whole minute from which the searches that begin in five minutes wait at most 1.1 times as long as in the hour before, plus 1 s; not measured with fewer than 100 players in the hour before, or if this never happens"`
}
