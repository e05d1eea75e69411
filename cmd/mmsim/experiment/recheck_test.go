package experiment

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/matcher"
	"mmsim/sim"
)

// The recheck tests check whole days against the rules with code that is independent of the
// engine. The code reads the vendor's JSON again with encoding/json and applies every rule
// literally. It checks that no match violates a rule, and that after a pass no group remains
// that could have played.

// checkedPlayer is a player whose matches are checked.
type checkedPlayer struct {
	id         uint64
	attributes map[string]any // float64, string or []string; missing values are absent
	rttMS      []float64      // by datacenter
	state      sim.State      // state in which the player's search ended
}

// checkedTicket is a ticket whose matches are checked.
type checkedTicket struct {
	order   int // position in the order in which tickets began to wait
	began   sim.Instant
	players []checkedPlayer
}

// wait returns how long a ticket has waited in seconds.
func (h *checkedTicket) wait(at sim.Instant) float64 { return float64(at-h.began) / 1000 }

// violations describe which rules a group violates.
type violations []string

func (v *violations) add(format string, args ...any) { *v = append(*v, fmt.Sprintf(format, args...)) }

// checkedGroup is a group of tickets that has been matched, or that could be.
type checkedGroup struct {
	at      sim.Instant
	tickets []*checkedTicket // the first is the one around which the group was formed
	teams   []int            // team of each ticket; nil if there are no teams yet
	region  string           // "" if there is none yet
	session *openMatch       // session that the tickets join; nil for a new match

	remaining []*checkedTicket // tickets that still waited when a new match was made, in no order
}

// openMatch is a match that other tickets can join.
type openMatch struct {
	began   sim.Instant
	tickets []*checkedTicket
	teams   []int
	region  string
}

// ruleChecker checks one vendor's rules.
type ruleChecker interface {
	// check returns which rules a group violates. If the group has no teams or no region yet,
	// check returns none if there is a choice of teams and region that violates none.
	check(m *checkedGroup) violations
	// complete reports whether the engine finds every group that could play. parties is true
	// if there are parties.
	complete(parties bool) bool
}

// checkContext has what checkers need to know about a run.
type checkContext struct {
	regions  []contextRegion // empty if the ruleset does not determine regions
	longest  bool            // whether the longest wait expands rules
	all      bool            // whether a rule becomes optional only when all tickets, not just one, have waited long enough
	giveUp   sim.Duration    // 0 for never
	tick     sim.Duration
	maxTries int // maximum number of groups to check in a run
}

type contextRegion struct {
	name        string
	datacenters []int
}

// rttTo returns a player's RTT to the region's nearest datacenter.
func (c *contextRegion) rttTo(h *checkedPlayer) float64 {
	best := h.rttMS[c.datacenters[0]]
	for _, dc := range c.datacenters {
		best = min(best, h.rttMS[dc])
	}
	return best
}

func (c *checkContext) region(name string) *contextRegion {
	for i := range c.regions {
		if c.regions[i].name == name {
			return &c.regions[i]
		}
	}
	return nil
}

// recheck is an observer that checks every match.
type recheck struct {
	*checkContext
	t       *testing.T
	label   string
	w       *Replication
	checker ruleChecker

	order     int
	waiting   map[uint64]*checkedTicket // by party
	sessions  map[uint64]*openMatch     // by match
	matches   int
	backfills int
	looked    int // number of groups checked after passes
	expired   int
	failures  int

	scenes, replayed int // number of captured scenes, and of matches, backfills and expired tickets in them
}

func (r *recheck) fail(format string, args ...any) {
	if r.failures++; r.failures <= 5 {
		r.t.Errorf("%s: %s", r.label, fmt.Sprintf(format, args...))
	}
}

// Entered implements sim.Observer.
func (r *recheck) Entered(s *sim.Search) {
	h := &checkedTicket{order: r.order, began: s.Began}
	r.order++
	for i := range s.Players {
		h.players = append(h.players, r.player(&s.Players[i]))
	}
	r.waiting[s.Players[0].ID] = h
}

