package engine

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/packing"
	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// twin is a second implementation of the simulator that is deliberately simple and slow. It skips
// no passes, packs no keys, preallocates no memory, and searches every list from its start. It
// shares only the random draws and the rule engine with the simulator's engine.
type twin struct {
	cfg     sim.Config
	places  *sim.Places
	joins   []sim.Arrival
	late    []sim.Arrival // joins that a maintenance has kept out
	log     *strings.Builder
	now     sim.Instant
	tickets []*twinTicket // all tickets that have joined, in that order
	timers  []twinTimer
	nextID  int
	nextSeq int
	made    int
	timerNo int
	skipped int // tickets for which pack took too many tries

	proposals []*twinProposal
	order     int            // last position in the order of entering the pool
	sessions  []*twinSession // sessions that take players, in the order in which they were offered
}

type twinTicket struct {
	people    []twinPerson
	state     sim.State
	began     sim.Instant
	deadline  sim.Instant // end of the current state
	ends      sim.Instant // end of the search if it finds no match and is not cancelled
	seq       int
	searches  int
	proposals int         // number of proposals so far
	order     int         // position in the order of entering the pool
	since     sim.Instant // when it began to wait, as the rules see it
	lastEnd   sim.Instant
	measured  sim.Instant // when the RTTs were measured
}

type twinPerson struct {
	sim.Person
	id       int
	delay    sim.RTT
	partners []int
}

// twinTimerKind is the purpose of a timer. Timers of the same instant run in this order.
type twinTimerKind int

const (
	twinMatchEnd twinTimerKind = iota
	twinAlone                  // a ticket returns after its match was cut short
	twinReturn
	twinAgain
)

type twinTimer struct {
	at      sim.Instant
	kind    twinTimerKind
	no      int
	tickets []*twinTicket
	dc      int // of the match that ends; below 0 for a match against bots
}

func (w *twin) stream(p sim.Purpose) sim.Stream { return sim.NewStream(w.cfg.Seed, w.cfg.Run, p) }

func (w *twin) run() string {
	w.log = &strings.Builder{}
	for at := sim.Instant(-w.cfg.WarmUp); at < sim.Instant(w.cfg.Duration); at++ {
		w.now = at
		w.runTimers(twinMatchEnd)
		w.events()
		w.runTimers(twinAgain)
		w.decideProposals()
		w.lateJoins()
		for len(w.joins) > 0 && w.joins[0].At == at {
			w.joinOrWait(w.joins[0])
			w.joins = w.joins[1:]
		}
		if at.CeilTo(w.cfg.Tick) == at {
			if w.cfg.Queues[0].Placement == sim.PlacePool {
				w.poolPass()
			} else {
				w.pass()
			}
		}
	}
	return w.log.String()
}

func (w *twin) printf(format string, args ...any) {
	if w.now >= 0 {
		fmt.Fprintf(w.log, "%d "+format+"\n", append([]any{w.now}, args...)...)
	}
}

// runTimers runs the timers that are due now, up to a kind.
func (w *twin) runTimers(last twinTimerKind) {
	for {
		slices.SortFunc(w.timers, func(a, b twinTimer) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), cmp.Compare(a.no, b.no))
		})
		if len(w.timers) == 0 || w.timers[0].at > w.now || w.timers[0].kind > last {
			return
		}
		t := w.timers[0]
		w.timers = w.timers[1:]
		switch t.kind {
		case twinMatchEnd:
			w.endMatch(t.tickets)
		case twinAlone, twinAgain:
			w.searchAgain(t.tickets[0])
		default:
			w.returns(t.tickets)
		}
	}
}

func (w *twin) after(d sim.Duration, kind twinTimerKind, tickets []*twinTicket) {
	w.timers = append(w.timers, twinTimer{w.now.Add(d), kind, w.timerNo, tickets, -1})
	w.timerNo++
}

