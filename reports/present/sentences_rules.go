package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// rulesWords describes the effects of the ruleset in sentences.
func rulesWords(r *outcome.Rules) []string {
	sentences := []string{fmt.Sprintf("%s were made under the rules of %s, which were relaxed %s.", words.Plural(r.Matches, "match"), words.Name(r.Name), rulesInWords(r))}
	if reasons := words.ExpiryReasons(&r.Expiry); len(reasons) > 0 {
		sentences = append(sentences, fmt.Sprintf("%s found no match before their time was over. The main reasons why they could not meet other tickets: %s.", words.Plural(r.Expiry.Tickets, "ticket"), words.LargestParts(reasons)))
	}
	return sentences
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
