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
	"mmsim/sim"
)

// A whole day is checked against the rules in force by code that shares nothing
// with the engine: the vendor's JSON is read here once more, with encoding/json,
// and every match is judged by the words of the specification. What nobody may do
// is checked (a match that breaks a rule), and what must not be left undone (a
// group that could play and waits on after a pass).

// human is a player as a judge sees him.
type human struct {
	id         uint64
	attributes map[string]any // float64, string or []string; absent: missing
	rttMS      []float64      // by datacenter
	state      sim.State      // in which his search ended
}

// hopeful is a ticket as a judge sees it.
type hopeful struct {
	order   int // in which tickets began to wait
	began   sim.Instant
	players []human
}

// wait is how long a ticket has waited, in seconds.
func (h *hopeful) wait(at sim.Instant) float64 { return float64(at-h.began) / 1000 }

// verdicts are what a judge finds wrong.
type verdicts []string

func (v *verdicts) add(format string, args ...any) { *v = append(*v, fmt.Sprintf(format, args...)) }

// meeting is a group that plays, or could.
type meeting struct {
	at      sim.Instant
	tickets []*hopeful // the first is the one around which the group was formed
	teams   []int      // by ticket; nil: nobody has put them into teams yet
	region  string     // "": none was chosen
	session *openMatch // that the tickets join; nil: a match of their own
}

// openMatch is a match that takes further tickets.
type openMatch struct {
	began   sim.Instant
	tickets []*hopeful
	teams   []int
	region  string
}

// vendorJudge knows the rules of one vendor's file.
type vendorJudge interface {
	// judge tells what is wrong with a group. One without teams or region is well
	// if there are some that make it so.
	judge(m *meeting) verdicts
	// complete tells that a group which could play is certain to be found, where it
	// has solos only and where it has parties.
	complete(parties bool) bool
}

// courtroom is what judges need to know of the world.
type courtroom struct {
	regions  []courtRegion // empty: states say where, or nobody does
	longest  bool          // expansion basis
	all      bool          // optional basis
	giveUp   sim.Duration  // 0: never
	tick     sim.Duration
	maxTries int // groups that are looked at after a pass
}

type courtRegion struct {
	name        string
	datacenters []int
}

// rttTo is a player's RTT to a region: that to the nearest datacenter.
func (c *courtRegion) rttTo(h *human) float64 {
	best := h.rttMS[c.datacenters[0]]
	for _, dc := range c.datacenters {
		best = min(best, h.rttMS[dc])
	}
	return best
}

func (c *courtroom) region(name string) *courtRegion {
	for i := range c.regions {
		if c.regions[i].name == name {
			return &c.regions[i]
		}
	}
	return nil
}

// recheck is an observer that has every match judged.
type recheck struct {
	*courtroom
	t     *testing.T
	what  string
	w     *Replication
	judge vendorJudge

	order     int
	waiting   map[uint64]*hopeful   // by party
	sessions  map[uint64]*openMatch // by match
	matches   int
	backfills int
	looked    int // groups left over that were judged
	expired   int
	failures  int

	scenes, replayed int // captures, and matches, backfills and tickets given up in them
}

func (r *recheck) fail(format string, args ...any) {
	if r.failures++; r.failures <= 5 {
		r.t.Errorf("%s: %s", r.what, fmt.Sprintf(format, args...))
	}
}

// Entered implements sim.Observer.
func (r *recheck) Entered(s *sim.Search) {
	h := &hopeful{order: r.order, began: s.Began}
	r.order++
	for i := range s.Players {
		h.players = append(h.players, r.human(&s.Players[i]))
	}
	r.waiting[s.Players[0].ID] = h
}

// human looks a player up.
func (r *recheck) human(p *sim.Player) human {
	one := human{id: p.ID, attributes: map[string]any{}}
	who := binding.Person(p)
	for _, a := range r.w.population.Attributes {
		if value := attributeOf(a, who); value != nil {
			one.attributes[a.Name] = value
		}
	}
	n := r.w.places.Datacenters
	for _, rtt := range r.w.places.RTT[int(p.Place)*n : int(p.Place)*n+n] {
		one.rttMS = append(one.rttMS, float64(rtt)/sim.RTTUnit)
	}
	return one
}

