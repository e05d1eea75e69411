package terminal

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/sim"
)

// Progress shows the progress of a long command: the remaining time, the number of finished
// jobs, how much has been processed, and the elapsed time. On a terminal, it updates a line in
// place. Otherwise, for example in the log of a CI job, it writes a new line once a minute. A nil
// Progress shows nothing. Several goroutines may use a Progress.
type Progress struct {
	mutex         sync.Mutex
	bar           *progressbar.ProgressBar // nil without a terminal
	columns       func() int               // width of the terminal
	log           io.Writer                // takes a line once a minute; nil with a terminal
	now           func() time.Time
	observe       func(to sim.Instant) // Streams.Observe
	started       time.Time            // when the first step was done, after inputs had been read; if timed, when the work began
	shown         time.Time            // when the line was last updated
	done, total   int64                // total is 0 if it is unknown
	timed         bool                 // whether done and total are real time in ms
	jobs, allJobs int                  // allJobs is 0 if it is unknown
	job           string               // what to call a job, or "" to not count jobs

	// amounts formats how much has been processed, in order of importance.
	amounts func(done, total int64, elapsed time.Duration) []string
}

// Intervals between updates in real time.
const (
	progressEvery = 100 * time.Millisecond // on a terminal
	logEvery      = time.Minute
)

// NewProgress shows the progress of jobs that together simulate the given total of virtual
// time. jobs is the number of jobs, or 0 if it is unknown. A single job is not counted.
// NewProgress returns nil if quiet is set, unless Streams.Observe is set.
func NewProgress(s *Streams, quiet bool, total sim.Duration, jobs int) *Progress {
	p := start(s, quiet, &Progress{total: int64(total), amounts: simulated})
	if p == nil && s.Observe != nil {
		p = &Progress{}
	}
	if p != nil {
		p.observe, p.allJobs = s.Observe, jobs
		if jobs != 1 {
			p.job = "job"
		}
	}
	return p
}

// NewCount shows how many items have been processed. items is their total number, and item is
// the word for one of them, such as "case". NewCount returns nil if quiet is set.
func NewCount(s *Streams, quiet bool, items int, item string) *Progress {
	return start(s, quiet, &Progress{total: int64(items), job: item, allJobs: items})
}

// NewReading shows the progress of reading total bytes, or an unknown number of bytes if total
// is 0. NewReading returns nil if quiet is set.
func NewReading(s *Streams, quiet bool, total int64) *Progress {
	return start(s, quiet, &Progress{total: total, amounts: read})
}

// NewTimed shows the progress of a command that starts jobs until the given time has passed. It
// returns nil if quiet is set.
func NewTimed(s *Streams, quiet bool, span time.Duration) *Progress {
	now := time.Now()
	return start(s, quiet, &Progress{total: span.Milliseconds(), job: "job", timed: true, started: now, shown: now})
}

// start makes p write to standard error. It returns nil if quiet is set.
func start(s *Streams, quiet bool, p *Progress) *Progress {
	if quiet || s.Err == nil {
		return nil
	}
	p.now = time.Now
	if !isTerminal(s.Err) {
		p.log = s.Err
		return p
	}
	w := Unwrap(s.Err) // the bar moves the cursor, which a screen does not allow
	descriptor := int(fileOf(w).Fd())
	return p.on(w, func() int {
		columns, _, err := term.GetSize(descriptor)
		if err != nil {
			return 80
		}
		return columns
	})
}

// on makes p write to a terminal with that many columns.
func (p *Progress) on(w io.Writer, columns func() int) *Progress {
	p.columns = columns
	p.bar = progressbar.NewOptions64(cmp.Or(p.total, -1), // -1 shows a spinner
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(barColumns),
		progressbar.OptionSetTheme(progressbar.ThemeASCII),
		progressbar.OptionSetPredictTime(false),       // its prediction is wrong at first, see text
		progressbar.OptionSetSpinnerChangeInterval(0), // no updates from a goroutine of the library
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionClearOnFinish(),
	)
	return p
}

// locked calls work while no other goroutine uses p. It does nothing if p is nil.
func (p *Progress) locked(work func()) {
	if p != nil {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		work()
	}
}

// Advance reports that a replication has advanced from one virtual time to another.
func (p *Progress) Advance(from, to sim.Instant) {
	p.locked(func() {
		if p.observe != nil {
			p.observe(to)
		}
		p.advance(int64(to.Sub(from)))
	})
}

// Show replaces the processed amount in the line with the texts that doing returns, in order of
// importance.
func (p *Progress) Show(doing func() []string) {
	p.locked(func() { p.amounts = func(int64, int64, time.Duration) []string { return doing() } })
}

