package criterion

import "mmsim/matcher"

// Teamed is a criterion about the teams of a match, which are determined once a group is
// complete.
type Teamed interface {
	Criterion
	// Ask adds the rule's requirements to a division; l is the limit for the group. A rule that
	// is not enforced may still have a preference; see Gap.
	Ask(d *Division, l *Limit, enforced bool)
}

// Division is the requirements for the teams of a group. Any rule can add a Check. The search
// uses the other fields to avoid trying every assignment.
type Division struct {
	Session    bool // the group is an open session and the tickets that join it
	MaxSpread  int  // largest allowed difference between the largest and the smallest team, in players
	LargeInAll bool // a large party in every team or in none
	Gaps       []Gap
	Checks     []func(teams []Team) bool // each returns true if the teams satisfy the rule
}

// Gap is the limit of a rule about team averages for a group.
type Gap struct {
	Rule  *TeamGap
	Limit float64 // +Inf if it is not enforced: two teams are kept even anyway
}

// Team is the tickets and the session's members in one team.
type Team struct {
	Rows    []Row
	Members []matcher.Player
}
