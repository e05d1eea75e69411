package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
)

// ownsSignals is the annotation of commands that end by themselves when they
// are interrupted, because what they have done so far is worth keeping.
const ownsSignals = "mmsim_owns_signals"

// interruptible returns a context that the first SIGINT or SIGTERM cancels, so that
// what there is can be written; the second one kills at once.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
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
			unfinished.removeForever()
			os.Exit(exitInterrupted)
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}

// unfinished are the files that replaceFile made and that have not taken their
// names yet.
var unfinished = unfinishedFiles{names: map[string]bool{}}

// unfinishedFiles is a set of file names, for concurrent use.
type unfinishedFiles struct {
	mutex sync.Mutex
	names map[string]bool
}

// change runs what makes a file unfinished, or finishes it. An interruption
// waits for it, so that the set is always true.
func (u *unfinishedFiles) change(name string, unfinished bool, how func() error) error {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	err := how()
	if unfinished && err == nil {
		u.names[name] = true
	} else {
		delete(u.names, name)
	}
	return err
}

// removeForever removes all files and lets nobody make another one: it is
// called on the way out.
func (u *unfinishedFiles) removeForever() {
	u.mutex.Lock()
	for name := range u.names {
		_ = os.Remove(name) // nobody is left to tell
	}
}
