package seating

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// late is the state of a rule that only a complete match can decide: another wait than that of the
// ruleset counts for it, or it is not always enforced.
type late struct {
	basis    matcher.ExpansionBasis
	enforced limit   // limit whose value is an index in SeatCommon.Enforced, or -1 if that is empty
	waitsMS  []int64 // scratch space for knownLate
}

// decideLate sets rule.late if only complete matches can decide a rule.
func (r *Rules) decideLate(c *rule) {
	common, basis := c.of.Common(), r.Set.BasisOf(c.of)
	if (basis == matcher.LongestWait) == r.Set.Oldest && basis != matcher.MeanWait && len(common.Enforced) == 0 {
		return
	}
	c.late, r.Late = &late{basis: basis, enforced: r.limit(ranges.Indexes(common.Enforced))}, true
}

// knownLate evaluates a rule that only complete matches can decide. The waits of all tickets of the
// match count; the players of a session have none.
func (e *evaluator) knownLate(r *rule) truth {
	l, stage := r.late, e.stage
	if !e.Complete {
		return undecided
	}
	defer func() { e.stage = stage }()
	if e.stage = e.lateStage(l); l.enforced >= 0 && !r.of.Common().Enforced[int(e.at(l.enforced).Low)].Value {
		return holds
	}
	return e.evaluate(r)
}

// lateStage returns the stage after the wait that counts for a rule. It is the group's stage if the
// group has no tickets.
func (e *evaluator) lateStage(l *late) *store.Stage {
	l.waitsMS = l.waitsMS[:0]
	for _, side := range e.Sides {
		for _, member := range side {
			if member >= 0 {
				l.waitsMS = append(l.waitsMS, e.rules.rows.WaitMS(Row(member)))
			}
		}
	}
	if len(l.waitsMS) == 0 {
		return e.stage
	}
	return e.rules.rows.StageAfter(l.basis.WaitMS(l.waitsMS))
}
