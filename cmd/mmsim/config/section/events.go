package section

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets/builtin"
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/reports/words"
	"mmsim/sim"
)

// Events is the list events of a configuration: what happens to all queues of a run.
type Events []Event

// Event is one of them. It has one action: Outage, Latency, Maintenance or Joins.
type Event struct {
	At  time.Duration // time of day
	Day int           // from 1
	For time.Duration

	Outage  []string // names of datacenters
	Running string

	Latency time.Duration // added to RTTs
	To      []string      // names of datacenters; all that take part if it is empty

	Maintenance bool
	Back        float64
	Within      time.Duration

	Joins int // number of players

	From Among // whose RTTs Latency adds to, or whose rows Joins copies

	node, span, outage, running, maintenance, back, within, from, to yamltree.Node // where they were written
}

// Values of Event.Running.
const (
	RunningDrain = "drain"
	RunningKill  = "kill"
)

const (
	eventDaysMax = 366
	latencyMax   = 4095 * time.Millisecond // the highest RTT

	// Of a maintenance: everybody comes back, within 10 minutes.
	backUsual   = 1.0
	withinUsual = 10 * time.Minute
)

// Settings returns the key events. Its value is a list, or the name of a file that has only this list.
func (l *Events) Settings() []value.Key {
	v := l.list().Taking(func(s value.Schema) value.Schema { return value.AnySchema(s, value.FilledSchema()) }).
		Where(func(n yamltree.Node) bool { return n.Kind <= yamltree.Text && n.Text != "" }, l.readFile)
	v.Expects += ", or the name of a YAML file that has only the key events"
	return []value.Key{value.Named("events", "what happens to all queues of the run for some time: datacenters that cannot be used (outage), higher RTTs (latency), a game that is closed (maintenance), or more joins (joins)", v)}
}

// Files lists the files in which the events are written.
func (l Events) Files() (names []string) {
	for i := range l {
		if n := &l[i].node; n.Line > 0 && !slices.Contains(names, n.From.Name) {
			names = append(names, n.From.Name)
		}
	}
	return names
}

// list returns the Value of the list.
func (l *Events) list() value.Value {
	isLong := func(n yamltree.Node) bool { return len(n.Elements) > sim.MaxEvents }
	return value.ListOf((*[]Event)(l), "a list of events", (*Event).value).Where(isLong, func(n yamltree.Node) error {
		return n.Errorf("got %d events, expected at most %d (MaxEvents)", len(n.Elements), sim.MaxEvents)
	})
}

// readFile reads the events from the file that a node names.
func (l *Events) readFile(n yamltree.Node) error {
	var name string
	if err := value.Path(&name, "").Read(n); err != nil {
		return err
	}
	root, err := yamltree.ReadFile(input.Shown(name))
	if err != nil {
		return err
	}
	file := value.Mapping(value.Named("events", "", value.Needed(l.list())))
	return file.ReadAt("", root)
}

