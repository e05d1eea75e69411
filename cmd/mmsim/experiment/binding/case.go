package binding

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/matcher"
	"mmsim/matcher/casefile"
	"mmsim/sim"
)

// writer writes a scene as a test case.
type writer struct {
	*Rules
	scene    *sim.Scene
	later    sim.Duration // added to all times, because times in a case are never negative
	giveUp   sim.Duration // 0 if the states IDEAL, EXPAND and WARMBODY end a wait
	turnOf   string       // datacenter whose turn it is, or "" for a pass over a pool
	conflict error        // set if two rules read an attribute as values of different kinds
}

// newDraft converts a scene to a test case. The case has the ruleset's text unchanged and
// expects what happened in the run.
//
// In a datacenter's turn, the states have already decided which tickets may play there, so
// region rules must not interfere. If the rules need latencies, players have 0 ms to that
// datacenter and no other latencies. Otherwise players have no latencies, and the rules accept
// them everywhere. Tickets have no time to give up, because the states end their waits.
func newDraft(r *Rules, s *Capture, scene *sim.Scene, c *config.Config) (*casefile.Draft, error) {
	d := writer{Rules: r, scene: scene, later: daysBefore(scene), turnOf: s.Datacenter}
	draft := &casefile.Draft{
		Name:    "capture/" + ClockText(scene.At),
		Dialect: r.Dialect,
		Follow:  r.Rules.Reading(),
		Source:  fmt.Sprintf("mmsim run --capture %s, seed %d, run %d%s", s.Text, c.Seed, c.Run, flagsText(c, c.AllQueues()[s.index].External.Shown())),
		Rules:   r.Rules.Value.JSON(),
		At:      d.instant(scene.At),
	}
	if s.queue != "" {
		draft.Name = "capture/" + s.queue + "/" + ClockText(scene.At)
	}
	if s.Datacenter == "" {
		d.giveUp = config.SimSpan(c.Players.GiveUpAfter)
		draft.Why = "A pass over the pool has the result that it had in the day."
	} else {
		draft.Name += "@" + s.Datacenter
		draft.Why = "The regular tickets in the queue of " + s.Datacenter +
			" form the groups that they formed in its turn. The states decided which tickets may play there; the latencies are such that rules about regions decide nothing."
	}
	for i := range scene.Tickets {
		draft.Tickets = append(draft.Tickets, d.ticket(&scene.Tickets[i]))
	}
	for i := range scene.Sessions {
		draft.Sessions = append(draft.Sessions, d.session(&scene.Sessions[i]))
	}
	draft.Expect = d.expectation()
	return draft, d.conflict
}

// daysBefore returns how long before time 0 the oldest ticket or session began, rounded up to
// whole days. It is 0 unless the scene has tickets or sessions from the warm-up period.
func daysBefore(scene *sim.Scene) sim.Duration {
	first := sim.Instant(0)
	for i := range scene.Tickets {
		first = min(first, scene.Tickets[i].Began)
	}
	for i := range scene.Sessions {
		first = min(first, sim.Instant(scene.Sessions[i].CreatedMS))
	}
	return (sim.Duration(-first) + sim.Day - 1) / sim.Day * sim.Day
}

func (d *writer) instant(at sim.Instant) casefile.Milliseconds {
	return casefile.Milliseconds(at.Add(d.later))
}

// ClockText formats a time in the form that --capture accepts.
func ClockText(at sim.Instant) string {
	text := fmt.Sprintf("%02d:%02d:%02d", at/sim.Instant(sim.Hour), at/sim.Instant(sim.Minute)%60, at/sim.Instant(sim.Second)%60)
	if ms := at % sim.Instant(sim.Second); ms != 0 {
		text += fmt.Sprintf(".%03d", ms)
	}
	return text
}

// flagsText returns the flags with which `mmsim test` decides the case as in the run. A case
// file cannot contain them. Flags with default values are left out. external is the queue's
// external matchmaker, or "".
func flagsText(c *config.Config, external string) string {
	var flags []string
	for _, d := range c.Differences(config.Default(), "") {
		section, name, _ := strings.Cut(d.Key, ".")
		if section == "matcher" && slices.Contains([]string{"expansion_basis", "optional_basis", "budget", "batch", "partition_above"}, name) {
			flags = append(flags, "--"+strings.ReplaceAll(name, "_", "-")+" "+d.A)
		}
	}
	if external != "" {
		flags = append(flags, "--matcher '"+external+"'")
	}
	if flags == nil {
		return ""
	}
	return "; test it with " + strings.Join(flags, " ")
}

