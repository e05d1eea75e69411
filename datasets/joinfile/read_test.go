package joinfile

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

func read(tb testing.TB, content string, o Options) *datasets.Day {
	tb.Helper()
	day, err := Read(strings.NewReader(content), "day.csv", o)
	if err != nil {
		tb.Fatal(err)
	}
	return day
}

// lines formats joins for comparison.
func lines(d *datasets.Day) []string {
	var all []string
	for j := range d.Joins() {
		p := d.Places[j.Place]
		all = append(all, fmt.Sprintf("row %d at %d ms, whole %v, %d %d", j.Row, j.MS(), j.WholeSecond(), p.LatHundredths, p.LonHundredths))
	}
	return all
}

func TestReadFormats(t *testing.T) {
	want := []string{
		"row 0 at 0 ms, whole true, 4052 -7381",
		"row 1 at 1500 ms, whole false, -3460 -5838",
		"row 2 at 1500 ms, whole false, 4052 -7381",
	}
	for name, content := range map[string]string{
		"article":          "00:00:00,40.52,-73.81\n00:00:01.5,-34.6,-58.38\n00:00:01.500,40.529,-73.801\n",
		"seconds":          "0,40.52,-73.81\n1.5,-34.6,-58.38\n1.500,40.529,-73.801",
		"blanks":           "00:00:00, 40.52, -73.81 \n00:00:01.5 ,-34.6,\t-58.38\n1.5,40.52,-73.81\n",
		"header":           "time,latitude,longitude\n00:00:00,40.52,-73.81\n1.5,-34.6,-58.38\n1.5,40.52,-73.81\n",
		"header reordered": "longitude,time,latitude\n-73.81,00:00:00,40.52\n-58.38,1.5,-34.6\n-73.81,1.5,40.52\n",
		"header quoted":    "\ufeff\"time\",\"latitude\",\"longitude\"\r\n\"00:00:00\",\"40.52\",\"-73.81\"\r\n\"1.5\",-34.6,-58.38\r\n1.5,40.52,-73.81\r\n",
		"blank lines":      "\n\n00:00:00,40.52,-73.81\n\n00:00:01.5,-34.6,-58.38\n00:00:01.500,40.529,-73.801\n\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			day := read(t, content, Options{})
			if diff := cmp.Diff(want, lines(day)); diff != "" {
				t.Error(diff)
			}
			if len(day.Places) != 2 || len(day.Warnings) != 0 {
				t.Errorf("got %d places and warnings %q, want 2 places and no warnings", len(day.Places), day.Warnings)
			}
			if day.SHA256 != sha256.Sum256([]byte(content)) {
				t.Error("got another hash than the SHA-256 of the file")
			}
		})
	}
}

// compressed returns a file in every compression format that Read supports.
func compressed(content string) map[string][]byte {
	var zipped, zstandard bytes.Buffer
	g := gzip.NewWriter(&zipped)
	io.WriteString(g, content)
	g.Close()
	z, _ := zstd.NewWriter(&zstandard)
	io.WriteString(z, content)
	z.Close()
	return map[string][]byte{
		"plain":         []byte(content),
		"gzip":          zipped.Bytes(),
		"gzip in parts": append(slices.Clone(zipped.Bytes()), zipped.Bytes()...),
		"zstd":          zstandard.Bytes(),
	}
}

func TestReadCompressed(t *testing.T) {
	content := strings.Repeat("12:00:00,1.25,2.5\n", 1000)
	for name, file := range compressed(content) {
		t.Run(name, func(t *testing.T) {
			var progress int64
			day, err := Read(iotest.HalfReader(bytes.NewReader(file)), name, Options{Progress: func(n int64) { progress = n }})
			if err != nil {
				t.Fatal(err)
			}
			if want := 1000 * (1 + strings.Count(name, "parts")); day.Rows() != want {
				t.Errorf("got %d rows, want %d", day.Rows(), want)
			}
			if day.SHA256 != sha256.Sum256(file) {
				t.Error("got another hash than the SHA-256 of the file")
			}
			if progress != int64(len(file)) {
				t.Errorf("got last progress %d bytes, want %d", progress, len(file))
			}
		})
	}
}