// value returns the Value of one event.
func (e *Event) value() value.Value {
	return value.At(&e.node, value.Object{One: 4, Expects: "an event with one of outage, latency, maintenance and joins, and with at and for", Check: e.check, Keys: []value.Key{
		value.Named("outage", "names of datacenters that cannot be used", value.At(&e.outage, value.Distinct(&e.Outage, "a list of datacenters, such as [frankfurt]"))),
		value.Named("latency", "what is added to RTTs", value.ByDefault(&e.Latency, 0, value.Duration(&e.Latency, time.Millisecond, latencyMax, time.Microsecond))),
		value.Named("maintenance", "true: nobody can play; all matches, also against bots, are cut short, and all searches end", value.At(&e.maintenance, value.ByDefault(&e.Maintenance, false, value.Toggle(&e.Maintenance)))),
		value.Named("joins", "number of players who join in addition, as copies of random rows of the data, at equal distances over the event", value.ByDefault(&e.Joins, 0, value.Whole(&e.Joins, 1, builtin.MaxJoins))),
		value.Named("at", "time of day at which it begins, in dataset.time_zone", value.Needed(value.Clock(&e.At))),
		value.Named("day", "day of the run on which it begins, from 1", value.ByDefault(&e.Day, 1, value.Whole(&e.Day, 1, eventDaysMax))),
		value.Named("for", "how long it lasts; with joins, 0s is one instant", value.Needed(value.At(&e.span, value.Span(&e.For, 0, eventDaysMax*24*time.Hour)))),
		value.Named("running", "what happens to matches that are being played in these datacenters when the outage begins: they end as usual (drain), or they are cut short (kill)", value.At(&e.running, value.ByDefault(&e.Running, RunningDrain, value.Choice(&e.Running, []string{RunningDrain, RunningKill})))),
		value.Named("back", "chance that those who were playing or searching when the maintenance began, and those who would join or return during it, come back after it", value.At(&e.back, value.ByDefault(&e.Back, backUsual, value.Share(&e.Back, value.Limits{High: 1})))),
		value.Named("within", "they come back within this time after its end, each at a random time", value.At(&e.within, value.ByDefault(&e.Within, withinUsual, value.Span(&e.Within, 0, 24*time.Hour)))),
		value.Named("from", "where the players live to whose RTTs latency is added, or whose rows joins copies; the default is everywhere", value.At(&e.from, e.From.value())),
		value.Named("to", "names of the datacenters of these RTTs; the default is all", value.At(&e.to, value.Distinct(&e.To, "a list of datacenters, such as [london]"))),
	}}.Value())
}

// check checks the keys of an event together.
func (e *Event) check() error {
	isOutage, isLatency, isBurst := len(e.Outage) > 0, e.Latency > 0, e.Joins > 0
	switch {
	case e.maintenance.Path != "" && !e.Maintenance:
		return e.maintenance.Errorf("got false, expected true, or no such event")
	case e.For == 0 && !isBurst:
		return e.span.Errorf("got 0s, expected a duration above 0s; only joins may last 0s")
	}
	for _, k := range []struct {
		node yamltree.Node
		fits bool
		with string
	}{{e.running, isOutage, "outage"}, {e.back, e.Maintenance, "maintenance"}, {e.within, e.Maintenance, "maintenance"}, {e.from, isLatency || isBurst, "latency or joins"}, {e.to, isLatency, "latency"}} {
		if k.node.Path != "" && !k.fits {
			return k.node.Errorf("got %s, expected it only with %s", k.node, k.with)
		}
	}
	return nil
}

// CutMatches reports whether an event cuts matches short.
func (l Events) CutMatches() bool {
	return l.HasMaintenance() || slices.ContainsFunc(l, func(e Event) bool { return e.Running == RunningKill })
}

// HasMaintenance reports whether an event is a maintenance.
func (l Events) HasMaintenance() bool {
	return slices.ContainsFunc(l, func(e Event) bool { return e.Maintenance })
}

// begin returns the time from the start of the run to the begin of an event.
func (e *Event) begin() time.Duration { return e.At + time.Duration(e.Day-1)*24*time.Hour }

// checkOverlaps returns an error if two maintenances overlap.
func (l Events) checkOverlaps() error {
	for i := range l {
		for j := range i {
			if a, b := &l[i], &l[j]; a.Maintenance && b.Maintenance && a.begin() < b.begin()+b.For && b.begin() < a.begin()+a.For {
				return a.node.Errorf("overlaps with the maintenance of events[%d], expected one at a time", j)
			}
		}
	}
	return nil
}