// close removes the session of a match that ends, if it has one, and returns the tickets of the match.
func (w *twin) close(tickets []*twinTicket) []*twinTicket {
	for i, s := range w.sessions {
		if slices.Contains(s.tickets, tickets[0]) {
			w.sessions = slices.Delete(w.sessions, i, i+1)
			s.over = true
			return s.tickets
		}
	}
	return tickets
}

func (w *twin) endMatch(tickets []*twinTicket) {
	tickets = w.close(tickets)
	if w.cfg.Queues[0].KeepTogether && len(tickets) > 1 {
		party := *tickets[0]
		party.people = nil
		for _, t := range tickets {
			party.people = append(party.people, t.people...)
			t.state = sim.StateLeft
		}
		tickets = []*twinTicket{&party}
		w.tickets = append(w.tickets, &party)
	}
	for _, t := range tickets {
		t.state = sim.StateBetween
		t.lastEnd = w.now
	}
	w.after(w.cfg.Between, twinReturn, tickets)
}

func (w *twin) returns(tickets []*twinTicket) {
	for _, t := range tickets {
		if w.stream(sim.PurposePlayAgain).Uniform(t.people[0].Entity, uint64(t.searches)) >= w.cfg.PlayAgain {
			t.state = sim.StateLeft
			continue
		}
		w.searchAgain(t)
	}
}

func (w *twin) join(a sim.Arrival) {
	t := &twinTicket{}
	for _, m := range a.Members {
		p := twinPerson{Person: m, id: w.nextID}
		if w.cfg.LastMileMedian > 0 {
			p.delay = world.LastMile(&w.cfg, w.stream(sim.PurposeLastMile), m.Entity)
		}
		w.nextID++
		t.people = append(t.people, p)
	}
	w.tickets = append(w.tickets, t)
	w.enter(t)
}

func (w *twin) enter(t *twinTicket) {
	t.began, t.since, t.measured, t.seq = w.now, w.now, w.now, w.nextSeq
	w.nextSeq++
	w.printf("enters %v return %v", t.ids(), t.searches > 0)
	if w.cfg.Queues[0].Placement == sim.PlacePool {
		t.ends = w.now.Add(w.cfg.Queues[0].GiveUp)
		w.enterPool(t)
		return
	}
	if w.cfg.Queues[0].Rules != nil {
		if w.enterPool(t); t.state == sim.StateRejected {
			return
		}
	} else if len(t.people) > w.cfg.Queues[0].MatchSize {
		t.state = sim.StateRejected
		w.printf("REJECTED %v", t.ids())
		return
	}
	switch {
	case w.reaches(t, w.cfg.IdealRTT):
		t.state, t.deadline = sim.StateIdeal, w.now.Add(w.cfg.IdealFor)
		t.ends = t.deadline.Add(w.cfg.ExpandFor + w.cfg.Queues[0].WarmBodyFor)
	case w.reaches(t, w.cfg.ExpandRTT):
		t.state, t.deadline = sim.StateExpand, w.now.Add(w.cfg.ExpandFor)
		t.ends = t.deadline.Add(w.cfg.Queues[0].WarmBodyFor)
	default:
		t.state, t.deadline = sim.StateWarmBody, w.now.Add(w.cfg.Queues[0].WarmBodyFor)
		t.ends = t.deadline
	}
}

func (w *twin) rtt(t *twinTicket, dc int) sim.RTT {
	var worst sim.RTT
	for _, p := range t.people {
		worst = max(worst, rttAt(&w.cfg, w.places, t.measured, p.Place, p.delay, dc))
	}
	return worst
}

func (w *twin) reaches(t *twinTicket, limit sim.RTT) bool {
	for dc := range w.places.Datacenters {
		if isUsable(&w.cfg, w.now, dc) && w.rtt(t, dc) <= limit {
			return true
		}
	}
	return false
}

