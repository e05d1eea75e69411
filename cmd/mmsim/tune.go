package main

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
)

func newTuneCommand(s *terminal.Streams) *cobra.Command {
	t := &search.Tune{Options: search.Options{Streams: s}}
	c := &cobra.Command{
		Use:   "tune [flags] SPEC.yaml",
		Short: "Search for better settings",
		Long: `Search for the settings that optimise one metric under constraints, or for the best
trade-offs between two or three. All trials simulate the same players with the same random
numbers.

  config: mmsim.yaml                   # the initial configuration; omitted: the defaults
  settings:                            # the settings to change
    states.ideal.rtt: {from: 20ms, to: 80ms}
    states.ideal.for: {from: 1s, to: 30s, scale: log}
    match.size: {from: 2, to: 8}       # whole numbers, or steps with step: 2
    match.order: [shuffle, oldest]
    rules.MaxMatchSize: {from: 2, to: 8, step: 1}    # inside the vendor's file
  minimise: rtt_ms.mean                # the metric to optimise
  maximise: rtt_ms.share_le_50         # a second or third metric: tune looks for trade-offs
  constraints:                         # limits as in a gate
    wait_s.p95: {max_increase: 0%}     # compared with the initial configuration
    players.failed: {max: 100}
  runs: 1                              # replications of every trial
  budget: {runs: 200}                  # replications of the whole day, or {minutes: 10}
  halve: hours                         # first trials: fewer hours, fewer joins, or none of this
  start: 24                            # first trials; omitted: six for each setting

The first trials cover all ranges (a Latin hypercube) and simulate a part of the day. The
better half of them is simulated again on a part twice as long, and the better half of those
on the whole day. The search continues from the best with CMA-ES. Finally, the best and the
initial settings are compared in at least four runs with other random numbers. With two or
three metrics, the result is a front: the settings for which no other trial is better in all
metrics.

A budget of runs counts replications of the whole day with its warm-up. A trial in two
replications counts 2; a trial of a part of the day, or with a part of the joins, counts that
part. The initial settings count like a trial. Repeated trials, invalid combinations of
settings and the final comparison do not count. Runs that are already in the folder count as
if they were simulated.

The result folder contains report.html (a page about the search), trials.csv, best.yaml (the
best configuration, or the compromise of a trade-off), a plot of the trials (one metric) or of
the front, and front/ with the configuration of every point on it. tune.json has every number of
every trial. Every finished run is kept in jobs/. To resume a search, or to continue it with a
larger budget, repeat the command. If the folder has a complete search and you interrupt a
new one, its results go to DIR.partial.`,
		Example: `  mmsim tune tune.yaml
  mmsim tune tune.yaml --scale 0.1 --seed 2
  mmsim tune tune.yaml --out tuned && mmsim run --config tuned/best.yaml`,
	}
	asSearch(c, &t.Options, "trial", "print tune.json, with every number of the table", t.Run)
	addNoColour(c, s)
	return c
}
