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

// Exit codes. Scripts rely on them; their meanings never change.
const (
	exitGood        = 0
	exitFailed      = 1   // a test or a gate failed
	exitBadInput    = 2   // bad usage or bad input: the user can correct it
	exitFault       = 3   // a fault of mmsim or of the machine: full disk, unwritable directory
	exitInterrupted = 130 // as shells report SIGINT
)

// codedError is an error with an exit code.
type codedError struct {
	code int
	err  error
}

// Error returns the message, "" if it was printed already.
func (e *codedError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *codedError) Unwrap() error { return e.err }

// exitCode returns the exit code of a command that returned err. An unclassified error counts
// as a fault: only an error known to be the user's has the code for bad input.
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

// ownsSignals is the annotation of commands that handle interruptions themselves, because
// their partial results are worth keeping.
const ownsSignals = "mmsim_owns_signals"

// untilInterrupted runs a command that handles interruptions itself. The first SIGINT or
// SIGTERM cancels the context, so that the command can write its partial results; the second
// one kills the process. The exit code is 130 even if the interruption came too late to have
// any effect: a script must not continue after it.
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

// abortOnSignal ends the process at the first SIGINT or SIGTERM while c runs, with 130 and
// without leaving partly written files. It is for commands whose partial results are useless.
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
