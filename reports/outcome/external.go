package outcome

// External is the part of the summary about a matchmaker outside of mmsim, which makes the
// matches of a queue. It counts from the start of the measured window on.
type External struct {
	Matcher string `json:"matcher"` // as --matcher has it
	Name    string `json:"name"`    // as it says itself, as is the version
	Version string `json:"version"`

	Passes    Count `json:"passes" unit:"passes" meaning:"Passes in which the matchmaker outside was asked"`
	Proposals Count `json:"proposals" unit:"proposals" meaning:"Matches and backfills that the matchmaker outside proposed"`
	Accepted  Count `json:"accepted" unit:"proposals" meaning:"Proposals of the matchmaker outside that were accepted"`
	// ShareCollided is the share of Dropped for the kind collision.
	ShareDropped  Share     `json:"share_dropped" better:"lower" base:"proposals" meaning:"Share of proposals that were wrong and dropped"`
	ShareCollided Share     `json:"share_collided" better:"lower" base:"proposals" meaning:"Share of proposals with a ticket of an earlier proposal of the same pass"`
	Dropped       Parts     `json:"dropped" unit:"proposals" meaning:"proposals that were dropped for a kind of fault"`
	Examples      []Example `json:"examples"`

	// Checked are the accepted proposals that were held against a ruleset. They stay
	// accepted whatever it says.
	Checked     Count `json:"checked" unit:"proposals" meaning:"Accepted proposals that were held against the ruleset"`
	ShareBroken Share `json:"share_broken" better:"lower" base:"checked" meaning:"Share of accepted proposals that break a rule of the ruleset"`
	Violations  Parts `json:"violations" unit:"proposals" meaning:"accepted proposals that break a rule"`

	Expired Parts `json:"expired" unit:"players" meaning:"players of tickets that gave up, by what the matchmaker outside said of them last"`
}

// Example is the first proposal that was dropped for one kind of fault.
type Example struct {
	Kind string `json:"kind"` // as in Dropped
	Why  string `json:"why"`
}
