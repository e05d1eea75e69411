package calibrate_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/commandtest"
)

// galleryTruth is what the log of the gallery's project was simulated with. The project's configuration
// has the same rules and datacenters, but knows neither these settings nor the outage.
const galleryTruth = `seed: 7
dataset: {builtin: {preset: eu, joins: 1400, date: 2026-03-13}}
datacenters: {file: "aws:eu-central-1,eu-north-1,eu-south-2,eu-west-1"}
rules: queue.json
clock: {warmup: 0s, duration: 48h}
players:
  play_again: 0.68
  between_matches: 50s
  give_up_after: 3m
  patience: {10s: 4%, 30s: 15%, 60s: 27%, 120s: 45%}
  attributes: {mmr: {normal: {mean: 1500, sd: 300, min: 0, max: 3000}}}
match: {length: {mean: 9m, sd: 2m}}
events: [{outage: [eu-central-1], day: 2, at: "18:00", for: 3h}]
`

// TestGalleryLog checks that the log of the gallery's project is what the simulator makes of galleryTruth:
// from 22:00 UTC of the first day, in the time of Berlin, and with the ends of 1.5 % of the tickets lost.
// MMSIM_UPDATE=1 writes it.
func TestGalleryLog(t *testing.T) {
	project := filepath.Join("..", "gallery", "calibrate")
	folder := t.TempDir()
	commandtest.Put(t, folder, map[string]string{"truth.yaml": galleryTruth, "queue.json": commandtest.Read(t, filepath.Join(project, "queue.json"))})
	run(t, "run", "--config", filepath.Join(folder, "truth.yaml"), "--records", "csv", "--out", filepath.Join(folder, "run"), "--set", "output.plots=false", "--set", "output.html=false", "--quiet")
	want := galleryLog(t, recordsIn(t, filepath.Join(folder, "run")))
	name := filepath.Join(project, "tickets.csv.gz")
	if os.Getenv("MMSIM_UPDATE") != "" {
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err == nil {
			_, err = io.WriteString(w, want)
		}
		if err == nil {
			err = w.Close()
		}
		if err == nil {
			err = os.WriteFile(name, packed.Bytes(), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	packed, err := gzip.NewReader(strings.NewReader(commandtest.Read(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(packed); err != nil || string(got) != want {
		t.Errorf("error %v: %s differs from what the simulator makes; MMSIM_UPDATE=1 writes it again", err, name)
	}
}

// galleryLog returns records as the matchmaker of an invented game logs them.
func galleryLog(t *testing.T, records []map[string]string) string {
	zone := time.FixedZone("Berlin in winter", 3600)
	midnight := time.Date(2026, time.March, 13, 0, 0, 0, 0, time.UTC)
	local := func(seconds float64) string {
		return midnight.Add(time.Duration(math.Round(1000*seconds)) * time.Millisecond).In(zone).Format("2006-01-02 15:04:05.000")
	}
	number := func(text string) float64 {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	const start = 22 * 3600
	slices.SortStableFunc(records, func(a, b map[string]string) int { return cmp.Compare(number(a["began_s"]), number(b["began_s"])) })
	draws := rand.New(rand.NewPCG(7, 36))
	var b strings.Builder
	b.WriteString("requested_at,result,finished_at,region,match,match_over,ticket,user,rating,lat,lon\n")
	for i, r := range records {
		began := number(r["began_s"])
		if began < start {
			continue
		}
		ended, length := began+number(r["wait_s"]), 0.0
		cells := []string{local(began), "", "", "", "", ""}
		switch r["end"] {
		case "matched":
			length = number(r["length_s"])
			cells = []string{local(began), "ok", local(ended), r["datacenter"], "m" + r["match_id"], local(ended + length)}
		case "cancelled":
			cells[1], cells[2] = "quit", local(ended)
		case "expired":
			cells[1], cells[2] = "timeout", local(ended)
		}
		if draws.Float64() < 0.015 {
			cells = []string{local(began), "", "", "", "", ""}
		}
		fmt.Fprintf(&b, "%s,t%d,u%s,%.0f,%s,%s\n", strings.Join(cells, ","), i, r["player_id"], number(r["mmr"]), r["latitude"], r["longitude"])
	}
	return b.String()
}