// player returns a player with attributes and RTTs.
func (r *recheck) player(p *sim.Player) checkedPlayer {
	one := checkedPlayer{id: p.ID, attributes: map[string]any{}}
	person := binding.Person(p)
	for _, a := range r.w.population.Attributes {
		if value := attributeOf(a, person); value != nil {
			one.attributes[a.Name] = value
		}
	}
	n := r.w.places.Datacenters
	for _, rtt := range r.w.places.RTT[int(p.Place)*n : int(p.Place)*n+n] {
		one.rttMS = append(one.rttMS, float64(rtt)/sim.RTTUnit)
	}
	return one
}

// entersLate adds the tickets of a match if they began to wait in the warm-up period. Observers
// do not see such tickets begin to wait.
func (r *recheck) entersLate(m *sim.Match) {
	late := map[uint64]*checkedTicket{}
	for i := range m.Players {
		p := &m.Players[i]
		if r.waiting[p.Party] != nil || p.Began >= 0 {
			continue
		}
		if late[p.Party] == nil {
			late[p.Party] = &checkedTicket{order: int(p.Began), began: p.Began}
		}
		late[p.Party].players = append(late[p.Party].players, r.player(&p.Player))
	}
	maps.Copy(r.waiting, late)
}

// attributeOf returns a player's value as it would be in JSON, or nil if it is missing.
func attributeOf(a *population.Attribute, person *population.Person) any {
	text := string(a.Append(nil, person))
	switch {
	case text == "":
		return nil
	case a.Kind == datasets.Number:
		x, _ := strconv.ParseFloat(text, 64)
		return x
	case a.Kind == datasets.List:
		return strings.Split(text, ";")
	}
	return text
}

// Matched implements sim.Observer.
func (r *recheck) Matched(m *sim.Match) {
	r.entersLate(m)
	group := &checkedGroup{at: m.At}
	if m.Region != sim.NoRegion {
		group.region = r.regions[m.Region].name
	}
	seen := map[uint64]bool{}
	teams := map[uint64]int{}
	for i := range m.Players {
		p := &m.Players[i]
		if seen[p.ID] {
			r.fail("player %d is in a match twice", p.ID)
		}
		seen[p.ID] = true
		h := r.waiting[p.Party]
		if h == nil {
			r.fail("player %d is matched and does not wait", p.ID)
			return
		}
		if !slices.Contains(group.tickets, h) {
			group.tickets = append(group.tickets, h)
			teams[p.Party] = int(p.Team)
			group.teams = append(group.teams, int(p.Team))
		} else if teams[p.Party] != int(p.Team) {
			r.fail("party %d is in two teams", p.Party)
		}
		k := slices.IndexFunc(h.players, func(one checkedPlayer) bool { return one.id == p.ID })
		if k < 0 {
			r.fail("player %d is in a foreign party", p.ID)
			return
		}
		h.players[k].state = p.State
	}
	for party := range teams {
		for i := range r.waiting[party].players {
			if one := &r.waiting[party].players[i]; !seen[one.id] {
				r.fail("player %d was left behind by its party", one.id)
			}
		}
	}
	if !m.Backfill {
		byAge(group)
	}
	r.checkMatch(m, group)
	for party := range teams {
		delete(r.waiting, party)
	}
}

// byAge moves the oldest regular ticket to the front, together with its team. Warm bodies
// complete a group that is formed around the oldest regular ticket.
func byAge(m *checkedGroup) {
	later := func(a, b *checkedTicket) bool {
		aWarm, bWarm := a.players[0].state == sim.StateWarmBody, b.players[0].state == sim.StateWarmBody
		if aWarm != bWarm {
			return aWarm
		}
		return a.order > b.order
	}
	for i := range m.tickets {
		if later(m.tickets[0], m.tickets[i]) {
			m.tickets[0], m.tickets[i] = m.tickets[i], m.tickets[0]
			m.teams[0], m.teams[i] = m.teams[i], m.teams[0]
		}
	}
}

