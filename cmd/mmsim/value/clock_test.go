package value

import (
	"testing"
	"time"
)

func TestParseClock(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"00:00:00": 0, "20:15:00": 72_900_000, "20:15": 72_900_000, "0:0:4.5": 4_500, "23:59:59.999": 86_399_999, "48:00:01": 172_801_000,
	} {
		if at, ok := ParseClock(text); !ok || at != want*time.Millisecond {
			t.Errorf("%s: got %d, %v, want %d", text, at, ok, want)
		}
	}
	for _, text := range []string{"", "20", "20:60:00", "20:15:60", "-1:00:00", "20:15:00 ", "20:15:0.1234", "20:15:00x", "20:15.5", "99999:00:00"} {
		if at, ok := ParseClock(text); ok {
			t.Errorf("%q: got %d", text, at)
		}
	}
}
