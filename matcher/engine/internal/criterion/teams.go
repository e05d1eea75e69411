package criterion

import "mmsim/matcher"

// Teamed is a criterion about the teams of a match, which are looked for once a group is
// complete.
type Teamed interface {
	Criterion
	// Ask adds to a division what the rule asks of it, held by l for the group. A rule that
	// is not enforced may still have a wish; see Gap.
	Ask(d *Division, l *Limit, enforced bool)
}

// Division is what the rules ask of the teams of a group. Any rule can be a Check; the
// others are those that the search goes by, and so does not have to try every assignment.
type Division struct {
	Session    bool // the group is an open session and those who join it
	MaxSpread  int  // difference between the largest and the smallest team, players
	LargeInAll bool // a large party in every team or in none
	Gaps       []Gap
	Checks     []func(teams []Team) bool // true: the teams keep the rule
}

// Gap is a rule about team averages as it holds for a group.
type Gap struct {
	Rule  *TeamGap
	Limit float64 // +Inf while it is not enforced: two teams are kept even all the same
}

// Team is the tickets and the session's members in one team.
type Team struct {
	Rows    []Row
	Members []matcher.Player
}
