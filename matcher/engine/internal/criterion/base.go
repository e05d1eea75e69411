package criterion

import (
	"math"

	"mmsim/matcher"
)

// Tolerance is added to limits of sums and differences of decimal numbers, so that 0.8 and 0.6
// count as 0.2 apart despite rounding.
const Tolerance = 1e-9

// slack is subtracted from a lower bound of a distance if the bound and the distance are computed
// with different thresholds, because rounding may go either way.
const slack = 1e-9

// base is the part that all criteria have in common.
type base struct {
	common       *matcher.Common
	basis        Basis
	bound, least matcher.Schedule

	// These fields apply to all stages together.
	smallest, largest float64 // smallest and largest threshold of the schedule bound
	smallestLeast     float64 // smallest threshold of the schedule least
	everInactive      bool    // the schedule bound or least has an inactive stage
	rising            bool    // the threshold of the schedule bound never decreases; an inactive stage counts as +Inf
}

// newBase returns the base of a rule. If a rule has two schedules, the first is its minimum.
func newBase(rule matcher.Rule, basis Basis) base {
	b := base{common: rule.Settings(), basis: basis}
	schedules := rule.Schedules()
	if n := len(schedules); n > 0 {
		b.bound = *schedules[n-1]
	}
	if len(schedules) == 2 {
		b.least = *schedules[0]
	}
	bound, least := &b.bound, &b.least
	b.smallest, b.largest, b.everInactive = bound.Span()
	lowest, _, inactive := least.Span()
	b.smallestLeast, b.everInactive = lowest, b.everInactive || inactive
	b.rising = len(bound.List) > 0 || bound.Step >= 0
	before := math.Inf(-1)
	for _, stage := range bound.List {
		now := stage.Value
		if stage.Inactive {
			now = math.Inf(1)
		}
		b.rising, before = b.rising && now >= before, now
	}
	return b
}

func (b *base) Rule() *matcher.Common { return b.common }

// Load does nothing. Rules that read values of players have their own Load.
func (b *base) Load(Row, []matcher.Player) {}

// Clear does nothing. Rules with data that must be dropped have their own Clear.
func (b *base) Clear(Row) {}

func (b *base) At(waitMS int64) (l Limit, untilMS int64) {
	bound, active := b.bound.At(waitMS)
	least, leastActive := b.least.At(waitMS)
	untilMS = min(b.bound.NextChange(waitMS), b.least.NextChange(waitMS))
	if waitMS < b.common.OptionalAfterMS {
		untilMS = min(untilMS, b.common.OptionalAfterMS)
	}
	return Limit{Bound: bound, Least: least, Active: active && leastActive, Optional: waitMS >= b.common.OptionalAfterMS}, untilMS
}

func (b *base) Certain(l *Limit) bool {
	if b.basis.Older {
		return b.firm() && b.constant()
	}
	return l.Active && !l.Optional
}

func (b *base) Always(l *Limit) bool {
	if b.basis.Any {
		return b.firm()
	}
	return !b.everInactive && !l.Optional
}

// firm reports whether the rule is always enforced, however long tickets wait.
func (b *base) firm() bool { return !b.everInactive && b.common.OptionalAfterMS == matcher.Never }

// constant reports whether the threshold never changes and the rule is never inactive.
func (b *base) constant() bool { return b.smallest == b.largest && !b.everInactive }

// unsuited implements Divider.Unsuited. The parameter kind is the rank of the rule's kind.
func (b *base) unsuited(kind int) int {
	if !b.firm() || !b.constant() {
		kind += 2
	}
	return kind
}