func TestReadTruncated(t *testing.T) {
	content := strings.Repeat("12:00:00,1.25,2.5\n12:00:01,3.5,-7\n", 1000)
	for _, name := range []string{"gzip", "zstd"} {
		file := compressed(content)[name]
		for _, size := range []int{4, 5, len(file) / 2, len(file) - 1} {
			_, err := Read(bytes.NewReader(file[:size]), "day", Options{})
			want := fmt.Sprintf("at byte %d of the file: expected a complete file", size)
			if err == nil || !strings.HasPrefix(err.Error(), "day:") || !strings.Contains(err.Error(), want) {
				t.Errorf("%s cut to %d of %d bytes: got error %v, want one that contains %q", name, size, len(file), err, want)
			}
		}
		broken := slices.Clone(file)
		broken[len(broken)-6] ^= 0xff
		var fault *tables.Error
		if _, err := Read(bytes.NewReader(broken), "day", Options{}); !errors.As(err, &fault) || fault.Line == 0 {
			t.Errorf("broken %s: got error %v, want one with a line", name, err)
		}
	}
}

func TestReadFailure(t *testing.T) {
	failure := errors.New("the disk is gone")
	src := io.MultiReader(strings.NewReader("12:00:00,1,2\n"), iotest.ErrReader(failure))
	if _, err := Read(src, "day.csv", Options{}); !errors.Is(err, failure) || !strings.HasPrefix(err.Error(), "day.csv: ") {
		t.Errorf("got error %v, want the reader's error with the file's name", err)
	}
}

