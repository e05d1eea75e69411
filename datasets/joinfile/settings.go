package joinfile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
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

// NamesMapping converts text in the format of ParseNames to a YAML mapping.
func NamesMapping(text string) (string, error) {
	names, err := ParseNames(text)
	var entries []string
	for _, canonical := range slices.Sorted(maps.Keys(names)) {
		entries = append(entries, strconv.Quote(canonical)+": "+strconv.Quote(names[canonical]))
	}
	return "{" + strings.Join(entries, ", ") + "}", err
}

// ParseNames reads a list of column names such as time=joined_at,latitude=y. In each pair, the
// first name is mmsim's name of a column and the second is the name in the file.
func ParseNames(text string) (map[string]string, error) {
	names := make(map[string]string)
	for pair := range strings.SplitSeq(text, ",") {
		canonical, inFile, ok := strings.Cut(pair, "=")
		canonical, inFile = strings.TrimSpace(canonical), strings.TrimSpace(inFile)
		if _, twice := names[canonical]; !ok || canonical == "" || inFile == "" || twice {
			return nil, fmt.Errorf("%s: expected pairs of a column and its name in the file, such as time=joined_at,latitude=y", tables.Quoted(text))
		}
		names[canonical] = inFile
	}
	return names, nil
}
