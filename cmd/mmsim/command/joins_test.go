package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"mmsim/cmd/mmsim/commandtest"
)

// playerRow is a row of a day that is written in many formats.
type playerRow struct {
	Timestamp time.Time `parquet:"Timestamp,timestamp(microsecond)"`
	Lat       float64   `parquet:"Lat"`
	Lng       float64   `parquet:"lng"`
	MMR       int64     `parquet:"mmr"`
	Maps      []string  `parquet:"maps,list"`
}

// playerRows returns a busy hour of players around three cities.
func playerRows() []playerRow {
	random := rand.New(rand.NewPCG(18, 1))
	rows := make([]playerRow, 3000)
	for i := range rows {
		city := [][2]int{{5252, 1340}, {4071, -7400}, {3568, 13969}}[random.IntN(3)]
		rows[i] = playerRow{
			Timestamp: time.Date(2026, time.March, 14, 20, 0, random.IntN(3600), 0, time.UTC),
			Lat:       float64(city[0]+random.IntN(50)) / 100, Lng: float64(city[1]+random.IntN(50)) / 100,
			MMR: 1000 + random.Int64N(1000), Maps: [][]string{{"dust"}, {"dust", "nuke"}, nil}[random.IntN(3)],
		}
	}
	rows[0].Maps = []string{"dust", "nuke"} // the first value is a list, also in CSV
	slices.SortStableFunc(rows[1:], func(a, b playerRow) int { return a.Timestamp.Compare(b.Timestamp) })
	rows[0].Timestamp = rows[1].Timestamp
	return rows
}

// joinForms writes the rows of playerRows in every format. It returns the content and the flags
// by file name.
func joinForms(t *testing.T) map[string]struct {
	content string
	flags   []string
} {
	rows := playerRows()
	text := func(separator, items, header string, at func(time.Time) string, number func(float64) string) string {
		var b strings.Builder
		b.WriteString(strings.ReplaceAll(header, ",", separator) + "\n")
		for _, r := range rows {
			b.WriteString(strings.Join([]string{at(r.Timestamp), number(r.Lat), number(r.Lng), fmt.Sprint(r.MMR), strings.Join(r.Maps, items)}, separator) + "\n")
		}
		return b.String()
	}
	in := func(layout string) func(time.Time) string {
		return func(t time.Time) string { return t.Format(layout) }
	}
	point := func(x float64) string { return fmt.Sprintf("%.2f", x) }
	comma := func(x float64) string { return strings.Replace(point(x), ".", ",", 1) }
	var lines strings.Builder
	encoder := json.NewEncoder(&lines)
	for _, r := range rows {
		if err := encoder.Encode(map[string]any{"ts": r.Timestamp.UnixMilli(), "geo": map[string]any{"lat": r.Lat, "lon": r.Lng}, "mmr": r.MMR, "maps": r.Maps}); err != nil {
			t.Fatal(err)
		}
	}
	var table bytes.Buffer
	if err := parquet.Write(&table, rows); err != nil {
		t.Fatal(err)
	}
	const names, iso = "time,latitude,longitude,mmr,maps", "2006-01-02T15:04:05"
	tokyo := time.FixedZone("", 9*3600)
	type form = struct {
		content string
		flags   []string
	}
	return map[string]form{
		"article.csv":   {text(",", ";", names, in("15:04:05"), point), nil},
		"iso.csv":       {text(",", ";", names, in(iso+"Z"), point), nil},
		"offset.csv":    {text(",", ";", names, func(t time.Time) string { return t.In(tokyo).Format(iso + "-07:00") }, point), nil},
		"script.csv":    {text(",", ";", names, in(iso+".000Z"), point), nil},
		"sql.csv":       {text(",", ";", "Timestamp,LAT,Lon,mmr,maps", in("2006-01-02 15:04:05"), point), nil},
		"epoch.csv":     {text(",", ";", "timestamp,lat,long,mmr,maps", func(t time.Time) string { return fmt.Sprint(t.Unix()) }, point), nil},
		"millis.tsv":    {text("\t", ";", "ts,lat,lng,mmr,maps", func(t time.Time) string { return fmt.Sprint(t.UnixMilli()) }, point), nil},
		"excel.csv":     {text(";", "|", names, in("2006-01-02 15:04:05"), comma), nil},
		"mapped.csv":    {text(",", ";", "joined_at,y,x,elo,maps", in(iso), point), []string{"--map", "time=joined_at,latitude=y,longitude=x,mmr=elo"}},
		"joins.jsonl":   {lines.String(), []string{"--map", "latitude=geo.lat,longitude=geo.lon"}},
		"joins.parquet": {table.String(), nil},
	}
}

// Every format of joins gives the same summary as the article's format. Only the hashes of the
// file, and of the configuration that names it, differ.
func TestFormsOfJoins(t *testing.T) {
	folder := t.TempDir()
	commandtest.Put(t, folder, map[string]string{"run.yaml": `
match: {size: 4, length: 2m}
clock: {duration: 24h, warmup: 1h}
players: {play_again: 0.3}
output: {plots: false, html: false}
`})
	hashes := regexp.MustCompile(`"(config|dataset)_sha256": "[0-9a-f]*"`)
	summary := func(file string, flags []string) string {
		out := filepath.Join(folder, "out-"+file)
		var errs bytes.Buffer
		args := append([]string{"run", "--quiet", "--config", filepath.Join(folder, "run.yaml"), "--dataset", filepath.Join(folder, file), "--out", out}, flags...)
		if code := Run(args, nil, io.Discard, &errs); code != 0 {
			t.Fatalf("%s: exit code %d: %s", file, code, &errs)
		}
		text, err := os.ReadFile(filepath.Join(out, "summary.json"))
		if err != nil {
			t.Fatal(err)
		}
		return hashes.ReplaceAllString(string(text), "")
	}
	forms := joinForms(t)
	for file, form := range forms {
		commandtest.Put(t, folder, map[string]string{file: form.content})
	}
	want := summary("article.csv", nil)
	if !strings.Contains(want, `"joins": 3000`) || !strings.Contains(want, `"mmr"`) || !strings.Contains(want, `"warnings": []`) {
		t.Fatalf("reading the first form: got %s, want 3000 joins with mmr and no warnings", want)
	}
	for file, form := range forms {
		if diff := cmp.Diff(want, summary(file, form.flags)); diff != "" {
			t.Errorf("%s: description (-want +got): %s", file, diff)
		}
	}
}
