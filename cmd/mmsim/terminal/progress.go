package terminal

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"mmsim/cmd/mmsim/value"
	"mmsim/sim"
)

// Progress shows on a terminal how far a simulation has come, how many
// simulated seconds pass in a real one, and what remains. The nil progress shows
// nothing. Safe for the concurrent use of replications, whose times it adds up.
type Progress struct {
	mutex    sync.Mutex
	terminal int                      // file descriptor
	bar      *progressbar.ProgressBar // nil: no terminal
	observe  func(to sim.Instant)     // streams.observe
	doing    func() []string          // what is shown beside what remains; nil: what is simulated
	started  time.Time                // of the first simulation: inputs have been read by then
	shown    time.Time                // when the line was written last
	done     sim.Duration             // simulated by all replications
	total    sim.Duration
}

// progressEvery is how often the terminal is told, in wall time.
const progressEvery = 100 * time.Millisecond

// NewProgress starts the progress of runs that simulate a span in total; nil when
// nobody would see it: standard error is no terminal, or the user wants quiet.
func NewProgress(s *Streams, quiet bool, total sim.Duration) *Progress {
	shown := !quiet && isTerminal(s.Err)
	if !shown && s.Observe == nil {
		return nil
	}
	p := &Progress{observe: s.Observe, total: total}
	if !shown {
		return p
	}
	w := Behind(s.Err) // the bar moves the cursor
	p.terminal = int(w.(*os.File).Fd())
	p.bar = progressbar.NewOptions64(int64(p.total),
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(barColumns),
		progressbar.OptionSetTheme(progressbar.ThemeASCII),
		progressbar.OptionSetPredictTime(false), // from the first moment on it would be wild: see progressText
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionClearOnFinish(),
	)
	return p
}

// Advance tells that a replication has come from one instant to another.
func (p *Progress) Advance(from, to sim.Instant) {
	if p == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.observe != nil {
		p.observe(to)
	}
	if p.bar == nil {
		return
	}
	p.done += to.Sub(from)
	now := time.Now()
	if p.started.IsZero() {
		p.started, p.shown = now, now
	}
	if now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	columns, _, err := term.GetSize(p.terminal)
	if err != nil {
		columns = 80
	}
	// The terminal may have gone; the simulation goes on without it.
	_ = p.bar.Set64(int64(p.done))
	p.bar.Describe(progressText(p.done, p.total, now.Sub(p.started), p.doing, columns-barColumns-percentColumns))
}

// Show has the line tell, beside what remains, what a function returns, the most important
// first; in place of how fast this process simulates.
func (p *Progress) Show(doing func() []string) {
	if p != nil {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.doing = doing
	}
}

// Say writes a line above that of the progress, or where there is none.
func (p *Progress) Say(w io.Writer, line string) {
	if p != nil {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		if !p.started.IsZero() {
			_ = p.bar.Clear() // the terminal may have gone
		}
	}
	PrintTo(w, "%s\n", line)
}

// The line of progress: text, percentage, bar.
const (
	barColumns     = 20
	percentColumns = len(" 100% [] ")
	firstGuess     = 500 * time.Millisecond // before which what remains is anybody's guess
	longestGuess   = 1e7                    // seconds, some months
)

// progressText tells what remains, and what is done now: what doing returns or, where it is
// nil, what is simulated and how fast. It is as much as fits into so many columns, the most
// important first.
func progressText(done, total sim.Duration, elapsed time.Duration, doing func() []string, columns int) string {
	share := float64(done) / float64(max(1, total))
	simulated := time.Duration(done) * time.Millisecond
	var parts []string
	if elapsed >= firstGuess && done > 0 {
		seconds := math.Ceil(min(elapsed.Seconds()*(1-share)/share, longestGuess))
		parts = append(parts, value.Short(time.Duration(seconds)*time.Second)+" left")
	}
	if doing != nil {
		parts = append(parts, doing()...)
	} else {
		parts = append(parts,
			value.Short(simulated.Truncate(time.Minute))+" simulated",
			fmt.Sprintf("%.0f× real time", simulated.Seconds()/max(1e-9, elapsed.Seconds())))
	}
	text := ""
	for i, part := range parts {
		if i > 0 {
			part = text + ", " + part
		}
		if utf8.RuneCountInString(part) > columns {
			break
		}
		text = part
	}
	return text
}

// Finish removes the line, once.
func (p *Progress) Finish() {
	if p != nil && !p.started.IsZero() {
		_ = p.bar.Finish() // as above
		p.started = time.Time{}
	}
}

// isTerminal tells whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := Behind(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
