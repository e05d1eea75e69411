package atlas

import (
	"archive/zip"
	_ "embed"
	"io/fs"
	"strings"
	"sync"
	"time"
)

//go:embed data/zones.zip
var zonesZIP string

var zones = sync.OnceValue(func() *zip.Reader {
	r, err := zip.NewReader(strings.NewReader(zonesZIP), int64(len(zonesZIP)))
	if err != nil {
		panic(err) // cannot happen: tests have checked the embedded data
	}
	return r
})

// Zone returns a time zone of the embedded database, which contains the zones of all embedded
// cities. It panics if there is no such zone. time.LoadLocation is not used, because it prefers the
// machine's own database. Results would then differ between machines with different summer time
// rules.
func Zone(name string) *time.Location {
	zone, ok := FindZone(name)
	if !ok {
		panic("atlas: no time zone " + name) // tests have checked the zones of all cities
	}
	return zone
}

// FindZone returns a time zone of the embedded database. It returns false if there is none with
// that name.
func FindZone(name string) (*time.Location, bool) {
	content, err := fs.ReadFile(zones(), name)
	if err != nil {
		return nil, false
	}
	zone, err := time.LoadLocationFromTZData(name, content)
	return zone, err == nil
}
