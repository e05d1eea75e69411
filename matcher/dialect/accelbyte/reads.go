package accelbyte

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Reads lists the ticket and player attributes that the rules read. If players have the attribute
// blocked_players, a ticket has the lists of all its players, and the rules also read player ids.
func (r *Ruleset) Reads() []matcher.Read {
	var list []matcher.Read
	for _, n := range r.numbers {
		list = append(list, matcher.Read{Names: []string{n.attribute}, Rule: "matching_rule " + n.attribute, Kind: matcher.IsNumber, Column: n.column})
	}
	for _, o := range r.options {
		if o.column != matcher.NoColumn {
			list = append(list, matcher.Read{Names: []string{o.name}, Rule: "match_options " + o.name, Kind: matcher.IsSet, Column: o.column, Ticket: true})
		}
	}
	if slices.ContainsFunc(r.Rules.Pivot.Options, func(o matcher.PivotOption) bool { return o.Own == r.platforms }) {
		list = append(list, matcher.Read{Names: []string{"current_platform"}, Rule: "match_options " + crossPlatform, Kind: matcher.IsSet, Column: r.platforms, Ticket: true})
	}
	for i, name := range alwaysEqual {
		column := r.same
		if r.service {
			column = r.equal[i]
		}
		list = append(list, matcher.Read{Names: []string{name}, Rule: name, Kind: matcher.IsText, Column: column, Ticket: true, Joined: true})
	}
	if r.Rules.Pivot.Blocking != matcher.IgnoreBlocks {
		list = append(list,
			matcher.Read{Names: []string{blockedPlayers}, Rule: blockedPlayers, Kind: matcher.IsSet, Column: r.blocked, Ticket: true, Union: true, Optional: true},
			matcher.Read{Names: []string{"player_id"}, Rule: blockedPlayers, Kind: matcher.IsText, Column: r.playerIDs, Identity: true, Needs: blockedPlayers})
	}
	return append(list, matcher.Read{Names: []string{"new_session_only"}, Rule: "new_session_only", Kind: matcher.IsText, Column: r.newOnly, Ticket: true, Flag: true})
}

// CheckSize returns an error if a ticket has more players than the largest team can have.
func (r *Ruleset) CheckSize(players int) error {
	most := 0
	for _, s := range r.Rules.Pivot.Sizes {
		if s.MaxTeams == 1 && s.MaxPlayers == 1 {
			return nil // every ticket is a match of its own
		}
		most = max(most, s.MaxPlayers)
	}
	if players > most {
		return matcher.Refusal(fmt.Sprintf("%s in the ticket, but the largest team has room for only %d", jsontree.Count(players, "player"), most))
	}
	return nil
}

// HasRegionRule reports whether the rules limit the regions of a ticket, which is the case if the
// ruleset has a key that begins with region_.
func (r *Ruleset) HasRegionRule() bool {
	return slices.ContainsFunc(r.value.Members(), func(m jsontree.Member) bool {
		return strings.HasPrefix(strings.ToLower(m.Name), "region_") && m.Value.Kind() != jsontree.Null
	})
}
