package service

import (
	"fmt"
	"slices"

	"mmsim/cmd/mmsim/matchmaker/service/accelbytepb"
	"mmsim/matcher/external/exchange"
)

// proposal converts a match from the server to mmsim's Proposal.
func (m *accelByte) proposal(match *accelbytepb.Match) exchange.Proposal {
	return exchange.Proposal{Tickets: m.ids(match.GetTickets()), Teams: teams(match.GetTeams()), Datacenter: m.place(match.GetRegionPreferences())}
}

// ids returns mmsim's ids of tickets from the server.
func (m *accelByte) ids(tickets []*accelbytepb.Ticket) []string {
	var list []string
	for _, t := range tickets {
		list = append(list, m.names.In(t.GetTicketId()))
	}
	return list
}

// teams returns the ids of each team's players. If a team has no user ids, it uses those of
// the team's parties.
func teams(from []*accelbytepb.Match_Team) (list [][]string) {
	for _, team := range from {
		players := append([]string{}, team.GetUserIds()...)
		if len(players) == 0 {
			for _, party := range team.GetParties() {
				players = append(players, party.GetUserIds()...)
			}
		}
		list = append(list, players)
	}
	return list
}

// anyRegion is the preference that the vendor's template servers send for a match that may be
// played anywhere.
const anyRegion = "any"

// place returns the first preference that is a region of the run. If none is, it returns the first
// preference, or "" if that is anyRegion.
func (m *accelByte) place(preferences []string) string {
	for _, name := range preferences {
		if slices.Contains(m.hello.Datacenters, name) {
			return name
		}
	}
	if len(preferences) == 0 || preferences[0] == anyRegion {
		return ""
	}
	return preferences[0]
}

// session converts a match that looks for players to AccelByte's BackfillTicket.
func (m *accelByte) session(s *exchange.Session, clock Clock) (*accelbytepb.BackfillTicket, error) {
	match := &accelbytepb.Match{Backfill: true}
	if s.Datacenter != exchange.AllDatacenters {
		match.RegionPreferences = []string{m.hello.Datacenters[s.Datacenter]}
	}
	for side := range m.hello.Match.TeamsOf(s) {
		team := &accelbytepb.Match_Team{TeamId: fmt.Sprint(side + 1)}
		if side < len(m.hello.Match.Teams) {
			team.TeamId = m.hello.Match.Teams[side].Name
		}
		match.Teams = append(match.Teams, team)
	}
	for i := range s.Players {
		team := match.Teams[max(0, s.Players[i].Team)]
		team.UserIds = append(team.UserIds, s.Players[i].ID)
	}
	// Send the players as one ticket, because their original tickets no longer exist.
	data, err := m.players(s.Players)
	if err != nil {
		return nil, err
	}
	id := m.names.Out(s.ID)
	match.Tickets = []*accelbytepb.Ticket{{TicketId: id, MatchPool: m.hello.Queue, CreatedAt: clock.Time(s.CreatedMS), Players: data}}
	return &accelbytepb.BackfillTicket{
		TicketId: id, MatchPool: m.hello.Queue, CreatedAt: clock.Time(s.CreatedMS), PartialMatch: match, MatchSessionId: id,
	}, nil
}

// added converts the server's proposal to add tickets to a session. The teams in the server's
// proposal have all players. The teams in the result have only the new players.
func (m *accelByte) added(b *accelbytepb.BackfillProposal, sessions map[string]*exchange.Session) exchange.Backfill {
	added := exchange.Backfill{Session: m.names.In(b.GetBackfillTicketId())}
	if added.Session == "" {
		added.Session = m.names.In(b.GetMatchSessionId())
	}
	added.Tickets, added.Teams = m.ids(b.GetAddedTickets()), teams(b.GetProposedTeams())
	if s := sessions[added.Session]; s != nil {
		for i := range added.Teams {
			added.Teams[i] = slices.DeleteFunc(added.Teams[i], func(id string) bool {
				return slices.ContainsFunc(s.Players, func(p exchange.Player) bool { return p.ID == id })
			})
		}
	}
	return added
}
