package command

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/tuning"
)

func newTuneCommand(s *terminal.Streams) *cobra.Command {
	t := &tuning.Tune{Simulating: cli.Simulating{Streams: s}}
	c := &cobra.Command{
		Use:   "tune [flags] SPEC.yaml",
		Short: "Search for the settings that are best for a metric",
		Long:  tuneHelp,
		Example: `  mmsim tune tune.yaml
  mmsim tune tune.yaml --scale 0.1 --seed 2
  mmsim tune tune.yaml --out tuned && mmsim run --config tuned/best.yaml`,
	}
	asSearch(c, &t.Simulating, "trial", tuning.DefaultRuns, "print tune.json instead of a table", t.Run)
	cli.AddNoColour(c, s)
	return c
}

// tuneHelp explains the file of a tuning, the search and its results.
const tuneHelp = `Search for the settings that minimise or maximise a metric, under constraints. With two or three
metrics, tune searches for the best trade-offs between them.

SPEC.yaml lists the settings, metrics and constraints:

  config: mmsim.yaml                   # the initial configuration; optional
  settings:                            # the settings to search
    states.ideal.rtt: {from: 20ms, to: 80ms}
    states.ideal.for: {from: 1s, to: 30s, scale: log}
    match.size: {from: 2, to: 8}       # whole numbers; with step: 2, only 2, 4, 6 and 8
    match.order: [shuffle, oldest]
    rules.MaxMatchSize: {from: 2, to: 8, step: 1}    # a value in the ruleset (--rules)
  minimise: rtt_ms.mean                # the metric to optimise
  maximise: rtt_ms.share_le_50         # a second or third metric; optional
  constraints:                         # limits as in a gate file; optional
    wait_s.p95: {max_increase: 0%}     # compared with the initial configuration
    players.failed: {max: 100}
  guard: {players.unmatched_share: 1pp}    # the default; none to disable it
  runs: 1                              # replications of each trial
  budget: {runs: 200}                  # how much to simulate (see below), or {minutes: 10}
  halve: hours                         # how the first trials are shortened: hours, joins or none
  start: 24                            # number of first trials; default: about six per setting

SEARCH. A trial simulates one choice of values for the settings. All trials simulate the same
players with the same random numbers. The first trials are spread over all ranges (as a Latin
hypercube), and simulate only a quarter of the day. The better half of these trials is simulated
again on half of the day, and the better half of those on the whole day. With halve: joins, they all
simulate the whole day, but first with a quarter of its joins, then with half of them. With halve:
none, every first trial simulates the whole day with all joins, once. From the best trials, the
search continues with CMA-ES, an evolutionary algorithm. Finally, tune compares the best settings
with the initial settings, in at least four replications with new random numbers.

GUARD. The search rejects settings that leave more players without a match: waits and RTTs describe
only the players who found one. The guard says how much worse than the initial configuration the
best may be. You can guard other metrics, too; see "mmsim sweep --help".

VERDICTS. The search judges constraints and the guard by the means of its runs. The final comparison
checks them as "mmsim check" does: held, broken or undecided. Its verdict is the headline. It also
lists other metrics that got worse. If the best value of a setting is at the end of its range, tune
says so: a wider range may have a better one.

With several metrics, the result is a front: the trials that no other trial beats, because every
other trial is worse in at least one metric.

BUDGET. A budget of runs counts simulations of the whole day, including the warm-up. A trial with
two replications counts as 2 runs, and a trial with half of the day or half of the joins counts as
half a run. The budget includes a trial of the initial settings, and trials that an earlier search
left in the result directory. It does not include repeated trials, invalid combinations of settings
and the final comparison.

RESULT DIRECTORY. The result directory contains

  report.html    a page about the search
  trials.csv     all trials, one per row
  tune.json      all results of the search
  best.yaml      the best configuration or, with several metrics, a good compromise
  front/         with several metrics, the configurations of the front
  jobs/          the finished simulations

and a plot of the trials or of the front. To resume a search, or to continue it with a larger
budget, repeat the command. If you interrupt a new search and the directory DIR has the results of
a complete search, the new results go to DIR.partial.`
