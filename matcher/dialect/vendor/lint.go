package vendor

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// WarnIfTooLate warns where tickets give up before the first of the rules relaxes, at a
// wait of firstMS; matcher.Never: none does.
func WarnIfTooLate(problems *jsontree.Problems, rules jsontree.Value, giveUpMS, firstMS int64) {
	if firstMS != matcher.Never && firstMS >= giveUpMS {
		problems.Warnf(rules, "tickets give up after %s, but the first rule relaxes only after %s", Seconds(giveUpMS), Seconds(firstMS))
	}
}

// Seconds words a span in ms.
func Seconds(ms int64) string { return fmt.Sprintf("%g s", float64(ms)/1000) }