// entersLate takes in those of a match who began to search in the warm-up period, of
// which observers are told nothing.
func (r *recheck) entersLate(m *sim.Match) {
	late := map[uint64]*hopeful{}
	for i := range m.Players {
		p := &m.Players[i]
		if r.waiting[p.Party] != nil || p.Began >= 0 {
			continue
		}
		if late[p.Party] == nil {
			late[p.Party] = &hopeful{order: int(p.Began), began: p.Began}
		}
		late[p.Party].players = append(late[p.Party].players, r.human(&p.Player))
	}
	maps.Copy(r.waiting, late)
}

// attributeOf is a person's value as JSON would have it; nil: missing.
func attributeOf(a *population.Attribute, who *population.Person) any {
	text := string(a.Append(nil, who))
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
	meet := &meeting{at: m.At}
	if m.Region != sim.NoRegion {
		meet.region = r.regions[m.Region].name
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
		if !slices.Contains(meet.tickets, h) {
			meet.tickets = append(meet.tickets, h)
			teams[p.Party] = int(p.Team)
			meet.teams = append(meet.teams, int(p.Team))
		} else if teams[p.Party] != int(p.Team) {
			r.fail("party %d is in two teams", p.Party)
		}
		k := slices.IndexFunc(h.players, func(one human) bool { return one.id == p.ID })
		if k < 0 {
			r.fail("player %d is in a foreign party", p.ID)
			return
		}
		h.players[k].state = p.State
	}
	for party := range teams {
		for i := range r.waiting[party].players {
			if one := &r.waiting[party].players[i]; !seen[one.id] {
				r.fail("player %d was left behind by his party", one.id)
			}
		}
	}
	if !m.Backfill {
		byAge(meet)
	}
	r.rule(m, meet)
	for party := range teams {
		delete(r.waiting, party)
	}
}

