package playfab

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Refusal is the reason why the service refuses a ticket. Its text begins with the service's error
// code.
type Refusal struct{ Code, Reason string }

func (r *Refusal) Error() string { return r.Code + ": " + r.Reason }

// Codes of refusals. The service uses the last one as the reason for cancelling a ticket. Without
// it, a party that fits into no team would wait until it gives up.
const (
	codeTooLarge    = "MatchmakingNumberOfPlayersInTicketTooLarge"
	codeAttribute   = "MatchmakingAttributeInvalid"
	codeMembership  = "MatchmakingTicketMembershipLimitExceeded"
	codeUnmatchable = "TicketUnmatchable"
)

// CheckSize returns an error if the service refuses a ticket with this number of players.
func (q *Queue) CheckSize(players int) error {
	set := q.Ruleset
	largest := 0
	for _, team := range set.Teams {
		largest = max(largest, team.Max)
	}
	switch {
	case set.MaxTicket > 0 && players > set.MaxTicket:
		return &Refusal{codeTooLarge, fmt.Sprintf("%s in the ticket, expected at most MaxTicketSize, which is %d", jsontree.Count(players, "player"), set.MaxTicket)}
	case players >= set.MaxPlayers:
		return &Refusal{codeTooLarge, fmt.Sprintf("%s in the ticket, expected fewer than MaxMatchSize, which is %d", jsontree.Count(players, "player"), set.MaxPlayers)}
	case len(set.Teams) > 0 && players > largest:
		return &Refusal{codeUnmatchable, fmt.Sprintf("%s in the ticket, but the largest MaxTeamSize is %d", jsontree.Count(players, "player"), largest)}
	}
	return nil
}

// active is a player's ticket and the time at which it gives up.
type active struct {
	ticket  string
	untilMS int64
}

// admission implements vendor.Queue.Admission. The service refuses a ticket with a wrong number of
// players, or with a player who is already in another ticket. Tickets that gave up before do not count.
func (q *Queue) admission() vendor.Admit {
	activeIn := make(map[string]active)
	return func(ticket string, players []string, createdMS, untilMS int64) error {
		if err := q.CheckSize(len(players)); err != nil {
			return err
		}
		for _, player := range players {
			if other, ok := activeIn[player]; ok && createdMS < other.untilMS {
				return &Refusal{codeMembership, fmt.Sprintf("player %q is already in ticket %q", player, other.ticket)}
			}
		}
		for _, player := range players {
			activeIn[player] = active{ticket, untilMS}
		}
		return nil
	}
}

// Player converts a player's JSON to the values that the rules read. The client sends attributes,
// and the service stores entity. If the client reported no latencies, RTTMS is nil, and the caller
// may set it from other data. If the service refuses the player's ticket, Player returns a
// *Refusal.
func (q *Queue) Player(attributes, entity jsontree.Value) (matcher.Player, error) {
	p := matcher.Player{Values: make([]matcher.Value, q.Schema.Columns())}
	for i := range q.Attributes {
		a := &q.Attributes[i]
		value, err := a.read(q.Schema, attributes, entity)
		if err != nil {
			return p, &Refusal{codeAttribute, fmt.Sprintf("attribute %s of rule %s: %v", a.Path, a.rule, err)}
		}
		if value.Kind == matcher.Missing && a.Required {
			return p, a.missing()
		}
		p.Values[a.Column] = value
	}
	if q.latencies == nil {
		return p, nil
	}
	found, err := q.latencies.path.find(attributes)
	if err == nil && found.Kind() != jsontree.Null {
		p.RTTMS, err = q.readLatencies(found)
	}
	if err != nil {
		return p, &Refusal{codeAttribute, fmt.Sprintf("latencies at %s of rule %s: %v", q.latencies.Path, q.latencies.rule, err)}
	}
	return p, nil
}

// missing returns the refusal of a player who lacks a required attribute.
func (a *Attribute) missing() error {
	return &Refusal{codeAttribute, fmt.Sprintf("attribute %s of rule %s is missing and has no default", a.Path, a.rule)}
}

// readLatencies reads the list of latencies that a client reports, of the form [{"region",
// "latency"}].
func (q *Queue) readLatencies(list jsontree.Value) ([]float64, error) {
	if list.Kind() != jsontree.List {
		return nil, fmt.Errorf("got %v, expected a list of objects with region and latency", list)
	}
	rttMS := []float64{}
	for _, e := range list.Elements() {
		name, _ := e.Member("region")
		latency, _ := e.Member("latency")
		ms, measured := latency.Float()
		if name.Kind() != jsontree.Text || !measured || ms < 0 {
			return nil, fmt.Errorf("got %v in the list, expected an object with a region and a latency in ms", e)
		}
		var err error
		if rttMS, err = q.Schema.Measured(rttMS, name.Text(), ms); err != nil {
			return nil, err
		}
	}
	return rttMS, nil
}
