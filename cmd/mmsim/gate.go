package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports"
)

// gateCommand is `mmsim check`.
type gateCommand struct {
	*streams
	flags                        configFlags
	gate, baseline, junit        string
	replications                 int // 0: as many as the baseline has
	quiet, json, tabular, github bool
}

func newGateCommand(s *streams) *cobra.Command {
	g := &gateCommand{streams: s}
	c := &cobra.Command{
		Use:   "check [flags] DIR|CONFIG --gate FILE",
		Short: "Hold results against limits, as a gate in CI",
		Long: `Hold a result directory, or a configuration that is simulated here, against the
limits of a gate. Exit code 1 when one is broken.

A gate is a YAML file of numbers of summary.json, by their keys, and limits:

  wait_s.p95: {max: 10s}
  rtt_ms.mean: {max_increase: 5%}              # against --baseline
  by_datacenter.*.rtt_p95_ms: {max: 250, min_players: 1000}

"mmsim help gate" describes it. A number that was not measured breaks its limit; one that
is absent from the result, or cannot be, is an error, exit code 2.

A configuration is simulated in as many replications as the baseline has.`,
		Example: `  mmsim check results/after --gate gate.yaml
  mmsim check mmsim.yaml --gate gate.yaml --baseline baseline --github
  mmsim check mmsim.yaml --gate gate.yaml --runs 8 --junit gate.xml`,
		Args:        exactArgs("DIR|CONFIG"),
		Annotations: map[string]string{ownsSignals: ""},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case g.gate == "":
				return hinted(input.Badf("mmsim check: missing --gate FILE"), helpForExamples, "mmsim check")
			case g.json && g.tabular:
				return input.Badf("--json and --markdown: expected one of them")
			case c.Flags().Changed("runs"):
				if err := checkReplications(g.replications); err != nil {
					return err
				}
			}
			return untilInterrupted(c, func(ctx context.Context) error { return g.check(ctx, args[0]) })
		},
	}
	g.flags.addSet(c, "set", "set one key of the configuration; repeatable")
	g.flags.addShort(c, "dataset", "days", "scale", "datacenters", "latency-maps", "seed", "duration", "placement")
	c.Flags().Var((*fileFlag)(&g.gate), "gate", "read the limits from FILE")
	c.Flags().Var((*fileFlag)(&g.baseline), "baseline", "compare with a result directory")
	c.Flags().IntVar(&g.replications, "runs", 0, "simulate replications 0 to `N`-1 of a configuration")
	c.Flags().Var((*fileFlag)(&g.junit), "junit", "write the limits to FILE as JUnit XML")
	c.Flags().BoolVar(&g.github, "github", false, "annotate the gate's file and append to the job's summary on GitHub")
	c.Flags().BoolVar(&g.quiet, "quiet", false, "no progress")
	c.Flags().BoolVar(&g.json, "json", false, "print JSON")
	c.Flags().BoolVar(&g.tabular, "markdown", false, "print tables in markdown")
	must(c.MarkFlagFilename("gate", "yaml", "yml"))
	must(c.MarkFlagDirname("baseline"))
	must(c.MarkFlagFilename("junit", "xml"))
	grouped(c.Flags(), groupInput, "gate", "baseline")
	grouped(c.Flags(), groupSimulation, "runs")
	grouped(c.Flags(), groupOutput, "junit", "github", "quiet", "json", "markdown")
	return c
}

func (g *gateCommand) check(ctx context.Context, what string) error {
	gate, err := readGate(g.gate)
	if err != nil {
		return err
	}
	if g.junit != "" { // what would spoil the end is found before the work is done
		if err := resultdir.CheckFile(g.junit); err != nil {
			return err
		}
	}
	var baseline *reports.Sample
	var warnings []string
	if g.baseline != "" {
		if baseline, warnings, err = loadSample(g.baseline); err != nil {
			return err
		}
	}
	sample, more, err := g.sample(ctx, what, gate, baseline)
	if err != nil {
		return err
	}
	limits, err := gate.limits(sample.Numbers(), baseline != nil)
	if err != nil {
		return err
	}
	result := reports.CheckGate(sample, baseline, limits)
	result.Warnings = append(append(result.Warnings, warnings...), more...)
	if err := g.tell(result); err != nil {
		return err
	}
	if !result.Passed {
		return &codedError{code: exitFailed} // the table says which
	}
	return nil
}

