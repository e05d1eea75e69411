package terminal

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"
)

// Work that an interruption ends with an error of its own was interrupted.
func TestAwaitReportsTheInterruption(t *testing.T) {
	for range 1000 {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := Await(ctx, func() (int, error) {
			cancel()
			return 0, errors.New("the matchmaker ended")
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got the error %v, want that of the context", err)
		}
	}
}

// What work finds in time counts, also in an interrupted command.
func TestAwaitKeepsResults(t *testing.T) {
	if found, err := Await(context.Background(), func() (int, error) { return 7, nil }); found != 7 || err != nil {
		t.Errorf("got %d and the error %v, want 7", found, err)
	}
	failure := errors.New("bad input")
	if _, err := Await(context.Background(), func() (int, error) { return 0, failure }); err != failure {
		t.Errorf("got the error %v, want %v", err, failure)
	}
}

// stop returns after a step that runs, so that the command does not report what the step caused.
func TestStopWaitsForTheStep(t *testing.T) {
	begun, proceed := make(chan struct{}), make(chan struct{})
	ended := false
	stop := OnSignals(func() {
		close(begun)
		<-proceed
		ended = true
	}, func() { t.Error("a second step ran, want the first one only") })
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Skip("this system sends no signals:", err)
	}
	<-begun
	time.AfterFunc(10*time.Millisecond, func() { close(proceed) })
	stop()
	if !ended {
		t.Error("stop returned while the step ran")
	}
	stop() // a second call does nothing
}
