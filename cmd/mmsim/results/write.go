// Package results writes and reads the content of a result directory of runs: the files of a
// replication, and the aggregate of several.
package results

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strconv"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/experiment/capture"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/datasets/atlas"
	"mmsim/reports/figure"
	"mmsim/reports/present/page"
	"mmsim/reports/records"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// A Writer simulates replications and writes the files of each.
type Writer struct {
	Folder   string // where the result directory is created
	Several  bool   // each replication has a directory of its own in RunsFolder
	Captures []*capture.Request
	Watchers []Watcher
	Resolved []byte // text of ConfigFile; nil: from the configuration of the replication
}

// Part is the path of a replication's directory in Folder.
func (w *Writer) Part(run uint64) string {
	if !w.Several {
		return ""
	}
	return filepath.Join(RunsFolder, strconv.FormatUint(run, 10))
}

// A Watcher creates the observer of a replication from its setup.
type Watcher func(setup.Run) sim.Observer

// Measure simulates a replication. It writes the records during the simulation and the other
// files at the end. It can be used as experiment.Options.Measure.
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
	// Close the file in any case; report the first error.
	if closing := closeRecords(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, err
	}
	resolved := w.Resolved
	if resolved == nil {
		if resolved, err = Resolved(r.Config, part); err != nil {
			return nil, err
		}
	}
	return found, writeResult(r.Config, resolved, found, create)
}

// recorder returns observers that write the records that the configuration asks for, and a
// function that ends their file; no observers if it asks for none.
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

// ConfigFile is the file of a result directory with the resolved configuration.
const ConfigFile = "config.yaml"

// PageFile is the page about a result.
const PageFile = "report.html"

// writeResult writes all files of a result of this configuration.
func writeResult(c *config.Config, resolved []byte, result *result.Result, create result.Create) error {
	if err := result.Write(create); err != nil {
		return err
	}
	if err := writeResolved(resolved, create); err != nil {
		return err
	}
	return Draw(result, resolved, create, c.Output)
}

// Resolved returns the text of config.yaml for a part of output.dir. It names files relative
// to the final folder, not to the temporary one. DIR.partial is beside output.dir, so the
// same names are valid there.
func Resolved(c *config.Config, part string) ([]byte, error) {
	return c.Resolved(filepath.Join(c.Output.Dir, part))
}

// writeResolved writes config.yaml.
func writeResolved(resolved []byte, create result.Create) error {
	return create.File(ConfigFile, func(w io.Writer) error {
		_, err := w.Write(resolved)
		return err
	})
}

// Draw writes the pictures of a result. `mmsim report` calls it too.
func Draw(result *result.Result, resolved []byte, create result.Create, o config.Output) error {
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

// Coast converts the outlines of land to the type that package figure uses.
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
