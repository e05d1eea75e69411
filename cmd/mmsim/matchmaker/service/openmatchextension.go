package service

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"mmsim/matcher/external/exchange"
)

// extensions returns the extensions of a profile: those of the file, and "mmsim", which has the
// time and the allowed sizes of matches.
func (m *openMatch) extensions(from *Profile, nowMS int64) (map[string]*anypb.Any, error) {
	list, err := extension(map[string]any{"now_s": float64(nowMS) / 1000, "match": sizesOf(&m.hello.Match)})
	for i := 0; err == nil && i < len(from.Extensions); i++ {
		e := &from.Extensions[i]
		if list[e.Name], err = typed(e.JSON); err != nil {
			err = fmt.Errorf("extension %q: %w", e.Name, err)
		}
	}
	return list, err
}

// sizesOf returns the allowed sizes of matches as they are in the hello message of JSON lines.
func sizesOf(match *exchange.Match) map[string]any {
	sizes := map[string]any{"min": match.Min, "max": match.Max}
	var teams []any
	for _, team := range match.Teams {
		teams = append(teams, map[string]any{"name": team.Name, "min": team.Min, "max": team.Max})
	}
	if teams != nil {
		sizes["teams"] = teams
	}
	if match.MinTeams > 0 {
		sizes["min_teams"] = match.MinTeams
	}
	return sizes
}

// typed converts a value to the well-known type that match functions expect for it. A whole number
// becomes an Int32Value, as in the samples of Open Match, or a DoubleValue if it is too large.
func typed(text []byte) (*anypb.Any, error) {
	var v structpb.Value
	if err := v.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	var message proto.Message
	switch kind := v.Kind.(type) {
	case *structpb.Value_NumberValue:
		if x := kind.NumberValue; x == math.Trunc(x) && math.Abs(x) <= math.MaxInt32 {
			message = wrapperspb.Int32(int32(x))
		} else {
			message = wrapperspb.Double(x)
		}
	case *structpb.Value_BoolValue:
		message = wrapperspb.Bool(kind.BoolValue)
	case *structpb.Value_StringValue:
		message = wrapperspb.String(kind.StringValue)
	case *structpb.Value_ListValue:
		message = kind.ListValue
	case *structpb.Value_StructValue:
		message = kind.StructValue
	default:
		return nil, fmt.Errorf("got %s, expected a value", text)
	}
	return anypb.New(message)
}
