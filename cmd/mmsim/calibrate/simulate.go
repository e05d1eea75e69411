package calibrate

import (
	"context"
	"fmt"
	"path/filepath"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets/ticketlog"
	"mmsim/reports/result"
)

// Folders of a result. Each is a result directory of "mmsim run".
const (
	productionFolder = "production"
	simulationFolder = "simulation"
)

// trial writes what production was like, and what the calibrated configuration simulates.
type trial struct {
	*terminal.Streams
	prod   *config.Config // with file names that are right after the result is published
	day    string         // the file of the day now; "" if prod keeps the joins of the given configuration
	folder string         // of the result now
	final  string         // of the result after it is published
	runs   int
}

// write writes the folders of the result. It returns the number of matches of which the log does not tell
// the datacenter.
func (t *trial) write(ctx context.Context, l *ticketlog.Log) (unlocated int, err error) {
	cache := experiment.NewCache(1)
	in, err := terminal.Await(ctx, func() (*experiment.Inputs, error) { return t.load(cache) })
	if err != nil {
		return 0, err
	}
	if unlocated, err = t.writeProduction(l, in); err != nil || t.runs == 0 {
		return unlocated, err
	}
	return unlocated, t.simulate(ctx, in, cache)
}

// load reads the inputs of the configuration.
func (t *trial) load(cache *experiment.Cache) (*experiment.Inputs, error) {
	c := *t.prod
	if t.day != "" {
		c.Dataset.File = t.day
	}
	return experiment.Load(&c, cache)
}

// named returns a configuration with the file names of the published result, whose files are in the folder
// part of it.
func (t *trial) named(c *config.Config, part string) *config.Config {
	n := *c
	n.Dataset.File, n.Output.Dir = t.prod.Dataset.File, filepath.Join(t.final, part)
	return &n
}

// writeProduction writes the result of what the log reports.
func (t *trial) writeProduction(l *ticketlog.Log, in *experiment.Inputs) (unlocated int, err error) {
	r, err := in.Replication(0)
	if err != nil {
		return 0, err
	}
	found, unlocated := produced(l, r, in.Datacenters)
	if balance := found.Summary.Players.Balance(); balance != 0 {
		return 0, fmt.Errorf("reports: %d more players began to search than are accounted for", balance)
	}
	c := t.named(r.Config, productionFolder)
	resolved, err := results.Resolved(c, "")
	if err != nil {
		return 0, err
	}
	return unlocated, results.WriteRun(c, resolved, found, t.create(productionFolder))
}

// create returns a function that creates files in a folder of the result.
func (t *trial) create(part string) result.Create {
	return result.Create(resultdir.In(filepath.Join(t.folder, part)))
}

// simulate simulates the replications and writes their results.
func (t *trial) simulate(ctx context.Context, in *experiment.Inputs, cache *experiment.Cache) error {
	writer := results.Writer{Folder: filepath.Join(t.folder, simulationFolder), Several: true}
	p := terminal.NewProgress(t.Streams, false, in.Config.Simulated(t.runs), t.runs)
	defer p.Finish()
	arms := []experiment.Arm{{Config: in.Config, Inputs: in}}
	found, err := experiment.MeasureAll(ctx, arms, experiment.FirstRuns(t.runs), experiment.Options{
		Cache: cache, Progress: p, Messages: t.Err,
		Measure: func(ctx context.Context, r *experiment.Replication, p experiment.Progress) (_ *result.Result, err error) {
			w := writer
			if w.Resolved, err = results.Resolved(t.named(r.Config, simulationFolder), w.Part(uint64(r.Config.Run))); err != nil {
				return nil, err
			}
			return w.Measure(ctx, r, p)
		},
	}, nil)
	if err != nil {
		return err
	}
	if len(found[0]) < t.runs {
		return terminal.Interruptedf("interrupted: no result was changed")
	}
	if _, err := results.Aggregate(t.named(in.Config, simulationFolder), found[0], t.runs, t.create(simulationFolder)); err != nil {
		return err
	}
	production, simulation, err := samplesIn(t.folder)
	if err != nil {
		return err
	}
	return t.create("").Text(limitsFile, limitsText(production, simulation))
}
