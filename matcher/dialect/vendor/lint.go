package vendor

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// WarnIfTooLate warns if tickets give up before firstMS, the wait at which the first rule
// relaxes (matcher.Never: no rule relaxes).
func WarnIfTooLate(problems *jsontree.Problems, rules jsontree.Value, giveUpMS, firstMS int64) {
	if firstMS != matcher.Never && firstMS >= giveUpMS {
		problems.Warnf(rules, "tickets give up after %s, but the first rule relaxes only after %s", Seconds(giveUpMS), Seconds(firstMS))
	}
}

// Seconds returns a span in ms as text, in seconds.
func Seconds(ms int64) string { return fmt.Sprintf("%g s", float64(ms)/1000) }
