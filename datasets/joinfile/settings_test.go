package joinfile

import (
	"maps"
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

func TestParseNames(t *testing.T) {
	names, err := ParseNames("time=joined at, latitude = geo.lat,rtt:paris=ping=fra")
	want := map[string]string{"time": "joined at", "latitude": "geo.lat", "rtt:paris": "ping=fra"}
	if err != nil || !maps.Equal(names, want) {
		t.Errorf("got names %v (error %v), want %v", names, err, want)
	}
	if text, _ := NamesMapping("time=a\"b,latitude=y"); text != `{"latitude": "y", "time": "a\"b"}` {
		t.Errorf("got mapping %s, want {\"latitude\": \"y\", \"time\": \"a\\\"b\"}", text)
	}
	for _, text := range []string{"", "time", "time=", "=x", "time=a,time=b", "time=a,"} {
		if names, err := ParseNames(text); err == nil {
			t.Errorf("ParseNames(%q): got %v, want an error", text, names)
		}
	}
}
