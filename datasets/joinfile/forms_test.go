package joinfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/tables"
)

// join is a row of the test day, which the tests below write in every format.
type join struct {
	second   int
	lat, lon string
	country  string
	mmr      string
	maps     []string
	rtt      string
	party    string
}

var formDay = []join{
	{0, "52.52", "13.4", "DE", "1500", []string{"dust", "nuke"}, "", ""},
	{1, "-0.005", "179.99", "", "", nil, "12.5", "p"},
	{1, "48.85", "2.35", "FR", "-20.25", []string{"dust", "inferno", "nuke"}, "7", "p"},
	{43_200, "40.71", "-74", "US", "1e3", []string{"dust", "nuke"}, "", ""},
	{86_399, "52.52", "13.4", "DE", "0.5", nil, "", "q"},
}

// formDate is the date of the day in formats with a date, in UTC.
var formDate = time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC)

func (j join) at() time.Time { return formDate.Add(time.Duration(j.second) * time.Second) }

// delimited returns the day with a header. clock formats times and number formats numbers.
func delimited(header, separator, items string, clock func(join) string, number func(string) string) string {
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(header, ",", separator) + "\n")
	for _, j := range formDay {
		cells := []string{clock(j), number(j.lat), number(j.lon), j.country, number(j.mmr), strings.Join(j.maps, items), number(j.rtt), j.party}
		b.WriteString(strings.Join(cells, separator) + "\n")
	}
	return b.String()
}

func layout(form string) func(join) string {
	return func(j join) string { return j.at().Format(form) }
}

func asIs(s string) string  { return s }
func comma(s string) string { return strings.Replace(s, ".", ",", 1) }

const formHeader = "time,latitude,longitude,country,mmr,maps,rtt:paris,party_id"

