package outcome

// Limits has the limits of good, fair and poor that report.limits sets, with the share of players in
// each class. Without report.limits, a summary has no Limits, and reports use the default limits of
// package grade.
type Limits struct {
	Wait      *WaitLimits      `json:"wait,omitempty" when:"report.limits for waits" base:"wait_first_s.count" words:"waits that are" meaning:"waits of matched first searches"`
	RTT       *RTTLimits       `json:"rtt,omitempty" when:"report.limits for RTTs" base:"rtt_ms.count" words:"RTTs that are" meaning:"RTTs of matched players"`
	Unmatched *UnmatchedLimits `json:"unmatched,omitempty" when:"report.limits for unmatched searches" base:"players.ended" words:"searches in hours whose unmatched share is" meaning:"ended searches that began in a UTC hour whose unmatched_share is"`
}

// WaitLimits has the limits for the waits of first searches. All limits are inclusive.
type WaitLimits struct {
	Good Seconds `json:"good_s" meaning:"-"`
	Fair Seconds `json:"fair_s" meaning:"-"`
	Classes
}

type RTTLimits struct {
	Good Millis `json:"good_ms" meaning:"-"`
	Fair Millis `json:"fair_ms" meaning:"-"`
	Classes
}

// UnmatchedLimits has the limits for the share of searches that end without a match. A single
// search has no such share, so its class is that of the UTC hour in which it began: the share of
// the searches in Group.Ends of that hour. So the classes say when players find no match, and a bad
// hour is not hidden by a good day.
type UnmatchedLimits struct {
	Good Share `json:"good" meaning:"-"`
	Fair Share `json:"fair" meaning:"-"`
	Classes
}

// Classes has the share of players in each class. The shares add up to 1, or to 0 without
// players.
type Classes struct {
	ShareGood Share `json:"share_good" better:"higher" words:"share of * good" meaning:"Share of * within the limit good of report.limits"`
	ShareFair Share `json:"share_fair" words:"share of * fair" meaning:"Share of * beyond the limit good but within the limit fair of report.limits"`
	SharePoor Share `json:"share_poor" better:"lower" words:"share of * poor" meaning:"Share of * beyond the limit fair of report.limits"`
}

// LimitsPrefix begins the names of the metrics that report.limits defines.
const LimitsPrefix = "limits."

// SetUnmatched sets the classes of the limits for unmatched searches, if there are any. hours are
// Summary.ByHour.
func (l *Limits) SetUnmatched(hours []Group) {
	if l == nil || l.Unmatched == nil {
		return
	}
	var good, fair, all uint64
	for i := range hours {
		loss := Unmatched(&hours[i])
		n := uint64(loss.Ended)
		all += n
		if loss.Share <= l.Unmatched.Good {
			good += n
		}
		if loss.Share <= l.Unmatched.Fair {
			fair += n
		}
	}
	l.Unmatched = &UnmatchedLimits{l.Unmatched.Good, l.Unmatched.Fair, ClassesOf(good, fair, all)}
}

// ClassesOf returns the classes of all players. good is the number of players within the limit
// good, and fair the number within the limit fair.
func ClassesOf(good, fair, all uint64) Classes {
	if all == 0 {
		return Classes{}
	}
	within, withinFair := ShareOf(good, all), ShareOf(fair, all)
	return Classes{within, RoundShare(float64(withinFair - within)), RoundShare(1 - float64(withinFair))}
}

// WithinFair returns the share of players within the limit fair.
func (c *Classes) WithinFair() Share { return RoundShare(float64(c.ShareGood + c.ShareFair)) }
