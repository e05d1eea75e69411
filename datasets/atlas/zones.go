package atlas

import (
	"archive/zip"
	"bytes"
	_ "embed" // of the data
	"io/fs"
	"sync"
	"time"
)

//go:embed data/zones.zip
var zonesZIP []byte

var zones = sync.OnceValue(func() *zip.Reader {
	r, err := zip.NewReader(bytes.NewReader(zonesZIP), int64(len(zonesZIP)))
	if err != nil {
		panic(err) // embedded and tested
	}
	return r
})

// Zone returns a time zone of the embedded database, which has all those of
// the embedded cities. time.LoadLocation would ask the machine first, and two
// machines that disagree about summer time would disagree about the day.
func Zone(name string) *time.Location {
	zone, ok := FindZone(name)
	if !ok {
		panic("atlas: no time zone " + name) // those of the cities are embedded and tested
	}
	return zone
}

// FindZone returns a time zone of the embedded database, if it has that one.
func FindZone(name string) (*time.Location, bool) {
	content, err := fs.ReadFile(zones(), name)
	if err != nil {
		return nil, false
	}
	zone, err := time.LoadLocationFromTZData(name, content)
	return zone, err == nil
}
