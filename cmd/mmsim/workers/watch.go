package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers/hub"
)

// Durations of watching a session.
const (
	watchEvery   = 3 * time.Second  // interval between comparisons with the server
	defaultQuiet = 10 * time.Second // maximum time in which nothing can happen without a message
)

// watch compares the waiting jobs with the server at regular intervals, until the coordinator ends.
// It ends the coordinator if the server has not answered for too long.
func (p *Coordinator) watch() {
	answered, joined := time.Now(), time.Now() // when the server last answered, and a worker was last connected
	isSilent, isAlone := false, false
	for p.ctx.Err() == nil {
		hub.Pause(p.ctx, min(watchEvery, p.lease/10))
		err := p.compare()
		now := time.Now()
		switch {
		case p.ctx.Err() != nil:
			return
		case err == nil:
			if isSilent {
				p.say("the server answers again")
			}
			answered, isSilent = now, false
		case now.Sub(answered) >= p.patience:
			p.end(fmt.Errorf("the server has not answered for %v (%w): everything finished is kept, and the same command continues", p.patience, err))
			return
		case !isSilent:
			p.say("the server does not answer (%v): trying again for %v", err, p.patience)
			isSilent = true
		}
		if p.roster.count() > 0 || isSilent {
			joined, isAlone = now, false
		}
		if now.Sub(joined) >= p.quiet && !isAlone {
			p.say("no worker is connected: start one as shown above")
			isAlone = true
		}
		p.judge(now)
	}
}

// compare puts back what the server has lost, and gives up jobs on which workers end. It returns an
// error of the exchanges with the server since the last comparison.
func (p *Coordinator) compare() error {
	s, err := p.hub.Stock(p.ctx)
	if errors.Is(err, hub.ErrLost) {
		p.say("a part of this command's session is missing on the server: creating it again")
		if err = p.hub.Ensure(p.ctx); err == nil {
			s, err = p.hub.Stock(p.ctx)
		}
	}
	if err == nil {
		err = p.restore(s.Objects)
	}
	if err != nil {
		return err
	}
	p.mutex.Lock()
	jobs, fault, restored := maps.Clone(p.waiting), p.fault, p.restored
	if p.restored = 0; len(jobs) == 0 {
		p.fault = nil
	}
	p.mutex.Unlock()
	if restored > 0 {
		p.say("put back %s that the server had lost", input.Counted(restored, "job"))
	}
	for id, w := range jobs {
		died := p.roster.endedOn(id)
		switch {
		case len(died) >= deathsMax:
			err = p.giveUp(w.kind, id, fmt.Sprintf("the workers %s died on it", strings.Join(died, ", ")))
		case !s.Jobs[id]: // it has a result, is lost, or could not be published
			p.lookFor(id)
		case s.Spent && w.spent: // twice, because the job may be lost between the questions of one comparison
			err = p.giveUp(w.kind, id, fmt.Sprintf("it was delivered %d times without a result", hub.DeliveriesMax))
		}
		if err != nil {
			return err
		}
		w.spent = s.Jobs[id] && s.Spent
	}
	return fault
}

// giveUp ends a job without a result.
func (p *Coordinator) giveUp(kind, id, reason string) error {
	record, err := json.Marshal(record{GivenUp: reason})
	if err != nil {
		return err
	}
	if err := p.hub.Create(p.ctx, id, record); err != nil && !errors.Is(err, hub.ErrExists) {
		return err
	}
	if err := p.hub.Withdraw(p.ctx, kind, id); err != nil {
		return err
	}
	p.lookFor(id)
	return nil
}

// judge ends the coordinator if for a while, in which others may join, no worker has been able to
// do a job.
func (p *Coordinator) judge(now time.Time) {
	p.mutex.Lock()
	table := ""
	for _, id := range slices.Sorted(maps.Keys(p.waiting)) {
		w := p.waiting[id]
		unable := p.roster.unable(w.kind, id)
		switch {
		case unable == "":
			w.stuck = time.Time{}
		case w.stuck.IsZero():
			w.stuck = now
		case now.Sub(w.stuck) >= p.quiet && table == "":
			table = fmt.Sprintf("no worker can do job %.12s:\n%s", id, unable)
		}
	}
	p.mutex.Unlock()
	if table != "" {
		p.end(input.Bad(errors.New(table)))
	}
}

// close ends the session. Workers leave or, on a NATS server, look for another session. If done is
// set, all jobs have results, and close waits for the workers to acknowledge them, unless
// interrupted is done. Otherwise close abandons the jobs that workers are doing.
func (p *Coordinator) close(interrupted context.Context, done bool) error {
	if done && !p.idle {
		ctx, cancel := context.WithTimeout(interrupted, min(p.lease, p.quiet))
		p.drain(ctx)
		cancel()
	}
	p.end(nil)
	p.watching.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 2*hub.Answer)
	defer cancel()
	err := p.hub.End()
	if p.server == nil || !p.server.Single {
		err = errors.Join(err, p.hub.Remove(ctx))
	} else if err == nil {
		await := time.Duration(0) // for the workers of a killed coordinator
		if p.isRestart && done {
			await = p.returning
		}
		p.server.Dismiss(interrupted, await, p.hub.End)
	}
	p.stop()
	return err
}

// drain waits until workers have acknowledged all jobs, or until ctx is done. Without drain, a
// worker might fail to acknowledge its last job and report an error.
func (p *Coordinator) drain(ctx context.Context) {
	for {
		s, err := p.hub.Stock(ctx)
		if err != nil || len(s.Jobs) == 0 {
			return
		}
		hub.Pause(ctx, 10*time.Millisecond)
	}
}

// stop stops everything that Open started.
func (p *Coordinator) stop() {
	debug.SetGCPercent(p.collect)
	p.end(nil)
	p.watching.Wait()
	if p.server != nil {
		p.server.Close()
	}
	if p.hold != nil {
		p.hold.Release()
	}
}

// A printer prints messages. If this fails, there is nowhere to report it.
type printer struct {
	to      io.Writer
	mutex   sync.Mutex
	printed map[string]bool // lines that are printed once
}

// printedMax is the number of different lines that a process remembers and prints.
const printedMax = 1000

// say prints a line.
func (p *printer) say(format string, values ...any) {
	_ = terminal.PrintTo(p.to, format+"\n", values...)
}

// once prints a line unless it was printed before.
func (p *printer) once(format string, values ...any) {
	line := fmt.Sprintf(format, values...)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.printed == nil {
		p.printed = map[string]bool{}
	}
	if !p.printed[line] && len(p.printed) < printedMax {
		p.printed[line] = true
		p.say("%s", line)
	}
}
