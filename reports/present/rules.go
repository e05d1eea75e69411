package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// alikeMax is the number of attributes without rules that are shown where there is little room.
const alikeMax = 4

// alike describes how similar the players of a match are in the attributes that rules use, and in
// a few of the other attributes that the configuration lists.
func alike(attributes outcome.Attributes, overlaps outcome.Overlaps) (items []Item) {
	label, others := "Spread in a match", 0
	say := func(text string) {
		items = append(items, Say(label, text))
		label = " " // the next line is about the same
	}
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
		say(fmt.Sprintf("%s %s on average, p95 %s%s", words.Name(a.Name), words.Digits(a.SpreadMean), words.Digits(a.SpreadP95), teams))
	}
	if more := others - alikeMax; more > 0 {
		say(words.Plural(more, "more attribute") + " that no rule uses, in summary.json")
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
		say(words.Name(o.Name) + " " + text)
	}
	return items
}

// unusual describes, for each attribute that rules use, the tenth of the players who wait
// longest.
func unusual(s *outcome.Summary) (items []Item) {
	for _, a := range grade.RuledDeciles(s) {
		if d := grade.LongestWait(&a, s.Players.Matched); d != nil {
			spread := ""
			if len(s.Queues) == 0 {
				spread = "; spread of their matches " + words.Digits(d.SpreadMean)
			}
			items = append(items, Say("Longest waits with", fmt.Sprintf("%s %s: all searches wait %s on average, p95 %s%s", words.Name(a.Name),
				words.DecileValues(d), words.Seconds(d.WaitMean), words.Seconds(d.WaitP95), spread)))
		}
	}
	return items
}

// rulesItems says how far the rules were relaxed, and what matches they made.
func rulesItems(r *outcome.Rules) (items []Item) {
	if r == nil {
		return nil
	}
	if r.Matches > 0 {
		items = append(items, Say("Rules relaxed", rulesInWords(r)))
	}
	switch {
	case len(r.Layouts) > 1:
		items = append(items, Say("Teams", words.LargestParts(r.Layouts)))
	case len(r.Sizes) > 1:
		items = append(items, Say("Players in a match", words.LargestParts(r.Sizes)))
	}
	if b := &r.Backfill; b.Players > 0 {
		items = append(items, Say("Backfilled", words.Plural(b.Players, "player")+" joined running matches"))
	}
	if b := &r.BudgetHits; b.Groups+b.Teams > 0 {
		items = append(items, Say("Searches cut short", fmt.Sprintf("%s for groups and %s for teams stopped at their budget, so matches may have been missed (matcher.budget)",
			words.Thousands(b.Groups), words.Thousands(b.Teams))))
	}
	return items
}

// expiryItem says why tickets expired or failed.
func expiryItem(r *outcome.Rules) Item {
	if r == nil || r.Expiry.Tickets == 0 {
		return Say("", "")
	}
	title := "Expired because of"
	if words.EndedWord(r) == "failed" {
		title = "Failed because of"
	}
	return Say(title, words.LargestParts(words.ExpiryReasons(&r.Expiry)))
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