// over returns the instant at which the search of a ticket ends by itself.
func (w *twin) over(t *twinTicket) sim.Instant {
	switch t.state {
	case sim.StateIdeal:
		return t.deadline.Add(w.cfg.ExpandFor + w.cfg.Queues[0].WarmBodyFor)
	case sim.StateExpand:
		return t.deadline.Add(w.cfg.Queues[0].WarmBodyFor)
	case sim.StateWarmBody:
		return t.deadline
	}
	return t.ends
}

// expireIfUnreachable ends the state of a ticket for which no usable datacenter is left.
func (w *twin) expireIfUnreachable(t *twinTicket) {
	if t.state == sim.StateIdeal && !w.reaches(t, w.cfg.IdealRTT) || t.state == sim.StateExpand && !w.reaches(t, w.cfg.ExpandRTT) {
		t.deadline = min(t.deadline, w.now)
	}
}

// waiting returns the tickets for which keep returns true and whose players are not being asked, oldest
// search first.
func (w *twin) waiting(keep func(t *twinTicket) bool) []*twinTicket {
	var list []*twinTicket
	for _, t := range w.tickets {
		if keep(t) && !w.isProposed(t) {
			list = append(list, t)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].seq < list[j].seq })
	return list
}

// patience returns the wait after which a ticket's players cancel: the first whole number of ms by
// which a share of tickets would have cancelled that the ticket's draw does not exceed. The result is
// Never if there is none.
func (w *twin) patience(t *twinTicket) sim.Instant {
	draw := w.stream(sim.PurposePatience).Uniform(t.people[0].Entity, uint64(t.searches))
	from := sim.PatienceStep{}
	for _, to := range w.cfg.Patience {
		for wait := from.Wait + 1; wait <= to.Wait; wait++ {
			if share := from.Share + (to.Share-from.Share)*float64(wait-from.Wait)/float64(to.Wait-from.Wait); draw <= share {
				return t.began.Add(wait)
			}
		}
		from = to
	}
	return sim.Never
}

// cancel ends the searches of a list of tickets that their players cancel by now, and before their
// searches end by themselves.
func (w *twin) cancel(list []*twinTicket) {
	for _, t := range list {
		if at := w.patience(t); at <= w.now && at < t.ends {
			t.state = sim.StateCancelled
			w.printf("CANCELLED %v", t.ids())
		}
	}
}

func (w *twin) pass() {
	w.cancel(w.waiting(func(t *twinTicket) bool { return t.state <= sim.StateWarmBody }))
	for _, t := range w.waiting(func(t *twinTicket) bool { return t.state <= sim.StateWarmBody }) {
		if t.state == sim.StateIdeal && t.deadline <= w.now {
			t.measured = w.now
			if t.state = sim.StateExpand; w.reaches(t, w.cfg.ExpandRTT) {
				t.deadline = t.deadline.Add(w.cfg.ExpandFor)
			}
		}
		if t.state == sim.StateExpand && t.deadline <= w.now {
			t.state, t.measured, t.deadline = sim.StateWarmBody, w.now, t.deadline.Add(w.cfg.Queues[0].WarmBodyFor)
		}
		if t.state == sim.StateWarmBody && t.deadline <= w.now {
			t.state = w.cfg.Then
			w.printf("%v %v", t.state, t.ids())
			if t.state == sim.StateBots {
				w.play([]*twinTicket{t}, -1)
			}
		}
	}
	var order []int32
	for dc := range w.places.Datacenters {
		order = append(order, int32(dc))
	}
	src := w.stream(sim.PurposeDatacenterOrder).Source(uint64(w.now), 0)
	src.Shuffle(order)
	if w.cfg.Queues[0].Rules != nil {
		w.ruledTurns(order)
		return
	}
	for _, dc := range order {
		if isUsable(&w.cfg, w.now, int(dc)) {
			w.turn(int(dc))
		}
	}
	for {
		group := w.pack(w.warm(), 0, map[*twinTicket]bool{})
		if group == nil || w.fairest(matcher.NoRegion, group) < 0 {
			break
		}
		w.matchOrAsk(w.fairest(matcher.NoRegion, group), group)
	}
}