// sample loads a result directory, or simulates a configuration: in as many
// replications as the baseline has, unless --runs says otherwise. What is wrong with the
// gate is said before.
func (g *gateCommand) sample(ctx context.Context, what string, gate *gateFile, baseline *reports.Sample) (*reports.Sample, []string, error) {
	if isFolder(what) {
		if g.replications > 0 || len(g.flags.overrides) > 0 {
			return nil, nil, input.Badf("%s is a result: nothing is simulated, expected no flags that change it", what)
		}
		return loadSample(what)
	}
	c, err := config.Load(what, g.flags.overrides)
	if err != nil {
		return nil, nil, err
	}
	n := g.replications
	if n == 0 && baseline != nil {
		n = baseline.Replications()
	}
	n = max(1, n)
	arms, err := newArms([]string{what}, []*config.Config{c})
	if err != nil {
		return nil, nil, err
	}
	numbers, err := emptyNumbers(arms[0].inputs)
	if err != nil {
		return nil, nil, err
	}
	if err := gate.foresee(numbers, baseline != nil); err != nil {
		return nil, nil, err
	}
	p := newProgress(g.streams, g.quiet, c.Simulated(n))
	summaries, err := measureAll(ctx, arms, n, p)
	p.finish()
	if err != nil {
		return nil, nil, err
	}
	whole := finishedByAll(summaries)[0]
	if len(whole) < n {
		return nil, nil, &codedError{exitInterrupted, errors.New("interrupted: nothing was checked")}
	}
	return &reports.Sample{Name: what, Runs: whole}, nil, nil
}

// tell writes the result in every form that was asked for.
func (g *gateCommand) tell(result *reports.GateResult) error {
	var err error
	switch {
	case g.json:
		err = result.Write(g.out)
	case g.tabular:
		_, err = io.WriteString(g.out, result.Markdown())
	default:
		_, err = io.WriteString(g.out, result.Text(g.colour()))
	}
	if err == nil && g.junit != "" {
		err = writeJUnit(g.junit, gateSuite(g.gate, result))
	}
	if err == nil && g.github {
		err = g.annotate(result)
	}
	return err
}

// gateSuite is the gate as a JUnit report, a case for every limit.
func gateSuite(file string, result *reports.GateResult) junitSuite {
	suite := junitSuite{Name: "mmsim check", Tests: len(result.Limits)}
	for i := range result.Limits {
		l := &result.Limits[i]
		c := junitCase{Name: fmt.Sprintf("%s %s", l.Metric, l.Kind), File: file}
		switch l.Verdict {
		case reports.LimitBroken:
			suite.Failures++
			c.Failure = &junitMessage{l.Message(), fmt.Sprintf("%s:%d:%d: %s", file, l.Line, l.Column, l.Message())}
		case reports.LimitSkipped:
			suite.Skipped++
			c.Skipped = &junitMessage{Message: l.Reason}
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}

// annotate writes a workflow command of GitHub for every line of the gate that is
// broken (GitHub shows ten in all), and appends the table to the summary of the job
// where there is one.
func (g *gateCommand) annotate(result *reports.GateResult) error {
	out := behind(g.out)     // screens break commands
	if g.json || g.tabular { // GitHub reads both, and a machine or a page only one
		out = behind(g.err)
	}
	for _, line := range result.Lines() {
		broken := line.Broken()
		if len(broken) == 0 {
			continue
		}
		first := &broken[0]
		message := first.Message()
		if len(broken) > 1 {
			message += fmt.Sprintf(" (and %d more of %s)", len(broken)-1, first.Pattern)
		}
		if _, err := fmt.Fprintf(out, "::error file=%s,line=%d,col=%d,title=%s::%s\n",
			inProperty(g.gate), first.Line, first.Column, inProperty(first.Metric), inCommand(message)); err != nil {
			return err
		}
	}
	for _, warning := range result.Warnings {
		if _, err := fmt.Fprintf(out, "::warning title=mmsim check::%s\n", inCommand(warning)); err != nil {
			return err
		}
	}
	summary := os.Getenv("GITHUB_STEP_SUMMARY")
	if summary == "" {
		return nil
	}
	f, err := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return input.Error(summary, err)
	}
	_, err = io.WriteString(f, result.Markdown())
	if err = errors.Join(err, f.Close()); err != nil {
		return input.Error(summary, err)
	}
	return nil
}

// inCommand and inProperty write text as GitHub's workflow commands want it. People see
// what comes out of them, so the rest of it must be printable.
func inCommand(text string) string { return reports.Printable(escapeCommand(text)) }

func inProperty(text string) string { return reports.Printable(escapeProperty(text)) }

var (
	escapeCommand  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace
)
