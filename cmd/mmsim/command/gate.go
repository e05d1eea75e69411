package command

import (
	"context"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports/judge"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// gateCommand holds the flags of "mmsim check".
type gateCommand struct {
	decisionFlags
	gate, baseline, junit string
	github                bool
	undecided             string // whether undecided limits fail or pass
	cobra                 *cobra.Command
}

// undecidedPass is the value of --undecided with which they pass.
const undecidedPass = "pass"

func newGateCommand(s *terminal.Streams) *cobra.Command {
	g := &gateCommand{decisionFlags: decisionFlags{cli.Simulating{Streams: s}}}
	c := &cobra.Command{
		Use:   "check [flags] DIR|CONFIG --gate FILE",
		Short: "Check results against limits, for CI",
		Long: `Check results against the limits of a gate file, for CI. Give check a result directory, or a
configuration to simulate and check. The exit code is 0 if all limits hold, 1 if a limit is broken
or undecided, and 2 if an input is invalid. A limit is undecided if chance does not let the runs tell
whether it holds: its confidence interval lies on both sides of the limit. The table then says how
many runs would decide. With --undecided pass, undecided limits do not fail the check.

A gate file is YAML. It has limits for metrics of summary.json:

  wait_s.p95: {max: 10s}
  rtt_ms.mean: {max_increase: 5%}              # compared with --baseline
  by_datacenter.*.rtt_p95_ms: {max: 250, min_players: 1000}

"mmsim help gate" describes gate files, and "mmsim help metrics" lists the metrics. If a metric has
no value, such as the mean wait when no match was made, its limit counts as broken. A metric that
does not exist, or an impossible value in summary.json, is an invalid input.

If check simulates a configuration, it runs as many replications (simulations with different random
numbers) as the baseline has. Without a baseline, it runs one. --runs sets another number. --out
writes report.html, which shows for every limit whether it holds.`,
		Example: `  mmsim check results/after --gate gate.yaml
  mmsim check mmsim.yaml --gate gate.yaml --baseline baseline --github
  mmsim check mmsim.yaml --gate gate.yaml --runs 8 --out checked --junit gate.xml`,
		Annotations: map[string]string{cli.OwnsSignals: ""},
		RunE: func(c *cobra.Command, args []string) error {
			if g.gate == "" {
				return terminal.Hinted(input.Badf("mmsim check: missing --gate FILE"), cli.HelpForExamples, "mmsim check")
			}
			if err := g.Check(); err != nil {
				return err
			}
			g.cobra = c
			g.Command = cli.CommandLine(c, args, g.Config)
			return cli.UntilInterrupted(c, func(ctx context.Context) error { return g.check(ctx, args[0]) })
		},
	}
	g.addFlags(c)
	return c
}

func (g *gateCommand) addFlags(c *cobra.Command) {
	g.Config.AddSet(c, "set", "set a key of the configuration, such as match.size=10; repeatable")
	g.Config.AddShort(c, cli.SimulationFlags...)
	in, out := cli.Under(c, cli.GroupInput), cli.Under(c, cli.GroupOutput)
	in.File(&g.gate, cli.Reads, "gate", "", "gate file with the limits", "yaml", "yml")
	in.File(&g.baseline, cli.Reads, "baseline", "", "result directory with which to compare the results (max_increase, max_decrease and max_distance)", "/")
	g.add(c, 0, "number of replications (default: as many as the baseline has, or 1 without a baseline)")
	addJUnit(c, &g.junit)
	out.Bool(&g.github, "github", "for GitHub Actions: annotate the limits in the gate file that are broken or undecided, and add the results to the job summary")
	in.Word(&g.undecided, "undecided", "fail|pass", "fail", "whether undecided limits fail or pass the check", []string{"fail", undecidedPass})
}

func (g *gateCommand) check(ctx context.Context, source string) error {
	in, err := terminal.Await(ctx, func() (*gateInputs, error) { return g.read(source) })
	if err != nil {
		return err
	}
	if in.arm != nil {
		if err := g.simulate(ctx, source, in); err != nil {
			return err
		}
	}
	limits, err := in.gate.Limits(in.sample.Metrics(), in.baseline != nil)
	if err != nil {
		return err
	}
	result := judge.CheckGate(in.sample, in.baseline, limits)
	if g.undecided == undecidedPass {
		result.PassUndecided()
	}
	result.Warnings = append(result.Warnings, in.warnings...)
	result.Command = g.Command
	where, err := g.conclude(in.out, func() (string, error) {
		in.out.Attend(ctx, g.Err)
		var c *config.Config
		if in.arm != nil {
			c = in.arm.Config
		}
		return results.WriteCheck(result, in.gate.Text, c, g.Dir, in.out)
	}, func() error { return g.write(result) })
	if err != nil {
		return err
	}
	g.Say("check", where)
	if !result.Passed {
		return &codedError{code: ExitFailed} // the table was printed already
	}
	return nil
}

// gateInputs are what the command reads before it simulates.
type gateInputs struct {
	gate     *gate.File
	out      *resultdir.Dir  // nil if no files are written
	baseline *judge.Sample   // nil without --baseline
	sample   *judge.Sample   // of the result directory to check; nil if a configuration is to be simulated
	arm      *experiment.Arm // of the configuration to simulate; nil for a result directory
	cache    *experiment.Cache
	warnings []string
}

// read reads everything that the command needs. It finds errors that would make the result useless.
func (g *gateCommand) read(source string) (*gateInputs, error) {
	in := &gateInputs{cache: experiment.NewCache(1)}
	if g.junit != "" {
		if err := resultdir.CheckFile(g.junit); err != nil {
			return nil, err
		}
	}
	files := []string{source, g.gate, g.baseline}
	var c *config.Config // nil for a result directory
	var err error
	if !results.IsFolder(source) {
		if c, err = config.Load(source, g.Config.Overrides); err != nil {
			return nil, err
		}
		files = append(files, config.FileNames(c)...)
	}
	if err := cli.CheckFiles(g.cobra, files...); err != nil {
		return nil, err
	}
	if in.gate, err = gate.Read(g.gate); err != nil {
		return nil, err
	}
	if g.Dir != "" {
		if in.out, err = results.Check.Claim(g.Dir, files...); err != nil {
			return nil, err
		}
	}
	if g.baseline != "" {
		if in.baseline, in.warnings, err = g.load(g.baseline, in.gate); err != nil {
			return nil, err
		}
	}
	if c == nil {
		if g.Runs > 0 || g.Workers.Given() || len(g.Config.Overrides) > 0 {
			return nil, input.Badf("%s is a result directory, which is not simulated again: expected no flags that change the simulation, such as --set or --runs", source)
		}
		sample, warnings, err := g.load(source, in.gate)
		in.sample, in.warnings = sample, append(in.warnings, warnings...)
		return in, err
	}
	arms, err := experiment.LoadArms(in.cache, c)
	if err != nil {
		return nil, err
	}
	in.arm = &arms[0]
	_, err = in.gate.Limits(in.arm.Inputs.Metrics(), in.baseline != nil)
	return in, err
}

// load reads the runs of a result directory, and their distributions if the gate needs them.
func (g *gateCommand) load(dir string, file *gate.File) (*judge.Sample, []string, error) {
	s, warnings, err := results.LoadSample(dir)
	if err == nil && g.baseline != "" && file.HasDistances() {
		err = results.LoadDistributions(dir, s)
	}
	return s, warnings, err
}

// simulate simulates the configuration and sets the sample. The number of replications is that of
// --runs or, by default, that of the baseline.
func (g *gateCommand) simulate(ctx context.Context, source string, in *gateInputs) error {
	n := g.Runs
	if n == 0 && in.baseline != nil {
		n = in.baseline.Replications()
	}
	n = max(1, n)
	in.sample = &judge.Sample{Name: source}
	var each func([]*result.Result)
	if in.gate.HasDistances() {
		each = func(byArm []*result.Result) {
			in.sample.Distributions = append(in.sample.Distributions, byArm[0].Distributions)
		}
	}
	summaries, err := g.measure(ctx, []experiment.Arm{*in.arm}, n, in.cache, each)
	if err != nil {
		return err
	}
	if in.sample.Runs = summaries[0]; len(summaries[0]) < n {
		return terminal.Interruptedf("interrupted: nothing was checked, and no result was changed")
	}
	return nil
}

// write writes the result in every requested format.
func (g *gateCommand) write(result *judge.GateResult) error {
	err := g.Print(result.Write, decision.Gate(result, nil))
	if err == nil && g.junit != "" {
		err = gate.WriteJUnit(g.junit, gate.JUnitOf(g.gate, result))
	}
	if err == nil && g.github {
		out := terminal.Unwrap(g.Out) // unescaped: escapes would break GitHub's commands
		if g.JSON || g.Markdown {     // GitHub reads standard error too, and JSON and markdown must not contain annotations
			out = terminal.Unwrap(g.Err)
		}
		err = gate.Annotate(out, g.gate, result)
	}
	return err
}
