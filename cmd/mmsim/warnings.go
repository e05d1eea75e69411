package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/reports"
)

// partySizes lists the sizes that generated parties have.
func (c *config) partySizes() []int {
	var sizes []int
	for _, size := range sortedSizes(c.players.parties) {
		if c.players.parties[size] > 0 {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// partyWarnings tells which parties can never be in a match of a queue.
func (q *queueConfig) partyWarnings(where string, sizes []int, rules *ruleset) []string {
	switch {
	case q.placement == placementServers:
		return nil // players are placed one by one
	case rules == nil:
		return partyWarnings(where, sizes, q.match.size)
	}
	var warnings []string
	for _, size := range sizes {
		if why := rules.rules.Queue.CheckSize(size); why != nil {
			warnings = append(warnings, fmt.Sprintf("%s: parties of %d are rejected: %v", where, size, why))
		}
	}
	return warnings
}

// partyWarnings tells which parties can never be in a match of a size, among
// parties of the given sizes; where says who knows of them. A ticket joins a match
// as a whole, and a match begins when it is full.
func partyWarnings(where string, sizes []int, matchSize int) []string {
	var warnings []string
	var fitting, stuck []string
	fills := fillable(sizes, matchSize)
	for _, size := range sizes {
		switch {
		case size > matchSize:
			warnings = append(warnings, fmt.Sprintf(
				"%s: parties of %d are rejected, a match has match.size %d players", where, size, matchSize))
			continue
		case !fills[matchSize-size]:
			stuck = append(stuck, strconv.Itoa(size))
		}
		fitting = append(fitting, strconv.Itoa(size))
	}
	if len(stuck) > 0 {
		warnings = append(warnings, fmt.Sprintf(
			"%s: parties of %s never find a match, no sum of the party sizes %s with them is match.size %d",
			where, strings.Join(stuck, ", "), strings.Join(fitting, ", "), matchSize))
	}
	return warnings
}

// fillable tells, for every number of players up to a limit, whether parties of
// the given sizes can make it up.
func fillable(sizes []int, limit int) []bool {
	fills := make([]bool, limit+1)
	fills[0] = true
	for players := range fills {
		fills[players] = fills[players] || slices.ContainsFunc(sizes, func(size int) bool {
			return size <= players && fills[players-size]
		})
	}
	return fills
}

// resultWarnings are warnings as results hold them: they name files without the way to
// them, so that results are equal wherever the command is given, and do not say that
// they are warnings.
func (c *config) resultWarnings(warnings []string) []string {
	files := []string{c.dataset.file}
	for _, q := range c.all() {
		files = append(files, q.rules)
	}
	list := make([]string, len(warnings))
	for i, warning := range warnings {
		for _, file := range files {
			if rest, ok := strings.CutPrefix(warning, input.Shown(file)+":"); ok && file != "" {
				warning = filepath.Base(file) + ":" + strings.Replace(rest, ": warning: ", ": ", 1)
				break
			}
		}
		list[i] = warning
	}
	return list
}

// outcomeWarnings tells what in the results of a run looks like a mistake in its
// inputs.
func outcomeWarnings(s *reports.Summary) []string {
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
