package casefile

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/matcher/dialect/jsontree"
)

// scoreTolerance is the allowed difference from an expected score.
const scoreTolerance = 1e-6

// Compare returns the differences between the outcome and the expectation of the case, one per
// line. It returns nil if the case passes. If the case has alternatives, Compare returns the
// differences from the alternative that has the fewest. refused is an error about the rules or the
// scene. Exactly one of outcome and refused must be nil.
func (c *Case) Compare(outcome *Outcome, refused error) []string {
	var nearest []string
	for i := range c.Expect {
		differences := c.Expect[i].compare(outcome, refused)
		if len(differences) == 0 {
			return nil
		}
		if nearest == nil || len(differences) < len(nearest) {
			nearest = differences
		}
	}
	if len(c.Expect) == 0 {
		return []string{"the case has no expect, so there is nothing to test"}
	}
	if len(c.Expect) > 1 {
		nearest = append([]string{fmt.Sprintf("none of the %d alternatives matches the outcome; the closest one differs in:", len(c.Expect))}, nearest...)
	}
	return nearest
}

// ExpectsRefusal reports whether the case expects an error: its rules, its scene or a ticket should
// be refused.
func (c *Case) ExpectsRefusal() bool {
	return slices.ContainsFunc(c.Expect, func(e Expectation) bool { return e.Error != "" })
}

// compare returns the differences from one expectation.
func (e *Expectation) compare(got *Outcome, refused error) []string {
	if e.Error != "" {
		return e.compareError(got, refused)
	}
	if refused != nil {
		return append([]string{"error", "  want no error"}, gotMessages(messages(refused))...)
	}
	var lines []string
	if e.Matches != nil {
		lines = append(lines, compareMatches("matches", e.Matches, got.Matches)...)
	}
	if e.Backfills != nil {
		lines = append(lines, compareMatches("backfills", e.Backfills, got.Backfills)...)
	}
	if e.Scores != nil {
		lines = append(lines, compareScores(e.Scores, got.Scores)...)
	}
	if e.Chosen != "" && e.Chosen != got.Chosen {
		lines = append(lines, "chosen", "  want "+e.Chosen, "  got  "+orNone(got.Chosen))
	}
	lines = append(lines, compareNames("unmatched", e.Unmatched, got.Unmatched)...)
	lines = append(lines, compareNames("expired", e.Expired, got.Expired)...)
	for _, r := range got.Rejected {
		if len(lines) > 0 { // a rejection is often the cause of other differences
			lines = append(lines, fmt.Sprintf("ticket %s was rejected: %s", r.Ticket, r.Reason))
		}
	}
	for _, dropped := range got.Dropped {
		if len(lines) > 0 {
			lines = append(lines, "dropped: "+dropped)
		}
	}
	return lines
}

// compareError returns the differences from the expected error, which may be about the rules, the
// scene or one of its tickets.
func (e *Expectation) compareError(got *Outcome, refused error) []string {
	var list []string
	if refused != nil {
		list = messages(refused)
	} else {
		for _, r := range got.Rejected {
			list = append(list, r.Reason)
		}
	}
	for _, m := range list {
		if strings.Contains(strings.ToLower(m), strings.ToLower(e.Error)) {
			return nil
		}
	}
	lines := []string{"error", fmt.Sprintf("  want one that contains %q", e.Error)}
	return append(lines, gotMessages(list)...)
}

// gotMessages formats the messages, one per line.
func gotMessages(messages []string) []string {
	if len(messages) == 0 {
		return []string{"  got  no error"}
	}
	lines := []string{"  got  " + messages[0]}
	for _, m := range messages[1:] {
		lines = append(lines, "       "+m)
	}
	return lines
}

// messages returns the texts of joined errors without positions and quoted lines. Otherwise, a word
// in the file name or in a quoted line could satisfy an expectation.
func messages(err error) []string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var list []string
		for _, one := range joined.Unwrap() {
			list = append(list, messages(one)...)
		}
		return list
	}
	var located *jsontree.Error
	if errors.As(err, &located) {
		return []string{located.Message}
	}
	return []string{err.Error()}
}

