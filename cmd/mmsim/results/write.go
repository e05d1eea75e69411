// Package results writes and reads the result directories of runs. A directory contains the
// files of one replication, or of several replications with their aggregate. Package results
// also writes the directories of comparisons and checks, and has what those of all decisions share;
// see [Decision].
package results

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strconv"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/datasets/atlas"
	"mmsim/reports/figure"
	"mmsim/reports/outcome"
	"mmsim/reports/present/page"
	"mmsim/reports/records"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// A Writer simulates replications and writes their files.
type Writer struct {
	Folder   string // where the result directory is created
	Several  bool   // whether each replication has a directory in RunsFolder
	Captures []*binding.Capture
	Watchers []Watcher
	Resolved []byte // text of ConfigFile; nil for the replication's own configuration
}

// Part returns the path of a replication's directory, relative to Folder.
func (w *Writer) Part(run uint64) string {
	if !w.Several {
		return ""
	}
	return filepath.Join(RunsFolder, strconv.FormatUint(run, 10))
}

// A Watcher creates an observer for a replication.
type Watcher func(setup.Run) sim.Observer

// Measure simulates a replication. It writes records during the simulation and the other files
// at the end. It can be used as experiment.Options.Measure.
func (w *Writer) Measure(ctx context.Context, r *experiment.Replication, p experiment.Progress) (*result.Result, error) {
	part := w.Part(uint64(r.Config.Run))
	create := result.Create(resultdir.In(filepath.Join(w.Folder, part)))
	observers, closeRecords, err := recorder(r, create)
	if err != nil {
		return nil, err
	}
	for _, watch := range w.Watchers {
		observers = append(observers, watch(r.Setup()))
	}
	r.Captures = w.Captures
	found, err := r.Measure(ctx, p, observers...)
	if err = cmp.Or(err, closeRecords()); err != nil {
		return nil, err
	}
	resolved := w.Resolved
	if resolved == nil {
		if resolved, err = Resolved(r.Config, part); err != nil {
			return nil, err
		}
	}
	return found, WriteRun(r.Config, resolved, found, create)
}

// recorder returns an observer that writes the records that the configuration asks for, and a
// function that closes their file. It returns no observer if the configuration does not ask for
// records.
func recorder(r *experiment.Replication, create result.Create) ([]sim.Observer, func() error, error) {
	name, newRecords := records.CSVFile, records.NewCSV
	switch r.Config.Output.Records {
	case "none":
		return nil, func() error { return nil }, nil
	case "parquet":
		name, newRecords = records.ParquetFile, records.NewParquet
	}
	file, err := create(name)
	if err != nil {
		return nil, nil, err
	}
	records := newRecords(file, r.Setup(), r.RecordColumns())
	return []sim.Observer{records}, func() error { return errors.Join(records.Close(), file.Close()) }, nil
}

// Kind describes the directories that mmsim run writes.
var Kind = resultdir.Kind{
	Command: "run", Marker: outcome.SummaryFile, Keys: []string{"run", "players", "wait_s", "rtt_ms", "matches"},
}

// ConfigFile is the file with the resolved configuration in a result directory.
const ConfigFile = "config.yaml"

// PageFile is the page about a result.
const PageFile = "report.html"

// WriteRun writes all files of a result. resolved is the text of ConfigFile.
func WriteRun(c *config.Config, resolved []byte, result *result.Result, create result.Create) error {
	if err := cmp.Or(result.Write(create), create.Text(ConfigFile, string(resolved))); err != nil {
		return err
	}
	return Draw(result, resolved, create, c.Output)
}

// Resolved returns the text of config.yaml for a folder of the result. part is the folder's
// path relative to output.dir. File names in the text are relative to the final directory, not
// to the temporary one. They are also valid in DIR.partial, which is beside output.dir.
func Resolved(c *config.Config, part string) ([]byte, error) {
	return c.Resolved(filepath.Join(c.Output.Dir, part))
}

// Draw writes the pictures and the page of a result, if o asks for them. `mmsim report` calls
// it too. Of production, they show no small groups.
func Draw(result *result.Result, resolved []byte, create result.Create, o config.Output) error {
	result = result.Concealed()
	if o.Plots {
		if err := figure.Write(figure.Plots(result, Coast()), create); err != nil {
			return err
		}
	}
	if !o.HTML {
		return nil
	}
	return create.File(PageFile, func(w io.Writer) error {
		return page.Write(w, result, Coast(), resolved)
	})
}

// Coast converts the world's coastlines to the type that package figure uses.
func Coast() figure.Coast {
	rings := atlas.Coastline()
	coast := make(figure.Coast, len(rings))
	for i, ring := range rings {
		coast[i] = make([][2]float64, len(ring))
		for j, at := range ring {
			coast[i][j] = [2]float64{at.Lon, at.Lat}
		}
	}
	return coast
}