func (w *twin) worst(group []*twinTicket, dc int) sim.RTT {
	var worst sim.RTT
	for _, t := range group {
		worst = max(worst, w.rtt(t, dc))
	}
	return worst
}

func (w *twin) warm() []*twinTicket {
	return w.waiting(func(t *twinTicket) bool { return t.state == sim.StateWarmBody })
}

// queueOf returns the regular tickets that wait for a datacenter.
func (w *twin) queueOf(dc int) []*twinTicket {
	limits := map[sim.State]sim.RTT{sim.StateIdeal: w.cfg.IdealRTT, sim.StateExpand: w.cfg.ExpandRTT}
	return w.waiting(func(t *twinTicket) bool {
		limit, regular := limits[t.state]
		return regular && isUsable(&w.cfg, w.now, dc) && w.rtt(t, dc) <= limit
	})
}

func (w *twin) turn(dc int) {
	queue := w.queueOf(dc)
	if w.cfg.Queues[0].Order == sim.OrderShuffle {
		walk := make([]int32, len(queue))
		for i := range walk {
			walk[i] = int32(i)
		}
		src := w.stream(sim.PurposeShuffle).Source(uint64(w.now), uint64(dc))
		src.Shuffle(walk)
		shuffled := make([]*twinTicket, len(queue))
		for i, from := range walk {
			shuffled[i] = queue[from]
		}
		queue = shuffled
	}
	if w.cfg.Queues[0].Prefer == sim.PreferBest {
		sort.SliceStable(queue, func(i, j int) bool { return w.rtt(queue[i], dc) < w.rtt(queue[j], dc) })
	}
	skipped := map[*twinTicket]bool{}
	for {
		group := w.pack(queue, 0, skipped)
		if group == nil {
			break
		}
		w.matchOrAsk(dc, group)
		queue = slices.DeleteFunc(queue, func(t *twinTicket) bool { return t.state == sim.StatePlaying || w.isProposed(t) })
	}
	warm := w.warm()
	sort.SliceStable(warm, func(i, j int) bool { return w.rtt(warm[i], dc) < w.rtt(warm[j], dc) })
	if group := w.pack(append(queue, warm...), len(warm), map[*twinTicket]bool{}); group != nil {
		w.matchOrAsk(dc, group)
	}
}

// pack returns the lexicographically first subset of list that fills a match and does not consist
// only of the last tickets in list, of which behind gives the number. If that would take too many tries
// for the subsets that begin with a ticket, there is none of them. Such a ticket is added to skipped.
func (w *twin) pack(list []*twinTicket, behind int, skipped map[*twinTicket]bool) []*twinTicket {
	for i, leader := range list[:len(list)-behind] {
		tries := 0
		if skipped[leader] {
			continue
		}
		if group := w.fill(list[i+1:], w.cfg.Queues[0].MatchSize-len(leader.people), []*twinTicket{leader}, &tries); group != nil {
			return group
		}
		if tries > packing.Budget {
			skipped[leader] = true
			w.skipped++
		}
	}
	return nil
}

// fill completes a group with the lexicographically first subset of list that has the players for the
// room. A ticket is tried if those after it can take the room that it leaves.
func (w *twin) fill(list []*twinTicket, room int, group []*twinTicket, tries *int) []*twinTicket {
	if room == 0 {
		return group
	}
	for i, t := range list {
		if rest := room - len(t.people); rest < 0 || !addUpTo(list[i+1:], rest) {
			continue
		}
		if *tries++; *tries > packing.Budget || !w.mayMeet(t, group) {
			continue
		}
		if found := w.fill(list[i+1:], room-len(t.people), append(slices.Clone(group), t), tries); found != nil {
			return found
		}
	}
	return nil
}

// addUpTo reports whether some of the tickets have that many players together.
func addUpTo(list []*twinTicket, players int) bool {
	sums := make([]bool, players+1)
	sums[0] = true
	for _, t := range list {
		for sum := players; sum >= len(t.people); sum-- {
			sums[sum] = sums[sum] || sums[sum-len(t.people)]
		}
	}
	return sums[players]
}

