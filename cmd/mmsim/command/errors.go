package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker/program"
	"mmsim/cmd/mmsim/resultdir"
)

// Exit codes. Scripts rely on them; their meanings never change.
const (
	ExitGood        = 0
	ExitFailed      = 1   // a test case failed, or a limit of a gate is broken
	ExitBadInput    = 2   // wrong usage or invalid input, which the user can correct
	ExitFault       = 3   // an error of mmsim or of the machine, such as a full disk
	ExitInterrupted = 130 // what shells report after SIGINT
)

// codedError is an error with an exit code.
type codedError struct {
	code int
	err  error
}

// Error returns the message, or "" if the message was already printed.
func (e *codedError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *codedError) Unwrap() error { return e.err }

// ExitCode returns the exit code of a command that returned err. The code for bad input requires
// an error that is marked as correctable by the user; any other error counts as a fault.
func ExitCode(err error) int {
	var coded *codedError
	switch {
	case err == nil:
		return ExitGood
	case errors.As(err, &coded):
		return coded.code
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT): // a full disk, whatever was to be written
		return ExitFault
	case input.IsBad(err), resultdir.IsMendable(err):
		return ExitBadInput
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	default:
		return ExitFault
	}
}

// Exit ends the process, and before it the matchmaker programs that nothing has ended, with their
// children.
func Exit(code int) {
	program.KillAll()
	os.Exit(code)
}

// ownsSignals annotates the commands that handle interruptions themselves, because they keep
// partial results.
const ownsSignals = "mmsim_owns_signals"

// untilInterrupted runs a command that handles interruptions itself. The first SIGINT or
// SIGTERM cancels the context, so that the command can write its partial results; the second
// one kills the process. The exit code is 130 even if the work was already complete, because a
// script must not continue after an interruption.
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

// abortOnSignal ends the process at the first SIGINT or SIGTERM while c runs. It removes partly
// written files and exits with code 130. It does nothing for commands with ownsSignals.
func abortOnSignal(c *cobra.Command) (stop func()) {
	if _, owns := c.Annotations[ownsSignals]; owns {
		return func() {}
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, caught := <-signals; caught {
			resultdir.Abandon()
			Exit(ExitInterrupted)
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}
