package experiment

import (
	"context"
	"fmt"

	"mmsim/reports"
	"mmsim/sim"
)

// measure simulates a replication and counts what happens; observers see every fact too.
func (w *Replication) measure(ctx context.Context, p Progress, observers ...sim.Observer) (*reports.Result, error) {
	collector := reports.NewCollector(w.Setup())
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

// sites adapts the datacenters to what reports asks for.
func (in *Inputs) sites() []reports.Site {
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
	empty := reports.NewCollector(w.Setup()).Finish(sim.Totals{}, w.header(true))
	return empty.Summary.Numbers(), nil
}
