package external

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/external/exchange"
)

// testPool is a pool whose matchmaker returns the answers of the test. It keeps the messages that
// the matchmaker received.
type testPool struct {
	t *testing.T
	*Pool
	rows     map[string]matcher.Row // rows of tickets by the ids in messages
	messages []message
	answer   exchange.Answer // answer to the next pass
	fault    error
	match    uint64 // number of the next match
}

// message is a copy of a pass.
type message struct {
	number, datacenter int
	waiting, added     []string
	removed            []exchange.Removed
	accepted           []exchange.Accepted
	dropped            []exchange.Dropped
	open, opened       []string // ids of sessions
	closed             []string
}

// newTestPool returns an empty pool. By default, a match has four players, and tickets wait in one
// pool for the datacenters a and b. o overrides these defaults.
func newTestPool(t *testing.T, o Config) *testPool {
	t.Helper()
	d := &testPool{t: t, rows: map[string]matcher.Row{}, match: 1}
	if o.Hello == nil {
		o.Hello = &exchange.Hello{Match: exchange.Match{Min: 2, Max: 4}}
	}
	if o.Schema == nil {
		o.Schema = &matcher.Schema{}
	}
	o.Hello.Datacenters = []string{"a", "b"}
	for _, name := range o.Hello.Datacenters {
		if _, err := o.Schema.Region(name); err != nil {
			t.Fatal(err)
		}
	}
	o.Exchange = d.exchange
	if o.Leaves == "" {
		o.Leaves = Expired
	}
	var err error
	if d.Pool, err = NewPool(o); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *testPool) exchange(p *exchange.Pass) (*exchange.Answer, error) {
	m := message{number: p.Number, datacenter: p.Datacenter, removed: slices.Clone(p.Removed), accepted: slices.Clone(p.Accepted),
		dropped: slices.Clone(p.Dropped), closed: slices.Clone(p.RemovedSessions)}
	for _, t := range p.Waiting {
		m.waiting = append(m.waiting, t.ID)
	}
	for _, t := range p.Added {
		m.added = append(m.added, t.ID)
	}
	for _, s := range p.Open {
		m.open = append(m.open, s.ID)
	}
	for _, s := range p.AddedSessions {
		m.opened = append(m.opened, s.ID)
	}
	d.messages = append(d.messages, m)
	return &d.answer, d.fault
}

// last returns the last message.
func (d *testPool) last() message {
	d.t.Helper()
	if len(d.messages) == 0 {
		d.t.Fatal("the matchmaker was not asked")
	}
	return d.messages[len(d.messages)-1]
}

// party adds a ticket and returns its id. Its players are numbered from first.
func (d *testPool) party(createdMS int64, first uint64, players int) string {
	d.t.Helper()
	t := matcher.Ticket{CreatedMS: createdMS}
	for i := range uint64(players) {
		t.Players = append(t.Players, matcher.Player{ID: first + i, RTTMS: []float64{10, 20}})
	}
	return d.add(t)
}

func (d *testPool) add(t matcher.Ticket) string {
	d.t.Helper()
	row, err := d.Add(t)
	if err != nil {
		d.t.Fatal(err)
	}
	id := d.Pool.rows[row].ticket.ID
	d.rows[id] = row
	return id
}

// pass makes a pass to which the matchmaker replies with a. The matches in the answer start.
func (d *testPool) pass(nowMS int64, a exchange.Answer) matcher.Outcome {
	d.answer = a
	out := d.Pass(nowMS)
	for i := range out.Backfills {
		b := &out.Backfills[i]
		match, err := strconv.ParseUint(strings.TrimPrefix(a.Backfills[b.Ref.Index-len(a.Matches)].Session, "m"), 10, 64)
		if err != nil {
			d.t.Fatal(err)
		}
		d.Started(b.Ref, match)
	}
	d.start(out)
	return out
}

// start starts the matches of an outcome.
func (d *testPool) start(out matcher.Outcome) {
	for i := range out.Matches {
		d.Started(out.Matches[i].Ref, d.match)
		d.match++
	}
}

func matches(list ...exchange.Proposal) exchange.Answer { return exchange.Answer{Matches: list} }

func of(tickets ...string) exchange.Proposal { return exchange.Proposal{Tickets: tickets} }

// equal compares the printed forms of a result and the expected result, so that an empty list
// equals nil.
func equal(t *testing.T, label string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("%s: got %s, want %s", label, g, w)
	}
}

