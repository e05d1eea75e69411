package command

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/sim"
)

// decisionFlags holds the flags of the commands that decide about finished or simulated runs, which
// are compare and check. check has as many replications as its baseline if Runs is 0.
type decisionFlags struct{ cli.Simulating }

// add adds the flags to a command. runs is the default of --runs, and about is its help.
func (d *decisionFlags) add(c *cobra.Command, runs int, about string) {
	d.AddRuns(c, runs, about)
	out := cli.Under(c, cli.GroupOutput)
	out.File(&d.Dir, cli.WritesFolder, "out", "", "result directory (default: none is written)", "/")
	out.Bool(&d.Quiet, "quiet", "print no progress")
	out.Bool(&d.JSON, "json", "print JSON instead of text")
	out.Bool(&d.Markdown, "markdown", "print markdown instead of text")
	cli.AddNoColour(c, d.Streams)
}

// measure simulates n replications of each configuration. It returns the summaries by configuration,
// which are fewer than n after an interruption. each, if it is not nil, receives the results of every
// replication.
func (d *decisionFlags) measure(ctx context.Context, arms []experiment.Arm, n int, cache *experiment.Cache, each func(byArm []*result.Result)) (byArm [][]*outcome.Summary, err error) {
	var span sim.Duration
	for _, arm := range arms {
		span += arm.Config.Simulated(n)
	}
	p := terminal.NewProgress(d.Streams, d.Quiet, span, len(arms)*n)
	defer p.Finish()
	err = d.With(ctx, p, func(coordinator *workers.Coordinator) (err error) {
		o := experiment.Options{Executor: coordinator.Executor(), Cache: cache, Progress: p, Messages: d.Err}
		byArm, err = experiment.MeasureAll(ctx, arms, experiment.FirstRuns(n), o, each)
		return err
	})
	return byArm, err
}

// conclude writes the decision's files, unless out is nil, and prints the decision. It returns the name
// of the directory that has the files.
func (d *decisionFlags) conclude(out *resultdir.Dir, files func() (string, error), printed func() error) (where string, err error) {
	var unpublished error
	if out != nil {
		if where, unpublished, err = resultdir.Published(files()); err != nil {
			return "", err
		}
	}
	return where, cmp.Or(printed(), unpublished)
}
