package main

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/filenames"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/junit"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/verdicts"
	"mmsim/cmd/mmsim/workers"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present/decision"
)

// gateCommand is `mmsim check`.
type gateCommand struct {
	*terminal.Streams
	flags                        configFlags
	gate, baseline, junit        string
	dir                          string // "": write no files
	command                      string // see commandLine
	replications                 int    // 0: as many as in the baseline
	workers                      workers.Options
	quiet, json, tabular, github bool
}

func newGateCommand(s *terminal.Streams) *cobra.Command {
	g := &gateCommand{Streams: s}
	c := &cobra.Command{
		Use:   "check [flags] DIR|CONFIG --gate FILE",
		Short: "Check results against limits, as a gate in CI",
		Long: `Check a result directory against the limits of a gate, or simulate a configuration and
check its results. If a limit is broken, the exit code is 1.

A gate is a YAML file of metrics of summary.json, by their keys, and limits:

  wait_s.p95: {max: 10s}
  rtt_ms.mean: {max_increase: 5%}              # against --baseline
  by_datacenter.*.rtt_p95_ms: {max: 250, min_players: 1000}

"mmsim help gate" describes it. If a metric has no value because nothing was measured (the
mean wait when there were no matches), its limit counts as broken (exit code 1). If its key is
missing from the result, or its value is impossible, that is an error (exit code 2).

A configuration is simulated in as many replications as the baseline has. --out writes
report.html, a page with every limit and its verdict, also when a limit is broken.`,
		Example: `  mmsim check results/after --gate gate.yaml
  mmsim check mmsim.yaml --gate gate.yaml --baseline baseline --github
  mmsim check mmsim.yaml --gate gate.yaml --runs 8 --out checked --junit gate.xml`,
		Args:        exactArgs("DIR|CONFIG"),
		Annotations: map[string]string{ownsSignals: ""},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case g.gate == "":
				return terminal.Hinted(input.Badf("mmsim check: missing --gate FILE"), helpForExamples, "mmsim check")
			case g.json && g.tabular:
				return input.Badf("--json and --markdown: expected one of them")
			case c.Flags().Changed("runs"):
				if err := checkReplications(g.replications); err != nil {
					return err
				}
			}
			if err := g.workers.Check(); err != nil {
				return err
			}
			g.command = commandLine(c, args, g.flags)
			return untilInterrupted(c, func(ctx context.Context) error { return g.check(ctx, args[0]) })
		},
	}
	g.flags.addSet(c, "set", "set one key of the configuration; repeatable")
	g.flags.addShort(c, slices.Concat(joinFlags, []string{"dataset", "days", "scale", "datacenters", "latency-maps", "seed", "duration", "placement", "matcher"})...)
	c.Flags().Var((*fileFlag)(&g.gate), "gate", "read the limits from FILE")
	c.Flags().Var((*fileFlag)(&g.baseline), "baseline", "compare with the result directory `DIR`")
	c.Flags().IntVar(&g.replications, "runs", 0, "simulate replications 0 to `N`-1 of a configuration")
	addWorkers(c, &g.workers)
	c.Flags().Var((*fileFlag)(&g.dir), "out", "write the result of the check and a page about it into `DIR`")
	c.Flags().Var((*fileFlag)(&g.junit), "junit", "write the limits to FILE as JUnit XML")
	c.Flags().BoolVar(&g.github, "github", false, "annotate the gate's file and append to the job's summary on GitHub")
	c.Flags().BoolVar(&g.quiet, "quiet", false, "no progress")
	c.Flags().BoolVar(&g.json, "json", false, "print JSON")
	c.Flags().BoolVar(&g.tabular, "markdown", false, "print tables in markdown")
	must(c.MarkFlagFilename("gate", "yaml", "yml"))
	must(c.MarkFlagDirname("baseline"))
	must(c.MarkFlagDirname("out"))
	must(c.MarkFlagFilename("junit", "xml"))
	grouped(c.Flags(), groupInput, "gate", "baseline")
	grouped(c.Flags(), groupSimulation, "runs")
	grouped(c.Flags(), groupOutput, "out", "junit", "github", "quiet", "json", "markdown")
	addNoColour(c, s)
	return c
}

