package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect"
	"mmsim/sim"
)

// captureFlag collects the values of --capture.
type captureFlag struct{ list []*wantedScene }

// wantedScene is a scene of the run that is to become a case file.
type wantedScene struct {
	text       string // as on the command line, before the equals sign
	queue      string // "": there is one
	at         sim.Instant
	datacenter string // "": the pass of a pool
	file       string

	index int             // of the queue
	turn  int             // index of the datacenter; -1: the pass of a pool
	draft *casefile.Draft // nil: not reached yet
	fault error           // what keeps it from being a case
}

// String implements pflag.Value: there is no default.
func (*captureFlag) String() string { return "" }

// Type implements pflag.Value.
func (*captureFlag) Type() string { return "[QUEUE/]TIME[@DATACENTER]=FILE" }

// Set implements pflag.Value.
func (f *captureFlag) Set(text string) error {
	const form = "[QUEUE/]TIME[@DATACENTER]=FILE, such as 20:15:00=scene.json or 20:15:00@frankfurt=scene.json"
	what, file, ok := strings.Cut(text, "=")
	if !ok || file == "" {
		return fmt.Errorf("got %q, expected %s", text, form)
	}
	slash := strings.LastIndexByte(what, '/')
	clock, datacenter, turn := strings.Cut(what[slash+1:], "@")
	at, ok := parseClock(clock)
	if !ok || turn && datacenter == "" || slash == 0 {
		return fmt.Errorf("got %q, expected %s", text, form)
	}
	f.list = append(f.list, &wantedScene{text: what, queue: what[:max(0, slash)], at: at, datacenter: datacenter, file: file})
	return nil
}

// clockForm is HH:MM:SS with up to three digits behind a point.
var clockForm = regexp.MustCompile(`^(\d{1,4}):([0-5]?\d):([0-5]?\d)(?:\.(\d{1,3}))?$`)

// parseClock reads the time of a day; hours from 24 on are those of further days.
func parseClock(text string) (at sim.Instant, ok bool) {
	parts := clockForm.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	parts[4] = (parts[4] + "000")[:3]
	for i, unit := range []sim.Duration{sim.Hour, sim.Minute, sim.Second, sim.Millisecond} {
		n, _ := strconv.Atoi(parts[i+1]) // digits
		at = at.Add(sim.Duration(n) * unit)
	}
	return at, true
}

// errorf makes an error about the flag.
func (s *wantedScene) errorf(format string, args ...any) error {
	return input.Badf("--capture %s: %s", s.text, fmt.Sprintf(format, args...))
}

// check finds out before the run what would keep a scene from being captured.
func (s *wantedScene) check(in *inputs) error {
	if err := s.findQueue(in); err != nil {
		return err
	}
	if err := resultdir.CheckFile(s.file); err != nil {
		return s.errorf("%v", err)
	}
	c := in.config
	tick := sim.Instant(config.SimSpan(c.Clock.Tick))
	if (s.at+tick-1)/tick*tick >= sim.Instant(config.SimSpan(c.Clock.Duration)) {
		return s.errorf("expected a time before the last pass of the run, which ends after %s", c.Clock.Duration)
	}
	var names []string
	for _, dc := range in.datacenters {
		names = append(names, dc.Name)
	}
	before, _, _ := strings.Cut(s.text, "@")
	placement := c.AllQueues()[s.index].Placement
	switch s.turn = slices.Index(names, s.datacenter); {
	case placement == config.PlacementPool && s.datacenter != "":
		return s.errorf("datacenters have no turns with placement pool, expected --capture %s=%s", before, s.file)
	case placement == config.PlacementDatacenters && s.datacenter == "":
		return s.errorf("every datacenter has a turn of its own with placement datacenters, expected %s@DATACENTER=%s", s.text, s.file)
	case s.datacenter != "" && s.turn < 0:
		return s.errorf("got %q%s, expected a datacenter of the list: %s", s.datacenter, input.DidYouMean(s.datacenter, names), strings.Join(names, ", "))
	}
	return nil
}

// findQueue finds the queue, which must have a ruleset.
func (s *wantedScene) findQueue(in *inputs) error {
	var names []string
	for _, q := range in.config.Queues {
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
	if set := in.rulesets[s.index]; set == nil || set.Rules.Queue == nil {
		return s.errorf("the queue has no ruleset of %s (rules), whose passes could be captured", strings.Join(dialect.NamesThat(false), " or "))
	}
	return nil
}

// ask has the engine tell the scene, and drafts the case when it does.
func (s *wantedScene) ask(engine *sim.Engine, w *world) error {
	rules := w.queues[s.index].rules
	return engine.Capture(s.index, s.at, s.turn, func(scene *sim.Scene) { s.draft, s.fault = rules.draft(s, scene, w) })
}

// write writes the case file of a scene that was reached.
func (s *wantedScene) write() error {
	if s.draft == nil {
		return fmt.Errorf("--capture %s: not reached", s.text)
	}
	if s.fault != nil {
		return fmt.Errorf("--capture %s: %w", s.text, s.fault)
	}
	return resultdir.WriteFile(s.file, s.draft.Write)
}

// checkCaptures checks all that are wanted.
func (in *inputs) checkCaptures() error {
	for _, s := range in.captures {
		if err := s.check(in); err != nil {
			return err
		}
	}
	return nil
}

// writeCaptures writes all scenes that were reached, and tells what is wrong with
// others.
func (r *runCommand) writeCaptures(list []*wantedScene) error {
	var faults []error
	for _, s := range list {
		err := s.write()
		if faults = append(faults, err); err == nil && !r.quiet {
			terminal.PrintTo(r.Err, "%s in %s: %s\n", s.draft.Name, input.Shown(s.file), s.summary())
		}
	}
	return errors.Join(faults...)
}

// summary tells what is in a scene.
func (s *wantedScene) summary() string {
	e := &s.draft.Expect
	text := fmt.Sprintf("%d tickets wait, %d matches", len(s.draft.Tickets), len(e.Matches))
	if len(s.draft.Sessions) > 0 {
		text += fmt.Sprintf(", %d of %d sessions take tickets", len(e.Backfills), len(s.draft.Sessions))
	}
	return text
}
