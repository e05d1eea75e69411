// Package made describes a match that somebody else made, for the methods of the engine that
// hold it against their rules.
package made

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Row is short for store.Row.
type Row = store.Row

// Match is a new match, or tickets that join a session.
type Match struct {
	Seed    Row              // the session, else the oldest ticket
	Session *matcher.Session // nil: the match is new
	Tickets []Row
	Teams   []matcher.Side // of the tickets alone; nil: the match has no sides
	Region  matcher.Region // NoRegion: nowhere in particular
	Broken  []bool         // what is found, by place among Ruleset.RuleNames
}

// Group returns the session, if there is one, and the tickets.
func (m *Match) Group() []Row {
	if m.Session == nil {
		return m.Tickets
	}
	return append([]Row{m.Seed}, m.Tickets...)
}

// Seated returns the players of the session, nil of a new match.
func (m *Match) Seated() []matcher.Member {
	if m.Session == nil {
		return nil
	}
	return m.Session.Members
}

// Sizes returns the players of each team, those of the session included.
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
