// Package grade rates the numbers of a result as good, fair or poor. The limits are those of
// report.limits in the configuration, or the default limits if it sets none.
package grade

import (
	"fmt"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// The default limits of waits and of searches that end without a match. They are conventions,
// not derived from any game. The default limits of RTTs are the thresholds of the states IDEAL and
// EXPAND.
const (
	WaitGood      outcome.Seconds = 10 // 90th percentile of first searches
	WaitFair      outcome.Seconds = 30
	UnmatchedGood outcome.Share   = 0.001 // share of ended searches
	UnmatchedFair outcome.Share   = 0.01
)

// Mark returns "good", "fair" or "poor" for a value that is better when it is lower.
func Mark[N outcome.Seconds | outcome.Millis | outcome.Share](v, good, fair N) string {
	switch {
	case v <= good:
		return "good"
	case v <= fair:
		return "fair"
	}
	return "poor"
}

// Waits returns the limits for the 90th percentile of the wait of first searches.
func Waits(own *outcome.Limits) (good, fair outcome.Seconds) {
	if own == nil || own.Wait == nil {
		return WaitGood, WaitFair
	}
	return own.Wait.Good, own.Wait.Fair
}

// Unmatched returns the limits for the share of searches that end without a match.
func Unmatched(own *outcome.Limits) (good, fair outcome.Share) {
	if own == nil || own.Unmatched == nil {
		return UnmatchedGood, UnmatchedFair
	}
	return own.Unmatched.Good, own.Unmatched.Fair
}

// RTTs are the limits that divide RTTs into good, fair and poor, with the names that reports use.
type RTTs struct {
	Good, Fair         outcome.Millis
	GoodName, FairName string
	Own                bool // whether report.limits sets the limits
}

// RTTsOf returns the RTT limits in own, or else the thresholds of the states IDEAL and EXPAND.
func RTTsOf(t outcome.Thresholds, own *outcome.Limits) RTTs {
	if own == nil || own.RTT == nil {
		return RTTs{t.Ideal, t.Expand, "ideal", "expand", false}
	}
	return RTTs{own.RTT.Good, own.RTT.Fair, "good", "fair", true}
}

// ForReaders names the limits good and fair if a report does not show states (see
// Summary.HasStates), because the names of the states then mean nothing to the reader.
func (r RTTs) ForReaders(s *outcome.Summary) RTTs {
	if !s.HasStates() {
		r.GoodName, r.FairName = "good", "fair"
	}
	return r
}

// Within returns the RTT limits of a result and the shares of players within them.
func Within(s *outcome.Summary) (r RTTs, good, fair outcome.Share) {
	r = RTTsOf(s.Thresholds, s.Limits)
	if r.Own {
		return r, s.Limits.RTT.ShareGood, s.Limits.RTT.WithinFair()
	}
	return r, s.RTT.ShareLEIdeal, s.RTT.ShareLEExpand
}

// Share formats a limit that is a share without rounding away its digits: 0.0025 is "0.25 %".
func Share(s outcome.Share) string {
	text := strings.TrimRight(fmt.Sprintf("%.3f", 100*float64(s)), "0")
	if strings.HasSuffix(text, ".") {
		text += "0"
	}
	return text + " %"
}

// ClassWords says which share of players is in each class.
func ClassWords(c *outcome.Classes) string {
	return fmt.Sprintf("%s are good, %s fair and %s poor", words.Percent(c.ShareGood), words.Percent(c.ShareFair), words.Percent(c.SharePoor))
}

// Unlike says how the limits of results A and B differ. Classes of such results cannot be
// compared. It returns "" if neither result has limits of its own or the limits are equal.
func Unlike(a, b *outcome.Summary) string {
	if a.Limits == nil && b.Limits == nil {
		return ""
	}
	var pairs []string
	one, other := inForce(a), inForce(b)
	for i, quantity := range [...]string{"wait", "RTT", "unmatched"} {
		if one[i] != other[i] {
			pairs = append(pairs, fmt.Sprintf("%s %s in A, %s in B", quantity, one[i], other[i]))
		}
	}
	return strings.Join(pairs, ", ")
}

// inForce formats the limits of waits, RTTs and unmatched searches of a result.
func inForce(s *outcome.Summary) [3]string {
	good, fair := Waits(s.Limits)
	rtts := RTTsOf(s.Thresholds, s.Limits)
	goodShare, fairShare := Unmatched(s.Limits)
	return [3]string{
		fmt.Sprintf("%g and %g s", float64(good), float64(fair)),
		fmt.Sprintf("%g and %g ms", float64(rtts.Good), float64(rtts.Fair)),
		Share(goodShare) + " and " + Share(fairShare),
	}
}

// ClassCount is the number of RTT classes on a map. Each class has its own colour.
const ClassCount = 6

// RTTClasses are the upper limits in ms of the RTT classes. The last class has no limit.
type RTTClasses [ClassCount - 1]float64

// Classes divides RTTs into classes by the limits good and fair, so that a colour on a map shows
// how far an RTT is from good.
func (r *RTTs) Classes() RTTClasses {
	good, fair := float64(r.Good), float64(r.Fair)
	return RTTClasses{good / 2, good, (good + fair) / 2, fair, 2 * fair}
}

// Of returns the class, from 0, of an RTT in ms.
func (c RTTClasses) Of(rtt float64) int {
	for i, limit := range c {
		if rtt <= limit {
			return i
		}
	}
	return len(c)
}

// Names returns the names of the classes for a legend. If the limits good and fair are equal, the
// classes between them are empty and their names are "".
func (c RTTClasses) Names() (names [ClassCount]string) {
	for i, limit := range c {
		switch {
		case i == 0:
			names[i] = fmt.Sprintf("at most %g ms", limit)
		case limit > c[i-1]:
			names[i] = fmt.Sprintf("%g–%g", c[i-1], limit)
		}
	}
	names[len(c)] = fmt.Sprintf("more than %g ms", c[len(c)-1])
	return names
}
