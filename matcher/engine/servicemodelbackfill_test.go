package engine_test

import (
	"maps"
	"slices"
)

// modelOpen is a session that tickets may join.
type modelOpen struct {
	*modelSession
	attributes map[string]any
	teams      []*modelTeam
	joined     map[*modelTeam][]*modelTicket
	tickets    []*modelTicket
	means      map[string]float64 // indexed by attribute: mean over all players in the session
}

func (o *modelOpen) players() (list []modelPlayer) {
	for _, team := range o.teams {
		list = append(list, team.Players...)
	}
	return list
}

// backfill lets tickets join sessions. As in the service, a session that becomes full is removed
// from the list while the loop is running over it.
func (m *model) backfill(sessions []*modelSession) {
	var places []*modelOpen
	for _, s := range sessions {
		o := &modelOpen{modelSession: s, attributes: maps.Clone(s.Attributes), joined: map[*modelTeam][]*modelTicket{}}
		if o.attributes == nil {
			o.attributes = map[string]any{}
		}
		for _, team := range s.Teams {
			o.teams = append(o.teams, &modelTeam{team.Name, slices.Clone(team.Players)})
		}
		o.means = map[string]float64{}
		for _, r := range m.MatchingRule {
			o.means[r.Attribute] = modelMean(o.players(), r.Attribute)
		}
		places = append(places, o)
	}
	all, live := slices.Clone(places), len(places)
	for i := range places {
		o := places[i]
		if m.visit(o) {
			if at := slices.Index(places[:live], o); at >= 0 {
				copy(places[at:live-1], places[at+1:live])
				live--
			}
		}
	}
	for _, o := range all {
		if len(o.tickets) == 0 {
			continue
		}
		match := modelMatch{Session: o.ID}
		for _, t := range o.tickets {
			match.Tickets = append(match.Tickets, t.ID)
		}
		for _, team := range o.teams {
			match.Teams = append(match.Teams, idsOf(team.Players))
		}
		m.out.Backfills = append(m.out.Backfills, match)
	}
}

// visit lets tickets join a session and reports whether the session became full.
func (m *model) visit(o *modelOpen) (full bool) {
	s := m.scanOf(o.CreatedAt, o.players(), o.attributes)
	s.session, s.value = true, func(attribute string) float64 { return o.means[attribute] }
	a := m.alliance(s.age)
	var admitted []modelRated
	for _, t := range m.list {
		if v := t.Attributes["new_session_only"]; v == true || v == "true" {
			continue
		}
		if o.Region != "" && !slices.Contains(m.regions(t, true), o.Region) {
			continue
		}
		if score, ok := s.passes(t); ok {
			admitted = append(admitted, modelRated{t, score, latencies(t.Players)[o.Region]})
			s.admit(t)
		}
	}
	for _, t := range ranked(admitted) {
		if !meet(idsOf(o.players()), idsOf(t.Players)) && m.optionsMeet(o, t) && m.seat(o, t, a) {
			m.joined(o, t)
			if m.full(o, a) {
				return true
			}
		}
	}
	return false
}

// optionsMeet reports whether a ticket's options match the session's current options.
func (m *model) optionsMeet(o *modelOpen, t *modelTicket) bool {
	for _, option := range m.MatchOptions.Options {
		ofSession, has := optionOf(o.attributes, option.Name)
		ofTicket, also := optionOf(t.Attributes, option.Name)
		switch {
		case !has && !also:
		case option.Type == "all" && !(subset(ofSession, ofTicket) && subset(ofTicket, ofSession)),
			option.Type == "any" && !meet(ofSession, ofTicket),
			option.Type == "unique" && meet(ofSession, ofTicket):
			return false
		}
	}
	return true
}

// seat puts a ticket into a team with room, and reports whether there was such a team.
func (m *model) seat(o *modelOpen, t *modelTicket, a modelAlliance) bool {
	order := slices.Clone(o.teams)
	if m.core {
		slices.SortStableFunc(order, func(a, b *modelTeam) int { return len(a.Players) - len(b.Players) })
	}
	room := func(team *modelTeam) bool {
		if len(team.Players)+len(t.Players) > a.PlayerMaxNumber || m.apart(t, t) {
			return false
		}
		blocks, _ := optionOf(t.Attributes, "blocked_players")
		if m.Blocked == "blockedPlayerCanMatchOnDifferentTeam" && meet(blocks, idsOf(team.Players)) {
			return false
		}
		return !slices.ContainsFunc(o.joined[team], func(other *modelTicket) bool { return m.apart(t, other) })
	}
	var found *modelTeam
	if i := slices.IndexFunc(order, room); i >= 0 {
		found = order[i]
	} else if team := (&modelTeam{}); len(o.teams) < a.MaxNumber && room(team) {
		o.teams = append(o.teams, team)
		found = team
	}
	if found != nil {
		found.Players, o.joined[found] = append(found.Players, t.Players...), append(o.joined[found], t)
	}
	for i := 0; i < len(o.teams); i++ { // an empty team is replaced by the last one
		if last := len(o.teams) - 1; len(o.teams[i].Players) == 0 {
			o.teams[i] = o.teams[last]
			o.teams = o.teams[:last]
			i--
		}
	}
	return found != nil
}

// joined updates the session after a ticket has joined, and removes the ticket from the list.
func (m *model) joined(o *modelOpen, t *modelTicket) {
	all, joining := float64(len(o.players())), float64(len(t.Players))
	for attribute, mean := range o.means {
		o.means[attribute] = ((all-joining)*mean + joining*modelMean(t.Players, attribute)) / all
	}
	o.tickets = append(o.tickets, t)
	m.list = slices.DeleteFunc(slices.Clone(m.list), func(x *modelTicket) bool { return x == t })
	asAny := func(list []string) any {
		var values []any
		for _, s := range list {
			values = append(values, s)
		}
		return values
	}
	for _, option := range m.MatchOptions.Options {
		ofSession, _ := optionOf(o.attributes, option.Name)
		ofTicket, has := optionOf(t.Attributes, option.Name)
		switch {
		case !has || option.Type == "disable":
		case option.Type == "any":
			o.attributes[option.Name] = asAny(slices.DeleteFunc(ofSession, func(x string) bool { return !slices.Contains(ofTicket, x) }))
		case option.Type == "unique":
			o.attributes[option.Name] = asAny(slices.Concat(ofSession, ofTicket))
		}
	}
	var blocks []string
	for _, other := range o.tickets {
		list, _ := optionOf(other.Attributes, "blocked_players")
		blocks = append(blocks, list...)
	}
	o.attributes["blocked_players"] = asAny(blocks)
}

func (m *model) full(o *modelOpen, a modelAlliance) bool {
	return len(o.teams) == a.MaxNumber && !slices.ContainsFunc(o.teams, func(team *modelTeam) bool { return len(team.Players) < a.PlayerMaxNumber })
}
