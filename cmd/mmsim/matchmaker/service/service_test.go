package service

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The error of a service is quoted up to a readable length, and a message that is too large is named.
func TestErrorsAreCut(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	for _, test := range []struct {
		err  error
		want string
	}{
		{status.Error(codes.Internal, "no map"), `Run: Internal: "no map"`},
		{status.Error(codes.Internal, long), `Run: Internal: "` + long[:2*errorChars] + `"…`},
		{status.Error(codes.Unavailable, long), `Run: the service is not available: "` + long[:2*errorChars] + `"…`},
		{status.Error(codes.ResourceExhausted, "grpc: received message larger than max (5 vs. 4)"), "Run: its message is longer than 4 MB (MaxMessage)"},
		{status.Error(codes.ResourceExhausted, "no quota"), `Run: ResourceExhausted: "no quota"`},
	} {
		if got := Error(t.Context(), "Run", test.err); got == nil || got.Error() != test.want {
			t.Errorf("got error %v, want %s", got, test.want)
		}
	}
}
