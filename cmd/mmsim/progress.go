package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"mmsim/sim"
)

// progress shows on a terminal how far a simulation has come, how many
// simulated seconds pass in a real one, and what remains. The nil progress shows
// nothing. Safe for the concurrent use of replications, whose times it adds up.
type progress struct {
	mutex   sync.Mutex
	bar     *progressbar.ProgressBar
	started time.Time
	shown   time.Time
	steps   int64 // simulated seconds done by all replications, from the bar's start
}

// progressEvery is how often the terminal is told, in wall time.
const progressEvery = 100 * time.Millisecond

// newProgress starts the progress of replications runs of c; nil when w is no
// terminal or the user wants quiet.
func newProgress(w io.Writer, quiet bool, c *config, replications int) *progress {
	if quiet || !isTerminal(w) {
		return nil
	}
	total := int64((c.clock.warmup + c.clock.duration).Seconds()) * int64(replications)
	now := time.Now()
	return &progress{
		started: now,
		shown:   now, // an estimate from the first moment would be wild
		bar: progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetWidth(30),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionUseANSICodes(true),
			progressbar.OptionClearOnFinish(),
		),
	}
}

// advance tells that a replication has come from one instant to another.
func (p *progress) advance(from, to sim.Instant) {
	if p == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.steps += int64(to.Sub(from))
	now := time.Now()
	if now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	simulated := time.Duration(p.steps) * time.Millisecond
	p.bar.Describe(fmt.Sprintf("%s simulated, %.0f× real time",
		short(simulated.Truncate(time.Minute)), simulated.Seconds()/max(1e-9, now.Sub(p.started).Seconds())))
	// The terminal may have gone; the simulation goes on without it.
	_ = p.bar.Set64(p.steps / int64(sim.Second))
}

// finish removes the bar.
func (p *progress) finish() {
	if p != nil {
		_ = p.bar.Finish()
	}
}

// isTerminal tells whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
