package criterion

import "mmsim/matcher"

// Teamed is a criterion about the teams of a match. A search divides a group into teams when the
// group is complete.
type Teamed interface {
	Criterion
	// Ask adds the rule's requirements to a division. l is the limit for the group. A rule may add
	// a preference even if it is not enforced; see Gap.
	Ask(d *Division, l *Limit, enforced bool)
}

// Division contains the requirements for the teams of a group. Any rule can add a function to
// Checks. The search uses the other fields to avoid trying every assignment.
type Division struct {
	Session    bool // the group is an open session and the tickets that join it
	MaxSpread  int  // largest allowed difference between the largest and the smallest team, in players
	LargeInAll bool // if any team has a large party, every team must have one
	Gaps       []Gap
	Checks     []func(teams []Team) bool // each reports whether the teams satisfy a rule
}

// Gap is the largest difference of team averages that a rule allows for a group.
type Gap struct {
	Rule  *TeamGap
	Limit float64 // +Inf if the rule is not enforced; a match of two teams then still prefers a small gap
}

// Team contains the tickets and the session's members in one team.
type Team struct {
	Rows    []Row
	Members []matcher.Player
}
