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

// Zone returns a time zone of the embedded database, which has the zones of all embedded
// cities. time.LoadLocation would use the machine's database first, and results would
// differ between machines with different rules for summer time.
func Zone(name string) *time.Location {
	zone, ok := FindZone(name)
	if !ok {
		panic("atlas: no time zone " + name) // the zones of the cities are embedded and tested
	}
	return zone
}

// FindZone returns a time zone of the embedded database, or false if it has none of that
// name.
func FindZone(name string) (*time.Location, bool) {
	content, err := fs.ReadFile(zones(), name)
	if err != nil {
		return nil, false
	}
	zone, err := time.LoadLocationFromTZData(name, content)
	return zone, err == nil
}