func (w *twin) mayMeet(t *twinTicket, group []*twinTicket) bool {
	recent := func(a, b *twinTicket) bool {
		if a.searches == 0 || w.now.Sub(a.lastEnd) >= w.cfg.Queues[0].PartnerCooldown {
			return false
		}
		for _, p := range a.people {
			for _, q := range b.people {
				if slices.Contains(p.partners, q.id) {
					return true
				}
			}
		}
		return false
	}
	for _, other := range group {
		if t.state != sim.StateWarmBody && other.state != sim.StateWarmBody && (recent(t, other) || recent(other, t)) {
			return false
		}
	}
	return true
}

// matchOrAsk starts a match, or asks its players first.
func (w *twin) matchOrAsk(dc int, group []*twinTicket) {
	if w.cfg.Queues[0].Acceptance != nil {
		w.propose(&twinProposal{group: group, dc: dc})
		return
	}
	w.match(dc, group)
}

func (w *twin) match(dc int, group []*twinTicket) {
	w.announce(dc, min(w.now.Add(w.length(group)), w.killed(dc)), group, group)
	w.made++
	for _, t := range group {
		t.state = sim.StatePlaying
	}
	w.play(group, dc)
}

// lowest returns a person's lowest RTT to a datacenter of which is is true.
func (w *twin) lowest(t *twinTicket, p *twinPerson, is func(dc int) bool) sim.RTT {
	lowest := ^sim.RTT(0)
	for dc := range w.places.Datacenters {
		if is(dc) {
			lowest = min(lowest, rttAt(&w.cfg, w.places, t.measured, p.Place, p.delay, dc))
		}
	}
	return lowest
}

// announce logs that the tickets in group begin or join a match. The parameter all lists all
// tickets of the match.
func (w *twin) announce(dc int, until sim.Instant, group, all []*twinTicket) {
	ids := func(skip int) (list []int) {
		for _, t := range all {
			for _, p := range t.people {
				if p.id != skip {
					list = append(list, p.id)
				}
			}
		}
		return list
	}
	var players []string
	for _, t := range group {
		for _, p := range t.people {
			repeat := t.searches > 0 && slices.ContainsFunc(ids(p.id), func(id int) bool { return slices.Contains(p.partners, id) })
			players = append(players, fmt.Sprintf("{%d row %d began %d %v party %d return %v repeat %v rtt %d best %d of all %d}",
				p.id, p.Row, t.began, t.state, len(t.people), t.searches > 0, repeat, rttAt(&w.cfg, w.places, w.now, p.Place, p.delay, dc),
				w.lowest(t, &p, func(dc int) bool { return isUsable(&w.cfg, w.now, dc) }), w.lowest(t, &p, func(int) bool { return true })))
		}
	}
	w.printf("match %d at %d until %d: %s", w.made, dc, until, strings.Join(players, " "))
	for _, t := range all {
		for i := range t.people {
			t.people[i].partners = ids(t.people[i].id)
			if !w.cfg.Queues[0].KeepTogether {
				own := t.ids()
				t.people[i].partners = slices.DeleteFunc(t.people[i].partners, func(id int) bool { return slices.Contains(own, id) })
			}
		}
	}
}

func (w *twin) play(group []*twinTicket, dc int) {
	w.after(w.length(group), twinMatchEnd, group)
	w.timers[len(w.timers)-1].dc = dc
}

func (w *twin) length(group []*twinTicket) sim.Duration {
	oldest := group[0]
	for _, t := range group {
		if t.seq < oldest.seq {
			oldest = t
		}
	}
	return w.cfg.Queues[0].MatchLength.Draw(w.stream(sim.PurposeMatchLength), oldest.people[0].Entity, uint64(oldest.searches))
}

func (t *twinTicket) ids() (ids []int) {
	for _, p := range t.people {
		ids = append(ids, p.id)
	}
	return ids
}
