package playfab

import (
	"fmt"
	"math"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Lint returns warnings about settings that are valid but probably not intended: expansions that
// have no effect or come too late, and rules and team sizes that no tickets can satisfy. giveUpMS
// is the longest time that a ticket waits, or [matcher.Never] if it is not known.
func (q *Queue) Lint(giveUpMS int64) []jsontree.Warning {
	l := linter{queue: q, giveUpMS: giveUpMS, firstMS: matcher.Never}
	l.sizes()
	l.kinds()
	for i, rule := range q.Ruleset.Rules {
		l.at = q.rules[i]
		l.rule(rule)
	}
	vendor.WarnIfTooLate(&l.problems, q.value, giveUpMS, l.firstMS)
	return l.problems.Warnings()
}

// linter collects warnings about one queue.
type linter struct {
	queue    *Queue
	giveUpMS int64
	firstMS  int64          // wait at which the first rule relaxes
	at       jsontree.Value // position of the next warning
	problems jsontree.Problems
}

func (l *linter) warnf(format string, args ...any) { l.problems.Warnf(l.at, format, args...) }

// rulef warns of a rule.
func (l *linter) rulef(c matcher.Common, format string, args ...any) {
	l.warnf("rule %q: %s", c.Name, fmt.Sprintf(format, args...))
}

// sizes checks the sizes of tickets and teams.
func (l *linter) sizes() {
	l.at = l.queue.value
	set := l.queue.Ruleset
	if set.MaxTicket >= set.MaxPlayers {
		l.warnf("MaxTicketSize: %d has no effect, because every ticket must have fewer players than MaxMatchSize, which is %d", set.MaxTicket, set.MaxPlayers)
	}
	if len(set.Teams) == 0 {
		return
	}
	most, largest := 0, 0
	for _, team := range set.Teams {
		most, largest = most+team.Max, max(largest, team.Max)
	}
	if most < set.MaxPlayers && most >= set.MinPlayers {
		l.warnf("MaxMatchSize is %d, but all teams together have room for only %s", set.MaxPlayers, jsontree.Count(most, "player"))
	}
	if set.MaxTicket > largest && set.MaxTicket < set.MaxPlayers {
		l.warnf("MaxTicketSize is %d, but the largest team has room for only %s", set.MaxTicket, jsontree.Count(largest, "player"))
	}
}

// kinds warns of attributes that rules read as different types.
func (l *linter) kinds() {
	for i, a := range l.queue.Attributes {
		for _, b := range l.queue.Attributes[:i] {
			if a.Source == b.Source && a.Path == b.Path {
				l.at = l.queue.value
				l.warnf("rules %q and %q read attribute %s as different types, so no player with the attribute can satisfy both", b.rule, a.rule, a.Path)
			}
		}
	}
}

// rule checks one rule.
func (l *linter) rule(rule matcher.Rule) {
	if c := rule.Settings(); c.OptionalAfterMS != matcher.Never && c.OptionalAfterMS >= l.giveUpMS {
		l.rulef(*c, "it never becomes optional: SecondsUntilOptional is %s, but tickets give up after %s",
			vendor.Seconds(c.OptionalAfterMS), vendor.Seconds(l.giveUpMS))
	}
	switch r := rule.(type) {
	case *matcher.EqualText:
		l.late(r.Common, "", r.Enabled)
	case *matcher.NumberDistance:
		l.late(r.Common, "Difference", r.Max)
		l.negative(r.Common, r.Max)
	case *matcher.TeamGap:
		l.late(r.Common, "Difference", r.Max)
		l.negative(r.Common, r.Max)
	case *matcher.SetOverlap:
		l.late(r.Common, "MinIntersectionSize", r.MinShared)
		least, _, active := extremes(r.MinShared)
		if active && !r.MissingAny && least > float64(len(r.Default)) {
			l.rulef(r.Common, "players without the attribute cannot be matched%s: DefaultAttributeValue has %s, but MinIntersectionSize is at least %g",
				until(r.Common), jsontree.Count(len(r.Default), "text"), least)
		}
	case *matcher.MatchTotal:
		l.late(r.Common, "Min", r.Min)
		l.late(r.Common, "Max", r.Max)
		l.total(r)
	case *matcher.ReachRegion:
		l.late(r.Common, "MaxLatency", r.MaxRTTMS)
		if _, most, active := extremes(r.MaxRTTMS); active && most == 0 {
			l.impossible(r.Common, "MaxLatency is 0 ms")
		}
	case *matcher.TeamBalance:
		l.late(r.Common, "Difference", r.Max)
		if _, most, active := extremes(r.Max); active && !l.balanced(most) {
			l.impossible(r.Common, "team sizes that differ by at most %g cannot add up to %s",
				most, jsontree.Range(l.queue.Ruleset.MinPlayers, l.queue.Ruleset.MaxPlayers, "player"))
		}
	case *matcher.LargeParties:
		l.late(r.Common, "", matcher.Fixed(0))
	default:
		panic(fmt.Sprintf("playfab: no checks for a rule of type %T", rule))
	}
}

// impossible warns of a rule that no match can satisfy.
func (l *linter) impossible(c matcher.Common, format string, args ...any) {
	l.rulef(c, "no match can satisfy it%s: %s", until(c), fmt.Sprintf(format, args...))
}

// until returns the part of a message that says when a rule becomes optional, or "" if it never
// does.
func until(c matcher.Common) string {
	if c.OptionalAfterMS == matcher.Never {
		return ""
	}
	return " until the rule becomes optional after " + vendor.Seconds(c.OptionalAfterMS)
}

// negative warns of a maximum difference that decreases, and of one that is always negative.
func (l *linter) negative(c matcher.Common, s matcher.Schedule) {
	if s.Step < 0 {
		l.rulef(c, "Delta is %g, so the rule becomes stricter while tickets wait", s.Step)
	}
	if _, most, active := extremes(s); active && most < 0 {
		l.impossible(c, "a difference is never below 0, but Difference is at most %g", most)
	}
}

// total warns of bounds that no sum can satisfy.
func (l *linter) total(r *matcher.MatchTotal) {
	stages := max(1, len(r.Min.List), len(r.Max.List))
	every := max(r.Min.EveryMS, r.Max.EveryMS)
	for stage := range stages {
		waitMS := int64(stage) * every
		least, active := r.Min.At(waitMS)
		most, bounded := r.Max.At(waitMS)
		if waitMS < r.OptionalAfterMS && active && bounded && least > most {
			l.rulef(r.Common, "no match can satisfy it after a wait of %s: Min is %g, but Max is %g", vendor.Seconds(waitMS), least, most)
			return
		}
	}
}

// balanced reports whether teams can have sizes that add up to a match and differ by at most
// spread.
func (l *linter) balanced(spread float64) bool {
	set := l.queue.Ruleset
	for smallest := range matcher.MaxTeamPlayers + 1 {
		least, most, fits := 0, 0, true
		for _, team := range set.Teams {
			from, to := max(team.Min, smallest), team.Max
			if f := float64(smallest) + spread; f < float64(to) {
				to = int(f)
			}
			least, most, fits = least+from, most+to, fits && from <= to
		}
		if fits && least <= set.MaxPlayers && most >= set.MinPlayers {
			return true
		}
	}
	return false
}

// late warns of an expansion that has no effect, or whose steps come after the rule has become
// optional or after tickets have given up. It also updates l.firstMS. member is the name of the
// threshold, or "" for a rule that is only enabled and disabled.
func (l *linter) late(c matcher.Common, member string, s matcher.Schedule) {
	l.firstMS = min(l.firstMS, c.OptionalAfterMS)
	if s.EveryMS == 0 {
		return
	}
	last := lastStage(s)
	if last == 0 {
		switch threshold, active := s.At(0); {
		case !active:
			l.rulef(c, "the expansion disables the rule forever")
		case member == "":
			l.rulef(c, "the expansion has no effect: the rule stays enabled")
		default:
			l.rulef(c, "the expansion has no effect: %s stays %g", member, threshold)
		}
		return
	}
	l.firstMS = min(l.firstMS, s.NextChange(0))
	end, but, unless := c.OptionalAfterMS, "the rule is optional", ""
	set := l.queue.Ruleset
	if set.ExpansionBasis == matcher.LongestWait && set.OptionalBasis == matcher.AllWaited {
		// Mention the exception: if the match also has a newer ticket, the rule stays enforced, at
		// the stage of the older ticket.
		unless = ", unless the match has a newer ticket"
	}
	if l.giveUpMS < end {
		end, but, unless = l.giveUpMS, "tickets give up", ""
	}
	// Report only the first step that comes too late. An unlimited expansion always has such steps,
	// so report one only if even its first step comes too late.
	if first := (end-1)/s.EveryMS + 1; end != matcher.Never && first <= last && (last != math.MaxInt64 || first == 1) {
		threshold, active := s.At(first * s.EveryMS)
		step := fmt.Sprintf("%s becomes %g", member, threshold)
		if !active {
			step = "the rule is disabled"
		} else if member == "" {
			step = "the rule is enabled"
		}
		l.rulef(c, "an expansion step is never reached: %s after %s, but %s after %s%s",
			step, vendor.Seconds(first*s.EveryMS), but, vendor.Seconds(end), unless)
	}
}

// lastStage returns the last stage at which a schedule changes. It is 0 if the schedule never
// changes and MaxInt64 if it never stops changing.
func lastStage(s matcher.Schedule) int64 {
	for i := len(s.List) - 1; i > 0; i-- {
		if s.List[i] != s.List[i-1] {
			return int64(i)
		}
	}
	steps := (s.Limit - s.Base) / s.Step
	switch {
	case len(s.List) > 0 || s.Step == 0 || steps <= 0:
		return 0
	case steps > 1<<40:
		return math.MaxInt64
	}
	return int64(math.Ceil(steps))
}

// extremes returns the smallest and the largest threshold of all active stages, and whether there
// is an active stage.
func extremes(s matcher.Schedule) (least, most float64, active bool) {
	if len(s.List) == 0 {
		least, most, _ = s.Span()
		return least, most, true
	}
	least, most = math.Inf(1), math.Inf(-1)
	for _, o := range s.List {
		if !o.Inactive {
			least, most, active = min(least, o.Value), max(most, o.Value), true
		}
	}
	return least, most, active
}
