package binding

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/matchmaker"
	"mmsim/cmd/mmsim/value"
	"mmsim/matcher/external"
	"mmsim/matcher/external/exchange"
	"mmsim/reports/outcome"
)

// A Matchmaker is a queue's connection to its external matchmaker.
type Matchmaker struct {
	config  *config.Config
	queue   *config.Queue
	ctx     context.Context // context of the replication; kept here because package sim does not pass contexts
	hello   *exchange.Hello
	matcher exchange.Matcher
	Answer  *exchange.HelloAnswer // to the hello message: its name and version
	pool    *external.Pool
	Times   *MatchmakerTimes // measures the passes; may be nil
}

// A MatchmakerError is a failure of an external matchmaker.
type MatchmakerError struct {
	where string // the queue, the run and, if there is one, the pass
	err   error
	Unmet bool // whether it failed to start or to answer the hello message
}

// RelayedError returns the error of an external matchmaker that ran on another machine.
func RelayedError(where, message string) *MatchmakerError {
	return &MatchmakerError{where: where, err: errors.New(message)}
}

func (e *MatchmakerError) Error() string {
	if e.where == "" {
		return e.err.Error()
	}
	return e.where + ": " + e.err.Error()
}
func (e *MatchmakerError) Unwrap() error { return e.err }

// OpenMatchmaker connects a queue to its external matchmaker and sends the hello message. Cancelling ctx
// closes the connection. messages receives what the matchmaker writes to its standard error.
// wrap may replace the connection, for example to record it. Both may be nil.
func OpenMatchmaker(ctx context.Context, c *config.Config, q *config.Queue, hello *exchange.Hello, messages io.Writer, wrap func(exchange.Matcher) exchange.Matcher) (*Matchmaker, error) {
	e := &Matchmaker{config: c, queue: q, ctx: ctx, hello: hello}
	kind, target, err := matchmaker.Parse(q.External.Matcher)
	if err != nil {
		return nil, err // cannot happen: it was parsed when the configuration was loaded
	}
	e.matcher, err = kind.Open(ctx, matchmaker.Options{Target: target, Folder: q.External.RunFolder(), Label: e.label(), Stderr: messages, Memory: c.Matcher.Memory, Profiles: q.External.Profiles})
	if err != nil {
		return nil, &MatchmakerError{e.label(), err, true}
	}
	if wrap != nil {
		e.matcher = wrap(e.matcher)
	}
	within, cancel := e.inTime()
	defer cancel()
	if e.Answer, err = e.matcher.Hello(within, hello); err != nil {
		e.Close("the hello failed")
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &MatchmakerError{e.label() + ", hello", err, true}
	}
	return e, nil
}

// label names the queue and the run in messages.
func (e *Matchmaker) label() string {
	if e.queue.Name == "" {
		return fmt.Sprintf("matcher (run %d)", e.hello.Run)
	}
	return fmt.Sprintf("matcher (queue %s, run %d)", e.queue.Name, e.hello.Run)
}

// inTime returns a context that ends when the time limit for an answer has passed.
func (e *Matchmaker) inTime() (context.Context, context.CancelFunc) {
	timeout := e.config.Matcher.Timeout
	return context.WithTimeoutCause(e.ctx, timeout, fmt.Errorf("no answer within %s (matcher.timeout)", value.Short(timeout)))
}

// fault returns an Error about the matchmaker, or the context's error if the replication was
// cancelled.
func (e *Matchmaker) fault(where string, err error) error {
	if e.ctx.Err() != nil {
		return e.ctx.Err()
	}
	return &MatchmakerError{where: e.label() + where, err: err}
}

// Close closes the connection and tells the matchmaker why.
func (e *Matchmaker) Close(why string) { _ = e.matcher.Close(why) } // an error of the matchmaker was already reported

// Pool creates the queue's pool. rules are the queue's rules in the replication.
func (e *Matchmaker) Pool(rules *Rules) (*external.Pool, error) {
	o := external.Config{
		Hello: e.hello, Schema: rules.Sim.Schema, Shown: rules.Shown, Exchange: e.pass,
		Turns: e.queue.Placement == config.PlacementDatacenters, Asks: e.queue.Match.Acceptance.Required, Leaves: external.Expired,
	}
	if rules.Ruleset != nil {
		o.Rules, o.Refuse = rules.Sim.Set, rules.RefuseService
	}
	if e.config.Matcher.EndsOnInvalid {
		o.Wrong = func(p *exchange.Pass, proposal int, why string) error {
			return e.fault(passed(p), fmt.Errorf("proposal %d is invalid: %s (matcher.on_invalid: error)", proposal, why))
		}
	}
	if o.Turns {
		o.Leaves = external.Failed
		if o.Rules != nil { // the states IDEAL and EXPAND check RTTs, so the region rules must not
			o.Rules = o.Rules.WithoutRegion()
		}
	}
	var err error
	e.pool, err = external.NewPool(o)
	return e.pool, err
}

// pass sends one pass to the matchmaker and returns its answer.
func (e *Matchmaker) pass(p *exchange.Pass) (*exchange.Answer, error) {
	within, cancel := e.inTime()
	defer cancel()
	began := time.Now()
	answer, err := e.matcher.Pass(within, p)
	e.Times.pass(e.queue.Name, time.Since(began))
	if err != nil {
		return nil, e.fault(passed(p), err)
	}
	return answer, nil
}

// passed describes a pass for messages.
func passed(p *exchange.Pass) string {
	return fmt.Sprintf(", pass %d at %g s", p.Number, float64(p.NowMS)/1000)
}

// Describe describes the matchmaker and its answers for a summary.
func (e *Matchmaker) Describe() *outcome.External {
	r := e.pool.Report()
	d := &outcome.External{
		Matcher: e.queue.External.Shown(), Name: e.Answer.Name, Version: e.Answer.Version,
		Passes: outcome.Count(r.Passes), Messages: outcome.Count(r.Cost.Messages), Bytes: outcome.Count(r.Cost.Bytes), Proposals: outcome.Count(r.Proposals), Accepted: outcome.Count(r.Proposals),
		Dropped: outcome.Parts{}, Examples: []outcome.Example{}, Checked: outcome.Count(r.Checked), ShareBroken: outcome.ShareOf(r.Broken, r.Checked),
		Violations: partsOf(r.Violations, r.Checked),
	}
	for _, dropped := range r.Dropped {
		share := outcome.ShareOf(dropped.Count, r.Proposals)
		d.Accepted -= outcome.Count(dropped.Count)
		if dropped.Fault == external.Collision {
			d.ShareCollided = share
		}
		d.Dropped = append(d.Dropped, outcome.Part{Name: dropped.Fault.String(), Count: outcome.Count(dropped.Count), Share: share})
		d.Examples = append(d.Examples, outcome.Example{Kind: dropped.Fault.String(), Why: dropped.Example})
	}
	d.ShareDropped = outcome.ShareOf(d.Proposals-d.Accepted, d.Proposals)
	expired := 0
	for _, reason := range r.Expired {
		expired += reason.Count
	}
	d.Expired = partsOf(r.Expired, expired)
	return d
}

// partsOf converts counts to parts of a total.
func partsOf(counts []external.Count, all int) outcome.Parts {
	parts := outcome.Parts{}
	for _, c := range counts {
		parts = append(parts, outcome.Part{Name: c.Name, Count: outcome.Count(c.Count), Share: outcome.ShareOf(c.Count, all)})
	}
	return parts
}
