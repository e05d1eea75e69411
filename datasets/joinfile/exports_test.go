package joinfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mmsim/datasets"
)

// The folder testdata/exports has the same eight joins as many programs export them. Every file is in
// the following table. It is either read, and then gives the same day as all others, or refused with
// the place and the cure. A new habit needs a file and a line.

// exported are the joins of all exports, on 2026-03-14. Positions are in hundredths of a degree,
// rounded down.
var exported = []string{
	"00:00:04 4052 -7381 p1 1500 na-2",
	"00:00:04 -3460 -5838 p2 NaN sa-1",
	"00:17:30 4885 235 p3 1420.5 eu-1",
	"06:02:09 5252 1340 p4 980 eu-1",
	"12:00:00 3568 13969 p5 2010 ",
	"12:34:56 -3387 15121 p6 1333 ap-1",
	"18:45:01 5575 3762 p7 1200 eu-1",
	"23:59:59 1943 -9913 p1 1510 na-2",
}

// An export is how to read a file in testdata/exports, and what must come of it.
type export struct {
	file    string
	options Options
	times   string // Day.Times
	undated bool   // the file has only times of day
	left    leftOut
	warning string // the only warning, if not ""
	err     string // the error, if not ""
}

// leftOut says what a file leaves out of the joins.
type leftOut struct {
	seconds bool // the seconds
	columns bool // the attributes
}

// nested names the columns of a nested object.
func nested(names ...string) Options {
	o := Options{Names: map[string]string{}}
	for i := 0; i < len(names); i += 2 {
		o.Names[names[i]] = names[i+1]
	}
	return o
}

const (
	dates      = "dates with times"
	serial     = "Excel's serial dates"
	index      = "the first column has no name and is left out, like the index that pandas writes"
	noSeconds  = "some times have no seconds: all joins of such a minute are at its beginning; export times with seconds"
	dayIsFirst = "dates with the day first"
	slashedDay = `dates with the day first, as line 2 shows ("14/03/2026 00:00:04")`
)

