package vendor

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// WarnIfTooLate warns if tickets give up before any rule relaxes. firstMS is the wait at which the
// first rule relaxes, or matcher.Never if none does.
func WarnIfTooLate(problems *jsontree.Problems, rules jsontree.Value, giveUpMS, firstMS int64) {
	if firstMS != matcher.Never && firstMS >= giveUpMS {
		problems.Warnf(rules, "tickets give up after %s, but the first rule relaxes only after %s", Seconds(giveUpMS), Seconds(firstMS))
	}
}

// Seconds formats a duration given in ms, such as "2.5 s".
func Seconds(ms int64) string { return fmt.Sprintf("%g s", float64(ms)/1000) }
