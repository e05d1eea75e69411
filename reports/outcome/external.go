package outcome

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