// checkMatch checks a match, and remembers it for the tickets that join it later.
func (r *recheck) checkMatch(m *sim.Match, group *checkedGroup) {
	if m.Backfill {
		r.backfills++
		if group.session = r.sessions[m.ID]; group.session == nil {
			return // it began before the window
		}
	} else {
		r.matches++
	}
	if group.session == nil {
		for _, h := range r.waiting {
			if !slices.Contains(group.tickets, h) {
				group.remaining = append(group.remaining, h)
			}
		}
	}
	if wrong := r.checker.check(group); len(wrong) > 0 {
		r.fail("match %d at %.3f s: %s", m.ID, m.At.Seconds(), strings.Join(wrong, "; "))
	}
	for _, h := range group.tickets {
		if late := m.At.Sub(h.began) - r.giveUp; r.giveUp > 0 && late >= 0 && (!r.w.Config.Match.Acceptance.Required || late >= r.tick) {
			r.fail("match %d: a ticket waited %v ms and gave up at %v", m.ID, m.At.Sub(h.began), r.giveUp)
		}
	}
	r.checkPlace(m, group)
	s := group.session
	if s == nil {
		s = &openMatch{began: m.At, region: group.region}
		r.sessions[m.ID] = s
	}
	s.tickets = append(s.tickets, group.tickets...)
	s.teams = append(s.teams, group.teams...)
}

// checkPlace checks that the match is in the best datacenter.
func (r *recheck) checkPlace(m *sim.Match, group *checkedGroup) {
	among := make([]int, r.w.places.Datacenters)
	for dc := range among {
		among[dc] = dc
	}
	if region := r.region(group.region); region != nil {
		among = region.datacenters
	}
	if len(r.regions) == 0 {
		r.placedByStates(m, group)
		return
	}
	if m.Backfill {
		return // the session's datacenter
	}
	if !slices.Contains(among, m.Datacenter) {
		r.fail("match %d is in datacenter %d, its region %s has %v", m.ID, m.Datacenter, group.region, among)
	}
	worst := func(dc int) (rtt float64) {
		for _, h := range group.tickets {
			for i := range h.players {
				rtt = max(rtt, h.players[i].rttMS[dc])
			}
		}
		return rtt
	}
	for _, dc := range among {
		if worst(dc) < worst(m.Datacenter) {
			r.fail("match %d: worst RTT %v ms, in datacenter %d it would be %v", m.ID, worst(m.Datacenter), dc, worst(dc))
		}
	}
}

// placedByStates checks that every player's state allows the datacenter.
func (r *recheck) placedByStates(m *sim.Match, group *checkedGroup) {
	s := &r.w.Config.States
	for _, h := range group.tickets {
		for i := range h.players {
			one := &h.players[i]
			limit := map[sim.State]float64{sim.StateIdeal: config.Milliseconds(s.IdealRTT), sim.StateExpand: config.Milliseconds(s.ExpandRTT)}
			if most, bound := limit[one.state]; bound && one.rttMS[m.Datacenter] > most {
				r.fail("match %d: a player in %v at %v ms", m.ID, one.state, one.rttMS[m.Datacenter])
			} else if !bound && one.state != sim.StateWarmBody {
				r.fail("match %d: a player in %v", m.ID, one.state)
			}
		}
	}
}

// Ended implements sim.Observer.
func (r *recheck) Ended(e *sim.Ended) {
	h := r.waiting[e.Players[0].ID]
	if h == nil {
		if e.Began >= 0 {
			r.fail("a search ends that never began")
		}
		return
	}
	if e.Into == sim.StateExpired {
		r.expired++
		if over := e.At.Sub(h.began) - r.giveUp; over < 0 || over >= r.tick {
			r.fail("a ticket gave up after %v ms of %v", e.At.Sub(h.began), r.giveUp)
		}
	}
	delete(r.waiting, e.Players[0].ID)
}

// Sampled implements sim.Observer. It is called right after a pass, which must not have left a
// group that could play.
func (r *recheck) Sampled(c *sim.Census) {
	parties := false
	var list []*checkedTicket
	for _, h := range r.waiting {
		list = append(list, h)
	}
	slices.SortFunc(list, func(a, b *checkedTicket) int { return a.order - b.order })
	if len(r.regions) > 0 {
		list = list[:min(len(list), remainingTickets)]
	}
	for _, h := range list {
		parties = parties || len(h.players) > 1
	}
	if !r.checker.complete(parties) {
		return
	}
	if len(r.regions) > 0 {
		r.checkRemaining(c.At, list)
		return
	}
	for dc := range r.w.places.Datacenters {
		r.checkRemaining(c.At, slices.DeleteFunc(slices.Clone(list), func(h *checkedTicket) bool { return !r.admits(h, c.At, dc) }))
	}
}