func ticketName(firstPlayer uint64) string { return "t" + strconv.FormatUint(firstPlayer, 10) }
func sessionName(match uint64) string      { return "s" + strconv.FormatUint(match, 10) }

// playerName returns the id of a player in the case. If the rules read ids, it is the id from the
// data, because other players' attributes may refer to it.
func (d *writer) playerName(p *sim.Player) string {
	for i := range d.Reads {
		if read := &d.Reads[i]; read.Identity {
			if id := read.Value(d.Sim.Schema, Person(p)); id.Kind == matcher.IsText {
				return d.Sim.Schema.TextString(id.Text)
			}
		}
	}
	return "p" + strconv.FormatUint(p.ID, 10)
}

func (d *writer) ticket(t *sim.SceneTicket) casefile.DraftTicket {
	ticket := casefile.DraftTicket{
		ID:        ticketName(t.Players[0].ID),
		CreatedAt: d.instant(t.Began), GiveUpAfter: casefile.Milliseconds(d.giveUp),
		Attributes: d.attributes(&t.Players[0], func(r *matcher.Read) bool { return r.Ticket && !r.Union }),
	}
	d.unions(ticket.Attributes, t.Players)
	for i := range t.Players {
		player := d.player(&t.Players[i])
		player.Latencies = d.latencies(t, i)
		ticket.Players = append(ticket.Players, player)
	}
	return ticket
}

// player converts a player, without latencies, to the form of a test case. It includes the
// attributes that the rules read or that an external matchmaker sees.
func (d *writer) player(p *sim.Player) casefile.DraftPlayer {
	player := casefile.DraftPlayer{
		ID:         d.playerName(p),
		Attributes: d.attributes(p, func(r *matcher.Read) bool { return !r.Ticket && !r.Kept && !r.Identity }),
		Entity:     d.attributes(p, func(r *matcher.Read) bool { return r.Kept }),
	}
	for i, shown := range d.Shown {
		if v := d.ShownTo(i, Person(p)); v.Kind != matcher.Missing {
			player.Attributes[shown.Name] = d.entry(v)
		}
	}
	return player
}

// latencies returns the latencies of the i-th player of a ticket.
func (d *writer) latencies(t *sim.SceneTicket, i int) map[string]float64 {
	list := make(map[string]float64)
	if d.turnOf != "" {
		if d.Ruleset.Rules.Queue.NeedsLatencies {
			list[d.turnOf] = 0
		}
		return list
	}
	if !d.Ruleset.Rules.Queue.ReadsLatencies && d.Shown == nil {
		return list // no rule reads latencies
	}
	for region, ms := range t.RTTMS[i] {
		list[d.Regions[region].Name] = ms
	}
	return list
}

// attributes returns the player's values in the form of the vendor's JSON. It includes only the
// values that rules read and for which wanted returns true.
func (d *writer) attributes(p *sim.Player, wanted func(*matcher.Read) bool) map[string]any {
	list := make(map[string]any)
	person := Person(p)
	for i := range d.Reads {
		if read := &d.Reads[i]; wanted(&read.Read) {
			d.note(list, read, read.Value(d.Sim.Schema, person))
		}
	}
	return list
}

// unions sets the attributes of a ticket that are the union of its players' lists.
func (d *writer) unions(list map[string]any, players []sim.Player) {
	for i := range d.Reads {
		read := &d.Reads[i]
		if !read.Union {
			continue
		}
		var all []string
		for k := range players {
			for _, text := range read.Value(d.Sim.Schema, Person(&players[k])).Set {
				all = append(all, d.Sim.Schema.TextString(text))
			}
		}
		if slices.Sort(all); all != nil {
			list[read.Names[0]] = slices.Compact(all)
		}
	}
}

// note sets a value in list, under the name by which rules read it.
func (d *writer) note(list map[string]any, read *Reading, v matcher.Value) {
	var entry any
	switch {
	case v.Kind == matcher.Missing:
		return
	case read.Flag:
		entry = true
	default:
		entry = d.entry(v)
	}
	name := read.Names[0]
	if other, known := list[name]; known && jsonKind(other) != jsonKind(entry) && d.conflict == nil {
		d.conflict = fmt.Errorf("the rules read the attribute %s as %s and as %s, but a player in a case can have only one value for it", name, jsonKind(other), jsonKind(entry))
	}
	list[name] = entry
}

