package criterion

import (
	"math"

	"mmsim/matcher"
)

// Tolerance is added to bounds on sums and differences of decimal numbers, so that 0.8 and 0.6
// are within 0.2.
const Tolerance = 1e-9

// slack is subtracted from a lower bound of a distance that is computed with another threshold
// than the distance itself, because rounding may go either way.
const slack = 1e-9

// base is the common part of all criteria: their schedules, and the basis of waits.
type base struct {
	common       *matcher.Common
	basis        Basis
	bound, least matcher.Schedule

	// over all stages
	smallest, largest float64 // of bound
	smallestLeast     float64
	everInactive      bool
	rising            bool // the rule never becomes stricter while a ticket waits
}

// with adds the schedules of a rule: of its threshold, and of its minimum if it has one. The
// zero Schedule means none.
func (b base) with(bound, least matcher.Schedule) base {
	b.bound, b.least = bound, least
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
	if b.basis.Shortest {
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

// firm reports whether the rule is enforced after every wait.
func (b *base) firm() bool { return !b.everInactive && b.common.OptionalAfterMS == matcher.Never }

// constant reports whether the rule is the same after every wait.
func (b *base) constant() bool { return b.smallest == b.largest && !b.everInactive }

// unsuited returns a rule's rank as a Divider, given the rank of its kind.
func (b *base) unsuited(kind int) int {
	if !b.firm() || !b.constant() {
		kind += 2
	}
	return kind
}
