package service

import (
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"mmsim/cmd/mmsim/matchmaker/service/accelbytepb"
	"mmsim/cmd/mmsim/matchmaker/service/openmatchpb"
)

// messages returns messages with fields of all kinds that services use, at a time.
func messages(at *timestamppb.Timestamp) []proto.Message {
	of := func(m proto.Message) *anypb.Any {
		a, err := anypb.New(m)
		if err != nil {
			panic(err)
		}
		return a
	}
	attributes := &structpb.Struct{Fields: map[string]*structpb.Value{
		"mmr": structpb.NewNumberValue(1500), "ok": structpb.NewBoolValue(true), "none": structpb.NewNullValue(), "": structpb.NewStringValue(""),
		"maps": structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewStringValue("dust")}}),
	}}
	ticket := &accelbytepb.Ticket{
		TicketId: "ranked-0-t1", CreatedAt: at, Latencies: map[string]int64{"frankfurt": 300, "": 0, "far": -1}, TicketAttributes: attributes,
		Players: []*accelbytepb.Ticket_PlayerData{{PlayerId: "p1", Attributes: attributes}, {}}, ExcludedSessions: []string{"m1", ""},
	}
	other := &openmatchpb.Ticket{Id: "t1", ExpirationTime: at, Attributes: &openmatchpb.Ticket_Attributes{
		Tags: []string{"dust"}, StringArgs: map[string]string{"mode": "duel"}, DoubleArgs: map[string]float64{"mmr": 0, "rtt": 21.5}, CreationTime: at,
	}, Extensions: map[string]*anypb.Any{"mmsim": of(attributes), "score": of(wrapperspb.Int32(-7)), "time": of(at)}}
	return []proto.Message{
		&accelbytepb.ValidateTicketResponse{}, &accelbytepb.ValidateTicketResponse{ValidTicket: true},
		&accelbytepb.MakeMatchesRequest{RequestType: &accelbytepb.MakeMatchesRequest_Ticket{Ticket: ticket}},
		&accelbytepb.BackfillProposal{BackfillTicketId: "m1", CreatedAt: at, AddedTickets: []*accelbytepb.Ticket{ticket, ticket}},
		&openmatchpb.ChunkedMmfRunRequest{NumChunks: 300, Profile: &openmatchpb.Profile{Name: "a", Pools: map[string]*openmatchpb.Pool{"all": {
			DoubleRangeFilters:      []*openmatchpb.Pool_DoubleRangeFilter{{DoubleArg: "mmr", Maximum: 7, Bounds: openmatchpb.Bounds_BOTH_EXCLUDED}},
			CreationTimeRangeFilter: &openmatchpb.Pool_CreationTimeRangeFilter{Start: at, End: at}, Participants: &openmatchpb.Roster{Tickets: []*openmatchpb.Ticket{other}},
		}}}},
	}
}

// A message has the size that it has on the wire with times of the largest size, whatever the times
// are.
func TestSize(t *testing.T) {
	longest := messages(&timestamppb.Timestamp{Seconds: 1 << 34, Nanos: 999_999_999})
	for _, at := range []time.Time{time.Unix(1<<34, 999_999_999), time.Unix(1_800_000_000, 0), time.Unix(1_800_000_000, 1), time.Unix(5, 300_000_000)} {
		for i, m := range messages(timestamppb.New(at)) {
			if got, want := Size(m), proto.Size(longest[i]); got != want {
				t.Errorf("%v at %v: got %d bytes, want %d", m, at, got, want)
			}
		}
	}
	// A message whose size is known is not measured again, wherever it is.
	for _, m := range longest {
		b := &Budget{}
		if request, is := m.(*accelbytepb.MakeMatchesRequest); is {
			b.Known(request.GetTicket(), Size(request.GetTicket()))
			request.GetTicket().TicketId = "" // must have no effect
			if got, want := b.known.size(m.ProtoReflect()), Size(messages(timestamppb.Now())[2]); got != want {
				t.Errorf("got %d bytes with a known ticket, want %d", got, want)
			}
		}
	}
	unknown := &accelbytepb.Rules{}
	if err := proto.Unmarshal([]byte("\x7a\x03abc"), unknown); err != nil || Size(unknown) != 5 {
		t.Errorf("an unknown field: got %d bytes (error %v), want 5", Size(unknown), err)
	}
}
