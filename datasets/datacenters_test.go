package datasets

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/datasets/internal/tables"
)

func TestReadDatacenters(t *testing.T) {
	want := []Datacenter{{7, "sydney", -33.86, 151.21}, {300, "frankfurt", 50.11, 8.68}, {301, "london", 51.5072, 0.1276}}
	for name, content := range map[string]string{
		"article":          "300,frankfurt,50.11,8.68\n301,london,51.5072,0.1276\n\n7,sydney,-33.86,151.21\n",
		"header":           "id,name,latitude,longitude\n300,frankfurt,50.11,8.68\n301,london,51.5072,0.1276\n7,sydney,-33.86,151.21",
		"header reordered": "name,latitude,id,longitude\nfrankfurt,50.11,300,8.68\nlondon,51.5072,301,0.1276\nsydney,-33.86,7,151.21",
		"quoted header":    "\"id\",\"name\",latitude,longitude\n300,frankfurt,50.11,8.68\n301,london,51.5072,0.1276\n7,sydney,-33.86,151.21",
		"no ids":           "name,latitude,longitude\nsydney,-33.86,151.21\nfrankfurt,50.11,8.68\nlondon,51.5072,0.1276\n",
		"three columns":    "sydney,-33.86,151.21\n\nfrankfurt,50.11,8.68\nlondon,51.5072,0.1276\n",
		"blanks":           "300, frankfurt, 50.11, 8.68\r\n  \r\n301, london, 51.5072, 0.1276\r\n7,\"sydney\",-33.86,151.21\r\n",
	} {
		got, err := ReadDatacenters(strings.NewReader(content), "datacenters.csv")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want := want
		if name == "no ids" || name == "three columns" {
			want = slices.Clone(want)
			for i := range want {
				want[i].ID = i + 1
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A list that was written can be read back, even if names contain commas and quotes.
func TestWriteDatacenters(t *testing.T) {
	for _, list := range [][]Datacenter{BuiltinDatacenters(), {{0, `a "b", c`, -90, 180}, {5, "aws/us-east-1", 39, -77}, {MaxDatacenterID, "é", 0.1234567890123, -1e-9}}} {
		var file strings.Builder
		if err := WriteDatacenters(&file, list); err != nil {
			t.Fatal(err)
		}
		again, err := ReadDatacenters(strings.NewReader(file.String()), "dc.csv")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(list, again); diff != "" {
			t.Error(diff)
		}
	}
}

// Messages shorten long names, but comparisons must use the full names.
func TestReadDatacentersLongNames(t *testing.T) {
	long := strings.Repeat("x", 100)
	list, err := ReadDatacenters(strings.NewReader("1,"+long+"a,1,2\n2,"+long+"b,1,2\n"), "dc.csv")
	if err != nil || len(list) != 2 {
		t.Errorf("got %d datacenters (error %v), want 2", len(list), err)
	}
}

func TestReadDatacentersErrors(t *testing.T) {
	var many strings.Builder
	for i := range MaxListed + 1 {
		fmt.Fprintf(&many, "%d,dc%d,1,2\n", i, i)
	}
	for name, test := range map[string]struct {
		content string
		want    []string
	}{
		"empty":          {"", []string{"dc.csv:1:1: ", "no datacenters"}},
		"no name column": {"id,latitude,longitude\n1,1,2\n", []string{"dc.csv:1:1: ", `column "name" is missing`}},
		"an id later":    {"a,1,2\n1,b,1,2\n", []string{"dc.csv:2:7: ", "4 columns", "expected 3 (name,latitude,longitude)"}},
		"one more":       {"id,name,latitude,longitude,x\n", []string{"dc.csv:1:28: ", "5 columns", "expected 4"}},
		"header only":    {"id,name,latitude,longitude\n", []string{"dc.csv:1:1: ", "no datacenters"}},
		"same id":        {"1,a,1,2\n\n1,b,1,2\n", []string{"dc.csv:3:1: ", `id "1"`, "line 1 already", "line 3"}},
		"same name":      {"1,a,1,2\n2,a,1,2\n", []string{"dc.csv:2:3: ", `name "a"`, "line 1 already", "line 2"}},
		"same id again":  {"1,a,1,2\n01.0,b,1,2\n", []string{"dc.csv:2:1: ", `id "01.0"`, "line 1 already"}},
		"negative id":    {"-1,a,1,2\n", []string{"dc.csv:1:1: ", `"-1"`, "whole number"}},
		"fraction id":    {"1.5,a,1,2\n", []string{"dc.csv:1:1: ", `"1.5"`}},
		"text id":        {"x,a,1,2\n", []string{"dc.csv:1:1: ", `"x"`}},
		"no name":        {"1,,1,2\n", []string{"dc.csv:1:3: ", `""`}},
		"name of a path": {"1,../a,1,2\n", []string{"dc.csv:1:3: ", `"../a"`, "file name"}},
		"latitude":       {"1,a,90.5,2\n", []string{"dc.csv:1:5: ", `latitude "90.5"`}},
		"longitude":      {"1,a,1,NaN\n", []string{"dc.csv:1:7: ", `longitude "NaN"`}},
		"two slashes":    {"1,a/b/c,1,2\n", []string{"dc.csv:1:3: ", `"a/b/c"`, "PROVIDER/NAME"}},
		"two columns":    {"1,a\n", []string{"dc.csv:1:3: ", "2 columns", "id,name,latitude,longitude"}},
		"no longitude":   {"1,a,1\n", []string{"dc.csv:1:3: ", `latitude "a"`}},
		"five columns":   {"1,a,1,2,3\n", []string{"dc.csv:1:9: ", "5 columns"}},
		"semicolons":     {"1;a;1;2\n", []string{"dc.csv:1:1: ", `separated by ";"`, "commas"}},
		"header":         {"id,name,lat,lon\n", []string{"dc.csv:1:1: ", `"latitude" is missing`}},
		"too many":       {many.String(), []string{"dc.csv:1001:1: ", "1000"}},
		"not UTF-8":      {"1,\xff,1,2\n", []string{"dc.csv:1:1: ", "0xff"}},
		"open quote":     {"1,\"a,1,2\n", []string{"dc.csv:1:3: ", "never closed"}},
		"truncated gzip": {"\x1f\x8b\x08\x00", []string{"dc.csv:1:1: ", "truncated"}},
	} {
		_, err := ReadDatacenters(strings.NewReader(test.content), "dc.csv")
		var fault *tables.Error
		if !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), test.want[0]) {
			t.Errorf("%s: got error %v, want prefix %s", name, err, test.want[0])
			continue
		}
		for _, part := range test.want[1:] {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: got error %v, want it to contain %s", name, err, part)
			}
		}
	}
}

func FuzzReadDatacenters(f *testing.F) {
	f.Add("300,frankfurt,50.11,8.68\n\n301,london,51.5,0.12\n")
	f.Add("id,name,latitude,longitude\n1,a,1,2\n")
	f.Add("name,latitude,longitude\naws/a,1,2\n")
	f.Add("a,1,2\nb,3,4\n")
	f.Add("1,\"a\"\"b\",-90,180\n1,b,1,1")
	f.Fuzz(func(t *testing.T, content string) {
		list, err := ReadDatacenters(strings.NewReader(content), "dc.csv")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "dc.csv:") {
				t.Fatalf("got error %v, want prefix dc.csv:", err)
			}
			return
		}
		if len(list) == 0 || len(list) > MaxListed {
			t.Fatalf("got %d datacenters without an error, want 1 to MaxListed", len(list))
		}
		names := make(map[string]bool)
		for i, dc := range list {
			if i > 0 && list[i-1].ID >= dc.ID || dc.ID < 0 || names[dc.Name] || dc.Name == "" ||
				!(dc.Lat >= -90 && dc.Lat <= 90 && dc.Lon >= -180 && dc.Lon <= 180) {
				t.Fatalf("datacenter %d of %+v: want ascending IDs, unique names and a valid position", i, list)
			}
			names[dc.Name] = true
		}
	})
}

func TestLooksLikeDatacenters(t *testing.T) {
	for line, want := range map[string]bool{
		"id,name,latitude,longitude":       true,
		"\ufeffid,name,latitude,longitude": true,
		"name,latitude,longitude":          true, // a list whose header lacks id, not joins whose header lacks time
		"Name, Latitude, Longitude":        true,
		"id,latitude,longitude":            true,
		"1,frankfurt,50.11,8.68":           true,
		"frankfurt,50.11,8.68":             true,
		"time,latitude,longitude":          false,
		"time,latitude,longitude,id":       false,
		"joined_at,name,lat,lon":           false,
		"when,latitude,longitude,mmr,name": false, // more columns than a list has
		"00:00:00,50.11,8.68":              false,
		"0,50.11,8.68":                     false,
		"":                                 false,
	} {
		if got := LooksLikeDatacenters(strings.NewReader(line + "\nrest")); got != want {
			t.Errorf("%q: got %v, want %v", line, got, want)
		}
	}
}
