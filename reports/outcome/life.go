package outcome

// Life describes players who did not appear in their matches or left them early. It covers the matches
// and players of Summary.Matches, and follows them beyond the end of the window.
type Life struct {
	NoShows       Count    `json:"no_shows" unit:"players" better:"lower" matters:"1% and 0.1% of players.matched" words:"matched players who did not appear" meaning:"Matched players who never appeared in their match"`
	Leavers       Count    `json:"leavers" unit:"players" better:"lower" matters:"1% and 0.1% of players.matched" words:"players who left early" meaning:"Players who appeared in their match and left it before it ended"`
	Interrupted   Count    `json:"interrupted" unit:"players" better:"lower" matters:"1% and 0.1% of players.matched" words:"players whose match was cut short" meaning:"Players who were in a match when it was cut short"`
	Dead          Count    `json:"dead" unit:"players" better:"lower" matters:"1% and 0.1% of players.matched" words:"matched players whose client was gone" meaning:"Matched players whose client was gone already when the search began (players.dead_tickets); they are part of life.no_shows"`
	MissingShare  Share    `json:"missing_share" better:"lower" base:"matches.players" words:"share of playing time that is missing" meaning:"Time for which players were missing from their matches, as a share of the time that all players of all matches would have played if everybody had appeared and stayed"`
	CompleteShare Share    `json:"complete_share" better:"higher" base:"matches.count" words:"share of matches that stay complete" meaning:"Share of matches in which nobody was ever missing"`
	CutShare      Share    `json:"cut_share" better:"lower" base:"matches.count" words:"share of matches cut short" meaning:"Share of matches that were cut short"`
	Emptied       *Count   `json:"emptied,omitempty" when:"refilled seats" unit:"players" better:"lower" matters:"1% and 0.1% of players.matched" words:"seats that became empty" meaning:"Seats of players who did not appear or left early, in queues in which other players take such seats (match.leave.then: backfill), up to the end of the run"`
	SeatEmptyMean *Seconds `json:"seat_empty_mean_s,omitempty" when:"refilled seats" better:"lower" base:"life.emptied" words:"mean time for which a seat is empty" meaning:"Mean time from the moment at which a player leaves a seat, or does not appear, until another player takes it or the match or the run ends"`
	PlayedMean    Seconds  `json:"played_mean_s" base:"matches.count" words:"mean length of matches" meaning:"Mean time from the start of a match to its end"`
}
