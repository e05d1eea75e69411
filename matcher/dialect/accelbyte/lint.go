package accelbyte

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Lint returns warnings about entries that are valid but probably not intended, because they have
// no effect, make a rule stricter or start too late. giveUpMS is the longest time that a ticket
// waits, or [matcher.Never] if it is not known.
func (r *Ruleset) Lint(giveUpMS int64) []jsontree.Warning {
	l := linter{set: r, giveUpMS: giveUpMS, firstMS: matcher.Never}
	l.sizes()
	for i := range r.Rules.Pivot.Distances {
		l.distance(&r.Rules.Pivot.Distances[i])
	}
	for _, f := range r.flexing {
		l.late(f.at.Value, f.at.Label("duration"), l.duration(f.afterMS))
	}
	l.region()
	vendor.WarnIfTooLate(&l.problems, r.value, giveUpMS, l.firstMS)
	return l.problems.Warnings()
}

// linter collects warnings about one ruleset.
type linter struct {
	set      *Ruleset
	giveUpMS int64
	firstMS  int64 // wait at which the first rule relaxes
	problems jsontree.Problems
}

// late warns of an entry that becomes active only after tickets have given up.
func (l *linter) late(v jsontree.Value, label string, afterMS int64) {
	l.firstMS = min(l.firstMS, afterMS)
	if afterMS >= l.giveUpMS {
		l.problems.Warnf(v, "%s: the entry never applies: it starts after %s, but tickets give up after %s", label, vendor.Seconds(afterMS), vendor.Seconds(l.giveUpMS))
	}
}

// duration returns the duration in ms that the file specifies for an entry. It is the inverse of
// compiler.duration.
func (l *linter) duration(afterMS int64) int64 {
	if l.set.service {
		afterMS--
	}
	return afterMS
}

// sizes checks the team sizes.
func (l *linter) sizes() {
	sizes := l.set.Rules.Pivot.Sizes
	for i := range sizes {
		at := l.set.alliance[i]
		if i > 0 {
			l.late(at, "alliance_flexing_rule", l.duration(sizes[i].AfterMS))
			before := sizes[i-1]
			before.AfterMS = sizes[i].AfterMS
			if before == sizes[i] {
				l.problems.Warnf(at, "alliance_flexing_rule: the entry after %s changes nothing", vendor.Seconds(l.duration(sizes[i].AfterMS)))
			}
			if i+1 < len(sizes) && sizes[i+1].AfterMS == sizes[i].AfterMS {
				l.problems.Warnf(at, "alliance_flexing_rule: a later entry with the same duration, %s, replaces this one", vendor.Seconds(l.duration(sizes[i].AfterMS)))
			}
		}
		if float64(sizes[i].MaxTeams)*float64(sizes[i].MaxPlayers) > matcher.MaxGroupPlayers {
			l.problems.Warnf(at, "a match may have %s of %s, but mmsim puts at most %d players into a match",
				jsontree.Count(sizes[i].MaxTeams, "team"), jsontree.Count(sizes[i].MaxPlayers, "player"), matcher.MaxGroupPlayers)
		}
	}
}

// distance checks how one rule relaxes.
func (l *linter) distance(d *matcher.PivotDistance) {
	for i := 1; i < len(d.Max); i++ {
		from, to := d.Max[i-1], d.Max[i]
		switch {
		case to.AfterMS == from.AfterMS && i > 1:
			l.problems.Warnf(l.set.value, "flexing_rule: %s has two entries after %s; the later one in the list replaces the other", d.Name, vendor.Seconds(l.duration(to.AfterMS)))
		case to.Value == from.Value && math.IsInf(to.Value, 1):
			l.problems.Warnf(l.set.value, "flexing_rule: the entry after %s changes nothing: %s stays without a reference", vendor.Seconds(l.duration(to.AfterMS)), d.Name)
		case to.Value == from.Value:
			l.problems.Warnf(l.set.value, "flexing_rule: the entry after %s changes nothing: the reference of %s stays %g", vendor.Seconds(l.duration(to.AfterMS)), d.Name, to.Value)
		case to.Value < from.Value && !math.IsInf(from.Value, 1):
			l.problems.Warnf(l.set.value, "flexing_rule: the entry after %s makes the rule stricter: the reference of %s falls from %g to %g", vendor.Seconds(l.duration(to.AfterMS)), d.Name, from.Value, to.Value)
		}
	}
}

// region warns of region settings that take effect only after tickets have given up.
func (l *linter) region() {
	region := &l.set.Rules.Pivot.Region
	if region.MaxMS <= region.ReachMS.Base {
		return // the range never grows
	}
	if after := region.ReachMS.EveryMS; after >= l.giveUpMS {
		l.problems.Warnf(l.set.value, "region_expansion_rate_ms: the range never expands: its first expansion is after %s, but tickets give up after %s",
			vendor.Seconds(after), vendor.Seconds(l.giveUpMS))
	}
	if after := region.OneWayAfterMS; after != matcher.Never && after >= l.giveUpMS {
		l.problems.Warnf(l.set.value, "disable_bidirectional_latency_after_ms: never applies: it starts after %s, but tickets give up after %s",
			vendor.Seconds(after), vendor.Seconds(l.giveUpMS))
	}
	if (!region.Relative || region.ReachMS.Base > 0) && !math.IsInf(region.MaxMS, 1) {
		l.firstMS = min(l.firstMS, region.ReachMS.EveryMS)
	}
}
