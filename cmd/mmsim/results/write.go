// Package results is what a result directory of runs holds: the files of a replication, the
// aggregate of several, and how other commands read them back.
package results

import (
	"errors"
	"io"
	"path/filepath"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/datasets/atlas"
	"mmsim/reports"
	"mmsim/reports/figure"
	"mmsim/reports/outcome"
	"mmsim/reports/records"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Observe has the records and the result of a replication written into a folder, where a
// part of output.dir is made. Watchers look on.
func Observe(w *experiment.Replication, folder, part string, watchers ...Watcher) (experiment.Observation, error) {
	create := result.Create(resultdir.In(filepath.Join(folder, part)))
	observers, finishRecords, err := recorder(w, create)
	if err != nil {
		return experiment.Observation{}, err
	}
	for _, watch := range watchers {
		observers = append(observers, watch(w.Setup()))
	}
	finish := func(result *result.Result, err error) error {
		// The file is closed whatever happened; what happened first is the message.
		if closing := finishRecords(); err == nil {
			err = closing
		}
		if err != nil {
			return err
		}
		return writeResult(w.Config, part, result, create)
	}
	return experiment.Observation{Observers: observers, Finish: finish}, nil
}

// A watcher makes an observer for a run of which it is told what there is to know
// before.
type Watcher func(setup.Run) sim.Observer

// recorder returns who writes the records that the configuration asks for, and how
// to end their file; nobody where it asks for none.
func recorder(w *experiment.Replication, create result.Create) ([]sim.Observer, func() error, error) {
	name, newRecords := records.CSVFile, records.NewCSV
	switch w.Config.Output.Records {
	case "none":
		return nil, func() error { return nil }, nil
	case "parquet":
		name, newRecords = records.ParquetFile, records.NewParquet
	}
	file, err := create(name)
	if err != nil {
		return nil, nil, err
	}
	records := newRecords(file, w.Setup(), w.RecordColumns())
	return []sim.Observer{records}, func() error { return errors.Join(records.Close(), file.Close()) }, nil
}

// ConfigFile is the resolved configuration in a result directory.
const ConfigFile = "config.yaml"

// PageFile is the page about a result.
const PageFile = "report.html"

// writeResult writes all files of a result of this configuration, a part of output.dir.
func writeResult(c *config.Config, part string, result *result.Result, create result.Create) error {
	if err := result.Write(create); err != nil {
		return err
	}
	resolved, err := writeResolved(c, part, create, "")
	if err != nil {
		return err
	}
	return Draw(result, resolved, create, c.Output)
}

// writeResolved writes config.yaml of a part of output.dir, below a comment where there is
// one, and returns its text. It names files from the folder where it ends up, not from the
// temporary one; DIR.partial is beside output.dir, from where the names are the same.
func writeResolved(c *config.Config, part string, create result.Create, comment string) ([]byte, error) {
	resolved, err := c.Resolved(filepath.Join(c.Output.Dir, part))
	if err != nil {
		return nil, err
	}
	if comment != "" {
		resolved = append([]byte("# "+comment+"\n"), resolved...)
	}
	return resolved, create.File(ConfigFile, func(w io.Writer) error {
		_, err := w.Write(resolved)
		return err
	})
}

// Draw writes the pictures of a result: what `mmsim report` draws again.
func Draw(result *result.Result, resolved []byte, create result.Create, o config.Output) error {
	if o.Plots {
		if err := figure.Write(result, Coast(), create); err != nil {
			return err
		}
	}
	if !o.HTML {
		return nil
	}
	return create.File(PageFile, func(w io.Writer) error {
		return reports.WritePage(w, result, Coast(), resolved)
	})
}

// Coast adapts the outlines of land to what reports asks for.
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

// Kind is the kind of directory that a run writes. Its names are those that any version
// has written: in a directory without a list of its files they are mmsim's, everything
// else is the user's. A file that is written now needs no entry: lists know it.
var Kind = resultdir.Kind{
	Command: "run", Marker: outcome.SummaryFile, Keys: []string{"run", "players", "wait_s", "rtt_ms", "matches"},
	Names: resultdir.Names(`(runs/[0-9]+/)?`, `(summary\.json|config\.yaml|report\.html|records\.(csv\.gz|parquet)|timelapse\.csv\.gz)`,
		`(timeseries|percentiles|distributions|map|load|datacenters|continents|hours|servers)\.csv`,
		`(wait-time|rtt|ccu|states|rules(-[0-9]+)?|quality|datacenters|map|servers|signals)\.(png|svg)`),
}
