package casefile

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Limits of a scene. Larger data belongs in a simulated day.
const (
	// TicketsMax is the maximum number of waiting tickets.
	TicketsMax = 100_000
	// SessionsMax is the maximum number of open sessions.
	SessionsMax = 10_000
	// secondsMax is the maximum time in seconds: ten years on the virtual clock.
	secondsMax = 10 * 366 * 24 * 3600
	// rttMSMax is the maximum RTT in ms. It is far above any real RTT, because clients use values
	// such as 65535 and 2147483647 for "no answer".
	rttMSMax = 1e12
)

// Read reads a case file. An unknown key is an error, because a case with a misspelt key would
// silently check nothing. All errors are joined. Each begins with FILE:LINE:COLUMN.
//
// The case file may contain the name of a rules file instead of rules, so that several cases can test
// the same rules. The function fetch returns the rules in the file with that name, and the name of one
// of several rulesets in it or "". If fetch is nil, the case file must contain its rules.
func Read(file string, text []byte, fetch func(name string) (root jsontree.Value, ruleset string, err error)) (*Case, error) {
	root, err := jsontree.ParseRelaxed(file, text)
	if err != nil {
		return nil, err
	}
	problems := jsontree.Problems{Format: jsontree.Format{Strict: true}}
	r := reader{problems: &problems, fetch: fetch, ticketIDs: names{}, sessionIDs: names{}, playerIDs: names{}}
	c := r.read(file, root)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

// IsCase reports whether a JSON document is a case file rather than a rules file.
func IsCase(root jsontree.Value) bool {
	_, rules := root.Member("rules")
	_, tickets := root.Member("tickets")
	return rules && tickets
}

// names is a set of ids.
type names map[string]bool

// reader converts a JSON tree to a case and records errors.
type reader struct {
	problems                         *jsontree.Problems
	fetch                            func(name string) (jsontree.Value, string, error)
	at                               int64 // time of the pass
	ticketIDs, sessionIDs, playerIDs names
}

func (r *reader) read(file string, root jsontree.Value) *Case {
	o, ok := r.problems.Object(root, "")
	if !ok {
		return nil
	}
	c := &Case{
		File:   file,
		Name:   o.TextOr("name", file),
		Source: o.TextOr("source", ""),
		Why:    o.TextOr("why", ""),
		root:   root,
	}
	c.Follow, _ = vendor.FollowOf(o.OneOfOr("follow", "service", "service", "page"))
	c.Dialect = r.dialect(c, o)
	r.at = r.milliseconds(o, "at")
	c.Scene = Scene{AtMS: r.at, Tickets: r.tickets(o), Sessions: r.sessions(o)}
	if expect, ok := o.Object("expect"); ok {
		c.Expect = r.expectations(expect)
	}
	if list, ok := o.Get("any_of"); ok && c.Expect != nil {
		o.Misfit(list, "any_of", "either expect or any_of")
	} else if ok {
		c.Expect = r.alternatives(o, list)
	}
	o.Done()
	return c
}

// dialect reads the rules and determines their dialect. An unknown dialect is an error.
func (r *reader) dialect(c *Case, o *jsontree.Object) string {
	name := o.TextOr("dialect", "")
	var ok bool
	if c.Rules, ok = o.Get("rules"); !ok {
		o.Missing("rules", "the vendor's configuration")
		return name
	}
	if c.Rules.Kind() == jsontree.Text && r.fetch != nil && !r.fetchRules(c) {
		return name
	}
	d, err := dialect.Of(name, c.Rules)
	if v, named := o.Get("dialect"); err != nil && named {
		o.Misfit(v, "dialect", "one of "+strings.Join(dialect.Names(), ", "))
	} else if err != nil {
		r.problems.Add(err)
	}
	return d.Name
}

// fetchRules replaces the name of a rules file in the case with the rules.
func (r *reader) fetchRules(c *Case) bool {
	rules, name, err := r.fetch(c.Rules.Text())
	var located *jsontree.Error
	switch {
	case errors.As(err, &located): // an error in the rules file
		r.problems.Add(err)
	case err != nil:
		r.problems.Errorf(c.Rules, "rules: %v", err)
	default:
		c.Rules, c.RulesetName = rules, name
	}
	return err == nil
}

// seconds are the limits of times and durations.
var seconds = jsontree.Limits{Most: secondsMax, Noun: "seconds"}

// milliseconds reads a required time or duration in seconds.
func (r *reader) milliseconds(o *jsontree.Object, name string) int64 {
	return int64(math.Round(o.Number(name, seconds) * 1000))
}

// created reads the creation time of a ticket or session, which must not be later than the pass.
func (r *reader) created(o *jsontree.Object) int64 {
	created := r.milliseconds(o, "created_at")
	if v, ok := o.Get("created_at"); ok && created > r.at {
		o.Misfit(v, "created_at", fmt.Sprintf("at most %g, the instant of the pass (the key at)", float64(r.at)/1000))
	}
	return created
}

func (r *reader) tickets(root *jsontree.Object) []Ticket {
	if !root.Has("tickets") {
		root.Missing("tickets", "a list of waiting tickets, which may be empty")
	}
	var tickets []Ticket
	for _, o := range root.Entries("tickets", TicketsMax) {
		t := Ticket{
			ID:         o.Unique("id", r.ticketIDs),
			CreatedMS:  r.created(o),
			Attributes: r.object(o, "attributes"),
			Players:    r.players(o),
			at:         o.Value,
		}
		if v, ok := o.Get("give_up_after"); ok {
			if t.GiveUpMS = r.milliseconds(o, "give_up_after"); t.GiveUpMS == 0 {
				o.Misfit(v, "give_up_after", "seconds above 0")
			}
		}
		if len(t.Players) == 0 && len(o.List("players")) == 0 {
			o.Missing("players", "at least one player")
		}
		o.Done()
		tickets = append(tickets, t)
	}
	return tickets
}

// players reads the players of a ticket or a team.
func (r *reader) players(owner *jsontree.Object) []Player {
	var players []Player
	seen := names{} // a player may be in two tickets, but not twice in the same ticket
	for _, o := range owner.Entries("players", math.MaxInt) {
		id := o.Unique("id", seen)
		r.playerIDs[id] = true
		players = append(players, Player{
			ID:         id,
			Attributes: r.object(o, "attributes"),
			Entity:     r.object(o, "entity"),
			Latencies:  r.latencies(o),
		})
		o.Done()
	}
	return players
}

// object reads an optional key whose value is an object. It does not check the keys of that object,
// because only the dialect knows them.
func (r *reader) object(o *jsontree.Object, name string) jsontree.Value {
	v, ok := o.Get(name)
	if ok && v.Kind() != jsontree.Struct {
		o.Misfit(v, name, "an object")
	}
	r.numbers(v, o.Label(name))
	return v
}

// numbers records errors about numbers in v that are out of range. The second parameter is the name
// of v in messages. The depth of the recursion is limited by jsontree.DepthMax.
func (r *reader) numbers(v jsontree.Value, label string) {
	if x, ok := v.Float(); v.Kind() == jsontree.Number && !(ok && math.Abs(x) <= matcher.MaxNumber) {
		r.problems.Errorf(v, "%s: got %v, expected a number from %g to %g", label, v, -matcher.MaxNumber, matcher.MaxNumber)
	}
	for _, e := range v.Elements() {
		r.numbers(e, label)
	}
	for _, m := range v.Members() {
		if kind := m.Value.Kind(); kind >= jsontree.List || kind == jsontree.Number {
			r.numbers(m.Value, label+": "+m.Name)
		}
	}
}

func (r *reader) latencies(player *jsontree.Object) []Latency {
	o, ok := player.Object("latencies")
	if !ok {
		return nil
	}
	latencies := make([]Latency, 0, len(o.Value.Members()))
	for _, m := range o.Value.Members() {
		if m.Value.Kind() == jsontree.Null {
			continue // not measured
		}
		latencies = append(latencies, Latency{Region: m.Name, RTTMS: o.Number(m.Name, jsontree.Limits{Most: rttMSMax, Noun: "milliseconds"})})
	}
	return latencies
}

func (r *reader) sessions(root *jsontree.Object) []Session {
	var sessions []Session
	for _, o := range root.Entries("sessions", SessionsMax) {
		s := Session{
			ID:         o.Unique("id", r.sessionIDs),
			CreatedMS:  r.created(o),
			Region:     o.TextOr("region", ""),
			Capacity:   int(o.NumberOr("capacity", 0, jsontree.Unsigned)),
			Attributes: r.object(o, "attributes"),
			at:         o.Value,
		}
		for _, team := range o.Entries("teams", math.MaxInt) {
			s.Teams = append(s.Teams, Team{Name: team.TextOr("name", ""), Players: r.players(team)})
			team.Done()
		}
		o.Done()
		sessions = append(sessions, s)
	}
	return sessions
}