// byAge brings the oldest ticket to the front, its team with it. A group around
// regular tickets is formed around the oldest of them: warm bodies complete it.
func byAge(m *meeting) {
	later := func(a, b *hopeful) bool {
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

// rule has a match judged, and remembers it for those who join it.
func (r *recheck) rule(m *sim.Match, meet *meeting) {
	if m.Backfill {
		r.backfills++
		if meet.session = r.sessions[m.ID]; meet.session == nil {
			return // it began before the window
		}
	} else {
		r.matches++
	}
	if wrong := r.judge.judge(meet); len(wrong) > 0 {
		r.fail("match %d at %.3f s: %s", m.ID, m.At.Seconds(), strings.Join(wrong, "; "))
	}
	for _, h := range meet.tickets {
		if late := m.At.Sub(h.began) - r.giveUp; r.giveUp > 0 && late >= 0 && (!r.w.Config.Match.Acceptance.Required || late >= r.tick) {
			r.fail("match %d: a ticket waited %v ms and gave up at %v", m.ID, m.At.Sub(h.began), r.giveUp)
		}
	}
	r.place(m, meet)
	s := meet.session
	if s == nil {
		s = &openMatch{began: m.At, region: meet.region}
		r.sessions[m.ID] = s
	}
	s.tickets = append(s.tickets, meet.tickets...)
	s.teams = append(s.teams, meet.teams...)
}

// place checks that the match is where it is best.
func (r *recheck) place(m *sim.Match, meet *meeting) {
	among := make([]int, r.w.places.Datacenters)
	for dc := range among {
		among[dc] = dc
	}
	if region := r.region(meet.region); region != nil {
		among = region.datacenters
	}
	if len(r.regions) == 0 {
		r.placedByStates(m, meet)
		return
	}
	if m.Backfill {
		return // where the session is
	}
	if !slices.Contains(among, m.Datacenter) {
		r.fail("match %d is in datacenter %d, its region %s has %v", m.ID, m.Datacenter, meet.region, among)
	}
	worst := func(dc int) (rtt float64) {
		for _, h := range meet.tickets {
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

// placedByStates checks that everybody's state admits the datacenter.
func (r *recheck) placedByStates(m *sim.Match, meet *meeting) {
	s := &r.w.Config.States
	for _, h := range meet.tickets {
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

// Sampled implements sim.Observer: it comes right after a pass, which must not have
// left a group that could play.
func (r *recheck) Sampled(c *sim.Census) {
	parties := false
	var list []*hopeful
	for _, h := range r.waiting {
		list = append(list, h)
	}
	slices.SortFunc(list, func(a, b *hopeful) int { return a.order - b.order })
	if len(r.regions) > 0 {
		list = list[:min(len(list), leftOverTickets)]
	}
	for _, h := range list {
		parties = parties || len(h.players) > 1
	}
	if !r.judge.complete(parties) {
		return
	}
	if len(r.regions) > 0 {
		r.leftOver(c.At, list)
		return
	}
	for dc := range r.w.places.Datacenters {
		r.leftOver(c.At, slices.DeleteFunc(slices.Clone(list), func(h *hopeful) bool { return !r.admits(h, c.At, dc) }))
	}
}

// admits reports whether a ticket waits in the queue of a datacenter: not a warm body.
func (r *recheck) admits(h *hopeful, at sim.Instant, dc int) bool {
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

// within tells for each datacenter whether all players of a ticket are within a limit.
func (r *recheck) within(h *hopeful, limitMS float64) []bool {
	list := make([]bool, r.w.places.Datacenters)
	for dc := range list {
		list[dc] = !slices.ContainsFunc(h.players, func(one human) bool { return one.rttMS[dc] > limitMS })
	}
	return list
}

// Bounds of what is looked at after a pass: so many tickets, the oldest, in groups of
// so many at most.
const (
	leftOverTickets = 10
	leftOverMax     = 5
)

// leftOver judges all groups of the tickets.
func (r *recheck) leftOver(at sim.Instant, list []*hopeful) {
	list = list[:min(len(list), leftOverTickets)]
	for set := uint(1); set < 1<<len(list); set++ {
		if n := bits.OnesCount(set); n < 2 || n > leftOverMax || r.looked >= r.maxTries {
			continue
		}
		m := &meeting{at: at}
		for i, h := range list {
			if set>>i&1 != 0 {
				m.tickets = append(m.tickets, h)
			}
		}
		r.looked++
		if wrong := r.judge.judge(m); len(wrong) == 0 {
			var who []string
			for _, h := range m.tickets {
				who = append(who, fmt.Sprintf("%+v", *h))
			}
			r.fail("at %.3f s a pass left a group that could play: %s", at.Seconds(), strings.Join(who, " and "))
			return
		}
	}
}

// recheckDay is one run that is checked.
type recheckDay struct {
	rules    string // JSON
	seed     uint64
	rate     float64 // joins per second
	hours    float64
	settings []string
}

const daySeconds = 24 * 60 * 60

// warmUpMax bounds the warm-up period of a day that is checked, in seconds.
const warmUpMax = 600

// crowd yields joins of the first hours, and of the last minutes for a warm-up period,
// in a few European cities, each with the columns build, maps, host and
// client_version, some of them empty.
func (d *recheckDay) crowd() iter.Seq2[float64, string] {
	return func(yield func(float64, string) bool) {
		r := rand.New(rand.NewPCG(d.seed, 3))
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
			if !yield(at, strings.Join(cells, ",")) {
				return
			}
		}
	}
}

const crowdColumns = ",build,maps,host,client_version"

// load writes the day's files and makes its inputs.
func (d *recheckDay) load(t *testing.T) *Inputs {
	t.Helper()
	dir := t.TempDir()
	var day strings.Builder
	fmt.Fprintf(&day, "time,latitude,longitude%s\n", crowdColumns)
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

// hold simulates the day and has it judged.
func (d *recheckDay) hold(t *testing.T, what string, makeJudge func(*courtroom) vendorJudge) *recheck {
	t.Helper()
	in := d.load(t)
	w, err := in.Replication(0)
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, d.rules)
	}
	c := w.Config
	court := &courtroom{
		longest: c.Matcher.ExpansionBasis == "longest", all: c.Matcher.OptionalBasis == "all",
		tick: config.SimSpan(c.Clock.Tick), maxTries: 20_000,
	}
	if w.queues[0].config.Placement == config.PlacementPool {
		court.giveUp = config.SimSpan(c.Players.GiveUpAfter)
		for _, region := range w.queues[0].rules.Regions {
			var list []int
			for dc := range w.places.Datacenters {
				if region.Datacenters>>dc&1 != 0 {
					list = append(list, dc)
				}
			}
			court.regions = append(court.regions, courtRegion{region.Name, list})
		}
	}
	r := &recheck{
		courtroom: court, t: t, w: w,
		what:    fmt.Sprintf("%s (seed %d)", what, d.seed),
		judge:   makeJudge(court),
		waiting: map[uint64]*hopeful{}, sessions: map[uint64]*openMatch{},
	}
	w.Captures = someScenes(w, d.seed)
	if _, _, err := w.simulate(context.Background(), nil, r); err != nil {
		t.Fatal(err)
	}
	r.replay(w.Captures)
	if r.failures > 0 {
		t.Errorf("%s: %d failures under %v and\n%s", r.what, r.failures, d.settings, d.rules)
	}
	return r
}
