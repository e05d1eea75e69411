package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
	"mmsim/reports/present"
)

// Simulating holds the flags of a command that simulates replications and describes them.
type Simulating struct {
	*terminal.Streams
	Config      ConfigFlags
	Dir         string // result directory; "" to write no files
	Runs        int    // number of replications; 0 for what the command does without --runs
	Workers     workers.Options
	Quiet, JSON bool
	Markdown    bool
	Command     string // see CommandLine
}

// AddRuns adds --runs, whose default is standard, and the flags of commands that can simulate on workers.
func (s *Simulating) AddRuns(c *cobra.Command, standard int, usage string) {
	simulation := Under(c, GroupSimulation)
	simulation.Whole(&s.Runs, "runs", "N", standard, 1, experiment.ReplicationsMax, usage)
	simulation.Secret(&s.Workers.Serve, "serve", "ADDRESS", "simulate on workers, which connect to this address, such as :4222 (see \"mmsim worker --help\")")
	simulation.Secret(&s.Workers.NATS, "nats", "URL", "simulate on workers, which connect to this NATS server (see \"mmsim worker --help\")")
	simulation.File(&s.Workers.Creds, Secret, "creds", "", "file with the credentials for the NATS server; only with --nats", "creds")
}

// Check refuses flags that contradict each other.
func (s *Simulating) Check() error {
	if s.JSON && s.Markdown {
		return input.Badf("--json and --markdown: expected only one of them")
	}
	return s.Workers.Check()
}

// With opens a session for remote workers and calls the function work with it. If the flags name no
// workers, work gets nil.
func (s *Simulating) With(ctx context.Context, p *terminal.Progress, work func(*workers.Coordinator) error) error {
	s.Workers.Dir, s.Workers.Err, s.Workers.Progress = s.Dir, s.Err, p
	return s.Workers.With(ctx, work)
}

// Dismiss tells the workers of an earlier session that there are no jobs.
func (s *Simulating) Dismiss(ctx context.Context) {
	s.Workers.Dir, s.Workers.Err = s.Dir, s.Err
	s.Workers.Dismiss(ctx)
}

// Print writes what the command found to standard output: as JSON, or as the page that describes it.
func (s *Simulating) Print(asJSON func(io.Writer) error, page *present.Page) (err error) {
	switch {
	case s.JSON:
		err = asJSON(s.Out)
	case s.Markdown:
		_, err = io.WriteString(s.Out, page.Markdown())
	default:
		_, err = io.WriteString(s.Out, page.Text(s.Colour()))
	}
	return err
}

// Say says which directory has the files, unless it is "".
func (s *Simulating) Say(what, where string) {
	if where != "" && !s.Quiet {
		terminal.PrintTo(s.Err, "%s in %s\n", what, input.Shown(where))
	}
}
