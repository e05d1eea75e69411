package binding

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/value"
	"mmsim/datasets"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect"
	"mmsim/sim"
	"mmsim/sim/engine"
)

// CaptureFlag is the flag --capture, which can be repeated.
type CaptureFlag struct{ List []*Capture }

// Capture asks for a scene, which is one matching pass of the run, to be written as a test
// case.
type Capture struct {
	Text       string // as on the command line, before the equals sign
	queue      string // "" if there is a single queue
	At         sim.Instant
	Datacenter string // "" for the pass over a pool
	File       string

	index int             // index of the queue
	Turn  int             // index of the datacenter, or -1 for the pass over a pool
	Draft *casefile.Draft // nil until the run reaches the scene
	Fault error           // reason why the scene cannot become a case
}

// Files lists the files to write.
func (f *CaptureFlag) Files() (list []string) {
	for _, s := range f.List {
		list = append(list, s.File)
	}
	return list
}

// String implements pflag.Value. There is no default.
func (*CaptureFlag) String() string { return "" }

// Type implements pflag.Value.
func (*CaptureFlag) Type() string { return "[QUEUE/]TIME[@DATACENTER]=FILE" }

// Set implements pflag.Value.
func (f *CaptureFlag) Set(text string) error {
	const form = "[QUEUE/]TIME[@DATACENTER]=FILE, such as 20:15:00=scene.json or 20:15:00@frankfurt=scene.json"
	instant, file, ok := strings.Cut(text, "=")
	if !ok || file == "" {
		return fmt.Errorf("got %q, expected %s", text, form)
	}
	slash := strings.LastIndexByte(instant, '/')
	clock, datacenter, turn := strings.Cut(instant[slash+1:], "@")
	at, ok := value.ParseClock(clock)
	if !ok || turn && datacenter == "" || slash == 0 {
		return fmt.Errorf("got %q, expected %s", text, form)
	}
	f.List = append(f.List, &Capture{Text: instant, queue: instant[:max(0, slash)], At: sim.Instant(at.Milliseconds()), Datacenter: datacenter, File: file})
	return nil
}

// errorf returns an error about the flag.
func (s *Capture) errorf(format string, args ...any) error {
	return input.Badf("--capture %s: %s", s.Text, fmt.Sprintf(format, args...))
}

// Check returns an error if the scene cannot be captured. It is called before the run.
// use has the datacenters that take part, as bits, and rulesets one element per queue.
func (s *Capture) Check(c *config.Config, datacenters []datasets.Datacenter, use uint64, rulesets []*config.Ruleset) error {
	if err := s.findQueue(c, rulesets); err != nil {
		return err
	}
	if err := resultdir.CheckFile(s.File); err != nil {
		return s.errorf("%v", err)
	}
	tick := sim.Instant(config.SimSpan(c.Clock.Tick))
	if (s.At+tick-1)/tick*tick >= sim.Instant(config.SimSpan(c.Clock.Duration)) {
		return s.errorf("expected a time before the last pass of the run, which ends after %s", value.Short(c.Clock.Duration))
	}
	names := datasets.DatacenterNames(datacenters)
	before, _, _ := strings.Cut(s.Text, "@")
	q := c.AllQueues()[s.index]
	placement := q.Placement
	switch s.Turn = slices.Index(names, s.Datacenter); {
	case placement == config.PlacementDatacenters && q.External.Matcher != "":
		return s.errorf("a case cannot tell an external matchmaker the datacenter of a pass, expected placement pool")
	case placement == config.PlacementPool && s.Datacenter != "":
		return s.errorf("with placement pool, a pass is for all datacenters, expected --capture %s=%s", before, s.File)
	case placement == config.PlacementDatacenters && s.Datacenter == "":
		return s.errorf("with placement datacenters, each datacenter has its own passes, expected %s@DATACENTER=%s", s.Text, s.File)
	case s.Turn >= 0 && use>>s.Turn&1 == 0:
		return s.errorf("got %s, which does not take part, expected a datacenter of datacenters.use", s.Datacenter)
	case s.Datacenter != "" && s.Turn < 0:
		return s.errorf("got %q%s, expected a datacenter in the list: %s", s.Datacenter, input.DidYouMean(s.Datacenter, names), strings.Join(names, ", "))
	}
	return nil
}

// findQueue sets s.index and checks that the queue has a ruleset.
func (s *Capture) findQueue(c *config.Config, rulesets []*config.Ruleset) error {
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
		return s.errorf("only a queue with a ruleset of %s (the key rules) can be captured, and the queue has none", input.Either(dialect.NamesThat(false)))
	}
	return nil
}

// Ask requests the scene from the engine. When the run reaches the scene, s.Draft or s.Fault is
// set. rules returns the replication's rules for a queue.
func (s *Capture) Ask(e *engine.Engine, c *config.Config, rules func(queue int) *Rules) error {
	return e.Capture(s.index, s.At, s.Turn, func(scene *sim.Scene) {
		s.Draft, s.Fault = newDraft(rules(s.index), s, scene, c)
	})
}

// Write writes the case file. It fails if the run did not reach the scene.
func (s *Capture) Write() error {
	if s.Draft == nil {
		return fmt.Errorf("--capture %s: not reached", s.Text)
	}
	if s.Fault != nil {
		return fmt.Errorf("--capture %s: %w", s.Text, s.Fault)
	}
	return resultdir.WriteFile(s.File, s.Draft.Write)
}

// Summary describes the size of the scene for a message.
func (s *Capture) Summary() string {
	e := &s.Draft.Expect
	text := fmt.Sprintf("waiting tickets: %d, matches: %d", len(s.Draft.Tickets), len(e.Matches))
	if len(s.Draft.Sessions) > 0 {
		text += fmt.Sprintf(", sessions that tickets join: %d of %d", len(e.Backfills), len(s.Draft.Sessions))
	}
	return text
}
