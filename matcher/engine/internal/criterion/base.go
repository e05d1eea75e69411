package criterion

import "mmsim/matcher"

// Tolerance widens bounds on sums and differences of decimal numbers: 0.8 and 0.6 are
// within 0.2.
const Tolerance = 1e-9

// slack is taken off a lower bound of a distance that is computed from another threshold
// than the distance itself: rounding may go either way.
const slack = 1e-9

// base is what all criteria have: their schedules, and whose wait counts.
type base struct {
	common       *matcher.Common
	basis        Basis
	bound, least matcher.Schedule

	// over all stages
	smallest, largest float64 // of bound
	smallestLeast     float64
	everInactive      bool
}

// with adds the schedules of a rule: of its threshold, and of a minimum beside it; the zero
// Schedule is none.
func (b base) with(bound, least matcher.Schedule) base {
	b.bound, b.least = bound, least
	b.smallest, b.largest, b.everInactive = bound.Span()
	lowest, _, inactive := least.Span()
	b.smallestLeast, b.everInactive = lowest, b.everInactive || inactive
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

// firm tells whether the rule is enforced whatever the waits.
func (b *base) firm() bool { return !b.everInactive && b.common.OptionalAfterMS == matcher.Never }

// constant tells whether the rule holds alike whatever the waits.
func (b *base) constant() bool { return b.smallest == b.largest && !b.everInactive }

// rising tells whether the threshold never falls while a ticket waits.
func (b *base) rising() bool {
	s := &b.bound
	for i := 1; i < len(s.List); i++ {
		if s.List[i].Value < s.List[i-1].Value {
			return false
		}
	}
	return len(s.List) > 0 || s.Step >= 0
}

// unsuited ranks a rule as a Divider, by its kind.
func (b *base) unsuited(kind int) int {
	if !b.firm() || !b.constant() {
		kind += 2
	}
	return kind
}
