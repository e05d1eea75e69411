package joinfile

import (
	"fmt"
	"time"

	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/tables"
)

// ZoneExpected describes the values that ParseZone accepts, for messages.
const ZoneExpected = "UTC, an offset such as +02:00, or the time zone of a city such as Europe/Berlin"

// ParseZone returns a time zone by name: UTC, a UTC offset, or the zone of an embedded city. The
// embedded zones are the same on all machines.
func ParseZone(name string) (*time.Location, error) {
	if name == "" || name == "UTC" || name == "Z" {
		return time.UTC, nil
	}
	if name[0] == '+' || name[0] == '-' {
		if ms, _, ok := parseOffset([]byte(name)); ok {
			return time.FixedZone(name, int(ms/1000)), nil
		}
	} else if zone, ok := atlas.FindZone(name); ok {
		return zone, nil
	}
	return nil, fmt.Errorf("time zone %s: expected %s", tables.Quoted(name), ZoneExpected)
}
