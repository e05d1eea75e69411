package section

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
	"mmsim/datasets/atlas"
)

// choose reads the two keys as from a configuration in the working directory.
func choose(t *testing.T, file, use string) (*Datacenters, error) {
	t.Helper()
	c := &Datacenters{}
	for _, key := range []struct {
		name, text string
		value      value.Value
	}{{"datacenters.file", file, c.SourcesValue()}, {"datacenters.use", use, c.UseValue()}} {
		root, err := yamltree.ParseFile("c.yaml", []byte("x: "+key.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := key.value.ReadAt(key.name, root.Entries[0].Value); err != nil {
			return c, err
		}
	}
	return c, nil
}

// inFiles changes to a folder with lists of datacenters.
func inFiles(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"mine.csv": "name,latitude,longitude\nlan,48,11\nus-east-1,1,2\n", "other.csv": "7,x,1,2\n3,y,3,4\n", "again.csv": "lan,1,1\n",
		"a+b.csv": "p,1,2\n", "gcp": "q,1,2\n", "c++/dcs.csv": "r,1,2\n", "aws/x": "",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

func usedNames(list *List) string {
	var names []string
	for _, dc := range list.Used() {
		names = append(names, dc.Name)
	}
	return strings.Join(names, " ")
}

// unused returns the number of datacenters of the sources that do not take part.
func unused(list *List) int { return len(list.Datacenters) - len(list.Used()) + len(list.Others) }

func TestLoad(t *testing.T) {
	inFiles(t)
	for _, c := range []struct {
		file, use, want string
		unused          int
	}{
		{"aws:us-east-1,eu-west-1", "", "us-east-1 eu-west-1", 32},
		{"aws:eu-west-1,us-east-1", "", "us-east-1 eu-west-1", 32}, // the order of the list
		{"aws", "[eu-west-1, us-east-1]", "us-east-1 eu-west-1", 32},
		{"aws", "eu-west-1", "eu-west-1", 33}, // there is a folder aws
		{"aws:us-east-1,eu-west-1", "[eu-west-1]", "eu-west-1", 33},
		{"mine.csv", "", "lan us-east-1", 0},
		{"other.csv", "", "y x", 0}, // in the order of the IDs
		{"other.csv", "[x]", "x", 1},
		{"mine.csv+aws:eu-west-1", "", "lan us-east-1 eu-west-1", 33},
		{"mine.csv+aws:us-east-1", "", "lan us-east-1 aws/us-east-1", 33}, // a file keeps its names
		{"aws:us-east-1+gamelift:us-east-1,us-west-2-lax-1", "", "aws/us-east-1 gamelift/us-east-1 us-west-2-lax-1", 64},
		{"aws:us-east-1+gamelift:us-west-2-lax-1", "", "us-east-1 us-west-2-lax-1", 65}, // only one of the two takes part
		{"azure:eastus+playfab:EastUs,UkSouth", "", "azure/eastus playfab/EastUs UkSouth", 77},
		{"azure+playfab", "[azure/eastus, playfab/EastUs, koreasouth]", "azure/eastus koreasouth playfab/EastUs", 77},
		{"other.csv+mine.csv", "", "y x lan us-east-1", 0}, // in the order of the sources
		{"a+b.csv", "", "p", 0},
		{"a+b.csv+aws:us-east-1", "", "p us-east-1", 33},
		{"aws:us-east-1+a+b.csv", "", "us-east-1 p", 33},
		{"c++/dcs.csv+other.csv", "", "r y x", 0},
		{"gcp", "", "q", 0}, // a file takes precedence
		{"./gcp", "", "q", 0},
		{"gcp:us-east1", "", "us-east1", 42}, // no file has this name
	} {
		choice, err := choose(t, c.file, c.use)
		if err != nil {
			t.Errorf("%s %s: %v", c.file, c.use, err)
			continue
		}
		list, err := choice.Load()
		if err != nil {
			t.Errorf("%s %s: %v", c.file, c.use, err)
			continue
		}
		if usedNames(list) != c.want || unused(list) != c.unused {
			t.Errorf("%s %s: got %s and %d unused, want %s and %d", c.file, c.use, usedNames(list), unused(list), c.want, c.unused)
		}
		ids := map[int]bool{}
		for _, dc := range list.Used() {
			if ids[dc.ID] {
				t.Errorf("%s %s: got the ID %d twice", c.file, c.use, dc.ID)
			}
			ids[dc.ID] = true
		}
	}
}

// The built-in list stays as it is without a source.
func TestLoadDefault(t *testing.T) {
	c := &Datacenters{}
	list, err := c.Load()
	if err != nil || !slices.Equal(list.Used(), datasets.BuiltinDatacenters()) || list.Others != nil || list.Content != "" {
		t.Errorf("got %+v (error %v), want the built-in list", list, err)
	}
	c.Use = []string{"tokyo", "ashburn"}
	if list, err = c.Load(); err != nil || usedNames(list) != "ashburn tokyo" || len(list.Datacenters) != 30 || list.Others != nil {
		t.Errorf("got %+v (error %v), want ashburn and tokyo", list, err)
	}
}

// The regions of a provider are those of the table, and each provider can be used alone.
func TestLoadProviders(t *testing.T) {
	for _, p := range atlas.Providers() {
		list, err := (&Datacenters{Sources: []Source{{Provider: p.Name}}}).Load()
		if err != nil || usedNames(list) != strings.Join(p.RegionNames(), " ") {
			t.Errorf("%s: got %v (error %v), want all its regions", p.Name, list, err)
			continue
		}
		for i, r := range p.Regions {
			if dc := list.Datacenters[i]; dc.Lat != r.Lat || dc.Lon != r.Lon {
				t.Errorf("%s %s: got %v, want the position of %s", p.Name, r.Name, dc, r.City)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	inFiles(t)
	var many strings.Builder
	for i := range 65 {
		fmt.Fprintf(&many, "dc%d,1,2\n", i)
	}
	if err := os.WriteFile("many.csv", []byte(many.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, use, want string
	}{
		{"aws:us-est-1,eu-west-1,eu-west-1,mars", "", `c.yaml:1:4: datacenters.file: got "us-est-1" (did you mean us-east-1?), "eu-west-1" twice, "mars", expected regions of aws, each once; "mmsim dataset datacenters aws" lists them`},
		{`"aws:"`, "", `c.yaml:1:4: datacenters.file: got "", expected regions of aws`},
		{"azure:EastUs", "", `c.yaml:1:4: datacenters.file: got "EastUs" (did you mean eastus?), expected regions of azure`},
		{"aws", "[us-est-1, eu-west-1, mars]", `got "us-est-1" (did you mean us-east-1?), "mars", expected datacenters in aws: us-east-1, us-east-2, `},
		{"aws:us-east-1", "[eu-west-1]", `got "eu-west-1", expected datacenters in aws:us-east-1: us-east-1`},
		{"''", "[ashbrun]", `got "ashbrun" (did you mean ashburn?), expected datacenters in the list: ashburn, `},
		{"aws+gamelift", "[us-east-1]", `got "us-east-1" (did you mean aws/us-east-1 or gamelift/us-east-1?), expected datacenters in aws+gamelift`},
		{"aws", "[a, a]", `c.yaml:1:4: datacenters.use: got "a" twice, expected a list of datacenters`},
		{"aws", "{a: b}", `c.yaml:1:4: datacenters.use: got a mapping, expected a list of datacenters`},
		{"[aws]", "", `c.yaml:1:4: datacenters.file: got a list, expected the name of a file, aws, `},
		{"aws+azure", "", "aws+azure: 91 datacenters, expected at most 64 (MaxDatacenters): choose some with a list, such as aws:us-east-1,eu-west-1, or with datacenters.use"},
		{"many.csv", "", "many.csv: 65 datacenters, expected at most 64"},
		{"asw", "", "asw: no such file or directory; did you mean aws?"},
		{"missing.csv+aws", "", "missing.csv: no such file or directory"},
		{"mine.csv+again.csv", "", "mine.csv+again.csv: the datacenter lan is in mine.csv and in again.csv, expected it once"},
		{"aws:us-east-1+aws:us-east-1", "", "aws:us-east-1+aws:us-east-1: the datacenter aws/us-east-1 is in aws:us-east-1 and in aws:us-east-1, expected it once"},
	} {
		choice, err := choose(t, c.file, c.use)
		if err == nil {
			_, err = choice.Load()
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %s: got error %v, want %s", c.file, c.use, err, c.want)
		}
	}
	choice, err := choose(t, "many.csv", "[dc64, dc1]")
	if err != nil {
		t.Fatal(err)
	}
	if list, err := choice.Load(); err != nil || usedNames(list) != "dc1 dc64" || !list.IsReduced || len(list.Datacenters) != 2 || len(list.Others) != 63 {
		t.Errorf("got %+v (error %v), want the part of a long list that is in use", list, err)
	}
}

// A choice that was written is read as the same choice, from any folder.
func TestWriteReadsBack(t *testing.T) {
	inFiles(t)
	if err := os.Mkdir("results", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"aws", "aws:us-east-1,eu-west-1", "mine.csv", "mine.csv+aws:eu-west-1+c++/dcs.csv", "a+b.csv+other.csv", "''", "gcp"} {
		choice, err := choose(t, file, "")
		if err != nil {
			t.Fatal(err)
		}
		here, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(here, "results")
		for _, from := range []string{"", folder} {
			sources := []Source(nil)
			if text := fmt.Sprint(choice.SourcesValue().Write(from)); text != "" {
				if sources, err = parse(text, from); err != nil {
					t.Errorf("%s from %q: %v", file, from, err)
				}
			}
			same := slices.EqualFunc(sources, choice.Sources, func(a, b Source) bool {
				return a.File == b.File && a.Provider == b.Provider && slices.Equal(a.Part, b.Part)
			})
			if !same {
				t.Errorf("%s from %q: got %+v, want %+v", file, from, sources, choice.Sources)
			}
		}
	}
}

// Different sources have different hashes, and equal ones equal hashes wherever they are.
func TestContent(t *testing.T) {
	inFiles(t)
	seen := map[string]string{}
	for _, file := range []string{"aws", "azure", "aws:us-east-1", "aws:us-east-2", "mine.csv", "mine.csv+aws:us-east-2", "aws:us-east-2+mine.csv", "other.csv"} {
		choice, err := choose(t, file, "")
		if err != nil {
			t.Fatal(err)
		}
		list, err := choice.Load()
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[list.Content]; ok {
			t.Errorf("%s and %s have the same hash %s", file, other, list.Content)
		}
		seen[list.Content] = file
	}
	if err := os.Rename("mine.csv", "moved.csv"); err != nil {
		t.Fatal(err)
	}
	choice, _ := choose(t, "moved.csv+aws:us-east-2", "")
	if list, err := choice.Load(); err != nil || seen[list.Content] != "mine.csv+aws:us-east-2" {
		t.Errorf("got %+v (error %v), want the hash from before the file moved", list, err)
	}
}

// Any text is either refused or read as sources that can be written and read again.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"aws", "aws:us-east-1,eu-west-1", "a.csv+gcp", "a++b", "+", "aws:", "playfab:EastUs+azure:eastus", "x/y.csv+aws"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sources, err := parse(text, "/nowhere")
		if err != nil || strings.ContainsRune(text, 0) {
			return
		}
		c := Datacenters{Sources: sources}
		if len(sources) == 0 {
			t.Fatalf("%q: got no sources", text)
		}
		if slices.ContainsFunc(sources, func(s Source) bool { return strings.Contains(s.File, "+") }) {
			return // only the name of an existing file may contain a plus sign
		}
		again, err := parse(c.text(strings.Clone), "/nowhere")
		if err != nil || (&Datacenters{Sources: again}).text(strings.Clone) != c.text(strings.Clone) {
			t.Fatalf("%q: wrote %q, which is read as %+v (error %v)", text, c.text(strings.Clone), again, err)
		}
		for _, s := range sources {
			if (s.File == "") == (s.Provider == "") {
				t.Fatalf("%q: got %+v, want a file or a provider", text, s)
			}
		}
	})
}