// JobDone reports that a job is done.
func (p *Progress) JobDone() { p.locked(func() { p.jobs++; p.advance(0) }) }

// Step reports that one more item has been processed.
func (p *Progress) Step() { p.locked(func() { p.jobs++; p.advance(1) }) }

// Reader returns a reader that reports how much has been read from r.
func (p *Progress) Reader(r io.Reader) io.Reader {
	if p == nil {
		return r
	}
	return &countingReader{r, p}
}

type countingReader struct {
	io.Reader
	progress *Progress
}

func (r *countingReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.progress.locked(func() { r.progress.advance(int64(n)) })
	return n, err
}

// advance adds to the processed amount. It updates the line at most every progressEvery, or adds
// one to the log every logEvery.
func (p *Progress) advance(by int64) {
	if p.bar == nil && p.log == nil {
		return
	}
	now := p.now()
	if p.done += by; p.timed {
		p.done = min(p.total, now.Sub(p.started).Milliseconds())
	}
	if p.started.IsZero() {
		p.started, p.shown = now, now
	}
	if p.log != nil {
		if now.Sub(p.shown) >= logEvery {
			p.shown = now
			fmt.Fprintln(p.log, "progress: "+p.text(now.Sub(p.started), math.MaxInt))
		}
		return
	}
	if now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	// Ignore errors: the work continues even if the terminal is gone.
	if p.total == 0 {
		_ = p.bar.Set64(p.done)
	} else { // a full bar would end, but the total is an estimate
		_ = p.bar.Set64(min(p.done, p.total-1))
	}
	p.bar.Describe(p.text(now.Sub(p.started), p.columns()-barColumns-percentColumns))
}

// Clear removes the progress line until the next update, to make room for other output.
func (p *Progress) Clear() {
	p.locked(func() {
		if p.bar != nil {
			_ = p.bar.Clear() // the terminal may be gone
		}
	})
}

// The progress line has a text, a percentage and a bar.
const (
	barColumns     = 20
	percentColumns = len(" 100% [] ")
	firstGuess     = 500 * time.Millisecond // before this, the remaining time cannot be estimated
	longestGuess   = 1e7                    // in seconds; about four months
)

// text returns the remaining time, the number of finished jobs, the processed amount and the
// elapsed time, as far as they fit into the given number of columns.
func (p *Progress) text(elapsed time.Duration, columns int) string {
	var parts []string
	if share := float64(p.done) / float64(max(1, p.total)); elapsed >= firstGuess && p.done > 0 && p.total > 0 {
		seconds := math.Ceil(min(elapsed.Seconds()*(1-min(1, share))/share, longestGuess))
		parts = append(parts, value.Short(time.Duration(seconds)*time.Second)+" left")
	}
	switch {
	case p.job == "":
	case p.allJobs > 0:
		parts = append(parts, fmt.Sprintf("%d/%d %ss", p.jobs, p.allJobs, p.job))
	default:
		parts = append(parts, input.Counted(p.jobs, p.job))
	}
	var amounts []string
	if p.amounts != nil {
		amounts = p.amounts(p.done, p.total, elapsed)
	}
	most := min(1, len(amounts))
	parts = append(parts, amounts[:most]...)
	if elapsed >= time.Second {
		parts = append(parts, value.Short(elapsed.Truncate(time.Second))+" elapsed")
	}
	parts = append(parts, amounts[most:]...)
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

// simulated formats how much has been simulated, and how fast.
func simulated(done, total int64, elapsed time.Duration) []string {
	span := time.Duration(done) * time.Millisecond
	text := value.Short(span.Truncate(time.Minute))
	if done <= total { // the total may be an estimate
		text += " of " + value.Short((time.Duration(total) * time.Millisecond).Truncate(time.Minute))
	}
	return []string{
		text + " simulated",
		fmt.Sprintf("%.0f× real time", span.Seconds()/max(1e-9, elapsed.Seconds())),
	}
}

// read formats how much has been read.
func read(done, total int64, _ time.Duration) []string {
	text := fmt.Sprintf("%.1f MB read", float64(done)/1e6)
	if total > 0 {
		text = fmt.Sprintf("%.1f of %.1f MB read", float64(done)/1e6, float64(total)/1e6)
	}
	return []string{text}
}

// Finish removes the progress line.
func (p *Progress) Finish() {
	p.locked(func() {
		if p.bar != nil && !p.started.IsZero() {
			_ = p.bar.Finish() // the terminal may be gone
		}
		p.started = time.Time{}
	})
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f := fileOf(w)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// fileOf returns the file to which w writes, or nil.
func fileOf(w io.Writer) *os.File {
	w = Unwrap(w)
	if kept, is := w.(*keptError); is {
		w = kept.to
	}
	f, _ := w.(*os.File)
	return f
}
