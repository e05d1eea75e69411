package service

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"

	"mmsim/cmd/mmsim/matchmaker/service/openmatchpb"
	"mmsim/matcher/external/exchange"
)

// chunkBytes limits the size of a message. gRPC's default limit is 4 MiB, and the match
// function may use it.
const chunkBytes = 4<<20 - 1<<16

// chunks splits a profile with its tickets into messages. Each message has a part of the
// tickets of every pool.
func (m *openMatch) chunks(from *Profile, p *exchange.Pass, clock Clock, budget *Budget) ([]*openmatchpb.Profile, error) {
	messages := map[*openMatchTicket]*openmatchpb.Ticket{}
	pools := make([][]*openmatchpb.Ticket, len(from.Pools))
	most, tickets := 1, 0
	for i := range from.Pools {
		for _, waiting := range p.Waiting {
			t := m.tickets[waiting.ID]
			if !t.passes(&from.Pools[i], p.NowMS) {
				continue
			}
			message := messages[t]
			if message == nil {
				var err error
				if message, err = m.message(t, clock, p.NowMS); err != nil {
					return nil, err
				}
				if messages[t] = message; t.bytes == 0 {
					t.bytes = Size(message)
				}
				budget.Known(message, t.bytes)
			}
			pools[i] = append(pools[i], message)
			tickets += t.bytes
		}
		most = max(most, len(pools[i]))
	}
	extensions, err := m.extensions(from, p.NowMS)
	if err != nil {
		return nil, err
	}
	for parts := tickets/chunkBytes + 1; ; parts++ {
		chunks, fit := make([]*openmatchpb.Profile, parts), true
		for part := range chunks {
			chunk := &openmatchpb.Profile{Name: from.Name, Extensions: extensions, Pools: map[string]*openmatchpb.Pool{}}
			for i := range from.Pools {
				n := len(pools[i])
				chunk.Pools[from.Pools[i].Name] = pool(&from.Pools[i], pools[i][n*part/parts:n*(part+1)/parts], clock, p.NowMS)
			}
			chunks[part], fit = chunk, fit && proto.Size(chunk) <= chunkBytes
		}
		if fit {
			return chunks, nil
		}
		if parts > most {
			return nil, fmt.Errorf("one ticket of each pool takes more than %d bytes, the limit of a message", chunkBytes)
		}
	}
}

// pool converts a pool to Open Match's Pool with the given tickets.
func pool(from *Pool, tickets []*openmatchpb.Ticket, clock Clock, nowMS int64) *openmatchpb.Pool {
	p := &openmatchpb.Pool{Name: from.Name, Participants: &openmatchpb.Roster{Name: from.Name, Tickets: tickets}}
	for _, tag := range from.Tags {
		p.TagPresentFilters = append(p.TagPresentFilters, &openmatchpb.Pool_TagPresentFilter{Tag: tag})
	}
	for _, s := range from.Strings {
		p.StringEqualsFilters = append(p.StringEqualsFilters, &openmatchpb.Pool_StringEqualsFilter{StringArg: s.Name, Value: s.Value})
	}
	for _, d := range from.Doubles {
		p.DoubleRangeFilters = append(p.DoubleRangeFilters, &openmatchpb.Pool_DoubleRangeFilter{
			DoubleArg: d.Name, Minimum: d.Min, Maximum: d.Max, Bounds: bounds(d.MinExcluded, d.MaxExcluded),
		})
	}
	if w := from.Waited; w != nil {
		since := func(waited time.Duration) int64 { return nowMS - waited.Milliseconds() }
		p.CreationTimeRangeFilter = &openmatchpb.Pool_CreationTimeRangeFilter{Start: clock.Time(since(w.Max)), End: clock.Time(since(w.Min))}
	}
	return p
}

// bounds returns Open Match's value for a range that excludes its low or high end.
func bounds(low, high bool) openmatchpb.Bounds {
	switch {
	case low && high:
		return openmatchpb.Bounds_BOTH_EXCLUDED
	case low:
		return openmatchpb.Bounds_MINIMUM_EXCLUDED
	case high:
		return openmatchpb.Bounds_MAXIMUM_EXCLUDED
	}
	return openmatchpb.Bounds_BOTH_INCLUDED
}
