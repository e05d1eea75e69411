package experiment

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"mmsim/cmd/mmsim/config"
	"mmsim/datasets"
	"mmsim/latencymap"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/sim"
)

// If a few datacenters have no map, each has a warning. If many have none, they share one
// warning.
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
			t.Errorf("%d datacenters without a map: got warnings %q", without, warnings)
		}
	}
}

// A difference of up to four standard deviations, plus 1 % of the population, causes no
// warning. For two Poisson numbers with mean 10,000, four standard deviations are
// 4·sqrt(2·10,000) = 566.
func TestPopulationWarnings(t *testing.T) {
	for _, test := range []struct {
		start, end int
		party      float64
		want       bool
	}{
		{10_000, 10_000, 1, false},
		{10_000, 10_600, 1, false}, // limit 574 + 106
		{10_000, 10_700, 1, true},  // limit 576 + 107
		{10_700, 10_000, 1, true},
		{10_000, 10_700, 2, false}, // parties of two: limit 814 + 107
		{0, 10, 1, false},
		{0, 20, 1, true}, // limit 17.9 + 0.2
	} {
		c := config.Default()
		warnings := populationWarnings(c, &sim.Totals{OnlineAtStart: test.start, OnlineAtEnd: test.end}, test.party)
		if (len(warnings) == 1) != test.want {
			t.Errorf("%+v: got warnings %q", test, warnings)
		}
		for _, warning := range warnings {
			if !IsPopulationWarning(warning) || !strings.Contains(warning, fmt.Sprint(test.start)) || !strings.Contains(warning, fmt.Sprint(test.end)) {
				t.Errorf("got warning %q, want the players at the start and at the end in it", warning)
			}
		}
	}
}

// A warm-up period that is too short causes a warning. The automatic warm-up period causes
// none.
func TestPopulationWarningOfARun(t *testing.T) {
	for _, test := range []struct {
		warmup, duration string
		want             bool
	}{{"0s", "24h", true}, {"0s", "23h", false}, {"auto", "24h", false}} {
		in := inputsOf(t, "dataset.builtin.joins=5000", "placement=servers", "servers.session={constant: 3h}",
			"clock.duration="+test.duration, "clock.warmup="+test.warmup)
		w, err := in.Replication(0)
		if err != nil {
			t.Fatal(err)
		}
		result, err := w.Measure(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(result.Summary.Warnings, IsPopulationWarning); got != test.want {
			t.Errorf("%+v: got warnings %q, want one about the population: %v", test, result.Summary.Warnings, test.want)
		}
	}
}

// inputsOf loads the inputs of a configuration.
func inputsOf(t *testing.T, settings ...string) *Inputs {
	t.Helper()
	in, err := Load(configOf(t, settings...), NewCache(1))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// Warnings in results contain file names without folders. Warnings on the terminal contain the
// folders.
func TestWarningsOfResultsOmitFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("inputs", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"day.csv": "time,latitude,longitude\n00:00:01,50,8\n00:00:02,48.9,2.3\nbad\n",
		"queue.json": `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "DifferenceRules": [{"Name": "skill", "Weight": 1,
			"Attribute": {"Path": "elo", "Source": "User"}, "AttributeNotSpecifiedBehavior": "MatchAny", "Difference": 1}]}`,
	} {
		if err := os.WriteFile("inputs/"+name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := inputsOf(t, "dataset.file=inputs/day.csv", "dataset.max_bad_rows=1", "rules=inputs/queue.json").Replication(0)
	if err != nil {
		t.Fatal(err)
	}
	inResults := r.header(true).Warnings
	for file, about := range map[string]string{"day.csv:4:4": "malformed row", "queue.json": "no player has a value"} {
		shown := slices.ContainsFunc(r.Warnings, func(w jsontree.Warning) bool {
			return strings.HasPrefix(w.String(), filepath.Join("inputs", file)+": ") && strings.Contains(w.Message, about)
		})
		kept := slices.ContainsFunc(inResults, func(w string) bool { return strings.HasPrefix(w, file+": ") && strings.Contains(w, about) })
		if !shown || !kept {
			t.Errorf("%s: got the warning shown: %t in %q, and in the results: %t in %q, want both", file, shown, r.Warnings, kept, inResults)
		}
	}
}
