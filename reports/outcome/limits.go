package outcome

// Limits are those that report.limits of the configuration sets for what is good, fair and
// poor, and how many players are in each class. A run that sets none has none: then the
// usual ones of package grade count.
type Limits struct {
	Wait      *WaitLimits      `json:"wait,omitempty" base:"wait_first_s.count" meaning:"waits of first searches"`
	RTT       *RTTLimits       `json:"rtt,omitempty" base:"rtt_ms.count" meaning:"RTTs of matched players"`
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

// Classes are the shares of players in each class. They add up to 1, or to 0 of nobody.
type Classes struct {
	ShareGood Share `json:"share_good" better:"higher" meaning:"Share up to the limit good of report.limits: *"`
	ShareFair Share `json:"share_fair" meaning:"Share above the limit good and up to the limit fair of report.limits: *"`
	SharePoor Share `json:"share_poor" better:"lower" meaning:"Share above the limit fair of report.limits: *"`
}

// LimitsPrefix begins the names of the metrics that report.limits defines.
const LimitsPrefix = "limits."

// ClassesOf are the classes of all players, of whom so many are within the limit good and
// so many within the limit fair.
func ClassesOf(good, fair, all uint64) Classes {
	if all == 0 {
		return Classes{}
	}
	within, withinFair := ShareOf(good, all), ShareOf(fair, all)
	return Classes{within, RoundShare(float64(withinFair - within)), RoundShare(1 - float64(withinFair))}
}

// WithinFair is the share of players who are in the classes good and fair.
func (c *Classes) WithinFair() Share { return RoundShare(float64(c.ShareGood + c.ShareFair)) }
