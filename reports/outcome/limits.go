package outcome

// Limits are the limits that report.limits of the configuration sets for good, fair and poor,
// with the number of players in each class. A run without report.limits has none and is graded
// by the usual limits of package grade.
type Limits struct {
	Wait      *WaitLimits      `json:"wait,omitempty" when:"limits of waits" base:"wait_first_s.count" meaning:"waits of first searches"`
	RTT       *RTTLimits       `json:"rtt,omitempty" when:"limits of RTTs" base:"rtt_ms.count" meaning:"RTTs of matched players"`
	Unmatched *UnmatchedLimits `json:"unmatched,omitempty"`
}

// WaitLimits are the limits of waits of first searches. Like all limits they are inclusive.
type WaitLimits struct {
	Good Seconds `json:"good_s" meaning:"-"`
	Fair Seconds `json:"fair_s" meaning:"-"`
	Classes
}

// RTTLimits are the limits of RTTs.
type RTTLimits struct {
	Good Millis `json:"good_ms" meaning:"-"`
	Fair Millis `json:"fair_ms" meaning:"-"`
	Classes
}

// UnmatchedLimits are the limits of the share of searches that end without a match.
type UnmatchedLimits struct {
	Good Share `json:"good" meaning:"-"`
	Fair Share `json:"fair" meaning:"-"`
}

// Classes are the shares of players in each class. They add up to 1, or to 0 without players.
type Classes struct {
	ShareGood Share `json:"share_good" better:"higher" meaning:"Share up to the limit good of report.limits: *"`
	ShareFair Share `json:"share_fair" meaning:"Share above the limit good and up to the limit fair of report.limits: *"`
	SharePoor Share `json:"share_poor" better:"lower" meaning:"Share above the limit fair of report.limits: *"`
}

// LimitsPrefix begins the names of the metrics that report.limits defines.
const LimitsPrefix = "limits."

// ClassesOf returns the classes of all players, where good players are within the limit good and
// fair players are within the limit fair.
func ClassesOf(good, fair, all uint64) Classes {
	if all == 0 {
		return Classes{}
	}
	within, withinFair := ShareOf(good, all), ShareOf(fair, all)
	return Classes{within, RoundShare(float64(withinFair - within)), RoundShare(1 - float64(withinFair))}
}

// WithinFair returns the share of players in the classes good and fair.
func (c *Classes) WithinFair() Share { return RoundShare(float64(c.ShareGood + c.ShareFair)) }
