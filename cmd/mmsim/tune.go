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
		Long: `Search for settings that make one number small under constraints, or that trade two or
three numbers off. All trials see the same players with the same luck.

  config: mmsim.yaml                   # where the search begins; omitted: the defaults
  settings:                            # what may change
    states.ideal.rtt: {from: 20ms, to: 80ms}
    states.ideal.for: {from: 1s, to: 30s, scale: log}
    match.size: {from: 2, to: 8}       # whole numbers, or steps with step: 2
    match.order: [shuffle, oldest]
    rules.MaxMatchSize: {from: 2, to: 8, step: 1}    # inside the vendor's file
  minimise: rtt_ms.mean                # a list of two or three: their trade-off
  maximise: rtt_ms.share_le_50         # likewise
  constraints:                         # limits as in a gate
    wait_s.p95: {max_increase: 0%}     # compared with the configuration as it is
    players.failed: {max: 100}
  runs: 1                              # replications of every trial
  budget: {runs: 200}                  # replications of the whole day, or {minutes: 10}
  halve: hours                         # how first trials are cheaper: hours, joins or none
  start: 24                            # first trials; omitted: six for each setting

The search spreads its first trials over all ranges (Latin hypercube), gives the better
half of them twice the hours, and half of those the whole day, and goes on from the best
with CMA-ES. In the end the best settings and those of before are compared in four runs or
more that the search did not see.

A budget of runs counts replications of the whole day and its warm-up. A trial in two
replications counts 2; one of a quarter of the day, or with a quarter of the joins, counts
the part of a whole one that it simulates. The settings of before count like a trial. What
repeats an earlier trial, settings that do not go together, and the comparison in the end
count nothing. Runs that the folder has already count as if they were simulated.

The result folder holds report.html (a page about the search), trials.csv, best.yaml (a
configuration; of a trade-off the compromise), a plot of the trials or of the front, and
front/ with the configuration of every place on it. tune.json has every number of the table. Every finished run is kept in
jobs/: a search that was interrupted goes on with the same command, and one with a larger
budget too. Interrupted in the folder of a complete search, what was found goes to
DIR.partial.`,
		Example: `  mmsim tune tune.yaml
  mmsim tune tune.yaml --scale 0.1 --seed 2
  mmsim tune tune.yaml --out tuned && mmsim run --config tuned/best.yaml`,
	}
	asSearch(c, &t.Options, "trial", "print tune.json, with every number of the table", t.Run)
	addNoColour(c, s)
	return c
}
