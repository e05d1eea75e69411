package experiment

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"mmsim/cmd/mmsim/config"
	"mmsim/datasets"
	"mmsim/latencymap"
)

// A few datacenters without a map have a warning each; many share a line.
func TestMissingMapWarnings(t *testing.T) {
	var grid bytes.Buffer
	if err := latencymap.WriteBin(&grid, new(latencymap.Grid)); err != nil {
		t.Fatal(err)
	}
	for without, want := range map[int]int{0: 0, 5: 5, 6: 1} {
		maps := fstest.MapFS{"latency_there.bin": {Data: grid.Bytes()}}
		sites := []latencymap.Datacenter{{Name: "there"}}
		for i := range without {
			sites = append(sites, latencymap.Datacenter{Name: fmt.Sprint("gone", i)})
		}
		set, err := latencymap.Open(maps, "maps", sites, latencymap.Options{Fallback: latencymap.Line})
		if err != nil {
			t.Fatal(err)
		}
		in := NewInputs(config.Default())
		in.Latency, in.Datacenters = set, make([]datasets.Datacenter, len(sites))
		warnings := in.LatencyWarnings(nil)
		all := strings.Join(warnings, "\n")
		if len(warnings) != want || strings.Count(all, "gone") != without {
			t.Errorf("%d without a map: %q", without, warnings)
		}
	}
}
