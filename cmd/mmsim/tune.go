package main

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
)

func newTuneCommand(s *terminal.Streams) *cobra.Command {
	t := &search.Tune{Options: search.Options{Streams: s}}
	c := &cobra.Command{
		Use:   "tune [flags] SPEC.yaml",
		Short: "Search for better settings",
		Long: `Search for the settings that minimise or maximise a metric, under constraints. With two or three
metrics, tune searches for the best trade-offs between them.

SPEC.yaml lists the settings, metrics and constraints:

  config: mmsim.yaml                   # the initial configuration; optional
  settings:                            # the settings to change
    states.ideal.rtt: {from: 20ms, to: 80ms}
    states.ideal.for: {from: 1s, to: 30s, scale: log}
    match.size: {from: 2, to: 8}       # whole numbers; add step: 2 for every second one
    match.order: [shuffle, oldest]
    rules.MaxMatchSize: {from: 2, to: 8, step: 1}    # a value in the ruleset (--rules)
  minimise: rtt_ms.mean                # the metric to optimise
  maximise: rtt_ms.share_le_50         # a second or third metric; optional
  constraints:                         # limits as in a gate file; optional
    wait_s.p95: {max_increase: 0%}     # compared with the initial configuration
    players.failed: {max: 100}
  runs: 1                              # replications of each trial
  budget: {runs: 200}                  # how much to simulate (see below), or {minutes: 10}
  halve: hours                         # how to shorten the first trials: hours, joins or none
  start: 24                            # number of first trials; default: six for each setting

SEARCH. A trial simulates one choice of settings. All trials simulate the same players with the
same random numbers. The first trials cover all ranges (a Latin hypercube) and simulate only a
part of the day. The better half of them is simulated again on a part twice as long, and the
better half of those on the whole day. The search continues from the best trials with CMA-ES, an
evolutionary algorithm. Finally, the best settings are compared with the initial ones, in at
least four replications with different random numbers. With several metrics, the result is a front:
all settings for which no other trial is better in every metric.

BUDGET. A budget of runs counts simulations of the whole day, including its warm-up. A trial in
two replications counts 2, and a trial with half of the day or of its joins counts one half. The
initial settings count as a trial. Simulations that an earlier search left in the directory
count as well. Repeated trials, invalid combinations of settings and the final comparison are not
counted.

RESULT DIRECTORY. It contains

  report.html    a page about the search
  trials.csv     all trials; tune.json has every number of them
  best.yaml      the best configuration or, of a front, the compromise
  front/         the configuration of each point of a front
  jobs/          the finished simulations

and a plot of the trials or the front. To resume a search, or to continue it with a larger
budget, repeat the command. If you interrupt a new search and the directory has a complete one,
the new results go to DIR.partial.`,
		Example: `  mmsim tune tune.yaml
  mmsim tune tune.yaml --scale 0.1 --seed 2
  mmsim tune tune.yaml --out tuned && mmsim run --config tuned/best.yaml    # simulate the best settings`,
	}
	asSearch(c, &t.Options, "trial", search.DefaultTuneRuns, "print tune.json instead of a table", t.Run)
	cli.AddNoColour(c, s)
	return c
}
