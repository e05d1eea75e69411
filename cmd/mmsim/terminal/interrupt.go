package terminal

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
)

// InterruptedCode is the exit code of an interrupted command, whatever the signal: what shells
// report after SIGINT.
const InterruptedCode = 130

// signals lists the signals that interrupt a command: Ctrl-C, the request of a batch system or
// container to end, and the end of the terminal. After nohup, the end of the terminal does not
// interrupt a command.
func signals() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// OnSignals calls the first step at the first signal, and so on. A signal after the last step has its
// default effect, which is to kill the process. stop ends the handling of signals: it waits for a step
// that runs, and none runs after it. A command whose matchmaker a step has killed would otherwise
// report the matchmaker's failure while the step ends the process.
func OnSignals(steps ...func()) (stop func()) {
	caught := make(chan os.Signal, len(steps))
	signal.Notify(caught, signals()...)
	ended := make(chan struct{})
	var running sync.Mutex // held while a step runs
	run := func(step func()) {
		running.Lock()
		defer running.Unlock()
		select {
		case <-ended:
		default:
			step()
		}
	}
	go func() {
		for i, step := range steps {
			select {
			case <-caught:
			case <-ended:
				return
			}
			if i == len(steps)-1 {
				signal.Stop(caught)
			}
			run(step)
		}
	}()
	return sync.OnceFunc(func() {
		signal.Stop(caught)
		running.Lock()
		defer running.Unlock()
		close(ended)
	})
}

// Await calls work and returns its result, or ctx's error as soon as ctx is cancelled. It is for work
// that does not look at a context, because it waits for something (a named pipe, a matchmaker) or
// computes for long. After a cancellation, work goes on in its own goroutine until the process ends,
// so it must not change files.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		found T
		err   error
		panic any // a panic of work, which continues in the goroutine of the caller
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if fault := recover(); fault != nil {
				r.panic = fmt.Sprintf("%v\n%s", fault, debug.Stack())
			}
			done <- r
		}()
		r.found, r.err = work()
	}()
	select {
	case r := <-done:
		if r.panic != nil {
			panic(r.panic)
		}
		if r.err != nil && ctx.Err() != nil { // the interruption may have caused it
			return *new(T), ctx.Err()
		}
		return r.found, r.err
	case <-ctx.Done():
		return *new(T), ctx.Err()
	}
}

// An InterruptedError describes what remains of an interrupted command.
type InterruptedError struct{ message string }

func (e *InterruptedError) Error() string { return e.message }

// Is makes errors.Is(err, context.Canceled) true.
func (*InterruptedError) Is(target error) bool { return target == context.Canceled }

// Interruptedf returns an InterruptedError.
func Interruptedf(format string, values ...any) error {
	return &InterruptedError{fmt.Sprintf(format, values...)}
}