func TestReadErrors(t *testing.T) {
	const header = "time,latitude,longitude"
	for name, test := range map[string]struct {
		content string
		want    []string // the beginning of the message, then other parts of it
	}{
		"empty":                            {"", []string{"day.csv:1:1: ", "the file is empty"}},
		"blank":                            {"\n\n", []string{"day.csv:1:1: ", "the file is empty"}},
		"header only":                      {header + "\n", []string{"day.csv:1:1: ", "no joins"}},
		"24:00:00":                         {"23:00:00,1,2\n24:00:00,1,2\n", []string{"day.csv:2:1: ", `"24:00:00"`, "HH:MM:SS", "86400"}},
		"12:00":                            {"12:00,1,2\n", []string{"day.csv:1:1: ", `"12:00"`, "HH:MM:SS"}},
		"seconds of two days":              {"86400,1,2\n", []string{"day.csv:1:1: ", `"86400"`}},
		"text latitude":                    {"12:00:00,north,2\n", []string{"day.csv:1:10: ", `latitude "north"`, "-90 to 90"}},
		"NaN longitude":                    {"12:00:00,1,NaN\n", []string{"day.csv:1:12: ", `longitude "NaN"`, "-180 to 180"}},
		"infinite":                         {"12:00:00,Inf,2\n", []string{"day.csv:1:10: ", `"Inf"`}},
		"hexadecimal":                      {"12:00:00,0x1p3,2\n", []string{"day.csv:1:10: ", `"0x1p3"`}},
		"latitude 91":                      {"12:00:00,91,2\n", []string{"day.csv:1:10: ", `"91"`, "-90 to 90"}},
		"longitude -180.01":                {"12:00:00,1,-180.01\n", []string{"day.csv:1:12: ", `"-180.01"`}},
		"empty latitude":                   {"12:00:00,,2\n", []string{"day.csv:1:10: ", `""`, "-90 to 90"}},
		"two columns":                      {"12:00:00,1\n", []string{"day.csv:1:11: ", "2 columns", "3 (HH:MM:SS,lat,long)"}},
		"four columns":                     {"12:00:00,1,2,3\n", []string{"day.csv:1:14: ", "4 columns", "header"}},
		"ragged":                           {header + "\n12:00:00,1,2\n12:00:00,1\n", []string{"day.csv:3:11: ", "2 columns", "expected 3, as in the header"}},
		"bars":                             {"12:00:00|1|2\n", []string{"day.csv:1:1: ", `separated by "|"`, "commas, tabs or semicolons"}},
		"unknown names":                    {"joined_at,y,x\n12:00:00,1,2\n", []string{"day.csv:1:1: ", `"joined_at,y,x"`, "--map time=…"}},
		"two times":                        {"timestamp,ts,lat,lon\n", []string{"day.csv:1:11: ", `"timestamp" and "ts"`, "--map time=ts"}},
		"thousands":                        {"time;lat;lon\n0;1.234,5;2\n", []string{"day.csv:2:3: ", `"1.234,5"`}},
		"time without a date after a date": {header + "\n2026-03-14 00:00:00,1,2\n00:00:00,1,2\n", []string{"day.csv:3:1: ", `"00:00:00"`, "a time of day", "line 2", "a time with a date"}},
		"far away":                         {header + "\n2026-03-14 00:00:00,1,2\n2062-03-14 00:00:00,1,2\n", []string{"day.csv:3:1: ", "10 days (MaxDays)", "--date"}},
		"eleven days":                      {header + "\n2026-03-14 00:00:00,1,2\n2026-03-05 00:00:00,1,2\n2026-03-15 00:00:00,1,2\n", []string{"day.csv:4:1: ", "11 days from 2026-03-05", "--date"}},
		"no longitude":                     {"time,latitude,mmr\n", []string{"day.csv:1:1: ", `"longitude" is missing`}},
		"column twice":                     {header + ",mmr,mmr\n", []string{"day.csv:1:29: ", `"mmr" appears twice`, "4 and 5"}},
		"column without name":              {header + ",,mmr\n", []string{"day.csv:1:25: ", "column 4 has no name"}},
		"not UTF-8 header":                 {header + ",m\xfcr\n", []string{"day.csv:1:25: ", "0xfc", "UTF-8"}},
		"not UTF-8 text":                   {header + ",name\n12:00:00,1,2,m\xfcr\n", []string{"day.csv:2:14: ", "0xfc", "UTF-8"}},
		"not UTF-8 number":                 {"12:00:00,1,2\n12:00:00,1\xff,2\n", []string{"day.csv:2:10: ", "0xff", "UTF-8"}},
		"not UTF-8 at all":                 {"\x89PNG\r\n\x1a\n\x89\n", []string{"day.csv:1:1: ", "UTF-8"}},
		"binary":                           {"\x7fELF\x02\x01\x00\x00\x00\n", []string{"day.csv:1:1: ", "binary"}},
		"text after the gzip data":         {gzipped("00:00:01,1,1\n") + "tail", []string{"day.csv:2:1: ", `the gzip data has ended, but the file goes on with "ta"`}},
		"truncated second gzip member":     {gzipped("00:00:01,1,1\n") + "\x1f\x8b\x08", []string{"day.csv:2:1: ", "truncated"}},
		"zip":                              {"PK\x03\x04 and so on", []string{"day.csv:1:1: ", "zip", "gzip"}},
		"UTF-16":                           {"\xff\xfet\x00i\x00", []string{"day.csv:1:1: ", "UTF-16"}},
		"number, then text":                {header + ",mmr\n1,1,2,\n1,1,2,1500\n1,1,2,abc\n", []string{"day.csv:4:7: ", `"abc"`, `"mmr"`, "line 3 has a number", `"1500"`}},
		"text, then number":                {header + ",name\n1,1,2,abc\n1,1,2,1500\n", []string{"day.csv:3:7: ", `"1500"`, "line 2 has a text", `"abc"`}},
		"text, then list":                  {header + ",name\n1,1,2,abc\n1,1,2,a;b\n", []string{"day.csv:3:7: ", `"a;b"`, "line 2 has a text"}},
		"empty item":                       {header + ",maps\n1,1,2,a;;b\n", []string{"day.csv:2:7: ", `"a;;b"`, "empty item"}},
		"infinite attribute":               {header + ",mmr\n1,1,2,5\n1,1,2,1e999\n", []string{"day.csv:3:7: ", `"1e999"`}},
		"continent":                        {header + ",continent\n1,1,2,XX\n", []string{"day.csv:2:7: ", `"XX"`, "AF"}},
		"country":                          {header + ",country\n1,1,2,GER\n", []string{"day.csv:2:7: ", `"GER"`, "ISO 3166", "did you mean Germany?"}},
		"session 0":                        {header + ",session_length\n1,1,2,0\n", []string{"day.csv:2:7: ", `"0"`, "above 0"}},
		"session text":                     {header + ",session_length\n1,1,2,long\n", []string{"day.csv:2:7: ", `"long"`, "number"}},
		"unknown datacenter":               {header + ",rtt:atlantis\n", []string{"day.csv:1:25: ", `"atlantis"`, "london, paris"}},
		"no datacenter":                    {header + ",rtt:\n", []string{"day.csv:1:25: ", `"rtt:" names no datacenter`}},
		"RTT 0":                            {header + ",rtt:paris\n1,1,2,0\n", []string{"day.csv:2:7: ", `"0"`, "above 0", "4000"}},
		"RTT too high":                     {header + ",rtt:paris\n1,1,2,4000.1\n", []string{"day.csv:2:7: ", `"4000.1"`}},
		"RTT NaN":                          {header + ",rtt:paris\n1,1,2,NaN\n", []string{"day.csv:2:7: ", `"NaN"`}},
		"party too large":                  {header + ",party_id\n" + strings.Repeat("1,1,2,p\n", datasets.MaxPartySize+1), []string{"day.csv:202:7: ", `"p"`, "200"}},
		"open quote":                       {header + ",name\n1,1,2,\"abc\n", []string{"day.csv:2:7: ", "never closed"}},
		"stray quote":                      {header + ",name\n1,1,2,a\"b\"\n", []string{"day.csv:2:7: ", "quote"}},
		"after two lines":                  {header + ",name\n1,1,2,\"a\nb\"\n1,1,200,x\n", []string{"day.csv:4:5: ", `"200"`}},
		"long value":                       {"12:00:00,1," + strings.Repeat("9", 300) + "\n", []string{"day.csv:1:12: ", `"` + strings.Repeat("9", 40) + `"…`}},
		"endless line":                     {"12:00:00,1,2\n" + strings.Repeat("9", tables.MaxRecordBytes), []string{"day.csv:2:1: ", "longer than"}},
	} {
		t.Run(name, func(t *testing.T) {
			day, err := Read(strings.NewReader(test.content), "day.csv", Options{Datacenters: []string{"london", "paris"}})
			var fault *tables.Error
			if !errors.As(err, &fault) || day != nil {
				t.Fatalf("got error %v, want an *Error and no day", err)
			}
			if !strings.HasPrefix(err.Error(), test.want[0]) {
				t.Errorf("got error %s\nwant prefix %s", err, test.want[0])
			}
			for _, part := range test.want[1:] {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("got error %s\nwant it to contain %s", err, part)
				}
			}
		})
	}
}

