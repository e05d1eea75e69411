package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/capture"
	"mmsim/cmd/mmsim/experiment/servers"
	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/latencymap"
)

// inputs are what a configuration names, loaded and checked. They do not depend
// on the replication, so that all replications share them.
type inputs struct {
	config      *config.Config
	datacenters []datasets.Datacenter
	latency     *latencymap.Set
	day         *datasets.Day                    // nil: the built-in day, which differs by replication
	geography   *geography                       // of day
	rulesets    []*config.Ruleset                // by queue; nil: none
	ruleset     *config.Ruleset                  // that of the first queue
	countries   map[datasets.CountryCode]float64 // weights for the built-in day
	warnings    []string
	captures    []*capture.Request // of the one replication there is

	// contents identifies the content of every file setting.
	contents map[string]string
}

// newInputs returns inputs of which nothing is loaded yet.
func newInputs(c *config.Config) *inputs { return &inputs{config: c, contents: map[string]string{}} }

// loadInputs reads everything that the configuration names. Every error is bad
// input. The dataset and the maps are read side by side: they take most of the
// time.
func loadInputs(c *config.Config) (*inputs, error) { return loadInputsBeside(c, nil) }

// loadInputsBeside shares the day and the maps with the inputs of another
// configuration, if there are any and they are the same there.
func loadInputsBeside(c *config.Config, other *inputs) (*inputs, error) {
	in := newInputs(c)
	in.warnings = c.Lint()
	var err error
	if in.datacenters, err = in.loadDatacenters(); err != nil {
		return nil, input.Bad(err)
	}
	if err := in.loadCountries(); err != nil {
		return nil, input.Bad(err)
	}
	if err := in.loadRules(); err != nil {
		return nil, input.Bad(err)
	}
	if err := in.checkRegions(); err != nil {
		return nil, input.Bad(err)
	}
	var maps string
	group, _ := errgroup.WithContext(context.Background())
	group.Go(func() error {
		if in.sharesDay(other) {
			in.day = other.day
			return nil
		}
		return in.loadDay()
	})
	group.Go(func() (err error) {
		if other != nil && c.Agrees(other.config, latencySettings...) {
			in.latency, maps = other.latency, other.contents["latency.maps"]
			return nil
		}
		in.latency, maps, err = openMaps(c, in.datacenters)
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, input.Bad(err)
	}
	in.contents["latency.maps"] = maps
	if in.day != nil {
		in.contents["dataset.file"] = hex.EncodeToString(in.day.SHA256[:])
		var known *geography
		if other != nil {
			known = other.geography
		}
		in.geography = in.locate(in.day, known)
	}
	return in, nil
}

// What the day and the latency that are loaded depend on.
var (
	daySettings     = []string{"dataset.file", "dataset.columns", "dataset.max_bad_rows", "datacenters.file"}
	latencySettings = []string{"datacenters.file", "latency.maps", "latency.clean", "latency.fallback", "latency.fudge"}
)

// sharesDay tells whether other inputs have read the same day in the same way: what
// kind a column is, its rules may say.
func (in *inputs) sharesDay(other *inputs) bool {
	return other != nil && in.config.Agrees(other.config, daySettings...) && maps.Equal(in.columnKinds(), other.columnKinds())
}

// loadDatacenters reads the list of datacenters, or takes the built-in one.
func (in *inputs) loadDatacenters() ([]datasets.Datacenter, error) {
	file := in.config.Datacenters
	in.contents["datacenters.file"] = ""
	if file == "" {
		return datasets.BuiltinDatacenters(), nil
	}
	var list []datasets.Datacenter
	sum, err := input.ReadHashed(file, func(r io.Reader, name string) (err error) {
		list, err = datasets.ReadDatacenters(r, name)
		return err
	})
	in.contents["datacenters.file"] = sum
	return list, err
}

// loadCountries reads the country weights of the built-in day.
func (in *inputs) loadCountries() error {
	file := in.config.Dataset.Builtin.Countries
	in.contents["dataset.builtin.countries"] = ""
	if file == "" || in.config.Dataset.File != "" {
		return nil
	}
	sum, err := input.ReadHashed(file, func(r io.Reader, name string) (err error) {
		in.countries, err = datasets.ReadCountryWeights(r, name)
		return err
	})
	in.contents["dataset.builtin.countries"] = sum
	return err
}

// loadDay reads the dataset, unless it is the built-in day.
func (in *inputs) loadDay() error {
	d := &in.config.Dataset
	if d.File == "" {
		return nil
	}
	options := datasets.ReadOptions{
		Columns:    map[string]datasets.Kind{},
		Expected:   in.columnKinds(),
		MaxBadRows: d.MaxBadRows,
	}
	if in.config.Placement == config.PlacementServers {
		options.Checks = servers.Checks(in.ruleset, in.config)
	}
	for _, dc := range in.datacenters {
		options.Datacenters = append(options.Datacenters, dc.Name)
	}
	for name, word := range d.Columns {
		options.Columns[name], _ = datasets.ParseKind(word) // checked with the configuration
	}
	f, err := os.Open(d.File)
	if err != nil {
		return input.Error(input.Shown(d.File), err)
	}
	defer f.Close()
	in.day, err = datasets.Read(f, input.Shown(d.File), options)
	return input.ReaderError(input.Shown(d.File), err)
}

// missingNamed is how many datacenters without a map have a warning each.
const missingNamed = 5

// latencyWarnings tells which datacenters have no map and which maps belong to
// no datacenter. Of a day it is known what share of its RTTs comes from maps.
func (in *inputs) latencyWarnings(day *geography) []string {
	var warnings []string
	fallback, shares := in.config.Latency.Fallback, ""
	if day != nil {
		l := &day.latency
		shares = fmt.Sprintf(" (of all RTTs %.1f %% are from maps, %.1f %% from %s)",
			100*l.ShareMap, 100*(l.ShareModel+l.ShareLine+l.ShareFibre), fallback)
	}
	missing := in.latency.Missing()
	if len(missing) > missingNamed {
		warnings = append(warnings, fmt.Sprintf("%d datacenters have no latency map, %s used%s: %s",
			len(missing), fallback, shares, strings.Join(missing, ", ")))
		missing = nil
	}
	for _, name := range missing {
		warnings = append(warnings, fmt.Sprintf("%s has no latency map: %s used%s", name, fallback, shares))
	}
	for _, file := range in.latency.Stray() {
		warnings = append(warnings, fmt.Sprintf("%s belongs to no datacenter: not used", file))
	}
	return warnings
}

// openMaps opens the latency maps and identifies their content; "" without maps.
func openMaps(c *config.Config, datacenters []datasets.Datacenter) (*latencymap.Set, string, error) {
	fallback, err := latencymap.ParseFallback(c.Latency.Fallback)
	if err != nil {
		return nil, "", err
	}
	sites := sitesOf(datacenters)
	var folder fs.FS
	name := input.Shown(c.Latency.Maps)
	if c.Latency.Maps != "" {
		if info, err := os.Stat(c.Latency.Maps); err != nil {
			return nil, "", input.Error(name, err)
		} else if !info.IsDir() {
			return nil, "", fmt.Errorf("%s: a file, expected a folder of latency maps", name)
		}
		folder = input.Folder(c.Latency.Maps)
	}
	set, err := latencymap.Open(folder, name, sites, latencymap.Options{
		Clean: c.Latency.Clean, Fallback: fallback, Fudge: c.Latency.Fudge,
	})
	switch {
	case err != nil || folder == nil:
		return set, "", err
	case len(set.Missing()) == len(sites):
		return nil, "", noMapFits(c, name, set.Stray(), sites)
	}
	content, err := mapsSHA256(folder, set.Files())
	if detail := (*fs.PathError)(nil); errors.As(err, &detail) {
		err = input.Error(filepath.Join(name, detail.Path), err)
	}
	return set, content, err
}

// noMapFits is the error about a folder without a map of any datacenter: whoever
// gives maps does not want the fallback for all.
func noMapFits(c *config.Config, folder string, stray []string, datacenters []latencymap.Datacenter) error {
	hint := ""
	beside := filepath.Join(folder, "datacenters.csv")
	switch _, err := os.Stat(filepath.Join(c.Latency.Maps, "datacenters.csv")); {
	case err == nil && c.Datacenters == "":
		hint = "; the folder has a list of its own: give it as --datacenters " + beside
	case len(stray) > 0:
		hint = fmt.Sprintf("; it holds maps of other names, such as %s: give their list with --datacenters", stray[0])
	}
	return fmt.Errorf("%s: no latency maps, expected latency_<datacenter>.bin or .png of %s, such as %s%s",
		folder, input.Counted(len(datacenters), "datacenter"), datacenters[0].Name, hint)
}

// mapsSHA256 identifies latency maps of a folder: names and contents, in the order of
// the names. They were read as maps, so they are small regular files; other files of the
// folder have no influence on a run and may be anything.
func mapsSHA256(folder fs.FS, names []string) (string, error) {
	sum := sha256.New()
	for _, name := range names {
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(content))
		sum.Write(content)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
