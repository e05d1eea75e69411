package experiment

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"

	"mmsim/cmd/mmsim/config"
)

// writeDatabase writes a database in which 203.0.113.0/24 is at a latitude.
func writeDatabase(t *testing.T, file string, latitude float64) {
	t.Helper()
	w, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "Test", RecordSize: 24, IncludeReservedNetworks: true, BuildEpoch: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, network, err := net.ParseCIDR("203.0.113.0/24")
	if err != nil {
		t.Fatal(err)
	}
	record := mmdbtype.Map{"location": mmdbtype.Map{"latitude": mmdbtype.Float64(latitude), "longitude": mmdbtype.Float64(9)}}
	if err := w.Insert(network, record); err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	if _, err := w.WriteTo(&content); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The database of IP addresses is an input: its content, not its name, is part of a job's hash.
func TestGeoIPIsAnInput(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	if err := os.WriteFile(in("day.csv"), []byte("time,ip\n1,203.0.113.9\n2,203.0.113.10\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	writeDatabase(t, in("a.mmdb"), 51)
	writeDatabase(t, in("same.mmdb"), 51)
	writeDatabase(t, in("other.mmdb"), 52)
	load := func(database string) (*Inputs, error) {
		c := config.Default()
		c.Dataset.File, c.Dataset.GeoIP = in("day.csv"), in(database)
		return Load(c, NewCache(1))
	}
	hashes := map[string]string{}
	for _, name := range []string{"a.mmdb", "same.mmdb", "other.mmdb"} {
		inputs, err := load(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := inputs.Day.Places[0].Lat(), map[bool]float64{false: 51, true: 52}[name == "other.mmdb"]; got != want {
			t.Errorf("%s: got latitude %v, want %v", name, got, want)
		}
		if hashes[name], err = inputs.JobHash(0); err != nil {
			t.Fatal(err)
		}
	}
	if hashes["a.mmdb"] != hashes["same.mmdb"] || hashes["a.mmdb"] == hashes["other.mmdb"] {
		t.Errorf("got hashes %v, want one for each content", hashes)
	}
	if _, err := load("day.csv"); err == nil || !strings.Contains(err.Error(), "day.csv: not a database of IP addresses") {
		t.Errorf("got error %v", err)
	}
	if _, err := load("missing.mmdb"); err == nil || !strings.Contains(err.Error(), "missing.mmdb: no such file") {
		t.Errorf("got error %v", err)
	}
}