// compareMatches compares two lists of matches, ignoring their order. If a match has the expected
// tickets but other teams or another region, the difference shows both matches.
func compareMatches(heading string, want []ExpectedMatch, got []Match) []string {
	var lines []string
	unexpected := slices.Clone(got)
	for _, w := range want {
		i := slices.IndexFunc(unexpected, func(g Match) bool {
			return sameNames(w.Tickets, g.Tickets) && w.Session == g.Session
		})
		if i < 0 {
			lines = append(lines, "  want "+w.String())
			continue
		}
		g := unexpected[i]
		unexpected = slices.Delete(unexpected, i, i+1)
		if w.Region != "" && w.Region != g.Region || w.Teams != nil && !sameTeams(w.Teams, g.Teams) {
			lines = append(lines, "  want "+w.String(), "  got  "+g.String())
		}
	}
	for _, g := range unexpected {
		lines = append(lines, "  got  "+g.String())
	}
	if lines == nil {
		return nil
	}
	if len(got) == 0 {
		lines = append(lines, "  got  none")
	} else if len(want) == 0 {
		lines = slices.Insert(lines, 0, "  want none")
	}
	return append([]string{heading}, lines...)
}

// compareNames compares two lists of names, ignoring their order. If want is nil, the list is not
// checked.
func compareNames(heading string, want, got []string) []string {
	if want == nil || sameNames(want, got) {
		return nil
	}
	return []string{heading, "  want " + orNone(strings.Join(want, ", ")), "  got  " + orNone(strings.Join(got, ", "))}
}

func compareScores(want, got []Score) []string {
	var lines []string
	for _, w := range want {
		i := slices.IndexFunc(got, func(g Score) bool { return g.Session == w.Session })
		switch {
		case i < 0:
			lines = append(lines, fmt.Sprintf("  want %s %g", w.Session, w.Value), "  got  "+w.Session+" not eligible")
		case !(math.Abs(got[i].Value-w.Value) <= scoreTolerance):
			lines = append(lines, fmt.Sprintf("  want %s %g", w.Session, w.Value), fmt.Sprintf("  got  %s %g", w.Session, got[i].Value))
		}
	}
	for _, g := range got {
		if !slices.ContainsFunc(want, func(w Score) bool { return g.Session == w.Session }) {
			lines = append(lines, "  want "+g.Session+" not eligible", fmt.Sprintf("  got  %s %g", g.Session, g.Value))
		}
	}
	if lines == nil {
		return nil
	}
	return append([]string{"scores"}, lines...)
}

// sameNames reports whether two lists contain the same names in any order.
func sameNames(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

// sameTeams reports whether teams are the same. It ignores the order of teams and players, the
// names of teams, and teams without players. An open session in mmsim keeps an empty team, while
// some services do not.
func sameTeams(want [][]string, got []TeamList) bool {
	left := slices.DeleteFunc(slices.Clone(got), func(g TeamList) bool { return len(g.Players) == 0 })
	for _, w := range want {
		if len(w) == 0 {
			continue
		}
		i := slices.IndexFunc(left, func(g TeamList) bool { return sameNames(w, g.Players) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(left) == 0
}

// String describes an expected match in one line.
func (w ExpectedMatch) String() string {
	var teams []string
	for _, team := range w.Teams {
		teams = append(teams, strings.Join(team, " "))
	}
	return describeMatch(w.Session, w.Tickets, teams, w.Region)
}

// String describes a match in one line.
func (m Match) String() string {
	var teams []string
	for _, team := range m.Teams {
		teams = append(teams, team.Name+": "+strings.Join(team.Players, " "))
	}
	return describeMatch(m.Session, m.Tickets, teams, m.Region)
}

func describeMatch(session string, tickets, teams []string, region string) string {
	var b strings.Builder
	if session != "" {
		b.WriteString(session + " takes ")
	}
	b.WriteString(strings.Join(tickets, " + "))
	if len(teams) > 0 {
		b.WriteString(" as [" + strings.Join(teams, " | ") + "]")
	}
	if region != "" {
		b.WriteString(" in " + region)
	}
	return b.String()
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