var exports = []export{
	// Databases
	{file: "postgres-copy.tsv", times: dates},
	{file: "postgres.csv", times: dates},
	{file: "postgres-psql.txt", err: `postgres-psql.txt:1:1: the columns of "          time          | latitude | lon"… are separated by "|": expected commas, tabs or semicolons`},
	{file: "mysql-batch.tsv", err: `mysql-batch.tsv:3:37: "NULL" in column "mmr": expected a number, or an empty cell for a missing value`},
	{file: "mysql-dump.tsv", err: `mysql-dump.tsv:1:34: 6 columns in "2026-03-14 00:00:04\t40.52\t-73.81\tp1\t1500"…: expected 3 (HH:MM:SS,lat,long), or more after a header that names them`},
	{file: "mysql-outfile.csv", times: dates},
	{file: "bigquery.csv", times: dates},
	{file: "bigquery-micros.csv", times: dates},
	{file: "bigquery.jsonl", times: dates},
	{file: "snowflake.csv", times: dates},
	{file: "snowflake.jsonl", times: dates},
	{file: "clickhouse.csv", times: dates},
	{file: "clickhouse.tsv", times: dates},
	{file: "clickhouse.jsonl", times: dates},
	{file: "clickhouse-compact.jsonl", err: `clickhouse-compact.jsonl:1:2: "\"2026-03-14 00:00:04\"" is no object: expected JSON lines or an array, with an object with time, latitude and longitude for each join`},
	{file: "clickhouse.json", err: "clickhouse.json:1:2: the object does not end in its line: expected JSON lines (an object in each line) or an array of objects; jq -c . makes JSON lines"},
	{file: "duckdb.csv", times: dates},
	{file: "duckdb.json", times: dates},
	{file: "duckdb.jsonl", times: dates},
	{file: "duckdb.parquet", times: dates},
	{file: "duckdb-lz4.parquet", times: dates},
	{file: "duckdb-zstd.parquet", times: dates},
	{file: "mongoexport.jsonl", times: dates, options: nested("time", "time.$date", "latitude", "loc.lat", "longitude", "loc.lng")},

	// Spreadsheets
	{file: "excel-serial.csv", times: serial},
	{file: "excel-general.csv", times: serial},
	{file: "excel-serial-de.csv", times: serial},
	{file: "excel-fraction.csv", times: "Excel's fractions of a day", undated: true},
	{file: "excel-time.csv", times: "times of day", undated: true},
	{file: "excel-us.csv", times: `dates with the month first, as line 2 shows ("3/14/2026 12:00:04 AM")`},
	{file: "excel-minutes.csv", times: `dates with the month first, as line 2 shows ("3/14/2026 12:00 AM")`, left: leftOut{seconds: true}, warning: noSeconds},
	{file: "excel-minutes-gb.csv", times: `dates with the day first, as line 2 shows ("14/03/2026 00:00")`, left: leftOut{seconds: true}, warning: noSeconds},
	{file: "excel-minutes-iso.csv", times: dates, left: leftOut{seconds: true}, warning: noSeconds},
	{file: "minutes-offset.csv", times: dates, left: leftOut{seconds: true}, warning: noSeconds},
	{file: "excel-de.csv", times: dayIsFirst},
	{file: "excel.xlsx", err: "excel.xlsx:1:1: the file is a zip archive: expected CSV in UTF-8, plain or compressed with gzip or zstd"},
	{file: "excel-unicode.txt", err: "excel-unicode.txt:1:1: the file is UTF-16 text: expected CSV in UTF-8, plain or compressed with gzip or zstd"},
	{file: "sheets-gb.csv", times: slashedDay},
	{file: "sheets-us.csv", times: `dates with the month first, as line 2 shows ("3/14/2026 0:00:04")`},
	{file: "sheets-jp.csv", times: "dates with the year first"},
	{file: "sheets-open.csv", err: `sheets-open.csv:2:1: time "3/4/2026 00:00:04" may have the day or the month first, and no date of the file has a number above 12 that would tell: ` +
		"expected dataset.time_format (--time-format) day/month or month/day"},
	{file: "sheets-mixed.csv", err: `sheets-mixed.csv:6:1: time "3/14/2026 12:00:00" has the month first, but line 2 ("14/03/2026 00:00:04") has the day first: ` +
		"expected one order in the whole file, or dates such as 2026-03-14"},
	{file: "libreoffice.csv", times: dates},
	{file: "libreoffice-quoted.csv", times: dayIsFirst},
	{file: "libreoffice-time.csv", times: "times of day", undated: true},

	// Telemetry
	{file: "telemetry-millis.jsonl", times: "milliseconds since 1970"},
	{file: "telemetry-micros.jsonl", times: "microseconds since 1970"},
	{file: "telemetry-nanos.jsonl", times: "nanoseconds since 1970"},
	{file: "telemetry-nested.json", times: dates, options: nested("latitude", "location.lat", "longitude", "location.lon", "player_id", "player.id")},
	{file: "playfab.jsonl", times: dates, options: nested("latitude", "Location.Latitude", "longitude", "Location.Longitude")},
	{file: "unity.csv", times: dates, options: nested("time", "eventTimestamp", "latitude", "userLatitude", "longitude", "userLongitude")},
	{file: "log-seconds.csv", times: "seconds since midnight", undated: true, left: leftOut{columns: true}},

	// Data frames
	{file: "pandas.csv", times: dates, warning: index},
	{file: "pandas-epoch.csv", times: "seconds since 1970", warning: index},
	{file: "pandas-records.json", times: "milliseconds since 1970"},
	{file: "pandas-lines.json", times: dates},
	{file: "pandas-columns.json", err: `pandas-columns.json:1:1: column "time" is missing among time.0, time.1, `},
	{file: "r.csv", err: `r.csv:3:45: "NA" in column "mmr": expected a number, or an empty cell for a missing value`},
}

// wanted returns the joins that an export must give. They have whole seconds.
func (e *export) wanted() (list []string) {
	for _, text := range exported {
		fields := strings.Split(text, " ")
		at, err := time.Parse(time.TimeOnly, fields[0])
		if err != nil {
			panic(err)
		}
		if e.left.seconds {
			at = at.Truncate(time.Minute)
		}
		attributes := strings.Join(fields[3:], " ")
		if e.left.columns {
			attributes = ""
		}
		list = append(list, fmt.Sprint(at.Format(time.TimeOnly), " true ", fields[1], " ", fields[2], " ", attributes))
	}
	return list
}