// admits reports whether a ticket waits in a datacenter's queue and is not a warm body.
func (r *recheck) admits(h *checkedTicket, at sim.Instant, dc int) bool {
	s := &r.w.Config.States
	ideal, expand := r.within(h, config.Milliseconds(s.IdealRTT)), r.within(h, config.Milliseconds(s.ExpandRTT))
	age, patience := at.Sub(h.began), config.SimSpan(s.ExpandFor)
	if slices.Contains(ideal, true) {
		if age < config.SimSpan(s.IdealFor) {
			return ideal[dc]
		}
		patience += config.SimSpan(s.IdealFor)
	}
	return age < patience && expand[dc]
}

// within reports, for each datacenter, whether all players of a ticket are within a limit.
func (r *recheck) within(h *checkedTicket, limitMS float64) []bool {
	list := make([]bool, r.w.places.Datacenters)
	for dc := range list {
		list[dc] = !slices.ContainsFunc(h.players, func(one checkedPlayer) bool { return one.rttMS[dc] > limitMS })
	}
	return list
}

// Limits of the check after a pass: the number of tickets, which are the oldest, and the
// number of tickets in a group.
const (
	remainingTickets = 10
	remainingMax     = 5
)

// checkRemaining checks all groups of the tickets.
func (r *recheck) checkRemaining(at sim.Instant, list []*checkedTicket) {
	list = list[:min(len(list), remainingTickets)]
	for set := uint(1); set < 1<<len(list); set++ {
		if n := bits.OnesCount(set); n < 2 || n > remainingMax || r.looked >= r.maxTries {
			continue
		}
		m := &checkedGroup{at: at}
		for i, h := range list {
			if set>>i&1 != 0 {
				m.tickets = append(m.tickets, h)
			}
		}
		r.looked++
		if wrong := r.checker.check(m); len(wrong) == 0 {
			var person []string
			for _, h := range m.tickets {
				person = append(person, fmt.Sprintf("%+v", *h))
			}
			r.fail("at %.3f s a pass left a group that could play: %s", at.Seconds(), strings.Join(person, " and "))
			return
		}
	}
}

// recheckDay is a run to check.
type recheckDay struct {
	rules    string // JSON
	seed     uint64
	rate     float64 // joins per second
	hours    float64
	settings []string
	blocks   string // if it is not empty, the data has parties, player ids, and a column of this name with ids that the player blocks
}

const daySeconds = 24 * 60 * 60

// warmUpMax is the maximum length of the warm-up period in seconds.
const warmUpMax = 600

// crowd yields joins in a few European cities: joins of the first hours, and of the last
// minutes for a warm-up period. Each has the columns build, maps, host and client_version,
// some of which are empty.
func (d *recheckDay) crowd() iter.Seq2[float64, string] {
	return func(yield func(float64, string) bool) {
		r, joined := rand.New(rand.NewPCG(d.seed, 3)), 0
		cities := []string{"50.11,8.68", "40.42,-3.70", "59.33,18.07", "52.23,21.01", "48.85,2.35", "51.51,-0.13"}
		for at := r.ExpFloat64() / d.rate; at < daySeconds; at += r.ExpFloat64() / d.rate {
			if at > d.hours*3600 {
				at = max(at, daySeconds-warmUpMax)
			}
			cells := []string{cities[r.IntN(len(cities))], "", "", "", ""}
			if r.IntN(8) > 0 {
				cells[1] = []string{"v4", "v4", "v4", "v5"}[r.IntN(4)]
			}
			if r.IntN(8) > 0 {
				maps := []string{"dust", "mill", "port", "lake"}
				r.Shuffle(len(maps), func(i, j int) { maps[i], maps[j] = maps[j], maps[i] })
				cells[2] = strings.Join(maps[:1+r.IntN(3)], ";")
			}
			if r.IntN(8) > 0 {
				cells[3] = strconv.Itoa(r.IntN(3))
			}
			if r.IntN(4) == 0 {
				cells[4] = "c" + strconv.Itoa(r.IntN(2))
			}
			if joined++; d.blocks != "" {
				party, blocked := "", []string{}
				if joined%5 < 2 {
					party = "party" + strconv.Itoa(joined/5)
				}
				for range r.IntN(12) {
					blocked = append(blocked, "id"+strconv.Itoa(joined+2+r.IntN(30)))
				}
				cells = append(cells, party, "id"+strconv.Itoa(joined), strings.Join(blocked, ";"))
			}
			if !yield(at, strings.Join(cells, ",")) {
				return
			}
		}
	}
}

