package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// alike says how alike the players of a match are in what rules look at.
func (t *text) alike(attributes Attributes, overlaps Overlaps) {
	label := "Spread in a match"
	for i := range attributes {
		a := &attributes[i]
		if len(a.Rules) == 0 || a.Matches == 0 {
			continue
		}
		teams := ""
		if a.TeamGapMean > 0 {
			teams = fmt.Sprintf("; the means of teams are %s apart", inDigits(a.TeamGapMean))
		}
		t.line(label, "%s %s on average, p95 %s%s", nameOf(a.Name), inDigits(a.SpreadMean), inDigits(a.SpreadP95), teams)
		label = ""
	}
	label = "In common"
	for i := range overlaps {
		o := &overlaps[i]
		if o.Matches == 0 {
			continue
		}
		say := fmt.Sprintf("in %s of matches", percent(o.ShareAny))
		if o.SharedMean > Average(o.ShareAny)+0.001 { // more than one at a time
			say += fmt.Sprintf(", %s elements on average", inDigits(Value(o.SharedMean)))
		}
		t.line(label, "%s %s", nameOf(o.Name), say)
		label = ""
	}
}

// unusual names the players, by what rules look at, who wait longest.
func (t *text) unusual(s *Summary) {
	for _, a := range s.ruledDeciles() {
		if d := a.longestWait(s.Players.Matched); d != nil {
			t.line("Longest waits with", "%s %s: wait %s on average, p95 %s; spread of their matches %s", nameOf(a.Name),
				d.values(inDigits), inSeconds(d.WaitMean), inSeconds(d.WaitP95), inDigits(d.SpreadMean))
		}
	}
}

// rules says how far the rules gave way, and what matches they made.
func (t *text) rules(r *Rules) {
	if r == nil {
		return
	}
	if r.Matches > 0 {
		t.line("Rules gave way", "%s", r.inWords())
	}
	switch {
	case len(r.Layouts) > 1:
		t.line("Teams", "%s", largestParts(r.Layouts))
	case len(r.Sizes) > 1:
		t.line("Players in a match", "%s", largestParts(r.Sizes))
	}
	if b := &r.Backfill; b.Players > 0 {
		t.line("Backfilled", "%s joined running matches", plural(b.Players, "player"))
	}
	if b := &r.BudgetHits; b.Groups+b.Teams > 0 {
		t.line("Searches cut short", "%s for groups and %s for teams stopped at their budget: matches may be missing (matcher.budget)",
			thousands(b.Groups), thousands(b.Teams))
	}
}

// inWords says which rules gave way in how many matches, and how far.
func (r *Rules) inWords() string {
	if r.ShareRelaxed == 0 {
		return "in no match"
	}
	var words []string
	relaxed := slices.Clone(r.Relaxation)
	slices.SortStableFunc(relaxed, func(a, b Relaxation) int { return cmp.Compare(b.ShareRelaxed, a.ShareRelaxed) })
	for i := range relaxed {
		if rule := &relaxed[i]; rule.ShareRelaxed > 0 {
			words = append(words, fmt.Sprintf("%s in %s%s", nameOf(rule.Name), percent(rule.ShareRelaxed), rule.howFar()))
		}
	}
	return fmt.Sprintf("in %s of matches: %s", percent(r.ShareRelaxed), someOf(words))
}

// howFar says in brackets how far a rule went.
func (r *Relaxation) howFar() string {
	furthest, median := 0, -1 // steps
	var below, optional Share
	more := ""
	for _, stage := range r.Stages {
		if stage.Name == stageOptional {
			optional = stage.Share
		}
		steps, ok := stage.steps()
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
		return fmt.Sprintf(" (optional in %s)", percent(optional))
	case furthest == 1 && more == "":
		return " (1 step)"
	case median > 0 && furthest > 1:
		return fmt.Sprintf(" (median %s, most %d%s)", plural(median, "step"), furthest, more)
	case furthest > 0:
		return fmt.Sprintf(" (up to %d%s steps)", furthest, more)
	}
	return ""
}

// expiry says why tickets gave up.
func (t *text) expiry(r *Rules) {
	if r == nil || r.Expiry.Tickets == 0 {
		return
	}
	if reasons := r.Expiry.reasons(); len(reasons) > 0 {
		t.line("Expired because of", "%s", largestParts(reasons))
	}
}

// Reasons that are no rules.
const (
	tooLargeWords = "parties too large to meet"
	groupWords    = "nobody fitting as a group"
)

// reasons lists all reasons that some ticket had, by name.
func (e *Expiry) reasons() Parts {
	var reasons Parts
	for _, p := range e.ByRule {
		if p.Count > 0 {
			reasons = append(reasons, p)
		}
	}
	for _, other := range []struct {
		name string
		part Part
	}{
		{tooLargeWords, e.TooLarge},
		{"too few waiting", e.TooFew},
		{groupWords, e.Group},
	} {
		if other.part.Count > 0 {
			reasons = append(reasons, Part{other.name, other.part.Count, other.part.Share})
		}
	}
	return reasons
}

// largestParts lists the largest parts of a whole with their shares.
func largestParts(parts Parts) string {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(b.Count, a.Count) })
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = nameOf(p.Name) + " " + percent(p.Share)
	}
	return someOf(words)
}

// someMost is how many items of a list a line of text has room for.
const someMost = 4

// someOf joins words, as far as there is room.
func someOf(words []string) string {
	if more := len(words) - someMost; more > 0 {
		words = append(words[:someMost:someMost], fmt.Sprintf("%d more", more))
	}
	return strings.Join(words, ", ")
}