// Sim converts the events to the simulator's type. It returns an error if one of them does not fit the
// datacenters or begins after the end of the run.
func (l Events) Sim(datacenters *List, duration time.Duration) ([]sim.Event, error) {
	var events []sim.Event
	faults := make([]error, len(l))
	for i := range l {
		e, one := &l[i], sim.Event{}
		from := e.begin()
		one.From = sim.Instant(from.Milliseconds())
		one.Until = sim.Instant((from + e.For).Milliseconds())
		one.Kill, one.Joins = e.Running == RunningKill, e.Joins
		one.Maintenance, one.Back, one.Within = e.Maintenance, e.Back, sim.Duration(e.Within.Milliseconds())
		if from >= duration {
			faults[i] = e.node.Errorf("begins %s after the start of the run, expected a time before its end, after %s (clock.duration)", value.Short(from), value.Short(duration))
			continue
		}
		one.Latency = sim.RTT(e.Latency * sim.RTTUnit / time.Millisecond)
		var unknownOutage, unknownTo error
		one.Outage, unknownOutage = setOf(e.Outage, &e.outage, datacenters)
		if one.To, unknownTo = setOf(e.To, &e.to, datacenters); len(e.To) == 0 {
			one.To = datacenters.InUse
		}
		faults[i] = cmp.Or(unknownOutage, unknownTo)
		events = append(events, one)
	}
	if err := value.Joined(faults); err != nil {
		return nil, err
	}
	return events, l.checkOverlaps()
}

// setOf returns the datacenters of some names, which must take part, as bits of their indexes. n is where
// the names were written.
func setOf(names []string, n *yamltree.Node, datacenters *List) (set uint64, err error) {
	used := datacenters.UsedNames()
	if unknown := unknown(names, used); len(unknown) > 0 {
		return 0, n.Errorf("got %s, expected datacenters that take part: %s", strings.Join(unknown, ", "), strings.Join(used, ", "))
	}
	for dc, site := range datacenters.Datacenters {
		if slices.Contains(names, site.Name) {
			set |= 1 << dc
		}
	}
	return set, nil
}

// Setup describes the events, which Sim has converted, to observers.
func (l Events) Setup(events []sim.Event) (list []setup.Event) {
	for i, e := range events {
		one := setup.Event{From: e.From, Until: e.Until, Action: l[i].String(), Outage: e.Outage}
		if e.Maintenance {
			one.Outage = ^uint64(0)
		}
		list = append(list, one)
	}
	return list
}

// Errorf returns an error about an event, at the place where it is written.
func (e *Event) Errorf(format string, args ...any) error { return e.node.Errorf(format, args...) }

// NoPlayer returns the error about an event whose players live where no row of the data is from.
func (e *Event) NoPlayer() error {
	return e.from.Errorf("got %s, where no player of the data lives, expected places of joins", &e.From)
}

// AddLatency reports whether an event adds to RTTs.
func (l Events) AddLatency() bool {
	return slices.ContainsFunc(l, func(e Event) bool { return e.Latency > 0 })
}

// String says what happens, such as "frankfurt down 30 min (kill)".
func (e *Event) String() string {
	switch {
	case e.Latency > 0:
		text := fmt.Sprintf("%g ms more", float64(e.Latency)/float64(time.Millisecond))
		if !e.From.All() {
			text += " from " + e.From.String()
		}
		if len(e.To) > 0 {
			text += " to " + strings.Join(e.To, ", ")
		}
		return text + " for " + span(e.For)
	case e.Maintenance:
		text := fmt.Sprintf("maintenance of %s (%g %% come back", span(e.For), math.Round(1e4*e.Back)/100)
		if e.Within > 0 {
			text += " within " + span(e.Within)
		}
		return text + ")"
	case e.Joins > 0:
		text := words.Plural(e.Joins, "more join")
		if e.For > 0 {
			text += " in " + span(e.For)
		}
		if !e.From.All() {
			text += " from " + e.From.String()
		}
		return text
	}
	return fmt.Sprintf("%s down %s (%s)", strings.Join(e.Outage, ", "), span(e.For), e.Running)
}

// span formats a duration as the results do.
func span(d time.Duration) string { return words.Span(outcome.Seconds(d.Seconds())) }

// NothingUsable returns a warning if no datacenter can be used at some time.
func NothingUsable(events []sim.Event, inUse uint64) []string {
	for i := range events {
		at, set := events[i].From, inUse
		for j := range events {
			if events[j].From <= at && at < events[j].Until {
				set &^= events[j].Outage
			}
		}
		if set == 0 {
			minutes := int64(at) / int64(sim.Minute)
			return []string{fmt.Sprintf("events: from %02d:%02d, no datacenter can be used, so that no match starts", minutes/60%24, minutes%60)}
		}
	}
	return nil
}
