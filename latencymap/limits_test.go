package latencymap

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// unopened is a folder that fails the test if one of its files is opened.
type unopened struct {
	fstest.MapFS
	t *testing.T
}

func (u unopened) Open(name string) (fs.File, error) {
	if name != "." {
		u.t.Errorf("%s was opened", name)
	}
	return u.MapFS.Open(name)
}

// Open reads only maps of the given datacenters, even if the folder contains other files.
func TestOpenReadsOnlyNeededFiles(t *testing.T) {
	folder := unopened{fstest.MapFS{"latency_berlin.bin": {Mode: fs.ModeNamedPipe}, "latency_notes": {}, "x": {Mode: fs.ModeDevice}}, t}
	set, err := Open(folder, "maps", []Datacenter{london}, Options{Fallback: Line})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"latency_berlin.bin", "latency_notes"}, set.Stray()); diff != "" || len(set.Files()) != 0 {
		t.Errorf("Stray (-want +got): %s; got files read %v, want none", diff, set.Files())
	}
}

func TestFiles(t *testing.T) {
	set := mustOpen(t, fstest.MapFS{"latency_sydney.bin": {Data: binOf(t, nil)}, "latency_london.bin": {Data: binOf(t, nil)},
		"latency_berlin.bin": {}}, []Datacenter{sydney, london, tokyo}, Options{Fallback: Line})
	if diff := cmp.Diff([]string{"latency_london.bin", "latency_sydney.bin"}, set.Files()); diff != "" {
		t.Error(diff)
	}
}

func TestReadMapsLimit(t *testing.T) {
	maps := fstest.MapFS{}
	for i := range MaxMaps + 1 {
		maps[fmt.Sprintf("latency_%d.bin", i)] = &fstest.MapFile{}
	}
	_, err := ReadMaps(unopened{maps, t}, "maps")
	if want := "maps: 1025 latency maps, expected at most 1024 (MaxMaps)"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// A file of blank lines is refused long before its end.
func TestSamplesLimitBlankLines(t *testing.T) {
	const head = "datacenter,latitude,longitude,rtt_ms\nlondon,50,1,20\n"
	b := mustBuilder(t, BuildOptions{MaxBadRows: 1e9})
	err := b.Read(strings.NewReader(head+strings.Repeat("\n", 2*MaxBlankLines)), "x.csv")
	if want := "x.csv:10003: more than 10000 consecutive blank lines (MaxBlankLines), expected rows"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
	if err := b.Read(strings.NewReader(head+strings.Repeat("\r\n", MaxBlankLines)+"london,50,1,20\n"), "x.csv"); err != nil {
		t.Error(err)
	}
}