// jsonDay returns the day as JSON lines. Members without a value are null or absent.
func jsonDay(at func(join) any) string {
	var b strings.Builder
	for i, j := range formDay {
		row := map[string]any{"timestamp": at(j), "location": map[string]any{"lat": json.Number(j.lat), "lon": json.Number(j.lon)}}
		if j.country != "" || i > 2 {
			row["country"] = j.country
		}
		if j.mmr != "" {
			row["mmr"] = json.Number(j.mmr)
		}
		row["maps"] = j.maps
		if j.rtt != "" {
			row["rtt:paris"] = json.Number(j.rtt)
		}
		if j.party != "" {
			row["party_id"] = j.party
		}
		line, err := json.Marshal(row)
		if err != nil {
			panic(err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// parquetDay returns the day as Parquet, with a time column of the given type.
func parquetDay(kind parquet.Node, at func(join) any) string {
	optional := func(n parquet.Node) parquet.Node { return parquet.Optional(n) }
	schema := parquet.NewSchema("joins", parquet.Group{
		"timestamp": kind,
		"Lat":       parquet.Leaf(parquet.DoubleType), "Lng": parquet.Decimal(6, 18, parquet.Int64Type),
		"country": optional(parquet.String()), "mmr": optional(parquet.Leaf(parquet.FloatType)),
		"maps": parquet.Optional(parquet.List(parquet.String())), "rtt:paris": optional(parquet.Leaf(parquet.DoubleType)),
		"party_id": optional(parquet.String()),
	})
	var b bytes.Buffer
	w := parquet.NewGenericWriter[any](&b, schema, parquet.Compression(&parquet.Zstd))
	number := func(s string) float64 {
		var x float64
		fmt.Sscan(s, &x)
		return x
	}
	for _, j := range formDay {
		row := parquet.Row{}
		for _, path := range schema.Columns() {
			leaf, _ := schema.Lookup(path...)
			value, present := any(nil), leaf.MaxDefinitionLevel
			switch path[0] {
			case "timestamp":
				value = at(j)
			case "Lat":
				value = number(j.lat)
			case "Lng":
				value = int64(number(j.lon) * 1e6)
			case "country":
				value = j.country
			case "mmr":
				value = float32(number(j.mmr))
				if j.mmr == "" {
					value = ""
				}
			case "rtt:paris":
				value = number(j.rtt)
				if j.rtt == "" {
					value = ""
				}
			case "party_id":
				value = j.party
			case "maps":
				for i, item := range j.maps {
					row = append(row, parquet.ValueOf(item).Level(min(i, 1), present, leaf.ColumnIndex))
				}
				if j.maps == nil {
					row = append(row, parquet.NullValue().Level(0, 0, leaf.ColumnIndex))
				}
				continue
			}
			if value == "" {
				row = append(row, parquet.NullValue().Level(0, 0, leaf.ColumnIndex))
			} else {
				row = append(row, parquet.ValueOf(value).Level(0, present, leaf.ColumnIndex))
			}
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// forms returns the same day in every format.
func forms() map[string]string {
	iso := "2006-01-02T15:04:05"
	clockOf := func(j join) string { return j.at().Format("15:04:05") }
	text := func(form string) func(join) any {
		return func(j join) any { return j.at().Format(form) }
	}
	return map[string]string{
		"article's times":      delimited(formHeader, ",", ";", clockOf, asIs),
		"seconds":              delimited(formHeader, ",", ";", func(j join) string { return fmt.Sprint(j.second) }, asIs),
		"ISO 8601 with Z":      delimited(formHeader, ",", ";", layout(iso+"Z"), asIs),
		"ISO 8601":             delimited(formHeader, ",", ";", layout(iso), asIs),
		"ISO 8601 with offset": delimited(formHeader, ",", ";", func(j join) string { return j.at().In(time.FixedZone("", 19_800)).Format(iso + "-07:00") }, asIs),
		"JavaScript":           delimited(formHeader, ",", ";", layout(iso+".000Z"), asIs),
		"SQL":                  delimited(formHeader, ",", ";", layout("2006-01-02 15:04:05"), asIs),
		"Postgres":             delimited(formHeader, ",", ";", layout("2006-01-02 15:04:05.000000+00"), asIs),
		"epoch s":              delimited(formHeader, ",", ";", func(j join) string { return fmt.Sprint(j.at().Unix()) }, asIs),
		"epoch ms":             delimited(formHeader, ",", ";", func(j join) string { return fmt.Sprint(j.at().UnixMilli()) }, asIs),
		"other names":          delimited("Timestamp,LAT,Lng,Country,mmr,maps,RTT:paris,Party-ID", ",", ";", clockOf, asIs),
		"tabs":                 delimited(formHeader, "\t", ";", clockOf, asIs),
		"semicolons":           delimited(formHeader, ";", "|", layout("2006-01-02 15:04:05,000"), comma),
		"semicolons, points":   delimited(formHeader, ";", "|", clockOf, asIs),
		"JSON lines":           jsonDay(text(iso + "Z")),
		"JSON lines, epoch s":  jsonDay(func(j join) any { return j.at().Unix() }),
		"JSON lines, seconds":  jsonDay(func(j join) any { return j.second }),
		"Parquet, text":        parquetDay(parquet.String(), text(iso)),
		"Parquet, ms":          parquetDay(parquet.Timestamp(parquet.Millisecond), func(j join) any { return j.at().UnixMilli() }),
		"Parquet, µs":          parquetDay(parquet.Timestamp(parquet.Microsecond), func(j join) any { return j.at().UnixMicro() }),
		"Parquet, ns, local":   parquetDay(parquet.TimestampAdjusted(parquet.Nanosecond, false), func(j join) any { return j.at().UnixNano() }),
		"Parquet, time of day": parquetDay(parquet.Time(parquet.Millisecond), func(j join) any { return int32(j.second) * 1000 }),
		"Parquet, epoch s":     parquetDay(parquet.Leaf(parquet.Int64Type), func(j join) any { return j.at().Unix() }),
	}
}

// everything formats all data of a day that a simulation can use.
func everything(d *datasets.Day) []string {
	all := append(lines(d), fmt.Sprint(d.Days(), d.PartySizes(), d.Datacenters, d.Warnings, d.BadRows))
	columns := slices.Clone(d.Columns)
	slices.SortFunc(columns, func(a, b *datasets.Column) int { return strings.Compare(a.Name, b.Name) }) // the columns of a Parquet group are sorted
	for _, c := range columns {
		all = append(all, fmt.Sprint(c.Name, c.Kind, c.Numbers, c.Texts, c.Dictionary, c.Lists))
	}
	for i, p := range d.Places {
		all = append(all, fmt.Sprint(p.Country, p.Continent, d.Measured(uint32(i))))
	}
	return all
}

func TestFormsGiveEqualDays(t *testing.T) {
	o := Options{
		Datacenters: []string{"london", "paris"}, Expected: map[string]datasets.Kind{"maps": datasets.List},
		Names: map[string]string{},
	}
	all := forms()
	want := everything(read(t, all["article's times"], o))
	if want[0] != "row 0 at 0 ms, whole true, 5252 1340" || want[1] != "row 1 at 1000 ms, whole true, -1 17999" {
		t.Fatalf("reading the article's form: got %q, want other rows in the first two lines", want)
	}
	for name, content := range all {
		t.Run(name, func(t *testing.T) {
			o := o
			if strings.HasPrefix(name, "JSON") {
				o.Names = map[string]string{"latitude": "location.lat", "longitude": "location.lon"}
			}
			if diff := cmp.Diff(want, everything(read(t, content, o))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The article's format also works with other separators.
func TestWithoutHeader(t *testing.T) {
	want := lines(read(t, "00:00:00,40.52,-73.81\n00:00:01.5,-34.6,-58.38\n", Options{}))
	for _, content := range []string{
		"00:00:00\t40.52\t-73.81\n00:00:01.5\t-34.6\t-58.38\n",
		"00:00:00;40,52;-73,81\n00:00:01,5;-34,6;-58,38\n",
		"2026-03-14 00:00:00;40,52;-73,81\r\n2026-03-14 00:00:01,5;-34,6;-58,38\r\n",
		"00:00:00,\t40.52,-73.81\n1.5,-34.6,-58.38\n",
		"1773446400,40.52,-73.81\n1773446401.5,-34.6,-58.38\n",
	} {
		if diff := cmp.Diff(want, lines(read(t, content, Options{}))); diff != "" {
			t.Errorf("%q (-want +got): %s", content, diff)
		}
	}
}

func TestNamesOfColumns(t *testing.T) {
	want := "row 0 at 3000 ms, whole true, 100 200"
	for content, names := range map[string]map[string]string{
		"joined_at,y,x\n3,1,2\n":                        {"time": "joined_at", "latitude": "y", "longitude": "x"},
		"time,latitude,lat,lon\n3,9,1,2\n":              {"latitude": "lat", "longitude": "lon"}, // the other latitude column is an attribute
		"time,timestamp,lat,lon\n3,9,1,2\n":             nil,                                     // time is mmsim's own name
		"timestamp,time,lat,lon\n9,3,1,2\n":             nil,
		"x;joined_at;y\n2,00;3;1,00\n":                  {"time": "joined_at", "latitude": "y", "longitude": "x"},
		"{\"joined_at\":3,\"y\":1,\"x\":2}\n":           {"time": "joined_at", "latitude": "y", "longitude": "x"},
		"{\"at\":{\"y\":1,\"x\":2},\"t\":\"00:00:03\"}": {"time": "t", "latitude": "at.y", "longitude": "at.x"},
	} {
		day, err := Read(strings.NewReader(content), "day.csv", Options{Names: names})
		if err != nil {
			t.Errorf("%q: %v", content, err)
		} else if got := lines(day); len(got) != 1 || got[0] != want {
			t.Errorf("%q: got %q, want %s", content, got, want)
		}
	}
	for _, test := range []struct {
		content string
		names   map[string]string
		want    string
	}{
		{"a,b,c\n3,1,2\n", map[string]string{"time": "d"}, `day.csv:1:1: "a,b,c" names no column time`},
		{"time,lat,lon\n3,1,2\n", map[string]string{"started": "time"}, `day.csv:1:1: column "time" is missing among time, lat, lon, because dataset.map calls it "started": expected`},
		{"time,lat,lon\n3,91,2\n", nil, `day.csv:2:3: latitude "91": expected degrees from -90 to 90; are latitude and longitude swapped?`},
		{"time,b,c\n3,1,2\n", map[string]string{"latitude": "d"}, `day.csv:1:1: dataset.map says that latitude is called "d", but the file has no such column: expected one of time, b, c`},
		{"time,b,c\n3,1,2\n", map[string]string{"latitude": "b", "longitude": "b"}, `day.csv:1:1: dataset.map says that both latitude and longitude are called "b"`},
		{"3,1,2\n", map[string]string{"latitude": "b"}, `day.csv:1:1: dataset.map says that latitude is called "b"`},
		{"{\"time\":1}\n", map[string]string{"latitude": "b"}, `day.csv:1:1: column "latitude" is missing among time`},
		{"time,lat,lat.deg,lon\n3,1,2\n", nil, `day.csv:2:6: 3 columns`},
	} {
		if _, err := Read(strings.NewReader(test.content), "day.csv", Options{Names: test.names}); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: got error %v, want prefix %s", test.content, err, test.want)
		}
	}
}

const threeDays = "time,lat,lon,party_id\n" +
	"2026-03-14T22:30:00Z,1,1,p\n" + // 23:30 in Berlin
	"2026-03-14T23:30:00Z,2,2,p\n" + // 00:30 on the next day in Berlin
	"2026-03-15T22:59:59.5Z,3,3,p\n" +
	"2026-03-16T22:59:59Z,4,4,p\n"

func TestSeveralDays(t *testing.T) {
	berlin := atlas.Zone("Europe/Berlin")
	for name, test := range map[string]struct {
		o    Options
		want []string // day, ms and row
	}{
		"UTC":                {Options{}, []string{"0 81000000 0", "0 84600000 1", "1 82799500 2", "2 82799000 3"}},
		"Berlin":             {Options{Zone: berlin}, []string{"0 84600000 0", "1 1800000 1", "1 86399500 2", "2 86399000 3"}},
		"one date":           {Options{Date: time.Date(2026, time.March, 15, 0, 0, 0, 0, time.UTC)}, []string{"0 82799500 0"}},
		"one date in Berlin": {Options{Zone: berlin, Date: time.Date(2026, time.March, 15, 0, 0, 0, 0, time.UTC)}, []string{"0 1800000 0", "0 86399500 1"}},
		"merged":             {Options{Merge: true}, []string{"0 81000000 0", "0 82799000 3", "0 82799500 2", "0 84600000 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			day := read(t, threeDays, test.o)
			var got []string
			for j := range day.Joins() {
				got = append(got, fmt.Sprint(j.Day(), j.MS(), j.Row))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	day := read(t, threeDays, Options{Zone: berlin})
	if want := time.Date(2026, time.March, 14, 0, 0, 0, 0, berlin); day.Days() != 3 || !day.Midnight.Equal(want) {
		t.Errorf("got %d days from %v, want 3 from %v", day.Days(), day.Midnight, want)
	}
	if sizes := day.PartySizes(); !slices.Equal(sizes, []int{1, 2}) {
		t.Errorf("got party sizes %v, want 1 and 2, because parties do not extend over days", sizes)
	}
	// The file is not sorted, so its first row is not on the first day.
	var reversed []string
	rows := strings.Split(strings.TrimSpace(threeDays), "\n")
	for _, row := range slices.Backward(rows[1:]) {
		reversed = append(reversed, row)
	}
	other := read(t, rows[0]+"\n"+strings.Join(reversed, "\n"), Options{Zone: berlin})
	if !other.Midnight.Equal(day.Midnight) || other.Days() != 3 || len(other.Warnings) != 1 {
		t.Errorf("unsorted file: got %d days from %v with warnings %q, want the same 3 days and one warning", other.Days(), other.Midnight, other.Warnings)
	}
	_, err := Read(strings.NewReader(threeDays), "day.csv", Options{Date: time.Date(2026, time.April, 1, 0, 0, 0, 0, time.UTC)})
	if want := "day.csv:5:1: no joins on 2026-04-01: expected a date from 2026-03-14 to 2026-03-16"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
	_, err = Read(strings.NewReader("1,1,1\n"), "day.csv", Options{Date: formDate})
	if want := `day.csv:1:1: time "1" has no date, but --date 2026-03-14 is given`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got error %v, want prefix %s", err, want)
	}
}

// If any time in a file has milliseconds other than 0, a time that ends in .000 does not count as a
// time in whole seconds either.
func TestMillisecondsOfDates(t *testing.T) {
	day := read(t, "2026-03-14T00:00:01.000Z,1,1\n2026-03-14T00:00:02.001Z,1,1\n2026-03-14T00:00:03Z,1,1\n", Options{})
	want := []string{"row 0 at 1000 ms, whole false, 100 100", "row 1 at 2001 ms, whole false, 100 100", "row 2 at 3000 ms, whole true, 100 100"}
	if diff := cmp.Diff(want, lines(day)); diff != "" {
		t.Error(diff)
	}
}

func TestAllBadRows(t *testing.T) {
	var file strings.Builder
	file.WriteString("time,lat,lon\n")
	for range 25 {
		file.WriteString("noon,1,1\n00:00:01,1,1\n")
	}
	_, err := Read(strings.NewReader(file.String()), "day.csv", Options{AllBadRows: true})
	if err == nil {
		t.Fatal("25 malformed rows were accepted, want an error")
	}
	rows := strings.Split(err.Error(), "\n")
	if len(rows) != 21 || rows[20] != "day.csv: 25 malformed rows, the first 20 are listed" ||
		!strings.HasPrefix(rows[0], `day.csv:2:1: time "noon"`) || !strings.HasPrefix(rows[19], `day.csv:40:1: `) {
		t.Errorf("got error %s, want 20 malformed rows and a line with their number", err)
	}
	day := read(t, file.String(), Options{AllBadRows: true, MaxBadRows: 25})
	if day.Rows() != 25 || len(day.Warnings) != 21 || day.Warnings[20].String() != "day.csv: 25 malformed rows, the first 20 are listed: left out" {
		t.Errorf("got %d rows and warnings %q, want 25 rows, 20 warnings and one with the number of malformed rows", day.Rows(), day.Warnings)
	}
	_, err = Read(strings.NewReader("x\n"+file.String()), "day.csv", Options{AllBadRows: true})
	if err == nil || !strings.HasPrefix(err.Error(), "day.csv:1:1: ") {
		t.Errorf("got error %v, want prefix day.csv:1:1:", err)
	}
	_, err = Read(strings.NewReader("{\"time\":1,\"lat\":1,\"lon\":1}\nnull\n{\"time\":1,\"lat\":1}\n{\"time\":1,\"lat\":1,\"lon\":1,}\n"), "day.jsonl", Options{AllBadRows: true})
	if err == nil || !strings.Contains(err.Error(), "day.jsonl: 3 malformed rows") {
		t.Errorf("got error %v, want 3 malformed rows", err)
	}
}

func TestJSONErrors(t *testing.T) {
	for content, want := range map[string]string{
		"[[1,2,3]]":                                        "day.csv:1:2: \"[1,2,3]\" is no object: expected JSON lines or an array",
		"{\"time\":1,\n\"lat\":2,\n\"lon\":3}\n":           "day.csv:1:11: the object does not end in its line: expected JSON lines",
		"{\"time\":1,\"lat\":2,\"lon\":3} x\n":             "day.csv:1:",
		"{\"time\":1,\"lat\":2,\"lon\":3,\"lon\":4}\n":     "day.csv:1:",
		"{\"time\":\"noon\",\"lat\":2,\"lon\":3}\n":        `day.csv:1:9: time "noon": expected`,
		"{\"time\":1,\"lat\":2}\n":                         `day.csv:1:1: column "longitude" is missing among time, lat`,
		"{\"time\":1,\"lat\":2,\"lon\":null}\n":            `day.csv:1:25: longitude "": expected degrees`,
		"{\"time\":1,\"lat\":2,\"lon\":3,\"a\":[[1]]}\n":   `day.csv:1:32: array "a" holds arrays`,
		"{\"time\":1,\"lat\":2,\"lon\":3,\"a\":[\"x;y\"]}": `day.csv:1:`,
		"{\"time\":1,\"lat\":2,\"lon\":3,\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}}}": "day.csv:1:",
	} {
		if _, err := Read(strings.NewReader(content), "day.csv", Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got error %v, want prefix %s", content, err, want)
		}
	}
}

// If a member first appears in a later row, it is missing from the earlier rows.
func TestLateMembers(t *testing.T) {
	day := read(t, `{"time":1,"lat":2,"lon":3}
{"time":2,"lat":2,"lon":3,"mmr":5,"maps":["a"],"build":"x"}
{"time":3,"lat":2,"lon":3,"maps":["a","b"]}
`, Options{Expected: map[string]datasets.Kind{"build": datasets.Text}})
	want := []string{"mmr number [NaN 5 NaN] [] [] []", "maps list [] [0 1 2] [ a a;b] [[] [a] [a b]]", "build text [] [0 1 0] [ x] []"}
	var got []string
	for _, c := range day.Columns {
		got = append(got, fmt.Sprint(c.Name, " ", c.Kind, " ", c.Numbers, " ", c.Texts, " ", c.Dictionary, " ", c.Lists))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzReadForms(f *testing.F) {
	for _, content := range forms() {
		f.Add([]byte(content))
	}
	f.Add([]byte("[{\"time\":0.5,\"lat\":2,\"lon\":3},\n{\"time\":4.63E-05,\n\"lat\":2,\"lon\":3}]\n"))
	f.Add([]byte(",time,lat,lon,mmr\n0,3/4/2026 1:00 AM,1,2,\\N\n1,13/4/2026 1:00:04 PM,1,2,5\n"))
	f.Add([]byte("time;lat;lon\n46095,5;1,25;2\n46095,0000462963;1;2\n"))
	f.Add([]byte("{\"time\":1,\"lat\":2,\"lon\":3,\"a\":{\"b\":[1,\"x\",null,true]}}\n{}\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, o := range []Options{{MaxBadRows: 3}, {AllBadRows: true, Zone: atlas.Zone("Europe/Berlin")}, {Merge: true}} {
			day, err := Read(bytes.NewReader(content), "day.csv", o)
			if err != nil {
				if !strings.HasPrefix(err.Error(), "day.csv:") {
					t.Fatalf("got error %v, want prefix day.csv:", err)
				}
				continue
			}
			last := int64(-1)
			rows := 0
			for j := range day.Joins() {
				at := int64(j.Day())*datasets.MillisPerDay + int64(j.MS())
				if at < last || j.Day() >= day.Days() || int(j.Row) >= day.Rows() {
					t.Fatalf("got join %+v of %d days after one at %d ms, want ascending times and a valid day and row", j, day.Days(), last)
				}
				last = at
				rows++
			}
			for _, c := range day.Columns {
				if len(c.Numbers)+len(c.Texts) != rows {
					t.Fatalf("column %s: got %d values, want %d, one per row", c.Name, len(c.Numbers)+len(c.Texts), rows)
				}
			}
		}
	})
}

// Elements of an array may have any number of lines. Errors have the place in the file.
func TestJSONArray(t *testing.T) {
	want := lines(read(t, "{\"time\":1,\"lat\":2,\"lon\":3}\n{\"time\":2,\"lat\":2,\"lon\":3}\n", Options{}))
	for _, content := range []string{
		`[{"time":1,"lat":2,"lon":3},{"time":2,"lat":2,"lon":3}]`,
		" [ \n{\"time\":1,\"lat\":2,\"lon\":3}\n,\n{\"time\":2,\n \"lat\":2,\"lon\":3\n} ]\n\n",
		"\ufeff[{\"time\":1,\r\n\"lat\":2,\r\n\"lon\":3},\r\n{\"time\":2,\"lat\":2,\"lon\":3}]",
	} {
		if diff := cmp.Diff(want, lines(read(t, content, Options{}))); diff != "" {
			t.Errorf("%q: joins (-want +got): %s", content, diff)
		}
	}
	first := "[\n  {\"time\": 1, \"lat\": 2, \"lon\": 3},\n"
	for content, want := range map[string]string{
		first + "  {\n    \"time\": 2,\n    \"lat\": 200, \"lon\": 3\n  }\n]": `day.csv:5:12: latitude "200": expected`,
		first + "  {\"time\": 2, \"lat\": 200, \"lon\": 3}]":                  `day.csv:3:22: latitude "200": expected`,
		first + "  {\"time\": 2, \"time\": 2, \"lat\": 2, \"lon\": 3}]":       `day.csv:3:15: not a valid JSON object: duplicate`,
		first + "  7]":                                   `day.csv:3:3: "7" is no object`,
		first + "  {\"time\": 2 \"lat\": 2}]":            "day.csv:3:14: the JSON array is not valid: ",
		first + "  {\"time\": 2, \"lat\": 2":             "day.csv:3:23: the JSON array is not valid: the file ends inside it: expected [{…}, {…}]",
		first + "]":                                      "day.csv:2:34: the JSON array is not valid: ",
		"[{\"time\":1,\"lat\":2,\"lon\":3}]\n{\"time\":": "day.csv:2:2: the JSON array is not valid: more after the array",
		"[]": "day.csv:1:1: the file is empty",
		"[{\"time\":1,\"lat\":2,\"lon\":3,\"x\":\"" + strings.Repeat("y", tables.MaxRecordBytes) + "\"}]": "day.csv:1:1: the element is longer than 262144 bytes (MaxRecordBytes)",
	} {
		for kind, r := range map[string]io.Reader{"whole": strings.NewReader(content), "byte by byte": iotest.OneByteReader(strings.NewReader(content))} {
			if _, err := Read(r, "day.csv", Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%.80q, %s: got error %v, want prefix %s", content, kind, err, want)
			}
		}
	}
	if _, err := Read(&endless{text: `[{"time":1,"lat":2,"lon":3,"x":"` + strings.Repeat("y", 1000)}, "day.csv", Options{}); err == nil {
		t.Error("an endless array was accepted")
	}
	bad := `[{"time":1,"lat":2,"lon":3},{"time":"x","lat":2,"lon":3},{"time":2,"lat":2,"lon":3}]`
	if day := read(t, bad, Options{MaxBadRows: 1}); day.Rows() != 2 || day.BadRows != 1 {
		t.Errorf("got %d joins and %d malformed rows, want 2 and 1", day.Rows(), day.BadRows)
	}
}

// Damaged pages with LZ4 are errors. The Parquet library itself would use up all memory.
func TestDamagedLZ4(t *testing.T) {
	whole, err := os.ReadFile("testdata/exports/duckdb-lz4.parquet")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(4, 0))
	refused := 0
	for range 500 {
		content := bytes.Clone(whole)
		for range 1 + random.IntN(3) {
			content[4+random.IntN(len(content)-12)] ^= byte(1 + random.IntN(255))
		}
		if _, err := Read(bytes.NewReader(content), "day.parquet", Options{}); err != nil {
			refused++
		}
	}
	if refused == 0 {
		t.Error("got no error in 500 damaged files")
	}
}

// A limit can also be a share of the rows.
func TestBadShare(t *testing.T) {
	content := strings.Repeat("12:00:00,1,2\n", 996) + strings.Repeat("noon,1,2\n", 4)
	for share, want := range map[float64]string{
		0.004: "",
		0.003: `day.csv:997:1: time "noon": `,
		1:     "",
	} {
		day, err := Read(strings.NewReader(content), "day.csv", Options{MaxBadShare: share})
		if want == "" && (err != nil || day.Rows() != 996 || day.BadRows != 4) {
			t.Errorf("%g: got error %v, want 996 joins and 4 malformed rows", share, err)
		}
		if want != "" && (!errors.Is(err, ErrBadRow) || !strings.HasPrefix(err.Error(), want) ||
			!strings.HasSuffix(err.Error(), "(4 of 1000 rows are malformed, and dataset.max_bad_rows is 0.3%; this is the first)")) {
			t.Errorf("%g: got error %v, want prefix %s and the share", share, err, want)
		}
	}
}
