package present

import (
	"fmt"

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