// A matchmaker receives the changes since the last pass, in order of age, and the results of its
// proposals. If no tickets are waiting, nothing is sent.
func TestPassSendsChanges(t *testing.T) {
	d := newTestPool(t, Config{})
	if out := d.pass(0, matches()); len(out.Matches) > 0 || len(d.messages) > 0 {
		t.Errorf("no ticket is waiting: got %+v and %d messages, want no match and no message", out, len(d.messages))
	}
	one, two, three := d.party(10, 1, 1), d.party(20, 2, 2), d.party(30, 4, 1)
	out := d.pass(1000, matches(of(one, two), of(three, "t99")))
	equal(t, "first pass", d.last(), message{number: 1, datacenter: exchange.AllDatacenters, waiting: []string{"t1", "t2", "t3"}, added: []string{"t1", "t2", "t3"}})
	if len(out.Matches) != 1 || !slices.Equal(out.Matches[0].Tickets, []matcher.Row{d.rows[one], d.rows[two]}) || out.Matches[0].Region != 0 {
		t.Errorf("got matches %+v, want one of both tickets in datacenter a, where RTTs are lower", out.Matches)
	}
	four := d.party(1500, 7, 1)
	d.pass(2000, matches())
	equal(t, "second pass", d.last(), message{number: 2, datacenter: exchange.AllDatacenters, waiting: []string{three, four}, added: []string{four},
		removed:  []exchange.Removed{{ID: one, Why: "matched"}, {ID: two, Why: "matched"}},
		accepted: []exchange.Accepted{{Proposal: 0, Match: "m1"}}, dropped: []exchange.Dropped{{Proposal: 1, Why: `ticket "t99" is not waiting`}}})
	d.Remove(d.rows[three])
	d.pass(3000, matches())
	equal(t, "third pass", d.last(), message{number: 3, datacenter: exchange.AllDatacenters, waiting: []string{four}, removed: []exchange.Removed{{ID: three, Why: "expired"}}})
	// A ticket that arrived and left between two passes is not sent.
	five := d.party(3100, 9, 1)
	d.Remove(d.rows[five])
	d.pass(4000, matches())
	equal(t, "fourth pass", d.last(), message{number: 4, datacenter: exchange.AllDatacenters, waiting: []string{four}})
	equal(t, "waiting", d.Waiting(), 1)
}

// Events are sent with the next message, even if a pass without waiting tickets comes first.
func TestFeedbackWaitsForTheNextExchange(t *testing.T) {
	d := newTestPool(t, Config{})
	one, two := d.party(0, 1, 1), d.party(0, 2, 1)
	d.pass(0, matches(of(one, two)))
	d.pass(1000, matches()) // no ticket is waiting
	equal(t, "exchanges", len(d.messages), 1)
	d.party(1500, 3, 1)
	d.pass(2000, matches())
	equal(t, "accepted", d.last().accepted, []exchange.Accepted{{Proposal: 0, Match: "m1"}})
	equal(t, "removed", d.last().removed, []exchange.Removed{{ID: one, Why: "matched"}, {ID: two, Why: "matched"}})
	d.pass(3000, matches())
	if again := d.last(); len(again.accepted)+len(again.removed) > 0 {
		t.Errorf("got message %+v, want nothing that an earlier message contained", again)
	}
}