// got formats the joins of a day like wanted. Programs prefix or capitalise the names of attributes.
func got(day *datasets.Day) (list []string) {
	column := func(name string, row uint32) string {
		i := slices.IndexFunc(day.Columns, func(c *datasets.Column) bool {
			lower := strings.ToLower(c.Name)
			return lower == name || strings.HasSuffix(lower, "."+name)
		})
		switch {
		case i < 0:
			return "none"
		case day.Columns[i].Kind == datasets.Number:
			return fmt.Sprint(day.Columns[i].Number(row))
		}
		return day.Columns[i].Text(row)
	}
	for j := range day.Joins() {
		p := day.Places[j.Place]
		attributes := ""
		if len(day.Columns) > 0 {
			attributes = column("player_id", j.Row) + " " + column("mmr", j.Row) + " " + column("build", j.Row)
		}
		at := time.UnixMilli(int64(j.MS())).UTC().Format("15:04:05.999")
		list = append(list, fmt.Sprint(at, " ", j.WholeSecond(), " ", p.LatHundredths, " ", p.LonHundredths, " ", attributes))
	}
	return list
}

func TestExports(t *testing.T) {
	files := map[string]bool{}
	entries, err := os.ReadDir("testdata/exports")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		files[entry.Name()] = true
	}
	for _, e := range exports {
		delete(files, e.file)
		content, err := os.ReadFile(filepath.Join("testdata/exports", e.file))
		if err != nil {
			t.Error(err)
			continue
		}
		for name, packed := range compressed(string(content)) {
			if name == "gzip in parts" || name != "plain" && strings.HasSuffix(e.file, ".parquet") {
				continue
			}
			e.check(t, e.file+", "+name, packed)
		}
	}
	for file := range files {
		t.Errorf("testdata/exports/%s: not in the table exports, want every file in it", file)
	}
}

// check reads an export as a file and as a pipe.
func (e *export) check(t *testing.T, name string, content []byte) {
	day, err := Read(bytes.NewReader(content), e.file, e.options)
	if e.err != "" {
		if packed := strings.HasSuffix(name, "plain"); err == nil || packed && !strings.HasPrefix(err.Error(), e.err) {
			t.Errorf("%s: got error %v\nwant %s", name, err, e.err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(e.wanted(), got(day)); diff != "" {
		t.Errorf("%s: joins (-want +got): %s", name, diff)
	}
	if day.Times != e.times {
		t.Errorf("%s: got times %s, want %s", name, day.Times, e.times)
	}
	if want := time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC); day.Midnight.IsZero() != e.undated || !e.undated && !day.Midnight.Equal(want) {
		t.Errorf("%s: got midnight %v, want %v unless there are no dates", name, day.Midnight, want)
	}
	var warnings []string
	for _, w := range day.Warnings {
		warnings = append(warnings, w.Message)
	}
	if strings.Join(warnings, "\n") != e.warning {
		t.Errorf("%s: got warnings %q, want %q", name, warnings, e.warning)
	}
	piped, err := Read(struct{ *bytes.Buffer }{bytes.NewBuffer(content)}, e.file, e.options)
	if err != nil || piped.SHA256 != day.SHA256 || !slices.Equal(got(piped), got(day)) {
		t.Errorf("%s: got another day, or error %v, from a pipe", name, err)
	}
}

// Exports of all attributes give the same bytes when they are written, except for the names of
// attributes that a program changes.
func TestExportsGiveEqualBytes(t *testing.T) {
	written := map[string]string{}
	for _, e := range exports {
		if e.err != "" || e.left != (leftOut{}) || e.options.Names != nil || strings.HasPrefix(e.file, "snowflake") {
			continue
		}
		content, err := os.ReadFile(filepath.Join("testdata/exports", e.file))
		if err != nil {
			t.Fatal(err)
		}
		day, err := Read(bytes.NewReader(content), e.file, e.options)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := datasets.WriteDay(&out, day, datasets.Headed); err != nil {
			t.Fatal(err)
		}
		written[out.String()] += e.file + " "
	}
	if len(written) != 1 {
		t.Errorf("got %d different days, want 1: %q", len(written), written)
	}
}
