package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
	"mmsim/reports"
	"mmsim/sim"
)

// A watcher makes an observer for a run of which it is told what there is to know
// before.
type watcher func(reports.Setup) sim.Observer

// replicate simulates one replication and writes its files into a folder. Watchers
// look on.
func (in *inputs) replicate(ctx context.Context, run uint64, folder string, p *terminal.Progress, watchers ...watcher) (*reports.Result, error) {
	w, err := in.world(run)
	if err != nil {
		return nil, err
	}
	create := reports.Create(resultdir.In(folder))
	observers, finishRecords, err := in.recorder(w, create)
	if err != nil {
		return nil, err
	}
	for _, watch := range watchers {
		observers = append(observers, watch(w.setup(in.sites())))
	}
	result, err := in.measure(ctx, w, p, observers...)
	// The file is closed whatever happened; what happened first is the message.
	if closing := finishRecords(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, err
	}
	return result, writeResult(w.config, result, create)
}

// recorder returns who writes the records that the configuration asks for, and how
// to end their file; nobody where it asks for none.
func (in *inputs) recorder(w *world, create reports.Create) ([]sim.Observer, func() error, error) {
	name, newRecords := reports.RecordsFile, reports.NewRecords
	switch w.config.Output.Records {
	case "none":
		return nil, func() error { return nil }, nil
	case "parquet":
		name, newRecords = reports.RecordsParquetFile, reports.NewParquetRecords
	}
	file, err := create(name)
	if err != nil {
		return nil, nil, err
	}
	records := newRecords(file, w.setup(in.sites()), w.recordColumns())
	return []sim.Observer{records}, func() error { return errors.Join(records.Close(), file.Close()) }, nil
}

// measure simulates a world and counts what happens; observers see every fact too.
func (in *inputs) measure(ctx context.Context, w *world, p *terminal.Progress, observers ...sim.Observer) (*reports.Result, error) {
	collector := reports.NewCollector(w.setup(in.sites()))
	totals, complete, err := w.simulate(ctx, p, append([]sim.Observer{collector}, observers...)...)
	if err != nil {
		return nil, err
	}
	result := collector.Finish(totals, w.header(complete))
	if lost := result.Summary.Players.Balance(); lost != 0 {
		return nil, fmt.Errorf("reports: %d more players began to search than are accounted for", lost)
	}
	result.Summary.Warnings = append(result.Summary.Warnings, outcomeWarnings(&result.Summary)...)
	return result, nil
}

// sites adapts the datacenters to what reports asks for.
func (in *inputs) sites() []reports.Site {
	sites := make([]reports.Site, len(in.datacenters))
	for i, dc := range in.datacenters {
		sites[i] = reports.Site{Name: dc.Name, Latitude: dc.Lat, Longitude: dc.Lon}
	}
	return sites
}

// configFile is the resolved configuration in a result directory.
const configFile = "config.yaml"

// pageFile is the page about a result.
const pageFile = "report.html"

// writeResult writes all files of a result of this configuration.
func writeResult(c *config.Config, result *reports.Result, create reports.Create) error {
	if err := result.Write(create); err != nil {
		return err
	}
	resolved, err := writeResolved(c, create, "")
	if err != nil {
		return err
	}
	return drawResult(result, resolved, create, c.Output)
}

// writeResolved writes config.yaml, below a comment where there is one, and returns
// its text.
func writeResolved(c *config.Config, create reports.Create, comment string) ([]byte, error) {
	resolved, err := c.Resolved()
	if err != nil {
		return nil, err
	}
	if comment != "" {
		resolved = append([]byte("# "+comment+"\n"), resolved...)
	}
	return resolved, create.File(configFile, func(w io.Writer) error {
		_, err := w.Write(resolved)
		return err
	})
}

// drawResult writes the pictures of a result: what `mmsim report` draws again.
func drawResult(result *reports.Result, resolved []byte, create reports.Create, o config.Output) error {
	if o.Plots {
		if err := reports.WritePlots(result, coast(), create); err != nil {
			return err
		}
	}
	if !o.HTML {
		return nil
	}
	return create.File(pageFile, func(w io.Writer) error {
		return reports.WritePage(w, result, coast(), resolved)
	})
}

// coast adapts the outlines of land to what reports asks for.
func coast() reports.Coast {
	rings := datasets.Coastline()
	coast := make(reports.Coast, len(rings))
	for i, ring := range rings {
		coast[i] = make([][2]float64, len(ring))
		for j, at := range ring {
			coast[i][j] = [2]float64{at.Lon, at.Lat}
		}
	}
	return coast
}