func (g *gateCommand) check(ctx context.Context, what string) error {
	file, err := gate.Read(g.gate)
	if err != nil {
		return err
	}
	if g.junit != "" { // errors that would make the result useless are found before the simulation
		if err := resultdir.CheckFile(g.junit); err != nil {
			return err
		}
	}
	var out *resultdir.Dir
	if g.dir != "" {
		if out, err = resultdir.Claim(g.dir, verdicts.Check, g.files(what)...); err != nil {
			return err
		}
		if err := out.Expect(verdicts.CheckFiles...); err != nil {
			return err
		}
	}
	var baseline *judge.Sample
	var warnings []string
	if g.baseline != "" {
		if baseline, warnings, err = results.LoadSample(g.baseline); err != nil {
			return err
		}
	}
	sample, c, more, err := g.sample(ctx, what, file, baseline)
	if err != nil {
		return err
	}
	limits, err := file.Limits(sample.Metrics(), baseline != nil)
	if err != nil {
		return err
	}
	result := judge.CheckGate(sample, baseline, limits)
	result.Warnings = append(append(result.Warnings, warnings...), more...)
	result.Command = g.command
	where := ""
	if out != nil {
		if where, err = verdicts.WriteCheck(result, file.Text, c, g.dir, out); err != nil {
			return err
		}
	}
	if err := g.write(result); err != nil {
		return err
	}
	if where != "" && !g.quiet {
		terminal.PrintTo(g.Err, "check in %s\n", input.Shown(where))
	}
	if !result.Passed {
		return &codedError{code: exitFailed} // the table was printed already
	}
	return nil
}

// files lists the argument and the files that it reads. It ignores errors of a configuration,
// which are reported when it is loaded.
func (g *gateCommand) files(what string) []string {
	list := []string{what, g.gate, g.baseline}
	if c, err := config.Load(what, g.flags.overrides); err == nil && !results.IsFolder(what) {
		list = append(list, filenames.Of(c)...)
	}
	return list
}

// sample loads a result directory, or simulates a configuration, which it returns, in as many
// replications as the baseline has unless --runs is given. It checks the gate before it
// simulates.
func (g *gateCommand) sample(ctx context.Context, what string, file *gate.File, baseline *judge.Sample) (*judge.Sample, *config.Config, []string, error) {
	if results.IsFolder(what) {
		if g.replications > 0 || g.workers.Given() || len(g.flags.overrides) > 0 {
			return nil, nil, nil, input.Badf("%s is a result: nothing is simulated, expected no flags that change it", what)
		}
		sample, warnings, err := results.LoadSample(what)
		return sample, nil, warnings, err
	}
	c, err := config.Load(what, g.flags.overrides)
	if err != nil {
		return nil, nil, nil, err
	}
	n := g.replications
	if n == 0 && baseline != nil {
		n = baseline.Replications()
	}
	n = max(1, n)
	cache := experiment.NewCache(1)
	arms, err := experiment.LoadArms(cache, c)
	if err != nil {
		return nil, nil, nil, err
	}
	if _, err := file.Limits(arms[0].Inputs.Metrics(), baseline != nil); err != nil {
		return nil, nil, nil, err
	}
	p := terminal.NewProgress(g.Streams, g.quiet, arms[0].Config.Simulated(n), n)
	var summaries [][]*outcome.Summary
	g.workers.Err, g.workers.Progress = g.Err, p
	err = g.workers.With(ctx, func(pool *workers.Pool) (err error) {
		summaries, err = experiment.MeasureAll(ctx, arms, n, experiment.Options{Executor: pool.Executor(), Cache: cache, Progress: p, Messages: g.Err})
		return err
	})
	p.Finish()
	if err != nil {
		return nil, nil, nil, err
	}
	whole := summaries[0]
	if len(whole) < n {
		return nil, nil, nil, experiment.Interruptedf("interrupted: nothing was checked")
	}
	return &judge.Sample{Name: what, Runs: whole}, arms[0].Config, nil, nil
}

// write writes the result in every format that was asked for.
func (g *gateCommand) write(result *judge.GateResult) error {
	var err error
	switch {
	case g.json:
		err = result.Write(g.Out)
	case g.tabular:
		_, err = io.WriteString(g.Out, decision.GateMarkdown(result))
	default:
		_, err = io.WriteString(g.Out, decision.GateText(result, g.Colour()))
	}
	if err == nil && g.junit != "" {
		err = junit.Write(g.junit, gate.Suite(g.gate, result))
	}
	if err == nil && g.github {
		out := terminal.Behind(g.Out) // without a terminal.Screen, whose escapes would break GitHub's commands
		if g.json || g.tabular {      // GitHub reads standard error too, and JSON and markdown must not contain annotations
			out = terminal.Behind(g.Err)
		}
		err = gate.Annotate(out, g.gate, result)
	}
	return err
}
