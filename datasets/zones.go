package datasets

import (
	"archive/zip"
	"bytes"
	_ "embed" // of the data
	"io"
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

// loadZone returns a time zone of the embedded database. time.LoadLocation
// would ask the machine first, and two machines that disagree about summer time
// would disagree about the day.
func loadZone(name string) (*time.Location, error) {
	file, err := zones().Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	return time.LoadLocationFromTZData(name, content)
}