// Each kind of fault in a proposal has its own message. The whole proposal is dropped, and its
// tickets continue to wait. Other proposals are accepted.
func TestJudge(t *testing.T) {
	teams := []exchange.Team{{Name: "red", Min: 1, Max: 2}, {Name: "blue", Min: 1, Max: 2}}
	long := strings.Repeat("x", 200)
	for name, test := range map[string]struct {
		teams []exchange.Team
		make  exchange.Proposal
		fault Fault
		why   string // "" if the proposal is accepted
	}{
		"two":                                  {make: of("t1", "t2")},
		"a party and one":                      {make: of("t3", "t1")},
		"the largest":                          {make: of("t3", "t1", "t2")},
		"in a datacenter":                      {make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Datacenter: "b"}},
		"teams of none":                        {make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1"}, {"p2"}}}},
		"teams":                                {teams: teams, make: exchange.Proposal{Tickets: []string{"t3", "t1"}, Teams: [][]string{{"p3", "p4"}, {"p1"}}}},
		"no teams where some are":              {teams: teams, make: of("t1", "t2")},
		"no tickets":                           {make: of(), fault: WrongSize, why: "no tickets"},
		"unknown":                              {make: of("t1", "t9"), fault: NotWaiting, why: `ticket "t9" is not waiting`},
		"control characters":                   {make: of("\x1b[31m"), fault: NotWaiting, why: `ticket "\x1b[31m" is not waiting`},
		"a long name":                          {make: of(long), fault: NotWaiting, why: `ticket "` + strings.Repeat("x", 80) + `"… is not waiting`},
		"a ticket that was matched before":     {make: of("t5", "t1"), fault: NotWaiting, why: `ticket "t5" is not waiting`},
		"named twice":                          {make: of("t1", "t1"), fault: Repeated, why: `ticket "t1" is listed twice`},
		"too small":                            {make: of("t1"), fault: WrongSize, why: "1 player in the match, expected 2 to 4"},
		"too large":                            {make: of("t3", "t4", "t1"), fault: WrongSize, why: "5 players in the match, expected 2 to 4"},
		"a third team":                         {teams: teams, make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1"}, {"p2"}, {}}}, fault: WrongTeams, why: "got 3 teams, expected 2"},
		"a team too small":                     {teams: teams, make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1", "p2"}, {}}}, fault: WrongTeams, why: `0 players in team "blue", expected 1 to 2`},
		"a team too large":                     {teams: teams, make: exchange.Proposal{Tickets: []string{"t3", "t1", "t2"}, Teams: [][]string{{"p3", "p4", "p1"}, {"p2"}}}, fault: WrongTeams, why: `3 players in team "red", expected 1 to 2`},
		"more teams than players":              {make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1"}, {"p2"}, {}, {}, {}}}, fault: WrongTeams, why: "5 teams, expected at most 4, because a match has at most 4 players"},
		"a player in no team":                  {make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1"}, {}}}, fault: WrongTeams, why: "player p2 of ticket t2 is in no team"},
		"a player of another ticket in a team": {make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1", "p7"}, {"p2"}}}, fault: WrongTeams, why: "3 players are in teams, but the tickets have only 2"},
		"a player twice":                       {make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1", "p2"}, {"p1"}}}, fault: Repeated, why: `player "p1" is listed in teams twice`},
		"only some players of a party":         {make: exchange.Proposal{Tickets: []string{"t3", "t1"}, Teams: [][]string{{"p3"}, {"p1"}}}, fault: SplitParty, why: "only some of the players of ticket t3 are in teams"},
		"only the other players of a party":    {make: exchange.Proposal{Tickets: []string{"t3", "t1"}, Teams: [][]string{{"p4"}, {"p1"}}}, fault: SplitParty, why: "only some of the players of ticket t3 are in teams"},
		"a party in two teams":                 {make: exchange.Proposal{Tickets: []string{"t3"}, Teams: [][]string{{"p3"}, {"p4"}}}, fault: SplitParty, why: "the players of ticket t3 are in several teams"},
		"an unknown datacenter":                {make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Datacenter: "../b"}, fault: NoSuchPlace, why: `there is no datacenter "../b"`},
		"size before teams":                    {make: exchange.Proposal{Tickets: []string{"t1"}, Teams: [][]string{{"p2"}}}, fault: WrongSize, why: "1 player in the match, expected 2 to 4"},
		"teams before datacenters":             {teams: teams, make: exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1", "p2"}}, Datacenter: "c"}, fault: WrongTeams, why: "got 1 teams, expected 2"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newTestPool(t, Config{Hello: &exchange.Hello{Match: exchange.Match{Min: 2, Max: 4, Teams: test.teams}}})
			d.party(0, 1, 1)
			d.party(0, 2, 1)
			d.party(0, 3, 2)
			d.party(0, 5, 2)
			d.party(0, 7, 1)
			d.party(0, 8, 1)
			d.pass(0, matches(of("t5", "t6")))
			test.make.Tickets = slices.Clone(test.make.Tickets)
			out := d.pass(1000, matches(test.make))
			if test.why == "" {
				if len(out.Matches) != 1 || d.Waiting() != 4-len(test.make.Tickets) || len(d.Dropped()) > 0 {
					t.Errorf("a correct proposal: got %+v and dropped %+v, want one match and none dropped", out, d.Dropped())
				}
				return
			}
			if len(out.Matches) > 0 || d.Waiting() != 4 {
				t.Errorf("a wrong proposal: got %+v and %d waiting tickets, want no match and 4", out, d.Waiting())
			}
			equal(t, "dropped", d.Dropped(), []exchange.Dropped{{Proposal: 0, Why: test.why}})
			equal(t, "report", d.Report().Dropped, []FaultCount{{Fault: test.fault, Count: 1, Example: test.why}})
			d.pass(2000, matches(of("t1", "t2")))
			equal(t, "feedback", d.last().dropped, []exchange.Dropped{{Proposal: 0, Why: test.why}})
			equal(t, "accepted later", len(d.pass(3000, matches()).Matches)+d.Waiting(), 2)
		})
	}
}

// If proposals share tickets, the first valid one is accepted. A dropped proposal does not take
// tickets away from later ones.
func TestCollisions(t *testing.T) {
	d := newTestPool(t, Config{})
	for i := range uint64(4) {
		d.party(0, 1+i, 1)
	}
	out := d.pass(0, matches(of("t1", "t9"), of("t1", "t2"), of("t2", "t3"), of("t3", "t4"), of("t4", "t4"), of("t1", "t2")))
	equal(t, "matches", len(out.Matches), 2)
	equal(t, "dropped", d.Dropped(), []exchange.Dropped{{Proposal: 0, Why: `ticket "t9" is not waiting`}, {Proposal: 2, Why: `ticket "t2" is in an earlier proposal`},
		{Proposal: 4, Why: `ticket "t4" is in an earlier proposal`}, {Proposal: 5, Why: `ticket "t1" is in an earlier proposal`}})
	r := d.Report()
	equal(t, "report", []any{r.Passes, r.Proposals, r.Dropped}, []any{1, 6, []FaultCount{{Collision, 3, `ticket "t2" is in an earlier proposal`}, {NotWaiting, 1, `ticket "t9" is not waiting`}}})
	d.party(500, 9, 1)
	d.pass(1000, matches(of("t1", "t5"))) // in the next pass, this is no longer a collision
	equal(t, "accepted", d.last().accepted, []exchange.Accepted{{Proposal: 1, Match: "m1"}, {Proposal: 3, Match: "m2"}})
	equal(t, "dropped later", d.Dropped()[0].Why, `ticket "t1" is not waiting`)
}

// An invalid proposal may end the run. Earlier proposals in the answer are still accepted.
func TestWrongProposalAsError(t *testing.T) {
	var wrong []int
	d := newTestPool(t, Config{Wrong: func(p *exchange.Pass, proposal int, why string) error {
		wrong = append(wrong, proposal)
		return fmt.Errorf("pass %d: %s", p.Number, why)
	}})
	d.party(0, 1, 1)
	d.party(0, 2, 1)
	out := d.pass(0, matches(of("t1", "t2"), of("t3"), of("t4")))
	if len(out.Matches) != 1 || out.Fault == nil || out.Fault.Error() != `pass 1: ticket "t3" is not waiting` || !slices.Equal(wrong, []int{1}) {
		t.Errorf("got %+v with wrong proposals %v, want one match, the fault of ticket t3 and proposal 1", out, wrong)
	}
}

// After the exchange has failed, there are no more proposals.
func TestExchangeFault(t *testing.T) {
	d := newTestPool(t, Config{})
	d.party(0, 1, 1)
	d.party(0, 2, 1)
	d.fault = errors.New("it has died")
	out := d.pass(0, matches(of("t1", "t2")))
	if len(out.Matches) > 0 || out.Fault != d.fault || d.Waiting() != 2 || d.Report().Proposals != 0 {
		t.Errorf("got %+v and %d waiting tickets, want no match, the fault of the exchange and 2", out, d.Waiting())
	}
}

// If datacenters have turns, each has its own exchange about the tickets that may use it. A ticket
// is sent again if its datacenters change, with RTTs to these datacenters. If it leaves, this is
// reported to every datacenter that knows it.
func TestTurns(t *testing.T) {
	d := newTestPool(t, Config{Turns: true, Leaves: Failed})
	one, two, three := d.party(0, 1, 1), d.party(0, 2, 1), d.party(0, 3, 1)
	d.Reaches(d.rows[one], 0b01)
	d.Reaches(d.rows[two], 0b01)
	d.Reaches(d.rows[three], 0b10)
	turn := func(nowMS int64, datacenter int, a exchange.Answer) matcher.Outcome {
		d.answer = a
		out := d.Turn(nowMS, datacenter)
		d.start(out)
		return out
	}
	turn(0, 0, matches(of(one, three))) // names another datacenter
	equal(t, "a", d.last(), message{number: 1, waiting: []string{one, two}, added: []string{one, two}})
	turn(0, 1, matches())
	equal(t, "b", d.last(), message{number: 2, datacenter: 1, waiting: []string{three}, added: []string{three}, dropped: []exchange.Dropped{{Proposal: 0, Why: `ticket "t3" is not waiting`}}})
	d.Reaches(d.rows[two], 0b11)
	before := d.Pool.rows[d.rows[two]].ticket
	out := turn(1000, 1, matches(exchange.Proposal{Tickets: []string{two, three}, Datacenter: "a"}))
	equal(t, "b again", d.last(), message{number: 3, datacenter: 1, waiting: []string{two, three}, added: []string{two}})
	equal(t, "elsewhere", []any{len(out.Matches), d.Dropped()}, []any{0, []exchange.Dropped{{Proposal: 0, Why: `got datacenter "a", expected "b"`}}})
	if after := d.Pool.rows[d.rows[two]].ticket; after == before || before.Reach != 0b01 || after.Reach != 0b11 {
		t.Errorf("got reach %b, then %b of the same ticket, want another ticket with reach 1, then 11", before.Reach, after.Reach)
	}
	out = turn(2000, 1, matches(of(two, three)))
	if len(out.Matches) != 1 || out.Matches[0].Region != 1 {
		t.Errorf("got matches %+v, want one in region 1, that of the turn", out.Matches)
	}
	turn(2000, 0, matches())
	equal(t, "a, after the match", d.last(), message{number: 5, waiting: []string{one}, removed: []exchange.Removed{{ID: two, Why: "matched"}}, accepted: []exchange.Accepted{{Match: "m1"}}})
	d.Remove(d.rows[one])
	d.Reaches(d.rows[d.party(2500, 4, 1)], 0b11)
	turn(3000, 0, matches())
	equal(t, "failed", d.last().removed, []exchange.Removed{{ID: one, Why: "failed"}})
	turn(3000, 1, matches())
	equal(t, "both were sent before", d.last().removed, []exchange.Removed{{ID: two, Why: "matched"}, {ID: three, Why: "matched"}})
}

// Sessions are sent with their number of seats. They accept tickets while seats are free, and are
// sent again when they have changed.
func TestBackfills(t *testing.T) {
	teams := []exchange.Team{{Name: "red", Min: 1, Max: 2}, {Name: "blue", Min: 1, Max: 2}}
	session := func(match uint64, createdMS int64, players ...int) matcher.Session {
		s := matcher.Session{Match: match, CreatedMS: createdMS, Region: 1}
		for i, team := range players {
			s.Members = append(s.Members, matcher.Member{Player: matcher.Player{ID: 90 + uint64(i)}, Team: team})
		}
		return s
	}
	fill := func(session string, p exchange.Proposal) exchange.Backfill {
		return exchange.Backfill{Session: session, Proposal: p}
	}
	for name, test := range map[string]struct {
		teams   []exchange.Team // of a match; nil for teams
		session matcher.Session
		fill    exchange.Backfill
		fault   Fault
		why     string // "" if the proposal is accepted
	}{
		"one":                          {session: session(7, 0, 0, 1), fill: fill("m7", exchange.Proposal{Tickets: []string{"t1"}, Teams: [][]string{{"p1"}, {}}})},
		"all seats":                    {session: session(7, 0, 0, 1), fill: fill("m7", exchange.Proposal{Tickets: []string{"t1", "t2"}, Teams: [][]string{{"p1"}, {"p2"}}, Datacenter: "b"})},
		"no sides":                     {session: session(7, 0, matcher.NoTeam), fill: fill("m7", of("t1"))},
		"one team, not named":          {teams: teams[:1], session: session(7, 0, 0), fill: fill("m7", of("t1"))},
		"no ruleset, another team":     {teams: teams[:0], session: session(7, 0, 0), fill: fill("m7", exchange.Proposal{Tickets: []string{"t1"}, Teams: [][]string{{}, {"p1"}}})},
		"no ruleset, teams only now":   {teams: teams[:0], session: session(7, 0, matcher.NoTeam), fill: fill("m7", exchange.Proposal{Tickets: []string{"t1"}, Teams: [][]string{{"p1"}}})},
		"no such session":              {session: session(7, 0, 0, 1), fill: fill("m8", of("t1")), fault: NoSuchPlace, why: `session "m8" is not looking for players`},
		"too many":                     {session: session(7, 0, 0, 1, 1), fill: fill("m7", of("t1", "t2")), fault: WrongSize, why: `2 players, but session m7 has only 1 free seat`},
		"no tickets":                   {session: session(7, 0, 0, 1), fill: fill("m7", of()), fault: WrongSize, why: "no tickets"},
		"teams are missing":            {session: session(7, 0, 0, 1), fill: fill("m7", of("t1")), fault: WrongTeams, why: "no teams, but session m7 has teams"},
		"teams it has not":             {session: session(7, 0, matcher.NoTeam), fill: fill("m7", exchange.Proposal{Tickets: []string{"t1"}, Teams: [][]string{{"p1"}, {}}}), fault: WrongTeams, why: "got teams, but session m7 has none"},
		"a third team":                 {session: session(7, 0, 0, 1), fill: fill("m7", exchange.Proposal{Tickets: []string{"t1"}, Teams: [][]string{{"p1"}, {}, {}}}), fault: WrongTeams, why: "got 3 teams, expected 2"},
		"a full team":                  {session: session(7, 0, 0, 1, 1), fill: fill("m7", exchange.Proposal{Tickets: []string{"t1"}, Teams: [][]string{{}, {"p1"}}}), fault: WrongTeams, why: `3 players in team "blue", expected at most 2`},
		"another datacenter":           {session: session(7, 0, 0, 1), fill: fill("m7", exchange.Proposal{Tickets: []string{"t1"}, Teams: [][]string{{"p1"}, {}}, Datacenter: "a"}), fault: NoSuchPlace, why: `got datacenter "a", expected "b"`},
		"a ticket that is not waiting": {session: session(7, 0, 0, 1), fill: fill("m7", of("t9")), fault: NotWaiting, why: `ticket "t9" is not waiting`},
		"teams that contain the session's members": {session: session(7, 0, 0, 1), fill: fill("m7", exchange.Proposal{Tickets: []string{"t1"}, Teams: [][]string{{"p1", "p90"}, {"p91"}}}), fault: WrongTeams, why: "3 players are in teams, but the tickets have only 1"},
	} {
		t.Run(name, func(t *testing.T) {
			allowed := teams
			if test.teams != nil {
				allowed = test.teams
			}
			d := newTestPool(t, Config{Hello: &exchange.Hello{Backfill: true, Match: exchange.Match{Min: 2, Max: 4, Teams: allowed}}})
			d.party(0, 1, 1)
			d.party(0, 2, 1)
			row, err := d.AddSession(test.session)
			if err != nil {
				t.Fatal(err)
			}
			out := d.pass(0, exchange.Answer{Backfills: []exchange.Backfill{test.fill}})
			equal(t, "message", []any{d.last().open, d.last().opened}, []any{[]string{"m7"}, []string{"m7"}})
			equal(t, "seats", d.Pool.pass.Open != nil, true)
			if test.why != "" {
				equal(t, "dropped", []any{len(out.Backfills), d.Dropped(), d.Report().Dropped}, []any{0, []exchange.Dropped{{Why: test.why}}, []FaultCount{{test.fault, 1, test.why}}})
				equal(t, "still open", d.AppendSessions(nil), []matcher.Row{row})
				return
			}
			if len(out.Backfills) != 1 || out.Backfills[0].Session != row || out.Backfills[0].Region != 1 || len(out.Backfills[0].Tickets) != len(test.fill.Tickets) {
				t.Fatalf("got backfills %+v, want one of the session in region 1 with the proposed tickets", out.Backfills)
			}
			d.party(500, 5, 1)
			d.pass(1000, matches())
			equal(t, "feedback", []any{d.last().accepted, d.last().closed, len(d.last().open)}, []any{[]exchange.Accepted{{Proposal: 0, Match: "m7"}}, []string{"m7"}, 0})
		})
	}
}

// If a session is removed and added again between two passes, only its latest state is sent. A
// session that ends is reported once. Sessions are listed in the order in which they began.
func TestSessionsAreSentAgain(t *testing.T) {
	d := newTestPool(t, Config{Hello: &exchange.Hello{Backfill: true, Match: exchange.Match{Min: 1, Max: 4}}})
	open := func(match uint64, createdMS int64) matcher.Row {
		row, err := d.AddSession(matcher.Session{Match: match, CreatedMS: createdMS, Members: []matcher.Member{{Player: matcher.Player{ID: match}, Team: matcher.NoTeam}}})
		if err != nil {
			t.Fatal(err)
		}
		return row
	}
	d.party(0, 1, 1)
	late, early := open(2, 500), open(1, 100)
	d.pass(1000, matches())
	equal(t, "first", []any{d.last().open, d.last().opened, d.last().closed}, []any{[]string{"m1", "m2"}, []string{"m2", "m1"}, []string(nil)})
	d.Remove(early)
	open(1, 100)
	d.Remove(late)
	gone := open(3, 1200)
	d.Remove(gone)
	d.pass(2000, matches())
	equal(t, "second", []any{d.last().open, d.last().opened}, []any{[]string{"m1"}, []string{"m1"}})
	equal(t, "closed", d.last().closed, []string{"m2"}) // m3 has never been sent
	again := d.AppendSessions(nil)[0]
	d.Remove(again) // it was known before
	open(1, 100)
	d.Remove(d.AppendSessions(nil)[0])
	d.pass(3000, matches())
	equal(t, "third", []any{d.last().opened, d.last().closed}, []any{[]string(nil), []string{"m1"}})
}

// Backfills are checked after all matches in an answer. If a backfill names tickets of a match, the
// match keeps them.
func TestMatchesComeBeforeBackfills(t *testing.T) {
	d := newTestPool(t, Config{Hello: &exchange.Hello{Backfill: true, Match: exchange.Match{Min: 2, Max: 4}}})
	one, two, three := d.party(0, 1, 1), d.party(0, 2, 1), d.party(0, 3, 1)
	for match := range uint64(2) {
		if _, err := d.AddSession(matcher.Session{Match: 7 + match, Members: []matcher.Member{{Team: matcher.NoTeam}}}); err != nil {
			t.Fatal(err)
		}
	}
	out := d.pass(0, exchange.Answer{Matches: []exchange.Proposal{of(one, two)},
		Backfills: []exchange.Backfill{{Session: "m7", Proposal: of(two)}, {Session: "m7", Proposal: of(three)}, {Session: "m7", Proposal: of(three)}}})
	equal(t, "accepted", []int{len(out.Matches), len(out.Backfills)}, []int{1, 1})
	// The session has left the pool because of the first proposal. It may be added again with other
	// players.
	equal(t, "dropped", d.Dropped(), []exchange.Dropped{{Proposal: 1, Why: `ticket "t2" is in an earlier proposal`}, {Proposal: 3, Why: `session "m7" is not looking for players`}})
}

// The last reason for a ticket is kept until it leaves. When it gives up, its players are counted
// under this reason. Reasons for unknown tickets are ignored. The number of different reasons is
// limited.
func TestReasons(t *testing.T) {
	d := newTestPool(t, Config{})
	why := func(list map[string]string) exchange.Answer { return exchange.Answer{Why: list} }
	two, one := d.party(0, 1, 2), d.party(0, 3, 1)
	d.pass(0, why(map[string]string{two: "too far", "t99": "?"}))
	d.pass(1000, why(nil))
	equal(t, "kept", []string{d.Why(d.rows[two]), d.Why(d.rows[one])}, []string{"too far", ""})
	d.Remove(d.rows[two])
	d.Remove(d.rows[one])
	d.pass(2000, why(nil))
	equal(t, "expired", d.Report().Expired, []Count{{"too far", 2}, {unexplained, 1}})
	for i := range uint64(namesMax) {
		id := d.party(2000, 10+i, 1)
		d.pass(2000, why(map[string]string{id: fmt.Sprint("reason ", i)}))
		d.Remove(d.rows[id])
	}
	d.pass(3000, why(nil))
	expired := d.Report().Expired
	if len(expired) != namesMax+1 || !slices.Contains(expired, Count{"other", 2}) {
		t.Errorf("got %d names, want %d and one for the others: %v", len(expired), namesMax, expired)
	}
}

// The warm-up period is simulated but not counted.
func TestWarmupIsNotCounted(t *testing.T) {
	d := newTestPool(t, Config{})
	for i := range uint64(4) {
		d.party(-5000, 1+i, 1)
	}
	out := d.pass(-1000, matches(of("t1", "t2"), of("t9")))
	equal(t, "matches", len(out.Matches), 1)
	if r := d.Report(); r.Passes+r.Proposals+len(r.Dropped) > 0 {
		t.Errorf("got report %+v, want nothing counted in the warm-up", r)
	}
	d.pass(0, matches(of("t3", "t4"), of("t9")))
	if r := d.Report(); r.Passes != 1 || r.Proposals != 2 || len(r.Dropped) != 1 {
		t.Errorf("got report %+v, want one pass, two proposals and one kind of dropped ones", r)
	}
}

// A ticket that is too large for any match is refused. Ids are never reused, but rows are.
func TestRowsAndIDs(t *testing.T) {
	d := newTestPool(t, Config{})
	players := make([]matcher.Player, 5)
	if _, err := d.Add(matcher.Ticket{Players: players}); err == nil || err.Error() != "5 players in the ticket, expected at most the match size of 4" {
		t.Errorf("5 players: got error %v, want a ticket above the match size refused", err)
	}
	seen, rows := map[string]bool{}, map[matcher.Row]bool{}
	for round := range uint64(50) {
		one, two := d.party(int64(round)*1000, 2*round+1, 1), d.party(int64(round)*1000, 2*round+2, 1)
		if seen[one] || seen[two] || one == two {
			t.Fatalf("got ticket IDs %s and %s, want IDs that were not used before", one, two)
		}
		seen[one], seen[two] = true, true
		rows[d.rows[one]], rows[d.rows[two]] = true, true
		if waiting := d.AppendWaiting(nil); !slices.Equal(waiting, []matcher.Row{d.rows[one], d.rows[two]}) {
			t.Fatalf("got waiting rows %v, want those of both tickets", waiting)
		}
		d.pass(int64(round)*1000, matches(of(two, one)))
	}
	if len(rows) > 4 {
		t.Errorf("got %d rows for at most two tickets at a time, want at most 4", len(rows))
	}
}

// A ticket is sent with those of its attributes that the matchmaker is to receive.
func TestTicketIsDescribed(t *testing.T) {
	s := &matcher.Schema{}
	mmr, mode, maps, hidden := s.Column("mmr"), s.Column("mode"), s.Column("maps"), s.Column("hidden")
	d := newTestPool(t, Config{Hello: &exchange.Hello{Match: exchange.Match{Min: 1, Max: 4}, GiveUpMS: 60_000}, Schema: s,
		Shown: []Shown{{"mmr", mmr}, {"mode", mode}, {"maps", maps}}})
	_ = hidden
	values := []matcher.Value{matcher.NumberValue(1500), matcher.TextValue(s.Intern("duel")), matcher.SetValue(s.Set([]string{"dust", "mirage"})), matcher.NumberValue(1)}
	d.add(matcher.Ticket{CreatedMS: 40, Players: []matcher.Player{{ID: 3, Values: values, RTTMS: []float64{20, math.NaN()}}, {ID: 4, Values: make([]matcher.Value, 4)}}})
	values[0] = matcher.NumberValue(0) // the caller may reuse the slices
	d.pass(1000, matches())
	got := d.Pool.pass.Waiting[0]
	number := func(name string, v exchange.Value) exchange.Attribute {
		return exchange.Attribute{Name: name, Value: v}
	}
	equal(t, "attributes", got.Players[0].Attributes, []exchange.Attribute{number("mmr", exchange.Value{Number: 1500}), number("mode", exchange.Value{Kind: exchange.Text, Text: "duel"}),
		number("maps", exchange.Value{Kind: exchange.List, List: []string{"dust", "mirage"}})})
	if got.ID != "t1" || got.Party != "p3" || got.Players[0].ID != "p3" || got.Players[1].ID != "p4" || len(got.Players[1].Attributes) > 0 || got.CreatedMS != 40 || got.GiveUpMS != 60_000 || got.Reach != 0b11 || got.Players[0].RTTMS[0] != 20 {
		t.Errorf("got ticket %+v, want ID t1, party p3 and players p3 and p4", got)
	}
}
