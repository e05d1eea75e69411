package present

import (
	"fmt"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// matchmakerLine describes the results of an external matchmaker in one line.
func matchmakerLine(e *outcome.External) string {
	say := fmt.Sprintf("%s: %s in %s, %s accepted", matchmakerName(e), words.Plural(e.Proposals, "proposal"), words.Plural(e.Passes, "pass"), acceptedOf(e))
	for i := range e.Dropped {
		d := &e.Dropped[i]
		say += fmt.Sprintf("; %s %s (%s)", words.Thousands(d.Count), strings.ReplaceAll(d.Name, "_", " "), dropExample(e, d.Name))
	}
	if e.Checked > 0 {
		say += fmt.Sprintf("; %s break a rule%s", words.Percent(e.ShareBroken), leadingParts(e.Violations))
	}
	if len(e.Expired) > 0 {
		say += "; reasons for players who gave up" + leadingParts(e.Expired)
	}
	return say
}

// dropExample says what was wrong with the first proposal that was dropped for this kind of fault.
func dropExample(e *outcome.External, kind string) string {
	for _, example := range e.Examples {
		if example.Kind == kind {
			return example.Why
		}
	}
	return ""
}

// matchmakerName returns the name and version that the matchmaker reported, or else the value of
// --matcher.
func matchmakerName(e *outcome.External) string {
	if e.Name == "" {
		return e.Matcher
	}
	return strings.TrimSpace(words.Name(e.Name) + " " + e.Version)
}

func acceptedOf(e *outcome.External) string {
	if e.Proposals == e.Accepted {
		return "all"
	}
	return words.Percent(outcome.ShareOf(e.Accepted, e.Proposals))
}

// partsMax limits how many parts a line lists.
const partsMax = 3

func leadingParts(list outcome.Parts) string {
	if len(list) == 0 {
		return ""
	}
	return ": " + words.First(partsMax, words.Each(list, func(p outcome.Part) string { return words.Name(p.Name) + " " + words.Percent(p.Share) }))
}

// matchmakerHead has the column headings for matchmakerRows.
var matchmakerHead = []string{"", "count", "share", "first example"}

// matchmakerRows returns a table of the matchmaker's results.
func matchmakerRows(e *outcome.External) [][]string {
	rows := [][]string{
		{"passes", words.Thousands(e.Passes), "", matchmakerName(e)},
		{"messages", words.Thousands(e.Messages), "", ""},
		{"bytes of messages", words.Thousands(e.Bytes), "", ""},
		{"proposals", words.Thousands(e.Proposals), "", ""},
		{"accepted", words.Thousands(e.Accepted), words.Percent(outcome.ShareOf(e.Accepted, e.Proposals)), ""},
	}
	for i := range e.Dropped {
		d := &e.Dropped[i]
		rows = append(rows, []string{"dropped: " + strings.ReplaceAll(d.Name, "_", " "), words.Thousands(d.Count), words.Percent(d.Share), words.Printable(dropExample(e, d.Name))})
	}
	rows = append(rows, words.Each(e.Violations, func(p outcome.Part) []string {
		return []string{"breaks " + words.Name(p.Name), words.Thousands(p.Count), words.Percent(p.Share), ""}
	})...)
	return append(rows, words.Each(e.Expired, func(p outcome.Part) []string {
		return []string{words.Printable("gave up: " + p.Name), words.Thousands(p.Count), words.Percent(p.Share), ""}
	})...)
}
