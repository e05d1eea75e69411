package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// PartySizes lists the sizes of generated parties in ascending order.
func (c *Config) PartySizes() []int {
	sizes := slices.Sorted(maps.Keys(c.Players.Parties))
	return slices.DeleteFunc(sizes, func(size int) bool { return c.Players.Parties[size] == 0 })
}

// PartyWarnings returns warnings about the party sizes that can never be in a match of q. where
// names the setting or file in which the sizes are written.
func (q *Queue) PartyWarnings(where string, sizes []int, rules *Ruleset) []string {
	switch {
	case q.Placement == PlacementServers:
		return nil // with placement servers, players are placed one by one
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

// partyWarnings returns warnings about the sizes that can never be in a match of matchSize
// players. A party joins a match as a whole, and a match begins only when it is full.
func partyWarnings(where string, sizes []int, matchSize int) []string {
	var warnings []string
	var fitting, stuck []string
	fills := fillable(sizes, matchSize)
	for _, size := range sizes {
		switch {
		case size > matchSize:
			warnings = append(warnings, fmt.Sprintf(
				"%s: parties of %d are rejected: a match has only %d players (match.size)", where, size, matchSize))
			continue
		case !fills[matchSize-size]:
			stuck = append(stuck, strconv.Itoa(size))
		}
		fitting = append(fitting, strconv.Itoa(size))
	}
	if len(stuck) > 0 {
		warnings = append(warnings, fmt.Sprintf(
			"%s: parties of %s never find a match: with parties of %s, they cannot fill a match of %d players (match.size)",
			where, strings.Join(stuck, ", "), strings.Join(fitting, ", "), matchSize))
	}
	return warnings
}

// fillable reports, for each number of players from 0 to limit, whether parties of the given
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
