package search

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/yamltree"
)

// demandOfDay returns the demand of a configuration's run 0, and its datacenters.
func demandOfDay(t *testing.T, overrides ...config.Override) (*demand, siteList) {
	t.Helper()
	c, err := config.Load("", overrides)
	if err != nil {
		t.Fatal(err)
	}
	in, err := experiment.Load(c, experiment.NewCache(1))
	if err != nil {
		t.Fatal(err)
	}
	d, err := demandOf(in)
	if err != nil {
		t.Fatal(err)
	}
	return d, siteList(in.Datacenters)
}

// The best sets of the built-in day, as found by an exhaustive search outside mmsim. Sets of 3 and 4
// are enumerated here, too.
func TestBestSetsOfBuiltinDay(t *testing.T) {
	d, sites := demandOfDay(t)
	p := d.problem(itself)
	mean := func(s siteSet) string { return fmt.Sprintf("%.4f", float64(p.Cost(s))/16/float64(d.joins)) }
	if got := mean(1<<len(sites) - 1); got != "31.6431" {
		t.Errorf("all: got %s ms, want 31.6431", got)
	}
	for k, want := range map[int]string{
		1: "129.5495 telaviv", 2: "82.9820 paris chennai", 3: "65.4695 ashburn warsaw chennai", 4: "56.1225 ashburn warsaw mumbai hongkong",
		5: "49.3095 queretaro saopaulo warsaw mumbai hongkong", 6: "46.0709 queretaro saopaulo warsaw telaviv mumbai hongkong",
	} {
		s := p.Candidates(k, 1, 0, 0)[0]
		if got := mean(s) + " " + strings.Join(sites.names(s), " "); got != want {
			t.Errorf("sets of %d: got %s, want %s", k, got, want)
		}
	}
	second := p.Candidates(5, 2, 0, 0)[1]
	if got := mean(second) + " " + strings.Join(sites.names(second), " "); got != "49.5849 sanantonio saopaulo warsaw mumbai hongkong" {
		t.Errorf("second set of 5: got %s, want 49.5849 with sanantonio", got)
	}
	for k := 3; k <= 4; k++ {
		if s := exhaustive(d, k); s != p.Candidates(k, 1, 0, 0)[0] {
			t.Errorf("sets of %d: got %v by enumeration, want the same as by the search", k, sites.names(s))
		}
	}
}

// exhaustive returns the set of k datacenters with the lowest sum of the lowest RTTs. It looks at all
// sets, apart from those that begin with datacenters whose sum, with all later datacenters together, is
// not below that of a set that it has seen.
func exhaustive(d *demand, k int) (best siteSet) {
	n, least := d.rtts.Datacenters, int64(math.MaxInt64)
	columns := make([][]uint16, n+1) // RTTs by datacenter
	var weights []int64
	for place, players := range d.players {
		if players > 0 {
			weights = append(weights, players)
			for dc, rtt := range d.rtts.Row(place) {
				columns[dc] = append(columns[dc], rtt)
			}
		}
	}
	columns[n] = slices.Repeat([]uint16{math.MaxUint16}, len(weights))
	later := slices.Clone(columns) // lowest RTTs to a datacenter and all after it
	for dc := n - 1; dc >= 0; dc-- {
		later[dc] = lower(slices.Clone(columns[dc]), columns[dc], later[dc+1])
	}
	lowest := make([][]uint16, k) // to the datacenters chosen so far
	for level := range lowest {
		lowest[level] = slices.Clone(columns[n])
	}
	sum := func(a, b []uint16) (sum int64) {
		for i, rtt := range a {
			sum += weights[i] * int64(min(rtt, b[i]))
		}
		return sum
	}
	var choose func(level, from int, s siteSet)
	choose = func(level, from int, s siteSet) {
		for dc := from; dc < n; dc++ {
			if level+1 < k {
				if now := lower(lowest[level+1], lowest[level], columns[dc]); sum(now, later[dc+1]) < least {
					choose(level+1, dc+1, s.With(dc))
				}
			} else if of := sum(lowest[level], columns[dc]); of < least {
				least, best = of, s.With(dc)
			}
		}
	}
	choose(0, 0, 0)
	return best
}

