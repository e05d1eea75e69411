package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// PartySizes lists the sizes of generated parties.
func (c *Config) PartySizes() []int {
	var sizes []int
	for _, size := range SortedSizes(c.Players.Parties) {
		if c.Players.Parties[size] > 0 {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// PartyWarnings returns warnings about parties that can never be in a match of a queue.
func (q *Queue) PartyWarnings(where string, sizes []int, rules *Ruleset) []string {
	switch {
	case q.Placement == PlacementServers:
		return nil // players are placed one by one
	case rules == nil:
		return partyWarnings(where, sizes, q.Match.Size)
	}
	var warnings []string
	for _, size := range sizes {
		if why := rules.Rules.Queue.CheckSize(size); why != nil {
			warnings = append(warnings, fmt.Sprintf("%s: parties of %d are rejected: %v", where, size, why))
		}
	}
	return warnings
}

// partyWarnings returns warnings about parties that can never be in a match of a size, among
// parties of the given sizes; where names the setting or data with these sizes. A ticket
// joins a match as a whole, and a match begins when it is full.
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

// fillable reports, for every number of players up to a limit, whether parties of the given
// sizes can add up to it.
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
