package joinfile

import (
	"testing"
	"time"
)

func TestParseZone(t *testing.T) {
	at := time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)
	for name, hour := range map[string]int{"": 12, "UTC": 12, "Z": 12, "+02:00": 14, "-0330": 8, "Europe/Berlin": 14, "Asia/Tokyo": 21} {
		zone, err := ParseZone(name)
		if err != nil || at.In(zone).Hour() != hour {
			t.Errorf("%q: got zone %v (error %v), want one with local hour %d", name, zone, err, hour)
		}
	}
	for _, name := range []string{"Berlin", "CET", "+2", "+25:00", "../zones.go", "Europe"} {
		if zone, err := ParseZone(name); err == nil {
			t.Errorf("ParseZone(%q): got %v, want an error", name, zone)
		}
	}
}