// lower sets a list to the lower of two others.
func lower(list, a, b []uint16) []uint16 {
	for i := range list {
		list[i] = min(a[i], b[i])
	}
	return list
}

// smallDay are the settings of a day that takes little time to generate.
func smallDay() []config.Override {
	return []config.Override{{Key: "dataset.builtin.joins", Text: "3000"}}
}

// setsOf returns the sets that a sweep's request for the best sets stands for, as "NAME IS: DATACENTERS".
func setsOf(t *testing.T, best string, overrides ...config.Override) (sets, dropped []string, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(file, []byte("settings: {datacenters.use: {best: "+best+"}}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	spec, err := readSweep(file, append(smallDay(), overrides...))
	if err != nil {
		return nil, nil, err
	}
	p, _, err := spec.plan(experiment.NewCache(1))
	if err != nil {
		return nil, nil, err
	}
	for _, point := range p.Points {
		sets = append(sets, fmt.Sprintf("%s %s: %s", point.Set.Name, point.Set.Is, point.Set.Names()))
		if want := "[" + strings.Join(point.Set.Datacenters, ", ") + "]"; point.Values[0] != want {
			t.Errorf("%s: got the value %s, want %s", point.Set.Name, point.Values[0], want)
		}
	}
	return sets, p.Dropped, nil
}

func TestBestSets(t *testing.T) {
	all := strings.Join(siteListOf(t), " ")
	sets, _, err := setsOf(t, "{count: {from: 2, to: 3}, candidates: 4, always: [tokyo], never: [paris, london]}")
	if err != nil {
		t.Fatal(err)
	}
	if len(sets) != 10 || !strings.HasPrefix(sets[8], "28-1 all: ") || sets[9] != "30-1 own: "+all {
		t.Fatalf("got %q, want 4 sets of 2, 4 of 3, all but 2, and all, which the configuration uses", sets)
	}
	for i, set := range sets[:9] {
		if _, names, _ := strings.Cut(set, ": "); i < 8 && !strings.HasPrefix(set, fmt.Sprintf("%d-%d ", 2+i/4, 1+i%4)) ||
			!strings.Contains(names, "tokyo") || strings.Contains(names, "paris") || strings.Contains(names, "london") {
			t.Errorf("set %d: got %q, want tokyo in it, but neither paris nor london", i, set)
		}
	}

	// The configuration's own set has a name among the sets of its size, and is simulated once.
	sets, _, err = setsOf(t, "{count: 1, candidates: 1}", config.Override{Key: "datacenters.use", Text: "[auckland]"})
	if err == nil {
		t.Errorf("a key that is both in settings and on the command line: got %q, want an error", sets)
	}
	base := filepath.Join(t.TempDir(), "base.yaml")
	if err := os.WriteFile(base, []byte("datacenters: {use: [sydney, auckland]}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	spec := &sweepSpec{config: base, overrides: smallDay(), runs: 1}
	key := yamltree.Node{Kind: yamltree.Plain, Text: "datacenters.use", From: &yamltree.Source{Name: "test"}}
	b := newBestSets()
	b.from, b.to, b.candidates, b.at = 2, 2, 1, key
	spec.axes = []axis{{key: key, best: b}}
	p, _, err := spec.plan(experiment.NewCache(1))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Points) != 3 || p.Points[1].Set.Name != "2-2" || p.Points[1].Set.Is != "own" || p.Points[1].Set.Names() != "sydney auckland" || p.Points[2].Set.Name != "30-1" {
		t.Errorf("own set: got %+v, want it second, as 2-2", p.Points)
	}
}

// siteListOf lists the names of the built-in datacenters.
func siteListOf(t *testing.T) []string {
	t.Helper()
	c, err := config.Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.Datacenters.Load()
	if err != nil {
		t.Fatal(err)
	}
	return siteList(list.Datacenters).names(math.MaxUint64)
}

// Half of the sets, rounded down, are chosen by shares of RTTs. The first of them has the largest share
// of all sets of its size.
func TestBestSetsByShare(t *testing.T) {
	d, sites := demandOfDay(t, smallDay()...)
	b := newBestSets()
	b.from, b.to, b.candidates, b.by = 2, 2, 5, []string{byMean, "rtt_ms.share_le_100"}
	rtts := d.problem(itself)
	sets := b.candidateSets(d, rtts, 0, 0)
	if len(sets) != 5 || !slices.Equal(sets[:3], rtts.Candidates(2, 3, 0, 0)) {
		t.Fatalf("got %d sets, want 5, and the first three as by the mean", len(sets))
	}
	within := func(s siteSet) (players int64) {
		for place, n := range d.players {
			for dc, rtt := range d.rtts.Row(place) {
				if s.Has(dc) && rtt <= 1600 {
					players += n
					break
				}
			}
		}
		return players
	}
	for a := range sites {
		for b := range a {
			if other := siteSet(0).With(a).With(b); within(other) > within(sets[3]) && !slices.Contains(sets[:3], other) {
				t.Errorf("got %v with %d players near it, but %v has %d", sites.names(sets[3]), within(sets[3]), sites.names(other), within(other))
			}
		}
	}
}

// A set that leaves a region without a datacenter is not simulated, and listed.
func TestBestSetsKeepRegions(t *testing.T) {
	regions := config.Override{Key: "regions", Text: "{Asia: [mumbai, chennai], Europe: [paris, london, frankfurt, warsaw, amsterdam, dublin]}"}
	sets, dropped, err := setsOf(t, "{count: 2, candidates: 20}", regions)
	if err != nil {
		t.Fatal(err)
	}
	if len(sets)+len(dropped) != 21 || len(dropped) == 0 {
		t.Errorf("got %d sets and %d dropped, want 20 candidates and all, of which some are dropped", len(sets), len(dropped))
	}
	for _, d := range dropped {
		if !strings.Contains(d, "the region ") {
			t.Errorf("dropped: got %q, want the region", d)
		}
	}
	for _, s := range sets {
		if !strings.Contains(s, "mumbai") && !strings.Contains(s, "chennai") {
			t.Errorf("got %q, which leaves Asia without a datacenter", s)
		}
	}
	if _, _, err = setsOf(t, "{count: 1, candidates: 9}", regions); err == nil || !strings.Contains(err.Error(), "every set leaves a region without a datacenter, such as telaviv: the region Asia has none") {
		t.Errorf("got error %v, want one that names a set and its region", err)
	}
}

func TestBadBestSets(t *testing.T) {
	for best, want := range map[string]string{
		"{candidates: 2}":                             "count is missing",
		"{count: 0}":                                  "count: got \"0\", expected a whole number from 1 to 64",
		"{count: 65}":                                 "expected a whole number from 1 to 64",
		"{count: {from: 5, to: 4}}":                   "expected a range that ends (to) at or above its start (from)",
		"{count: {from: 5}}":                          "to is missing",
		"{count: 31}":                                 "count: sets of 31 datacenters, expected at most the 30 of the list",
		"{count: 30, never: [paris]}":                 "expected at most the 29 of the list",
		"{count: 1, always: [paris, tokyo]}":          "count: sets of 1 datacenter, expected at least the 2 in always",
		"{count: 2, always: [pariss]}":                "always: got \"pariss\"; did you mean paris?",
		"{count: 2, never: [nowhere]}":                "never: got \"nowhere\", expected datacenters in the list: ashburn",
		"{count: 2, never: [paris, paris]}":           "never: got \"paris\" twice",
		"{count: 2, never: [paris], always: [paris]}": "paris is in always and in never",
		"{count: 2, candidates: 51}":                  "expected a whole number from 1 to 50",
		"{count: 2, by: [wait_s.mean]}":               "expected rtt_ms.mean, rtt_ms.share_le_50 or rtt_ms.share_le_100",
		"{count: 2, sets: 3}":                         "unknown key \"sets\"",
		"[paris]":                                     "got a list",
	} {
		if _, _, err := setsOf(t, best); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want one that contains %q", best, err, want)
		}
	}
}
