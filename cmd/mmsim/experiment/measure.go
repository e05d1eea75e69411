package experiment

import (
	"context"
	"errors"
	"fmt"

	"mmsim/reports"
	"mmsim/sim"
)

// Recorder returns who writes the records that the configuration asks for, and how
// to end their file; nobody where it asks for none.
func (in *Inputs) Recorder(w *Replication, create reports.Create) ([]sim.Observer, func() error, error) {
	name, newRecords := reports.RecordsFile, reports.NewRecords
	switch w.Config.Output.Records {
	case "none":
		return nil, func() error { return nil }, nil
	case "parquet":
		name, newRecords = reports.RecordsParquetFile, reports.NewParquetRecords
	}
	file, err := create(name)
	if err != nil {
		return nil, nil, err
	}
	records := newRecords(file, w.Setup(in.Sites()), w.recordColumns())
	return []sim.Observer{records}, func() error { return errors.Join(records.Close(), file.Close()) }, nil
}

// Measure simulates a world and counts what happens; observers see every fact too.
func (in *Inputs) Measure(ctx context.Context, w *Replication, p Progress, observers ...sim.Observer) (*reports.Result, error) {
	collector := reports.NewCollector(w.Setup(in.Sites()))
	totals, complete, err := w.simulate(ctx, p, append([]sim.Observer{collector}, observers...)...)
	if err != nil {
		return nil, err
	}
	result := collector.Finish(totals, w.header(complete))
	if lost := result.Summary.Players.Balance(); lost != 0 {
		return nil, fmt.Errorf("reports: %d more players began to search than are accounted for", lost)
	}
	result.Summary.Warnings = append(result.Summary.Warnings, OutcomeWarnings(&result.Summary)...)
	return result, nil
}

// Sites adapts the datacenters to what reports asks for.
func (in *Inputs) Sites() []reports.Site {
	sites := make([]reports.Site, len(in.Datacenters))
	for i, dc := range in.Datacenters {
		sites[i] = reports.Site{Name: dc.Name, Latitude: dc.Lat, Longitude: dc.Lon}
	}
	return sites
}

// EmptyNumbers are the numbers of a run of a configuration in which nothing happens.
func EmptyNumbers(base *Inputs) ([]reports.Number, error) {
	w, err := base.Replication(0)
	if err != nil {
		return nil, err
	}
	empty := reports.NewCollector(w.Setup(base.Sites())).Finish(sim.Totals{}, w.header(true))
	return empty.Summary.Numbers(), nil
}
