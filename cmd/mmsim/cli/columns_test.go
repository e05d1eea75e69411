package cli

import (
	"maps"
	"testing"
)

func TestParseNames(t *testing.T) {
	names, err := ParseNames("time=joined at, latitude = geo.lat,rtt:paris=ping=fra")
	want := map[string]string{"time": "joined at", "latitude": "geo.lat", "rtt:paris": "ping=fra"}
	if err != nil || !maps.Equal(names, want) {
		t.Errorf("got names %v (error %v), want %v", names, err, want)
	}
	if text, _ := namesMapping("time=a\"b,latitude=y"); text != `{"latitude": "y", "time": "a\"b"}` {
		t.Errorf("got mapping %s, want {\"latitude\": \"y\", \"time\": \"a\\\"b\"}", text)
	}
	for _, text := range []string{"", "time", "time=", "=x", "time=a,time=b", "time=a,"} {
		if names, err := ParseNames(text); err == nil {
			t.Errorf("ParseNames(%q): got %v, want an error", text, names)
		}
	}
}
