package service

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"mmsim/cmd/mmsim/matchmaker/service/openmatchpb"
	"mmsim/matcher/external/exchange"
)

// proposal converts a match from the match function to mmsim's Proposal. Rosters become teams.
func (m *openMatch) proposal(match *openmatchpb.Match) exchange.Proposal {
	p := exchange.Proposal{Datacenter: named(match.Extensions)}
	rosters := m.order(match.Rosters)
	for _, name := range rosters {
		roster := match.Rosters[name]
		team := []string{}
		for _, t := range roster.GetTickets() {
			id := m.names.In(t.GetId())
			p.Tickets = append(p.Tickets, id)
			if known := m.tickets[id]; known != nil {
				for i := range known.from.Players {
					team = append(team, known.from.Players[i].ID)
				}
			}
		}
		if p.Datacenter == "" {
			p.Datacenter = roster.GetAssignment().GetConnection()
		}
		if p.Datacenter == "" {
			p.Datacenter = named(roster.GetExtensions())
		}
		p.Teams = append(p.Teams, team)
	}
	return p
}

// order returns the names of the rosters in the order of the teams. If the teams have other names,
// it sorts the names of the rosters.
func (m *openMatch) order(rosters map[string]*openmatchpb.Roster) []string {
	names := slices.Sorted(maps.Keys(rosters))
	teams := m.hello.Match.Teams
	if len(teams) != len(names) {
		return names
	}
	var list []string
	for _, team := range teams {
		if rosters[team.Name] == nil {
			return names
		}
		list = append(list, team.Name)
	}
	return list
}

// named returns the datacenter in a message's extensions, or "" if there is none.
func named(extensions map[string]*anypb.Any) string {
	text := &wrapperspb.StringValue{}
	if a := extensions["datacenter"]; a == nil || a.UnmarshalTo(text) != nil {
		return ""
	}
	return text.Value
}
