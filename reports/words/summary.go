package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/outcome"
)

// DecileValues returns the range of the values in a decile, such as "100 to 199", or the value if
// there is only one.
func DecileValues(d *outcome.Decile) string {
	if d.From == d.To {
		return Digits(d.From)
	}
	return Digits(d.From) + " to " + Digits(d.To)
}

// Coverage says what an interval over runs covers, and what it does not. It returns "" if each run
// has joins of its own, because the interval then covers everything.
func Coverage(joins outcome.Joins) string {
	switch joins {
	case outcome.JoinsReplayed:
		return "All runs of a file replay its joins: an interval covers the draw of matches, not another day (dataset.resample: true covers the choice of players, too)."
	case outcome.JoinsResampled:
		return "Every run takes the parties of its file anew (dataset.resample): an interval is for the law of the day, of which the file is one sample."
	}
	return ""
}

// RunsWith says in how many of several runs a metric was measured, such as "1 of 3 runs".
// Reports show it in place of an interval that does not exist.
func RunsWith(n, of int) string {
	return fmt.Sprintf("%d of %s", n, Plural(of, "run"))
}

// Zone returns the name of a time zone; "" is UTC.
func Zone(name string) string { return cmp.Or(name, "UTC") }

// Clock returns the time of day at s in a time zone, such as "19:42 UTC". From the second day on it adds
// the day.
func Clock(s outcome.Seconds, zone string) string {
	minutes := int(s) / 60
	at := fmt.Sprintf("%02d:%02d %s", minutes/60%24, minutes%60, zone)
	if day := minutes / (24 * 60); day > 0 {
		at += fmt.Sprintf(" on day %d", day+1)
	}
	return at
}

// RTTInBrackets formats the mean RTT of the players who were matched in a state. format has the verb
// %s for the RTT. RTTInBrackets returns "" if there were no such players, or if there are several
// queues, because a mean over queues with different rules says nothing.
func RTTInBrackets(s *outcome.Summary, st *outcome.StateStats, format string) string {
	if st.Matched == 0 || len(s.Queues) > 0 {
		return ""
	}
	return fmt.Sprintf(format, Millis(st.RTTMean))
}

// Some lists the first phrases and counts the rest.
func Some(phrases []string) string { return First(someMax, phrases) }

// First lists the first phrases, at most most of them, and counts the rest.
func First(most int, phrases []string) string {
	if more := len(phrases) - most; more > 0 {
		phrases = append(phrases[:most:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(phrases, ", ")
}

// someMax is the number of phrases that Some lists. More would not fit in a line of text.
const someMax = 4

// LargestParts lists the largest parts of a whole with their shares.
func LargestParts(parts outcome.Parts) string {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b outcome.Part) int { return cmp.Compare(b.Count, a.Count) })
	return Some(Each(parts, func(p outcome.Part) string { return Name(p.Name) + " " + Percent(p.Share) }))
}

// EndedWord returns what the searches of a ruleset do when their time is over: in a pool they expire,
// and under the states they fail.
func EndedWord(r *outcome.Rules) string {
	if r.Placement == "datacenters" {
		return "failed"
	}
	return "expired"
}

// ExpiryReasons returns the reasons why tickets expired or failed: rules and other reasons, each with its
// count. Reasons without tickets are omitted.
func ExpiryReasons(e *outcome.Expiry) outcome.Parts {
	named := func(name string, p outcome.Part) outcome.Part {
		return outcome.Part{Name: name, Count: p.Count, Share: p.Share}
	}
	reasons := slices.Concat(e.ByRule, outcome.Parts{named("own players", e.Own), named(TooLarge, e.TooLarge), named("too few waiting", e.TooFew), named(NoGroup, e.Group)})
	return slices.DeleteFunc(reasons, func(p outcome.Part) bool { return p.Count == 0 })
}

// Names of reasons for expiry other than rules.
const (
	TooLarge = "parties too large"
	NoGroup  = "no fitting group"
)

// RelaxNames has the name of every outcome.RelaxClass in pictures and tables.
var RelaxNames = [outcome.RelaxClasses]string{"not relaxed", "1 step", "2 or 3 steps", "4 to 7 steps", "8 or more steps", "not enforced"}
