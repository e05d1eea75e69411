package roblox

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Limits for the players that are generated on mock servers.
const (
	mockPlayersMax    = 1000
	mockPlayersAllMax = 100_000
)

// mockMembers are the attributes of mock servers, which appear in the service's preview. A server
// with one of them is a mock server, unless there is a custom attribute with that name.
var mockMembers = []string{"occupancy", "hasPreferredPlayers", "playerAge", "serverAveragePlayerAge", "commonLanguagePlayers", "latency",
	"commonDevicePlayers", "playerPlayHistory", "serverAveragePlayHistory", "isPlayerVoiceChatEnabled", "commonVoicePlayers", "commonTextChatPlayers"}

// isMock reports whether the attributes of a server describe a mock server.
func (c *Config) isMock(attributes jsontree.Value) bool {
	for _, name := range mockMembers {
		declared := func(a *Attribute) bool { return a.Name == name }
		if _, ok := attributes.Member(name); ok && !slices.ContainsFunc(c.ServerAttributes, declared) {
			return true
		}
	}
	return false
}

// Mock reads a server that is described by totals over its players, such as the number of players
// with the joining player's language. It generates players with these totals. If the joining player
// lacks an attribute that the totals need, Mock sets it. joinerID is the id of the joining player.
// Mock returns false for a server that is not a mock server.
func (r *Reader) Mock(label string, attributes jsontree.Value, joiner *vendor.Player, joinerID string) (*vendor.Mock, bool) {
	if !r.isMock(attributes) {
		return nil, false
	}
	o, ok := r.problems.Object(attributes, label)
	if !ok {
		return nil, false
	}
	v, _ := o.Get("occupancy")
	count, ok := v.Whole(mockPlayersMax)
	if r.mocked += int(count); !ok || r.mocked > mockPlayersAllMax {
		o.Misfit(v, "occupancy", fmt.Sprintf("a number of players from 0 to %d, and at most %d on all mock servers together", mockPlayersMax, mockPlayersAllMax))
		return &vendor.Mock{}, true
	}
	m := &vendor.Mock{Players: make([]vendor.Player, count), Capacity: int(o.NumberOr("capacity", 0, jsontree.Unsigned))}
	for i := range m.Players {
		m.Players[i] = r.Player(label, jsontree.Value{})
		m.Players[i].Class = joiner.Class
	}
	r.mean(o, m, age, joiner, "serverAveragePlayerAge", "playerAge")
	r.mean(o, m, playHistory, joiner, "serverAveragePlayHistory", "playerPlayHistory")
	if v, ok := o.Get("isPlayerVoiceChatEnabled"); ok && joiner.Values[r.column(voiceChat)].Kind == matcher.Missing {
		joiner.Values[r.column(voiceChat)] = r.value(o, v, "isPlayerVoiceChatEnabled", &Attribute{Type: Bool})
	}
	r.common(o, m, language, joiner, "commonLanguagePlayers")
	r.common(o, m, deviceType, joiner, "commonDevicePlayers")
	r.common(o, m, voiceChat, joiner, "commonVoicePlayers")
	r.common(o, m, textChatGroups, joiner, "commonTextChatPlayers")
	if o.BoolOr("hasPreferredPlayers", false) {
		if count == 0 {
			v, _ := o.Get("hasPreferredPlayers")
			o.Misfit(v, "hasPreferredPlayers", "false, because occupancy is 0")
		} else {
			m.Players[0].Friends = []string{joinerID}
		}
	}
	if v, ok := o.Get("latency"); ok {
		value := r.number(o, "latency")
		m.RTTMS, m.HasRTT = value.Number, v.Kind() == jsontree.Number
	}
	return m, true
}

// mean reads two numbers from JSON members of o: the mean of the players on the server, and the
// value of the joining player. It assigns the mean to every player on the server.
func (r *Reader) mean(o *jsontree.Object, m *vendor.Mock, attribute playerValue, joiner *vendor.Player, server, player string) {
	value := r.number(o, server)
	for i := range m.Players {
		m.Players[i].Values[r.column(attribute)] = value
	}
	v, ok := o.Get(player)
	if !ok {
		return
	}
	own := &joiner.Values[r.column(attribute)]
	switch given := r.number(o, player); {
	case own.Kind == matcher.Missing:
		*own = given
	case own.Number != given.Number:
		o.Misfit(v, player, fmt.Sprintf("the value of the joining player, which is %g", own.Number))
	}
}

// invented is the text of a joining player who has none. The service's preview gives only the
// number of players with the same text, but not the text. No other player can have this text. It is
// not empty, because an empty text counts as missing.
const invented = "\x00"

// common reads how many players on the server have the same text as the joining player. It gives
// this text to that many of the generated players.
func (r *Reader) common(o *jsontree.Object, m *vendor.Mock, attribute playerValue, joiner *vendor.Player, name string) {
	v, ok := o.Get(name)
	if !ok {
		return
	}
	n, ok := v.Whole(uint32(len(m.Players)))
	if !ok {
		o.Misfit(v, name, fmt.Sprintf("a number of players, at most occupancy, which is %d", len(m.Players)))
		return
	}
	own := &joiner.Values[r.column(attribute)]
	switch {
	case n == 0:
		return
	case attribute == textChatGroups && len(own.Set) == 0:
		*own = matcher.SetValue(r.Schema.Set([]string{invented}))
	case own.Kind == matcher.Missing:
		*own = matcher.TextValue(r.Schema.Intern(invented))
	}
	for i := range m.Players[:n] {
		m.Players[i].Values[r.column(attribute)] = *own
	}
}