// gzipped compresses a text.
func gzipped(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// If the file lacks a declared column, the name was probably misspelt. The column that was meant
// would then have the wrong kind.
func TestReadUndeclaredColumns(t *testing.T) {
	declared := map[string]datasets.Kind{"biuld": datasets.Text}
	for content, want := range map[string]string{
		"time,latitude,longitude,build,session_length\n1,1,1,1.4,5\n": `day.csv:1:1: dataset.columns declares "biuld", but the file has no such column: expected one of build`,
		"time,latitude,longitude\n1,1,1\n":                            `day.csv:1:1: dataset.columns declares "biuld", but the file has no columns of attributes`,
		"00:00:01,1,1\n":                                              `day.csv:1:1: dataset.columns declares "biuld", but the file has no header`,
	} {
		if _, err := Read(strings.NewReader(content), "day.csv", Options{Columns: declared}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got error %v, want prefix %s", content, err, want)
		}
	}
	for name, want := range map[string]bool{"mmr": true, "Time": true, "time": false, "country": false, "party_id": false, "friends": false, "ip": false, "rtt:paris": false} {
		if datasets.Declarable(name) != want {
			t.Errorf("Declarable(%q): got %v, want %v", name, !want, want)
		}
	}
}

func TestReadColumns(t *testing.T) {
	day := read(t, `time,mmr,latitude,build,longitude,maps,nothing,country,session_length
1,1500,1,1.4,2,dust;mill,,de,60
2,,1,,2,,,,
3,-3.5e2,1,1.5,2,port,,FR,0.5
`, Options{Columns: map[string]datasets.Kind{"build": datasets.Text}})
	want := map[string]string{
		"mmr":            "number 1500 NaN -350",
		"build":          "text 1.4  1.5",
		"maps":           "list [dust mill] [] [port]",
		"nothing":        "text   ",
		"session_length": "number 60 NaN 0.5",
	}
	if len(day.Columns) != len(want) {
		t.Errorf("got %d columns, want %d", len(day.Columns), len(want))
	}
	for name, want := range want {
		c, ok := day.Column(name)
		if !ok {
			t.Errorf("the day has no column %s", name)
			continue
		}
		got := c.Kind.String()
		for row := range uint32(3) {
			switch c.Kind {
			case datasets.Number:
				got += fmt.Sprint(" ", c.Number(row))
			case datasets.List:
				got += fmt.Sprint(" ", c.List(row))
			default:
				got += " " + c.Text(row)
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		if missing := name != "nothing"; c.Missing(0) == missing || !c.Missing(1) {
			t.Errorf("column %s: got missing %v in row 0 and %v in row 1, want values in row 0 alone (none in column nothing)", name, c.Missing(0), c.Missing(1))
		}
	}
	countries := ""
	for j := range day.Joins() {
		countries += day.Places[j.Place].Country.String() + "."
	}
	if countries != "DE..FR." {
		t.Errorf("got countries %q, want \"DE..FR.\"", countries)
	}
}

func TestReadDeclaredKinds(t *testing.T) {
	content := "time,latitude,longitude,a\n1,1,2,5\n1,1,2,x;y\n"
	if _, err := Read(strings.NewReader(content), "day.csv", Options{}); err == nil {
		t.Error("a column with a number and a list was accepted, want an error")
	}
	for kind, want := range map[datasets.Kind]string{datasets.Text: "5|x;y", datasets.List: "[5]|[x y]"} {
		day := read(t, content, Options{Columns: map[string]datasets.Kind{"a": kind}})
		c := day.Columns[0]
		got := c.Text(0) + "|" + c.Text(1)
		if kind == datasets.List {
			got = fmt.Sprint(c.List(0), "|", c.List(1))
		}
		if got != want || c.Kind != kind {
			t.Errorf("declared as %v: got %s, want %s", kind, got, want)
		}
	}
	_, err := Read(strings.NewReader(content), "day.csv", Options{Columns: map[string]datasets.Kind{"a": datasets.Number}})
	if err == nil || !strings.Contains(err.Error(), `day.csv:3:7: "x;y" in column "a": expected a number`) {
		t.Errorf("got error %v, want the list refused in a number column", err)
	}
}

// A check reports a value with its position. An allowed malformed row leaves no values.
func TestReadChecked(t *testing.T) {
	o := Options{
		Expected: map[string]datasets.Kind{"age": datasets.Number, "mode": datasets.Text, "maps": datasets.List},
		Checks: map[string]Check{
			"age": {Number: func(x float64) error {
				if x < 0 {
					return fmt.Errorf("%g, expected 0 or more", x)
				}
				return nil
			}},
			"mode": {Text: func(text string) error {
				if text != "a" {
					return fmt.Errorf("%q, expected a", text)
				}
				return nil
			}},
			"maps": {Text: func(string) error { return errors.New("asked about a list") }},
		},
	}
	const file = "time,latitude,longitude,age,mode,maps\n1,2,3,4,a,x\n2,2,3,,,\n3,2,3,-5,a,x;y\n4,2,3,5,b,x\n5,2,3,6,a,\n"
	_, err := Read(strings.NewReader(file), "day.csv", o)
	if want := `day.csv:4:7: column "age": got -5, expected 0 or more`; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
	o.MaxBadRows = 2
	day, err := Read(strings.NewReader(file), "day.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	if day.Rows() != 3 || day.BadRows != 2 || day.Columns[0].Number(2) != 6 || len(day.Columns[1].Dictionary) != 2 || day.Columns[1].Text(2) != "a" {
		t.Errorf("got %d rows, %d malformed ones and columns %+v, want 3, 2, and columns without the malformed rows", day.Rows(), day.BadRows, day.Columns)
	}
}

func TestReadMeasured(t *testing.T) {
	const content = "time,latitude,longitude,rtt:paris,rtt:london\n1,1,2,10.5,\n2,1,2,,\n3,1,2,10.5,\n4,1,2,10.5,20\n"
	day := read(t, content, Options{Datacenters: []string{"london", "berlin", "paris"}})
	want := [][]datasets.Measured{{{Datacenter: 2, MS: 10.5}}, nil, {{Datacenter: 2, MS: 10.5}}, {{Datacenter: 2, MS: 10.5}, {Datacenter: 0, MS: 20}}}
	var got [][]datasets.Measured
	for j := range day.Joins() {
		got = append(got, day.Measured(j.Place))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(day.Places) != 3 || !day.HasMeasured() {
		t.Errorf("got %d places, want 3, and measured RTTs", len(day.Places))
	}
	day = read(t, content, Options{})
	if diff := cmp.Diff([]string{"paris", "london"}, day.Datacenters); diff != "" {
		t.Error(diff)
	}
}

func TestReadBadRows(t *testing.T) {
	const content = "time,latitude,longitude,mmr\n1,1,2,abc;\n2,1,2,7\n3,99,2,8\n4,1\n5,1,2,9\n"
	day := read(t, content, Options{MaxBadRows: 3})
	if diff := cmp.Diff([]string{"row 0 at 2000 ms, whole true, 100 200", "row 1 at 5000 ms, whole true, 100 200"}, lines(day)); diff != "" {
		t.Error(diff)
	}
	if c := day.Columns[0]; c.Kind != datasets.Number || !slices.Equal(c.Numbers, []float64{7, 9}) {
		t.Errorf("got column of kind %v with %v, want numbers 7 and 9", c.Kind, c.Numbers)
	}
	if day.BadRows != 3 || len(day.Warnings) != 1 || !strings.HasPrefix(day.Warnings[0].String(), "day.csv:2:7: ") || !strings.Contains(day.Warnings[0].String(), "3 malformed rows") {
		t.Errorf("got %d malformed rows and warnings %q, want 3 and one warning of the first", day.BadRows, day.Warnings)
	}
	_, err := Read(strings.NewReader(content), "day.csv", Options{MaxBadRows: 2})
	if err == nil || !strings.HasPrefix(err.Error(), "day.csv:5:4: ") || !strings.Contains(err.Error(), "max_bad_rows is 2; the first is in line 2") {
		t.Errorf("got error %v, want that of the third malformed row with max_bad_rows", err)
	}
	swallowed := "time,latitude,longitude,name\n1,1,2,\"a\n2,1,2,b\n3,1,2,c\n4,1,2,d\"e\n5,1,2,e\n"
	_, err = Read(strings.NewReader(swallowed), "day.csv", Options{MaxBadRows: 3})
	if err == nil || !strings.HasPrefix(err.Error(), "day.csv:2:7: ") || !strings.Contains(err.Error(), "4 malformed rows") {
		t.Errorf("rows inside an unclosed quote: got error %v, want 4 malformed rows", err)
	}
	if day := read(t, swallowed, Options{MaxBadRows: 4}); day.Rows() != 1 || day.BadRows != 4 {
		t.Errorf("got %d rows and %d malformed ones, want 1 and 4", day.Rows(), day.BadRows)
	}
	_, err = Read(strings.NewReader("1,1,east\n1,1,west\n"), "day.csv", Options{MaxBadRows: 2})
	if err == nil || !strings.Contains(err.Error(), "no joins but 2 malformed rows, the first in line 1") {
		t.Errorf("got error %v, want that there are no joins but 2 malformed rows", err)
	}
}

func TestReadUnsorted(t *testing.T) {
	day := read(t, "00:00:02,1,1\n00:00:01,2,2\n00:00:02,3,3\n00:00:00.5,4,4\n", Options{})
	want := []string{
		"row 3 at 500 ms, whole false, 400 400",
		"row 1 at 1000 ms, whole true, 200 200",
		"row 0 at 2000 ms, whole true, 100 100",
		"row 2 at 2000 ms, whole true, 300 300",
	}
	if diff := cmp.Diff(want, lines(day)); diff != "" {
		t.Error(diff)
	}
	if len(day.Warnings) != 1 || !strings.HasPrefix(day.Warnings[0].String(), `day.csv:2:1: time "00:00:01" is earlier`) {
		t.Errorf("got warnings %q, want one that a time is earlier than the one before", day.Warnings)
	}
}

// For any input, Read returns an error with a position, or a day that is equal after it was written
// and read again.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"00:00:00,40.52,-73.81\n00:00:01.5,-34.6,-58.38\n",
		"time,latitude,longitude,mmr,maps,name,country,continent\n1,1,2,5,a;b,\"x,\"\"y\",de,EU\n2,1,2,,,,,\n",
		"time,latitude,longitude,rtt:paris,party_id,session_length\n1,1,2,5,p,1e3\n0,1,2,7.25,p,\n",
		"longitude,latitude,time\r\n1,2,86399.999\r\n",
		"\x1f\x8b\x08", "\x28\xb5\x2f\xfd\x00", "time;latitude", "24:00:00,1,2",
	} {
		f.Add([]byte(seed))
	}
	for _, file := range compressed("00:00:00,1,2\n") {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		day, err := Read(bytes.NewReader(content), "day.csv", Options{})
		if err != nil {
			var fault *tables.Error
			if !errors.As(err, &fault) || fault.Line < 1 || !strings.HasPrefix(err.Error(), "day.csv:") {
				t.Fatalf("got error %v, want prefix day.csv: and a line", err)
			}
			return
		}
		kinds := make(map[string]datasets.Kind)
		for _, c := range day.Columns {
			kinds[c.Name] = c.Kind
		}
		var first, second bytes.Buffer
		if err := datasets.WriteDay(&first, day, datasets.Headed); err != nil {
			t.Fatal(err)
		}
		again, err := Read(bytes.NewReader(first.Bytes()), "again.csv", Options{Columns: kinds})
		if err != nil {
			t.Fatalf("reading the written day: %v\nin %q", err, first.Bytes())
		}
		if err := datasets.WriteDay(&second, again, datasets.Headed); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("the day was written as %q, and after reading it again as %q", first.Bytes(), second.Bytes())
		}
		datasets.Describe(day, nil)
		for i, p := range day.Places {
			if math.Abs(p.Lat()) > 90 || math.Abs(p.Lon()) > 180 {
				t.Fatalf("place %d: got %v, want a valid position", i, p)
			}
		}
	})
}

// A text that occurs only in malformed rows is in the dictionary, but it is not a value of the day.
func TestMalformedRowsAreNotDescribed(t *testing.T) {
	day := read(t, "time,latitude,longitude,build,continent\n0,1,1,a,\n0,1,1,b,XX\n0,1,1,a,\n", Options{MaxBadRows: 1})
	if c := datasets.Describe(day, nil).Columns[0]; c.Distinct != 1 || c.Missing != 0 {
		t.Errorf("got column %+v, want 1 distinct and 0 missing values, without the malformed row", c)
	}
}
