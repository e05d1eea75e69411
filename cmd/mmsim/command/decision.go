package command

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/result"
	"mmsim/sim"
)

// decisionFlags holds the flags of the commands that decide about finished or simulated runs, which
// are compare and check.
type decisionFlags struct {
	*terminal.Streams
	replications         int // of each configuration; check has as many as its baseline if it is 0
	workers              workers.Options
	dir                  string // of the result; if empty, no files are written
	command              string // see cli.CommandLine
	quiet, json, tabular bool
}

// add adds the flags to a command. runs is the default of --runs, and about is its help.
func (d *decisionFlags) add(c *cobra.Command, runs int, about string) {
	cli.Under(c, cli.GroupSimulation).Int(&d.replications, "runs", "N", runs, about)
	addWorkers(c, &d.workers)
	out := cli.Under(c, cli.GroupOutput)
	out.File(&d.dir, cli.WritesFolder, "out", "", "result directory (default: none is written)", "/")
	out.Bool(&d.quiet, "quiet", "print no progress")
	out.Bool(&d.json, "json", "print JSON instead of text")
	out.Bool(&d.tabular, "markdown", "print markdown instead of text")
	cli.AddNoColour(c, d.Streams)
}

// check refuses flags that contradict each other.
func (d *decisionFlags) check() error {
	if d.json && d.tabular {
		return input.Badf("--json and --markdown: expected only one of them")
	}
	return d.workers.Check()
}

// measure simulates n replications of each configuration. It returns the summaries by configuration,
// which are fewer than n after an interruption. each, if it is not nil, receives the results of every
// replication.
func (d *decisionFlags) measure(ctx context.Context, arms []experiment.Arm, n int, cache *experiment.Cache, each func(byArm []*result.Result)) (byArm [][]*outcome.Summary, err error) {
	var span sim.Duration
	for _, arm := range arms {
		span += arm.Config.Simulated(n)
	}
	p := terminal.NewProgress(d.Streams, d.quiet, span, len(arms)*n)
	defer p.Finish()
	d.workers.Dir, d.workers.Err, d.workers.Progress = d.dir, d.Err, p
	err = d.workers.With(ctx, func(coordinator *workers.Coordinator) (err error) {
		o := experiment.Options{Executor: coordinator.Executor(), Cache: cache, Progress: p, Messages: d.Err}
		byArm, err = experiment.MeasureAll(ctx, arms, n, o, each)
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

// print writes a decision to standard output, as JSON or as the page that describes it.
func (d *decisionFlags) print(asJSON func(io.Writer) error, page *present.Page) error {
	var err error
	switch {
	case d.json:
		err = asJSON(d.Out)
	case d.tabular:
		_, err = io.WriteString(d.Out, page.Markdown())
	default:
		_, err = io.WriteString(d.Out, page.Text(d.Colour()))
	}
	return err
}

// say says which directory has the files.
func (d *decisionFlags) say(what, where string) {
	if where != "" && !d.quiet {
		terminal.PrintTo(d.Err, "%s in %s\n", what, input.Shown(where))
	}
}
