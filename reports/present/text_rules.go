package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// alikeMax is the number of attributes without rules that the summary shows.
const alikeMax = 4

// alike describes how similar the players of a match are in the attributes that rules use, and in
// a few of the other attributes that the configuration lists.
func (t *text) alike(attributes outcome.Attributes, overlaps outcome.Overlaps) {
	label, others := "Spread in a match", 0
	for i := range attributes {
		a := &attributes[i]
		if len(a.Rules) == 0 {
			others++
		}
		if a.Matches == 0 || len(a.Rules) == 0 && others > alikeMax {
			continue
		}
		teams := ""
		if a.TeamGapMean > 0 {
			teams = fmt.Sprintf("; the means of teams are %s apart", words.Digits(a.TeamGapMean))
		}
		t.line(label, "%s %s on average, p95 %s%s", words.Name(a.Name), words.Digits(a.SpreadMean), words.Digits(a.SpreadP95), teams)
		label = ""
	}
	if more := others - alikeMax; more > 0 {
		t.line(label, "%s that no rule uses, in summary.json", words.Plural(more, "more attribute"))
	}
	label = "In common"
	for i := range overlaps {
		o := &overlaps[i]
		if o.Matches == 0 {
			continue
		}
		text := fmt.Sprintf("in %s of matches", words.Percent(o.ShareAny))
		if o.SharedMean > outcome.Average(o.ShareAny)+0.001 { // some matches have more than one element in common
			text += fmt.Sprintf(", %s elements on average", words.Digits(outcome.Value(o.SharedMean)))
		}
		t.line(label, "%s %s", words.Name(o.Name), text)
		label = ""
	}
}

// unusual describes, for each attribute that rules use, the tenth of the players who wait
// longest.
func (t *text) unusual(s *outcome.Summary) {
	for _, a := range outcome.RuledDeciles(s) {
		if d := outcome.LongestWait(&a, s.Players.Matched); d != nil {
			spread := ""
			if len(s.Queues) == 0 {
				spread = "; spread of their matches " + words.Digits(d.SpreadMean)
			}
			t.line("Longest waits with", "%s %s: all searches wait %s on average, p95 %s%s", words.Name(a.Name),
				words.DecileValues(d), words.Seconds(d.WaitMean), words.Seconds(d.WaitP95), spread)
		}
	}
}

// rules says how far the rules were relaxed, and what matches they made.
func (t *text) rules(r *outcome.Rules) {
	if r == nil {
		return
	}
	if r.Matches > 0 {
		t.line("Rules relaxed", "%s", rulesInWords(r))
	}
	switch {
	case len(r.Layouts) > 1:
		t.line("Teams", "%s", words.LargestParts(r.Layouts))
	case len(r.Sizes) > 1:
		t.line("Players in a match", "%s", words.LargestParts(r.Sizes))
	}
	if b := &r.Backfill; b.Players > 0 {
		t.line("Backfilled", "%s joined running matches", words.Plural(b.Players, "player"))
	}
	if a := r.Acceptance; a != nil && a.Proposals > 0 {
		t.line("Proposals", "%s, %s accepted by all players; dropped proposals cost each player of a match %s of wait",
			words.Thousands(a.Proposals), words.Percent(a.ShareStarted), words.Seconds(a.LostPerMatch))
	}
	if b := &r.BudgetHits; b.Groups+b.Teams > 0 {
		t.line("Searches cut short", "%s for groups and %s for teams stopped at their budget, so matches may have been missed (matcher.budget)",
			words.Thousands(b.Groups), words.Thousands(b.Teams))
	}
}

// rulesInWords says which rules were relaxed, in how many matches, and how far.
func rulesInWords(r *outcome.Rules) string {
	if r.ShareRelaxed == 0 {
		return "in no match"
	}
	var phrases []string
	relaxed := slices.Clone(r.Relaxation)
	slices.SortStableFunc(relaxed, func(a, b outcome.Relaxation) int { return cmp.Compare(b.ShareRelaxed, a.ShareRelaxed) })
	for i := range relaxed {
		if rule := &relaxed[i]; rule.ShareRelaxed > 0 {
			phrases = append(phrases, fmt.Sprintf("%s in %s%s", words.Name(rule.Name), words.Percent(rule.ShareRelaxed), howFarRelaxed(rule)))
		}
	}
	return fmt.Sprintf("in %s of matches: %s", words.Percent(r.ShareRelaxed), words.Some(phrases))
}

// howFarRelaxed says in brackets how far a rule was relaxed.
func howFarRelaxed(r *outcome.Relaxation) string {
	furthest, median := 0, -1 // numbers of steps
	var below, optional outcome.Share
	more := ""
	for _, stage := range r.Stages {
		if stage.Name == outcome.StageOptional {
			optional = stage.Share
		}
		steps, ok := stage.Steps()
		if !ok {
			continue
		}
		furthest, more = steps, strings.TrimLeft(stage.Name, "0123456789")
		if below += stage.Share; below >= 0.5 && median < 0 {
			median = steps
		}
	}
	switch {
	case optional == r.ShareRelaxed && optional > 0:
		return " (optional)"
	case optional > 0:
		return fmt.Sprintf(" (optional in %s)", words.Percent(optional))
	case furthest == 1 && more == "":
		return " (1 step)"
	case median > 0 && furthest > 1:
		return fmt.Sprintf(" (median %s, most %d%s)", words.Plural(median, "step"), furthest, more)
	case furthest > 0:
		return fmt.Sprintf(" (up to %d%s steps)", furthest, more)
	}
	return ""
}

// expiry says why tickets expired or failed.
func (t *text) expiry(r *outcome.Rules) {
	if r == nil || r.Expiry.Tickets == 0 {
		return
	}
	if reasons := words.ExpiryReasons(&r.Expiry); len(reasons) > 0 {
		title := "Expired because of"
		if words.EndedWord(r) == "failed" {
			title = "Failed because of"
		}
		t.line(title, "%s", words.LargestParts(reasons))
	}
}