// entry converts a value to its form in JSON.
func (d *writer) entry(v matcher.Value) any {
	switch v.Kind {
	case matcher.IsNumber:
		return v.Number
	case matcher.IsText:
		return d.Sim.Schema.TextString(v.Text)
	}
	texts := make([]string, len(v.Set))
	for i, text := range v.Set {
		texts[i] = d.Sim.Schema.TextString(text)
	}
	return texts
}

// jsonKind describes the type of a value for a message.
func jsonKind(v any) string {
	switch v.(type) {
	case float64:
		return "a number"
	case []string:
		return "a list"
	case bool:
		return "a flag"
	}
	return "a text"
}

// session converts an open session to the form of a test case. Its attributes have the values
// that were accumulated from its tickets. Attributes that the rules join to one value have the
// first player's values instead.
func (d *writer) session(s *sim.SceneSession) casefile.DraftSession {
	session := casefile.DraftSession{
		ID: sessionName(s.ID), CreatedAt: d.instant(sim.Instant(s.CreatedMS)),
		Attributes: d.attributes(&s.Players[0], func(r *matcher.Read) bool { return r.Ticket && r.Joined }),
	}
	if s.Region != matcher.NoRegion {
		session.Region = d.Regions[s.Region].Name
	}
	for i := range d.Reads {
		if read := &d.Reads[i]; read.Ticket && !read.Joined {
			d.note(session.Attributes, read, s.Values[read.Column])
		}
	}
	if !d.Ruleset.Rules.Queue.NumberedTeams {
		for _, name := range d.Sim.Set.TeamNames() {
			session.Teams = append(session.Teams, casefile.DraftTeam{Name: name, Players: []casefile.DraftPlayer{}})
		}
	}
	for i := range s.Members {
		for len(session.Teams) <= s.Members[i].Team {
			session.Teams = append(session.Teams, casefile.DraftTeam{Players: []casefile.DraftPlayer{}})
		}
		team := &session.Teams[s.Members[i].Team]
		player := d.player(&s.Players[i])
		if d.Ruleset.Rules.Queue.NeedsLatencies { // the rules also apply to players in the session
			player.Latencies = make(map[string]float64)
			for region, ms := range s.Members[i].RTTMS {
				player.Latencies[d.Regions[region].Name] = ms
			}
		}
		team.Players = append(team.Players, player)
	}
	return session
}

// expectation returns what happened in the scene.
func (d *writer) expectation() casefile.Expectation {
	e := casefile.Expectation{Matches: []casefile.ExpectedMatch{}, Unmatched: []string{}}
	if d.giveUp > 0 {
		e.Expired = []string{}
	}
	if len(d.scene.Sessions) > 0 {
		e.Backfills = []casefile.ExpectedMatch{}
	}
	gone := make(map[string]bool)
	for i := range d.scene.Matches {
		m := &d.scene.Matches[i]
		expected := d.match(m)
		for _, ticket := range expected.Tickets {
			gone[ticket] = true
		}
		if m.Backfill {
			e.Backfills = append(e.Backfills, expected)
		} else {
			e.Matches = append(e.Matches, expected)
		}
	}
	for i := range d.scene.Expired {
		name := ticketName(d.scene.Expired[i].Players[0].ID)
		gone[name] = true
		e.Expired = append(e.Expired, name)
	}
	for i := range d.scene.Tickets {
		if name := ticketName(d.scene.Tickets[i].Players[0].ID); !gone[name] {
			e.Unmatched = append(e.Unmatched, name)
		}
	}
	return e
}

// match returns what the test case expects for m, which is a new match or a session that
// tickets joined.
func (d *writer) match(m *sim.Match) casefile.ExpectedMatch {
	var e casefile.ExpectedMatch
	teams := make(map[int][]string)
	most := -1
	seat := func(team int, p *sim.Player) {
		teams[team] = append(teams[team], d.playerName(p))
		most = max(most, team)
	}
	if m.Backfill {
		e.Session = sessionName(m.ID)
		for i := range d.scene.Sessions {
			if s := &d.scene.Sessions[i]; s.ID == m.ID {
				for k := range s.Members {
					seat(s.Members[k].Team, &s.Players[k])
				}
			}
		}
	} else if m.Region != sim.NoRegion {
		e.Region = d.Regions[m.Region].Name
	}
	for i := range m.Players {
		p := &m.Players[i]
		if p.ID == p.Party {
			e.Tickets = append(e.Tickets, ticketName(p.Party))
		}
		if p.Team != sim.NoTeam {
			seat(int(p.Team), &p.Player)
		}
	}
	for team := range most + 1 {
		e.Teams = append(e.Teams, append([]string{}, teams[team]...))
	}
	return e
}
