package service

import (
	"math"
	"slices"

	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	"mmsim/cmd/mmsim/matchmaker/service/openmatchpb"
	"mmsim/matcher/external/exchange"
)

// openMatchTicket is a waiting ticket with its Open Match attributes, which do not change between
// passes.
type openMatchTicket struct {
	from  *exchange.Ticket
	attr  openmatchpb.Ticket_Attributes
	bytes int // size of its message, which is the same in all passes; 0 until it is measured
}

// describe updates m.tickets for a pass.
func (m *openMatch) describe(p *exchange.Pass) {
	before := m.tickets
	m.tickets = make(map[string]*openMatchTicket, len(p.Waiting))
	for _, t := range p.Waiting {
		known := before[t.ID]
		if known == nil || known.from != t {
			known = &openMatchTicket{from: t}
			m.attributes(known)
		}
		m.tickets[t.ID] = known
	}
}

// attributes sets the Open Match attributes of a ticket. It includes the numbers, texts and
// list entries that all of the ticket's players have. A number is the mean over the players.
func (m *openMatch) attributes(t *openMatchTicket) {
	a := &t.attr
	a.StringArgs, a.DoubleArgs = map[string]string{}, map[string]float64{}
	players := t.from.Players
	for _, first := range players[0].Attributes {
		sum, all, list := 0.0, true, slices.Clone(first.List)
		for i := range players {
			other := attribute(&players[i], first.Name)
			if other == nil || other.Kind != first.Kind || first.Kind == exchange.Text && other.Text != first.Text {
				all = false
				break
			}
			sum += other.Number
			list = slices.DeleteFunc(list, func(entry string) bool { return !slices.Contains(other.List, entry) })
		}
		switch {
		case !all:
		case first.Kind == exchange.Number:
			a.DoubleArgs[first.Name] = sum / float64(len(players))
		case first.Kind == exchange.Text:
			a.StringArgs[first.Name] = first.Text
		case first.Kind == exchange.List:
			a.Tags = append(a.Tags, list...)
		}
	}
	a.DoubleArgs["players"] = float64(len(players))
	for datacenter, name := range m.hello.Datacenters {
		worst := 0.0
		for i := range players {
			worst = max(worst, players[i].RTTMS[datacenter]) // NaN if any is NaN
		}
		if t.from.Reach>>datacenter&1 != 0 && !math.IsNaN(worst) {
			a.DoubleArgs["rtt."+name] = worst
			a.Tags = append(a.Tags, name)
		}
	}
}

// attribute returns the player's attribute with the given name, or nil.
func attribute(p *exchange.Player, name string) *exchange.Attribute {
	for i := range p.Attributes {
		if p.Attributes[i].Name == name {
			return &p.Attributes[i]
		}
	}
	return nil
}

// passes reports whether the ticket passes all filters of a pool.
func (t *openMatchTicket) passes(pool *Pool, nowMS int64) bool {
	for _, tag := range pool.Tags {
		if !slices.Contains(t.attr.Tags, tag) {
			return false
		}
	}
	for _, s := range pool.Strings {
		if text, has := t.attr.StringArgs[s.Name]; !has || text != s.Value {
			return false
		}
	}
	for i := range pool.Doubles {
		if x, has := t.attr.DoubleArgs[pool.Doubles[i].Name]; !has || !pool.Doubles[i].Holds(x) {
			return false
		}
	}
	waited := nowMS - t.from.CreatedMS
	return pool.Waited == nil || waited >= pool.Waited.Min.Milliseconds() && waited <= pool.Waited.Max.Milliseconds()
}

// message converts the ticket to Open Match's Ticket for one pass.
func (m *openMatch) message(t *openMatchTicket, clock Clock, nowMS int64) (*openmatchpb.Ticket, error) {
	extension, err := extension(map[string]any{"now_s": float64(nowMS) / 1000, "wait_s": float64(nowMS-t.from.CreatedMS) / 1000})
	if err != nil {
		return nil, err
	}
	message := &openmatchpb.Ticket{
		Id: m.names.Out(t.from.ID), Extensions: extension,
		Attributes: &openmatchpb.Ticket_Attributes{
			Tags: t.attr.Tags, StringArgs: t.attr.StringArgs, DoubleArgs: t.attr.DoubleArgs, CreationTime: clock.Time(t.from.CreatedMS),
		},
	}
	if t.from.GiveUpMS > 0 {
		message.ExpirationTime = clock.Time(t.from.CreatedMS + t.from.GiveUpMS)
	}
	return message, nil
}

// extension returns members as the extension "mmsim".
func extension(members map[string]any) (map[string]*anypb.Any, error) {
	s, err := structpb.NewStruct(members)
	if err != nil {
		return nil, err
	}
	a, err := anypb.New(s)
	return map[string]*anypb.Any{own: a}, err
}
