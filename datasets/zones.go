package datasets

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

// loadZone returns a time zone of the embedded database, which has all those of
// the embedded cities. time.LoadLocation would ask the machine first, and two
// machines that disagree about summer time would disagree about the day.
func loadZone(name string) *time.Location {
	content, err := fs.ReadFile(zones(), name)
	if err != nil {
		panic(err) // embedded and tested
	}
	zone, err := time.LoadLocationFromTZData(name, content)
	if err != nil {
		panic(err)
	}
	return zone
}
