package outcome

// Limits has the limits of good, fair and poor that report.limits sets. Those of waits and RTTs have
// the share of players in each class. Without report.limits, a summary has no Limits, and reports use the default
// limits of package grade.
type Limits struct {
	Wait      *WaitLimits      `json:"wait,omitempty" when:"report.limits for waits" base:"wait_first_s.count" meaning:"waits of matched first searches"`
	RTT       *RTTLimits       `json:"rtt,omitempty" when:"report.limits for RTTs" base:"rtt_ms.count" meaning:"RTTs of matched players"`
	Unmatched *UnmatchedLimits `json:"unmatched,omitempty"`
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

// UnmatchedLimits has the limits for the share of searches that end without a match.
type UnmatchedLimits struct {
	Good Share `json:"good" meaning:"-"`
	Fair Share `json:"fair" meaning:"-"`
}

// Classes has the share of players in each class. The shares add up to 1, or to 0 without
// players.
type Classes struct {
	ShareGood Share `json:"share_good" better:"higher" meaning:"Share of * within the limit good of report.limits"`
	ShareFair Share `json:"share_fair" meaning:"Share of * beyond the limit good but within the limit fair of report.limits"`
	SharePoor Share `json:"share_poor" better:"lower" meaning:"Share of * beyond the limit fair of report.limits"`
}

// LimitsPrefix begins the names of the metrics that report.limits defines.
const LimitsPrefix = "limits."

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
