package experiment

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/datasets"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
	"mmsim/sim"
)

// warn adds warnings that do not point to a place in a file.
func (in *Inputs) warn(messages ...string) {
	in.warnings = append(in.warnings, jsontree.Unplaced(messages...)...)
}

// warn adds warnings that do not point to a place in a file.
func (r *Replication) warn(messages ...string) {
	r.Warnings = append(r.Warnings, jsontree.Unplaced(messages...)...)
}

// DayWarnings returns the warnings about the file of a day.
func DayWarnings(day *datasets.Day) []jsontree.Warning {
	list := make([]jsontree.Warning, len(day.Warnings))
	for i, w := range day.Warnings {
		list[i] = jsontree.Warning{File: w.Place, Message: w.Message}
		if w.Misread {
			list[i].Message = words.Misread + w.Message
		}
	}
	return list
}

// RowsNote returns the note about what the rows of the configured file are taken as. It is empty if
// the configuration says it.
func RowsNote(c *config.Config, p datasets.PlayerRows) []jsontree.Warning {
	if !c.ChoosesRows() {
		return nil
	}
	return []jsontree.Warning{{File: input.Shown(c.Dataset.File), Message: config.RowsNote(p, c.Season.Skill != "")}}
}

// resultWarnings formats warnings for results. File names have no folder, so that results do
// not depend on the working directory.
func resultWarnings(warnings []jsontree.Warning) []string {
	list := make([]string, len(warnings))
	for i, w := range warnings {
		list[i] = w.Message
		if place := cmp.Or(w.Position, w.File); place != "" {
			list[i] = filepath.Base(place) + ": " + w.Message
		}
	}
	return list
}

// OutcomeWarnings returns warnings about results that suggest a mistake in the run's inputs.
func OutcomeWarnings(s *outcome.Summary) []string {
	var warnings []string
	if rejected := float64(s.Players.Rejected); rejected > 0 {
		why := "their party is larger than a match, or the rules do not accept it"
		if s.Servers != nil {
			why = "the rules do not accept an attribute drawn for them, such as an age below 0"
		}
		warnings = append(warnings, fmt.Sprintf("%.0f of %.0f players were rejected: %s", rejected, float64(s.Players.Entries), why))
	}
	warnings = append(warnings, overlapsWarning(&s.Players)...)
	if s.External != nil {
		warnings = append(warnings, droppedWarning(s.External)...)
	}
	for i := range s.Queues {
		if e := s.Queues[i].External; e != nil {
			for _, warning := range droppedWarning(e) {
				warnings = append(warnings, "queue "+s.Queues[i].Name+": "+warning)
			}
		}
		if q := &s.Queues[i]; s.Players.Entries > 0 && q.Players.Entries == 0 {
			warnings = append(warnings, fmt.Sprintf("queue %s: no player searched for a match in it", q.Name))
		}
	}
	warnings = append(warnings, emptyWarning(s.Season)...)
	if s.Complete && s.Players.Joins == 0 {
		warnings = append(warnings, "no joins in the measured window (clock.duration)")
	}
	return warnings
}

// overlapsWarning returns a warning about overlapping searches.
func overlapsWarning(p *outcome.Players) []string {
	n := outcome.Given(p.Overlapping)
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s of %s searches (%s) began while an earlier search or match of the same player was still running: "+
		"matches are longer than those of the log (match.length), or not every row is a search (dataset.rows)",
		words.Thousands(n), words.Thousands(p.Entries), words.Percent(outcome.ShareOf(n, p.Entries)))}
}

// droppedMax is the largest share of dropped proposals that gives no warning.
const droppedMax = 0.01

// droppedWarning returns a warning if many proposals of an external matchmaker were dropped.
func droppedWarning(e *outcome.External) []string {
	if float64(e.ShareDropped) <= droppedMax || len(e.Dropped) == 0 {
		return nil
	}
	most := slices.MaxFunc(e.Dropped, func(a, b outcome.Part) int { return cmp.Compare(a.Count, b.Count) })
	warning := fmt.Sprintf("%s of the proposals of the external matchmaker were dropped (%s of %s), most often because of %s",
		words.Percent(e.ShareDropped), words.Thousands(e.Proposals-e.Accepted), words.Thousands(e.Proposals), most.Name)
	for _, example := range e.Examples {
		if example.Kind == most.Name {
			warning += ": " + example.Why
		}
	}
	return []string{warning}
}

// isPeriodic reports whether the number of players online should be equal at the start and the
// end of the measured window. This is expected after whole days with the same joins. With
// several days of data, it is not: the joins on the day before the window differ from those on
// the window's last day.
func (r *Replication) isPeriodic() bool {
	return r.Config.Clock.Duration%(24*time.Hour) == 0 && r.Day.Days() == 1
}

// meanPartySize returns the mean, over all players, of the size of the player's party.
func meanPartySize(s *outcome.Summary) float64 {
	sum, entries := 0.0, 0.0
	for i := range s.ByPartySize {
		g := &s.ByPartySize[i]
		if size, err := strconv.ParseFloat(g.Name, 64); err == nil {
			sum += float64(size * float64(g.Entries))
			entries += float64(g.Entries)
		}
	}
	if entries == 0 {
		return 1
	}
	return sum / entries
}

// populationAdvice ends the warning about a change in the number of players online.
const populationAdvice = "after whole days, the two numbers should be about equal: the warm-up is too short (clock.warmup), or more players join than can be matched"

// populationWarnings warns if the number of players online changes by more than noise from the
// start to the end of a window of whole days. Joins repeat from day to day, so the variance of
// the number of parties is at most that of a Poisson distribution. The players of a party
// arrive and leave together. Besides noise, a difference of section.Older is allowed, the
// share of players that an automatic warm-up may leave out.
func populationWarnings(c *config.Config, t *sim.Totals, partySize float64) []string {
	start, end := float64(t.OnlineAtStart), float64(t.OnlineAtEnd)
	noise := 4 * math.Sqrt(partySize*(start+end))
	if math.Abs(start-end) <= noise+float64(section.Older*max(start, end)) {
		return nil
	}
	return []string{fmt.Sprintf("%d players were online at the start of the measured window and %d at its end, after a warm-up of %s; %s",
		t.OnlineAtStart, t.OnlineAtEnd, value.Short(c.Clock.Warmup), populationAdvice)}
}

// IsPopulationWarning recognises warnings of populationWarnings, whose numbers differ between
// replications.
func IsPopulationWarning(warning string) bool { return strings.HasSuffix(warning, populationAdvice) }

// emptyWarning warns of the first day of a season on which no match is possible.
func emptyWarning(s *outcome.Season) []string {
	if s == nil {
		return nil
	}
	persons := s.Persons.Start
	for i, day := range s.ByDay {
		if persons += day.New; persons < 2 {
			return []string{fmt.Sprintf("season: fewer than 2 persons are left on day %d of %d, so nobody finds a match", i+1, len(s.ByDay))}
		}
		persons -= day.Quit
	}
	return nil
}
