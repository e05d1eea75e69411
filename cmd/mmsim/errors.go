package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
)

// Exit codes. A script may rely on them; they never change their meaning.
const (
	exitGood        = 0
	exitFailed      = 1   // a test or a gate failed
	exitBadInput    = 2   // bad usage or bad input: the user can mend it
	exitFault       = 3   // our fault, or the machine's: full disk, unwritable directory
	exitInterrupted = 130 // as shells report a SIGINT
)

// codedError is an error that knows its exit code.
type codedError struct {
	code int
	err  error
}

// Error returns the message, "" where everything was said already.
func (e *codedError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *codedError) Unwrap() error { return e.err }

// exitCode tells the exit code of a command that returned err. An error that
// nobody classified is a fault: claiming that the user erred needs a reason.
func exitCode(err error) int {
	var coded *codedError
	switch {
	case err == nil:
		return exitGood
	case errors.As(err, &coded):
		return coded.code
	case input.IsBad(err), resultdir.IsMendable(err):
		return exitBadInput
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	default:
		return exitFault
	}
}

// ownsSignals is the annotation of commands that end by themselves when they
// are interrupted, because what they have done so far is worth keeping.
const ownsSignals = "mmsim_owns_signals"

// untilInterrupted runs a command that handles interruptions itself. The first SIGINT or
// SIGTERM cancels the context, so that the command can write what it has; the second one
// kills the process. The exit code is 130 even if the interruption came too late to leave
// anything out: a script must not go on after it.
func untilInterrupted(c *cobra.Command, work func(ctx context.Context) error) error {
	ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	err := work(ctx)
	if err == nil && ctx.Err() != nil {
		return experiment.Interruptedf("interrupted: the results are complete")
	}
	return err
}

// abortOnSignal makes the first SIGINT or SIGTERM end the process at once, with
// 130 and without files that are written half, as long as c runs. It is for
// commands whose half result is worth nothing.
func abortOnSignal(c *cobra.Command) (stop func()) {
	if _, owns := c.Annotations[ownsSignals]; owns {
		return func() {}
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, caught := <-signals; caught {
			resultdir.Abandon()
			os.Exit(exitInterrupted)
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}
