package cli

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/matchmaker"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
)

// OwnsSignals annotates the commands that handle interruptions themselves, because they keep
// partial results.
const OwnsSignals = "mmsim_owns_signals"

// UntilInterrupted runs a command that handles interruptions itself. The first signal cancels the
// context, so that the command can write its partial results. The second signal ends the process
// as OnSignal does, and the third one kills it. The exit code is 130 even if the work was
// already complete, because a script must not continue after an interruption.
func UntilInterrupted(c *cobra.Command, work func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	stop := terminal.OnSignals(cancel, func() { end(c, nil) })
	defer stop()
	err := work(ctx)
	switch {
	case ctx.Err() == nil || err != nil && !errors.Is(err, context.Canceled):
		return err
	case err == nil:
		return terminal.Interruptedf("interrupted: the results are complete")
	case errors.As(err, new(*terminal.InterruptedError)):
		return err
	case errors.As(err, new(*resultdir.UnpublishedError)): // interrupted while it waited to publish
		return terminal.Interruptedf("interrupted: %v", err)
	}
	return terminal.Interruptedf("interrupted: nothing was simulated, and no result was changed")
}

// OnSignal ends the process at the first signal while c runs. It removes partly written files,
// says whether the command's output was written, and exits with code 130. It does nothing for
// commands with OwnsSignals.
func OnSignal(c *cobra.Command) (stop func()) {
	if _, owns := c.Annotations[OwnsSignals]; owns {
		return func() {}
	}
	output := OutputOf(c)
	return terminal.OnSignals(func() { end(c, output) })
}

// end ends the process and says what became of the output of the command c, which may be nil.
func end(c *cobra.Command, output *Output) {
	resultdir.Abandon()                                                 // no file changes any more
	_ = terminal.PrintTo(c.ErrOrStderr(), "%s\n", output.Interrupted()) // if it fails, there is nowhere to report it
	Exit(terminal.InterruptedCode)
}

// Exit ends the process, and before it the matchmaker programs that nothing has ended, with their
// children.
func Exit(code int) {
	matchmaker.KillAll()
	os.Exit(code)
}
