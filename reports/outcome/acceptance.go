package outcome

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
