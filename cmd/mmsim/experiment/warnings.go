package experiment

import (
	"fmt"
	"path/filepath"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports"
)

// warn adds warnings about the inputs that name no place of a document.
func (in *Inputs) warn(messages ...string) {
	in.warnings = append(in.warnings, jsontree.Unplaced(messages...)...)
}

// warn adds warnings about the replication that name no place of a document.
func (w *Replication) warn(messages ...string) {
	w.Warnings = append(w.Warnings, jsontree.Unplaced(messages...)...)
}

// resultWarnings are warnings as results hold them: they name files without the way to
// them, so that results are equal wherever the command is given, and do not say that
// they are warnings.
func resultWarnings(c *config.Config, warnings []jsontree.Warning) []string {
	files := []string{c.Dataset.File}
	for _, q := range c.AllQueues() {
		files = append(files, q.Rules)
	}
	list := make([]string, len(warnings))
	for i, w := range warnings {
		if w.Place != "" {
			list[i] = filepath.Base(w.Place) + ": " + w.Message
			continue
		}
		list[i] = w.Message
		for _, file := range files { // of warnings about a whole file, and of those about rows of the data
			if rest, ok := strings.CutPrefix(w.Message, input.Shown(file)+":"); ok && file != "" {
				list[i] = filepath.Base(file) + ":" + rest
				break
			}
		}
	}
	return list
}

// OutcomeWarnings tells what in the results of a run looks like a mistake in its
// inputs.
func OutcomeWarnings(s *reports.Summary) []string {
	var warnings []string
	if rejected := float64(s.Players.Rejected); rejected > 0 {
		why := "their party is larger than a match, or the rules do not take it"
		if s.Servers != nil {
			why = "an attribute that was drawn for them is none that the rules take, such as an age below 0"
		}
		warnings = append(warnings, fmt.Sprintf("%.0f of %.0f players were rejected: %s", rejected, float64(s.Players.Entries), why))
	}
	for i := range s.Queues {
		if q := &s.Queues[i]; s.Players.Entries > 0 && q.Players.Entries == 0 {
			warnings = append(warnings, fmt.Sprintf("queue %s: no player searched in it", q.Name))
		}
	}
	if s.Complete && s.Players.Joins == 0 {
		warnings = append(warnings, "no join falls into the time that statistics cover (clock.duration)")
	}
	return warnings
}
