package present

import (
	"fmt"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// externalLine describes an external matchmaker's results in one line.
func externalLine(e *outcome.External) string {
	say := fmt.Sprintf("%s: %s in %s, %s accepted", matchmakerName(e), words.Plural(e.Proposals, "proposal"), passes(e.Passes), accepted(e))
	for i := range e.Dropped {
		d := &e.Dropped[i]
		say += fmt.Sprintf("; %s %s (%s)", words.Thousands(d.Count), strings.ReplaceAll(d.Name, "_", " "), example(e, d.Name))
	}
	if e.Checked > 0 {
		say += fmt.Sprintf("; %s break a rule%s", words.Percent(e.ShareBroken), parts(e.Violations))
	}
	if len(e.Expired) > 0 {
		say += "; reasons for players who gave up" + parts(e.Expired)
	}
	return say
}

// example says what was wrong with the first proposal that was dropped for this kind of fault.
func example(e *outcome.External, kind string) string {
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

func passes(n outcome.Count) string {
	if n == 1 {
		return "1 pass"
	}
	return words.Thousands(n) + " passes"
}

func accepted(e *outcome.External) string {
	if e.Proposals == e.Accepted {
		return "all"
	}
	return words.Percent(outcome.ShareOf(e.Accepted, e.Proposals))
}

// partsMax limits how many parts a line lists.
const partsMax = 3

func parts(list outcome.Parts) string {
	var phrases []string
	for i, p := range list {
		if i == partsMax {
			phrases = append(phrases, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		phrases = append(phrases, words.Name(p.Name)+" "+words.Percent(p.Share))
	}
	if len(phrases) == 0 {
		return ""
	}
	return ": " + strings.Join(phrases, ", ")
}

// externalHead returns the column headings for externalRows.
func externalHead() []string { return []string{"", "count", "share", "first example"} }

// externalRows returns a table of an external matchmaker's results.
func externalRows(e *outcome.External) [][]string {
	rows := [][]string{
		{"passes", words.Thousands(e.Passes), "", matchmakerName(e)},
		{"messages", words.Thousands(e.Messages), "", ""},
		{"bytes of messages", words.Thousands(e.Bytes), "", ""},
		{"proposals", words.Thousands(e.Proposals), "", ""},
		{"accepted", words.Thousands(e.Accepted), words.Percent(outcome.ShareOf(e.Accepted, e.Proposals)), ""},
	}
	for i := range e.Dropped {
		d := &e.Dropped[i]
		rows = append(rows, []string{"dropped: " + strings.ReplaceAll(d.Name, "_", " "), words.Thousands(d.Count), words.Percent(d.Share), words.Printable(example(e, d.Name))})
	}
	for _, p := range e.Violations {
		rows = append(rows, []string{"breaks " + words.Name(p.Name), words.Thousands(p.Count), words.Percent(p.Share), ""})
	}
	for _, p := range e.Expired {
		rows = append(rows, []string{words.Printable("gave up: " + p.Name), words.Thousands(p.Count), words.Percent(p.Share), ""})
	}
	return rows
}
