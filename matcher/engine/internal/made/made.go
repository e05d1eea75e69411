// Package made describes a match that was made outside the engine, for the methods of the
// engine that check it against their rules.
package made

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Row is short for store.Row.
type Row = store.Row

// Match is a new match, or tickets that join a session.
type Match struct {
	Seed    Row              // the session, or the oldest ticket of a new match
	Session *matcher.Session // nil: a new match
	Tickets []Row
	Teams   []matcher.Side // teams of the tickets only; nil: the match has no teams
	Region  matcher.Region // NoRegion: no particular region
	Broken  []bool         // result, by index in Ruleset.RuleNames
}

// Group returns the session, if there is one, and the tickets.
func (m *Match) Group() []Row {
	if m.Session == nil {
		return m.Tickets
	}
	return append([]Row{m.Seed}, m.Tickets...)
}

// Seated returns the players of the session, nil for a new match.
func (m *Match) Seated() []matcher.Member {
	if m.Session == nil {
		return nil
	}
	return m.Session.Members
}

// Sizes returns the number of players of each team, including those of the session.
func (m *Match) Sizes(rows *store.Rows) []int {
	sizes := make([]int, len(m.Teams))
	for team, side := range m.Teams {
		for _, row := range side.Tickets {
			sizes[team] += int(rows.Players[row])
		}
	}
	for _, member := range m.Seated() {
		if member.Team >= 0 && member.Team < len(sizes) {
			sizes[member.Team]++
		}
	}
	return sizes
}
