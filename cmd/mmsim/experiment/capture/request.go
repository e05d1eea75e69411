// Package capture turns what happens in one matching pass of a run into a case file.
package capture

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/datasets"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect"
	"mmsim/sim"
	"mmsim/sim/engine"
)

// Flag collects the values of --capture.
type Flag struct{ List []*Request }

// Request is a scene of the run that becomes a case file.
type Request struct {
	Text       string // as on the command line, before the equals sign
	queue      string // "": there is a single queue
	At         sim.Instant
	Datacenter string // "": the pass over a pool
	File       string

	index int             // of the queue
	Turn  int             // index of the datacenter; -1: the pass over a pool
	Draft *casefile.Draft // nil: the run has not reached the scene yet
	Fault error           // the reason why the scene cannot become a case
}

// String implements pflag.Value: there is no default.
func (*Flag) String() string { return "" }

// Type implements pflag.Value.
func (*Flag) Type() string { return "[QUEUE/]TIME[@DATACENTER]=FILE" }

// Set implements pflag.Value.
func (f *Flag) Set(text string) error {
	const form = "[QUEUE/]TIME[@DATACENTER]=FILE, such as 20:15:00=scene.json or 20:15:00@frankfurt=scene.json"
	what, file, ok := strings.Cut(text, "=")
	if !ok || file == "" {
		return fmt.Errorf("got %q, expected %s", text, form)
	}
	slash := strings.LastIndexByte(what, '/')
	clock, datacenter, turn := strings.Cut(what[slash+1:], "@")
	at, ok := ParseClock(clock)
	if !ok || turn && datacenter == "" || slash == 0 {
		return fmt.Errorf("got %q, expected %s", text, form)
	}
	f.List = append(f.List, &Request{Text: what, queue: what[:max(0, slash)], At: at, Datacenter: datacenter, File: file})
	return nil
}

// clockForm is HH:MM:SS with up to three digits after a decimal point.
var clockForm = regexp.MustCompile(`^(\d{1,4}):([0-5]?\d):([0-5]?\d)(?:\.(\d{1,3}))?$`)

// ParseClock reads a time of day; 24 hours and more belong to later days.
func ParseClock(text string) (at sim.Instant, ok bool) {
	parts := clockForm.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	parts[4] = (parts[4] + "000")[:3]
	for i, unit := range []sim.Duration{sim.Hour, sim.Minute, sim.Second, sim.Millisecond} {
		n, _ := strconv.Atoi(parts[i+1]) // the expression allows digits only
		at = at.Add(sim.Duration(n) * unit)
	}
	return at, true
}

// errorf returns an error about the flag.
func (s *Request) errorf(format string, args ...any) error {
	return input.Badf("--capture %s: %s", s.Text, fmt.Sprintf(format, args...))
}

// Check reports, before the run, why a scene cannot be captured. rulesets are those of the
// queues, in their order.
func (s *Request) Check(c *config.Config, datacenters []datasets.Datacenter, rulesets []*config.Ruleset) error {
	if err := s.findQueue(c, rulesets); err != nil {
		return err
	}
	if err := resultdir.CheckFile(s.File); err != nil {
		return s.errorf("%v", err)
	}
	tick := sim.Instant(config.SimSpan(c.Clock.Tick))
	if (s.At+tick-1)/tick*tick >= sim.Instant(config.SimSpan(c.Clock.Duration)) {
		return s.errorf("expected a time before the last pass of the run, which ends after %s", c.Clock.Duration)
	}
	var names []string
	for _, dc := range datacenters {
		names = append(names, dc.Name)
	}
	before, _, _ := strings.Cut(s.Text, "@")
	q := c.AllQueues()[s.index]
	placement := q.Placement
	switch s.Turn = slices.Index(names, s.Datacenter); {
	case placement == config.PlacementDatacenters && q.External.Matcher != "":
		return s.errorf("a case cannot tell a matchmaker of your own whose turn it is, expected placement pool with it")
	case placement == config.PlacementPool && s.Datacenter != "":
		return s.errorf("datacenters have no turns with placement pool, expected --capture %s=%s", before, s.File)
	case placement == config.PlacementDatacenters && s.Datacenter == "":
		return s.errorf("every datacenter has a turn of its own with placement datacenters, expected %s@DATACENTER=%s", s.Text, s.File)
	case s.Datacenter != "" && s.Turn < 0:
		return s.errorf("got %q%s, expected a datacenter of the list: %s", s.Datacenter, input.DidYouMean(s.Datacenter, names), strings.Join(names, ", "))
	}
	return nil
}

// findQueue finds the queue, which must have a ruleset.
func (s *Request) findQueue(c *config.Config, rulesets []*config.Ruleset) error {
	var names []string
	for _, q := range c.Queues {
		names = append(names, q.Name)
	}
	switch {
	case names == nil && s.queue != "":
		return s.errorf("got the queue %q, expected none before the time: there is one queue", s.queue)
	case names != nil && !slices.Contains(names, s.queue):
		return s.errorf("got the queue %q%s, expected QUEUE/TIME with one of %s", s.queue, input.DidYouMean(s.queue, names), strings.Join(names, ", "))
	case names != nil:
		s.index = slices.Index(names, s.queue)
	}
	if set := rulesets[s.index]; set == nil || set.Rules.Queue == nil {
		return s.errorf("the queue has no ruleset of %s (rules), whose passes could be captured", strings.Join(dialect.NamesThat(false), " or "))
	}
	return nil
}

// Ask asks the engine to report the scene, and writes the case when it does. rules returns
// the rules of a queue in the configured replication.
func (s *Request) Ask(e *engine.Engine, c *config.Config, rules func(queue int) *binding.Rules) error {
	return e.Capture(s.index, s.At, s.Turn, func(scene *sim.Scene) {
		s.Draft, s.Fault = newDraft(rules(s.index), s, scene, c)
	})
}

// Write writes the case file of a scene that the run reached.
func (s *Request) Write() error {
	if s.Draft == nil {
		return fmt.Errorf("--capture %s: not reached", s.Text)
	}
	if s.Fault != nil {
		return fmt.Errorf("--capture %s: %w", s.Text, s.Fault)
	}
	return resultdir.WriteFile(s.File, s.Draft.Write)
}

// Summary counts the contents of the scene for a message.
func (s *Request) Summary() string {
	e := &s.Draft.Expect
	text := fmt.Sprintf("%d tickets wait, %d matches", len(s.Draft.Tickets), len(e.Matches))
	if len(s.Draft.Sessions) > 0 {
		text += fmt.Sprintf(", %d of %d sessions take tickets", len(e.Backfills), len(s.Draft.Sessions))
	}
	return text
}
