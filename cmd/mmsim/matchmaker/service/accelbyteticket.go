package service

import (
	"context"
	"fmt"
	"math"

	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"mmsim/cmd/mmsim/matchmaker/service/accelbytepb"
	"mmsim/matcher/external/exchange"
)

// accelByteTicket is a waiting ticket as the server has enriched it.
type accelByteTicket struct {
	from    *exchange.Ticket
	message *accelbytepb.Ticket // nil if the server rejects the ticket
	bytes   int                 // size of message
}

// meet updates m.tickets for a pass and returns the valid tickets. It makes the server
// validate and enrich new tickets. It sets all creation times again, because they depend on
// the real clock.
func (m *accelByte) meet(ctx context.Context, p *exchange.Pass, clock Clock, budget *Budget) ([]*accelbytepb.Ticket, error) {
	before := m.tickets
	m.tickets = make(map[string]*accelByteTicket, len(p.Waiting))
	var list []*accelbytepb.Ticket
	for _, from := range p.Waiting {
		t := before[from.ID]
		if t == nil || t.from != from {
			t = &accelByteTicket{from: from}
			if err := m.admit(ctx, t, clock, budget); err != nil {
				return nil, err
			}
		}
		m.tickets[from.ID] = t
		if t.message != nil {
			t.message.CreatedAt = clock.Time(from.CreatedMS)
			budget.Known(t.message, t.bytes)
			list = append(list, t.message)
		}
	}
	return list, nil
}

// admit makes the server validate and enrich a ticket. The server may not change the ticket's
// id and creation time.
func (m *accelByte) admit(ctx context.Context, t *accelByteTicket, clock Clock, budget *Budget) error {
	message, err := m.describe(t.from, clock.Time(t.from.CreatedMS))
	if err != nil {
		return err
	}
	valid, err := Ask(ctx, "ValidateTicket", m.function.ValidateTicket, &budget.Cost, &accelbytepb.ValidateTicketRequest{Ticket: message, Rules: m.rules})
	if err != nil || !valid.GetValidTicket() {
		return err
	}
	enriched, err := Ask(ctx, "EnrichTicket", m.function.EnrichTicket, &budget.Cost, &accelbytepb.EnrichTicketRequest{Ticket: message, Rules: m.rules})
	if err != nil {
		return err
	}
	t.message = message
	if enriched.GetTicket() != nil {
		t.message = enriched.Ticket
		t.message.TicketId = message.TicketId
	}
	t.message.CreatedAt = message.CreatedAt
	if t.bytes = Size(t.message); t.bytes > MaxTicket {
		return fmt.Errorf("EnrichTicket: its ticket is longer than %d KB (MaxTicket)", MaxTicket>>10)
	}
	return nil
}

// describe converts a ticket to AccelByte's Ticket.
func (m *accelByte) describe(from *exchange.Ticket, created *timestamppb.Timestamp) (*accelbytepb.Ticket, error) {
	t := &accelbytepb.Ticket{
		TicketId: m.names.Out(from.ID), MatchPool: m.hello.Queue, CreatedAt: created,
		Latencies: map[string]int64{}, PartySessionId: from.Party, Namespace: namespace,
	}
	for _, id := range excluded(from) {
		t.ExcludedSessions = append(t.ExcludedSessions, m.names.Out(id))
	}
	var err error
	if t.TicketAttributes, err = m.attributes(from.Attributes); err != nil {
		return nil, err
	}
	if t.Players, err = m.players(from.Players); err != nil {
		return nil, err
	}
	for datacenter, name := range m.hello.Datacenters {
		worst := 0.0
		for i := range from.Players {
			worst = max(worst, from.Players[i].RTTMS[datacenter]) // NaN if any is NaN
		}
		if from.Reach>>datacenter&1 != 0 && !math.IsNaN(worst) {
			t.Latencies[name] = int64(math.Round(worst))
		}
	}
	return t, nil
}

// excluded returns the items of the attribute excluded_sessions of a ticket and of its players.
func excluded(t *exchange.Ticket) (list []string) {
	take := func(attributes []exchange.Attribute) {
		for i := range attributes {
			if attributes[i].Name == "excluded_sessions" {
				list = append(list, attributes[i].List...)
			}
		}
	}
	take(t.Attributes)
	for i := range t.Players {
		take(t.Players[i].Attributes)
	}
	return list
}

// players converts players to AccelByte's PlayerData. It includes the attributes that the
// server asked for.
func (m *accelByte) players(from []exchange.Player) (list []*accelbytepb.Ticket_PlayerData, err error) {
	for i := range from {
		data := &accelbytepb.Ticket_PlayerData{PlayerId: from[i].ID}
		if data.Attributes, err = m.attributes(from[i].Attributes); err != nil {
			return nil, err
		}
		list = append(list, data)
	}
	return list, nil
}

// attributes converts a player's attributes to a protobuf Struct. It includes those that the
// server asked for.
func (m *accelByte) attributes(list []exchange.Attribute) (*structpb.Struct, error) {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for i := range list {
		a := &list[i]
		if m.codes != nil && !m.codes[a.Name] {
			continue
		}
		v := &structpb.Value{}
		switch a.Kind {
		case exchange.Number:
			v = structpb.NewNumberValue(a.Number)
		case exchange.Text:
			v = structpb.NewStringValue(a.Text)
		case exchange.List:
			entries := &structpb.ListValue{}
			for _, entry := range a.List {
				entries.Values = append(entries.Values, structpb.NewStringValue(entry))
			}
			v = structpb.NewListValue(entries)
		case exchange.JSON:
			if err := v.UnmarshalJSON([]byte(a.Text)); err != nil {
				return nil, err
			}
		}
		s.Fields[a.Name] = v
	}
	return s, nil
}
