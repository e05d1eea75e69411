package playfab

import (
	"fmt"
	"math"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Lint returns settings that are valid but probably not intended: expansions that have no
// effect or come too late, and rules and team sizes that no tickets can satisfy. Each line
// begins FILE:LINE:COLUMN. giveUpMS is the longest wait of a ticket, [matcher.Never] if it is
// not known.
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

// linter collects the warnings about one queue.
type linter struct {
	queue    *Queue
	giveUpMS int64
	firstMS  int64 // wait at which the first of the rules relaxes
	at       jsontree.Value
	problems jsontree.Problems
}

func (l *linter) warnf(format string, args ...any) { l.problems.Warnf(l.at, format, args...) }

// sizes checks the sizes of tickets and teams.
func (l *linter) sizes() {
	l.at = l.queue.value
	set := l.queue.Ruleset
	if set.MaxTicket >= set.MaxPlayers {
		l.warnf("MaxTicketSize: %d has no effect, a ticket has fewer players than MaxMatchSize, %d", set.MaxTicket, set.MaxPlayers)
	}
	if len(set.Teams) == 0 {
		return
	}
	most, largest := 0, 0
	for _, team := range set.Teams {
		most, largest = most+team.Max, max(largest, team.Max)
	}
	if most < set.MaxPlayers && most >= set.MinPlayers {
		l.warnf("MaxMatchSize: %d players never meet, the teams hold %d", set.MaxPlayers, most)
	}
	if set.MaxTicket > largest && set.MaxTicket < set.MaxPlayers {
		l.warnf("MaxTicketSize: a ticket of %d players fits no team, the largest holds %d", set.MaxTicket, largest)
	}
}

// kinds warns of attributes that are read as two types.
func (l *linter) kinds() {
	for i, a := range l.queue.Attributes {
		for _, b := range l.queue.Attributes[:i] {
			if a.Source == b.Source && a.Path == b.Path {
				l.at = l.queue.value
				l.warnf("rules %s and %s read %s as different types: nobody who has it can satisfy both", b.rule, a.rule, a.Path)
			}
		}
	}
}

// rule checks one rule.
func (l *linter) rule(rule matcher.Rule) {
	switch r := rule.(type) {
	case *matcher.EqualText:
		l.late(r.Common, "EnabledOverrides", r.Enabled)
		if _, _, ever := extremes(r.Enabled); !ever {
			l.warnf("%s: never enabled, so it keeps nobody apart", r.Name)
		}
	case *matcher.NumberDistance:
		l.late(r.Common, "Difference", r.Max)
		l.negative(r.Common, r.Max)
	case *matcher.TeamGap:
		l.late(r.Common, "Difference", r.Max)
		l.negative(r.Common, r.Max)
	case *matcher.SetOverlap:
		l.late(r.Common, "MinIntersectionSize", r.MinShared)
		least, _, ever := extremes(r.MinShared)
		if ever && !r.MissingAny && least > float64(len(r.Default)) {
			l.warnf("%s: players without the attribute meet nobody%s: they share at most the %d of DefaultAttributeValue, at least %g are wanted",
				r.Name, until(r.Common), len(r.Default), least)
		}
	case *matcher.MatchTotal:
		l.late(r.Common, "Min", r.Min)
		l.late(r.Common, "Max", r.Max)
		l.total(r)
	case *matcher.ReachRegion:
		l.late(r.Common, "MaxLatency", r.MaxRTTMS)
		if _, most, ever := extremes(r.MaxRTTMS); ever && most == 0 {
			l.nobody(r.Common, "MaxLatency is 0 ms")
		}
	case *matcher.TeamBalance:
		l.late(r.Common, "Difference", r.Max)
		if _, most, ever := extremes(r.Max); ever && !l.balanced(most) {
			l.nobody(r.Common, "no team sizes add up to %d to %d players and differ by at most %g",
				l.queue.Ruleset.MinPlayers, l.queue.Ruleset.MaxPlayers, most)
		}
	case *matcher.LargeParties:
		l.late(r.Common, "", matcher.Fixed(0))
	}
}

// nobody warns of a rule that keeps all tickets apart while it is enforced.
func (l *linter) nobody(c matcher.Common, format string, args ...any) {
	l.warnf("%s: nobody can satisfy it%s: %s", c.Name, until(c), fmt.Sprintf(format, args...))
}

// until describes when a rule ceases to be enforced, "" if it does not.
func until(c matcher.Common) string {
	if c.OptionalAfterMS == matcher.Never {
		return ""
	}
	return " before it is optional after " + vendor.Seconds(c.OptionalAfterMS)
}

// negative warns of a maximum difference that is below 0 or shrinks.
func (l *linter) negative(c matcher.Common, s matcher.Schedule) {
	if s.Step < 0 {
		l.warnf("%s: Delta is %g, so the rule tightens as tickets wait", c.Name, s.Step)
	}
	if _, most, ever := extremes(s); ever && most < 0 {
		l.nobody(c, "a difference is never %g or less", most)
	}
}

// total warns of bounds that admit no sum.
func (l *linter) total(r *matcher.MatchTotal) {
	stages := max(1, len(r.Min.List), len(r.Max.List))
	every := max(r.Min.EveryMS, r.Max.EveryMS)
	for stage := range stages {
		waitMS := int64(stage) * every
		least, active := r.Min.At(waitMS)
		most, bounded := r.Max.At(waitMS)
		if waitMS < r.OptionalAfterMS && active && bounded && least > most {
			l.warnf("%s: nobody can satisfy it after a wait of %s: Min is %g, Max is %g", r.Name, vendor.Seconds(waitMS), least, most)
			return
		}
	}
}

// balanced reports whether some sizes of the teams make a match and differ by at
// most spread.
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
// optional or tickets have given up. It also records when the rule first relaxes.
func (l *linter) late(c matcher.Common, member string, s matcher.Schedule) {
	l.firstMS = min(l.firstMS, c.OptionalAfterMS)
	if s.EveryMS == 0 {
		return
	}
	last := lastStage(s)
	if last == 0 {
		if threshold, active := s.At(0); active {
			l.warnf("%s: the expansion changes nothing, %s stays %g", c.Name, member, threshold)
		} else {
			l.warnf("%s: the expansion keeps the rule inactive for ever", c.Name)
		}
		return
	}
	l.firstMS = min(l.firstMS, firstChange(s))
	end, when := c.OptionalAfterMS, "when the rule is optional already"
	set := l.queue.Ruleset
	if set.ExpansionBasis == matcher.LongestWait && set.OptionalBasis == matcher.AllWaited {
		// A newer ticket keeps the rule enforced, at the stage of the older one.
		when += " unless newer tickets are compared"
	}
	if l.giveUpMS < end {
		end, when = l.giveUpMS, "when tickets have given up already"
	}
	// The first step that comes too late. In an unlimited expansion some step always does, so
	// only its very first step is reported.
	if first := (end-1)/s.EveryMS + 1; end != matcher.Never && first <= last && (last != math.MaxInt64 || first == 1) {
		threshold, active := s.At(first * s.EveryMS)
		what := fmt.Sprintf("%s %g", member, threshold)
		if !active {
			what = "the interval without restriction"
		}
		l.warnf("%s: an expansion step is never reached: %s comes after %s, %s (after %s)",
			c.Name, what, vendor.Seconds(first*s.EveryMS), when, vendor.Seconds(end))
	}
}

// lastStage returns the last stage at which a schedule changes: 0 if it never does, MaxInt64
// if it changes forever.
func lastStage(s matcher.Schedule) int64 {
	for i := len(s.List) - 1; i > 0; i-- {
		if s.List[i] != s.List[i-1] {
			return int64(i)
		}
	}
	way := (s.Limit - s.Base) / s.Step
	switch {
	case len(s.List) > 0 || s.Step == 0 || way <= 0:
		return 0
	case way > 1<<40:
		return math.MaxInt64
	}
	return int64(math.Ceil(way))
}

// firstChange returns the wait in ms of the first change of a schedule.
func firstChange(s matcher.Schedule) int64 {
	stage := 1
	for stage < len(s.List)-1 && s.List[stage] == s.List[0] {
		stage++
	}
	return int64(stage) * s.EveryMS
}

// extremes returns the smallest and the largest threshold of all active stages, and
// whether any stage is active.
func extremes(s matcher.Schedule) (least, most float64, ever bool) {
	if len(s.List) == 0 {
		least, most = s.Base, s.Base
		switch {
		case s.EveryMS == 0:
		case s.Step > 0:
			most = max(s.Base, s.Limit)
		case s.Step < 0:
			least = min(s.Base, s.Limit)
		}
		return least, most, true
	}
	least, most = math.Inf(1), math.Inf(-1)
	for _, o := range s.List {
		if !o.Inactive {
			least, most, ever = min(least, o.Value), max(most, o.Value), true
		}
	}
	return least, most, ever
}