const crowdColumns = ",build,maps,host,client_version"

// load writes the day's files and loads its inputs.
func (d *recheckDay) load(t *testing.T) *Inputs {
	t.Helper()
	dir := t.TempDir()
	var day strings.Builder
	columns := crowdColumns
	if d.blocks != "" {
		columns += ",party_id,player_id," + d.blocks
	}
	fmt.Fprintf(&day, "time,latitude,longitude%s\n", columns)
	for at, cells := range d.crowd() {
		fmt.Fprintf(&day, "%.3f,%s\n", math.Floor(at*1000)/1000, cells)
	}
	for name, text := range map[string]string{
		"datacenters.csv": "0,frankfurt,50.11,8.68\n1,madrid,40.42,-3.70\n2,stockholm,59.33,18.07\n3,london,51.51,-0.13",
		"rules.json":      d.rules,
		"day.csv":         day.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	overrides := []config.Override{
		{Key: "rules", Text: filepath.Join(dir, "rules.json"), Literal: true},
		{Key: "dataset.file", Text: filepath.Join(dir, "day.csv"), Literal: true},
		{Key: "datacenters.file", Text: filepath.Join(dir, "datacenters.csv"), Literal: true},
	}
	for _, setting := range append([]string{
		"latency.fallback=fibre", "clock.warmup=0s", fmt.Sprintf("clock.duration=%gs", d.hours*3600), "match.length=3m",
		"players.attributes={mmr: {normal: {mean: 1500, sd: 200}}, level: {choice: {\"1\": 1, \"2\": 1, \"3\": 1}, kind: number}, " +
			"mode: {choice: {rank: 0.8, fun: 0.2}}, packs: {subset: {of: [a, b, c], min: 1, max: 3}}}",
		"dataset.columns={build: text, maps: list, host: number, client_version: text}",
	}, d.settings...) {
		key, text, _ := strings.Cut(setting, "=")
		overrides = append(overrides, config.Override{Flag: "--set " + setting, Key: key, Text: text})
	}
	c, err := config.Load("", overrides)
	if err != nil {
		t.Fatal(err)
	}
	in, err := Load(c, NewCache(1))
	if err != nil {
		t.Fatalf("%v\n%s", err, d.rules)
	}
	return in
}

// run simulates the day and checks it.
func (d *recheckDay) run(t *testing.T, label string, newChecker func(*checkContext) ruleChecker) *recheck {
	t.Helper()
	in := d.load(t)
	w, err := in.Replication(0)
	if err != nil {
		t.Fatalf("%s: %v\n%s", label, err, d.rules)
	}
	c := w.Config
	about := &checkContext{
		longest: c.Matcher.ExpansionBasis == matcher.LongestWait, all: c.Matcher.OptionalBasis == matcher.AllWaited,
		tick: config.SimSpan(c.Clock.Tick), maxTries: 20_000,
	}
	if w.queues[0].config.Placement == config.PlacementPool {
		about.giveUp = config.SimSpan(c.Players.GiveUpAfter)
		for _, region := range w.queues[0].rules.Regions {
			var list []int
			for dc := range w.places.Datacenters {
				if region.Datacenters>>dc&1 != 0 {
					list = append(list, dc)
				}
			}
			about.regions = append(about.regions, contextRegion{region.Name, list})
		}
	}
	r := &recheck{
		checkContext: about, t: t, w: w,
		label:   fmt.Sprintf("%s (seed %d)", label, d.seed),
		checker: newChecker(about),
		waiting: map[uint64]*checkedTicket{}, sessions: map[uint64]*openMatch{},
	}
	w.Captures = someScenes(w, d.seed)
	if _, _, err := w.simulate(context.Background(), nil, r); err != nil {
		t.Fatal(err)
	}
	r.replay(w.Captures)
	if r.failures > 0 {
		t.Errorf("%s: got %d violations of the rules, want none, with settings %v and\n%s", r.label, r.failures, d.settings, d.rules)
	}
	return r
}
