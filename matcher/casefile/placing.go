package casefile

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
)

// placementRules places the players of scenes on servers.
type placementRules struct{ vendor.Placement }

// Run implements Runner. Tickets are served in the order of creation, then of their ids, and
// the players of a ticket one after another. Each sees the earlier players on their servers.
// Scores and Chosen are those of the first player.
func (r *placementRules) Run(s *Scene) (*Outcome, error) {
	p, err := r.load(s)
	if err != nil {
		return nil, err
	}
	out := &Outcome{Matches: []Match{}, Unmatched: []string{}, Warnings: p.reader.Problems().Warnings()}
	first := true
	for _, i := range byArrival(s.Tickets) {
		for j := range s.Tickets[i].Players {
			joiner := p.joiner(i, j)
			scores, chosen := p.choose(&joiner)
			if first {
				out.Scores, out.Chosen, first = p.scores(scores), p.name(chosen), false
			}
			p.place(i, j, chosen)
		}
	}
	p.report(out)
	return out, nil
}

// byArrival returns the indices of tickets in the order in which they are served.
func byArrival(tickets []Ticket) []int {
	order := byAge(tickets)
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(tickets[a].CreatedMS, tickets[b].CreatedMS), cmp.Compare(tickets[a].ID, tickets[b].ID))
	})
	return order
}

// placing is a scene whose players are being placed.
type placing struct {
	vendor.Placement
	scene   *Scene
	reader  vendor.Reader
	servers []*scoring.Server // the servers of the scene, then new ones
	joining [][]vendor.Player // by ticket and player
	people  []person          // players on servers

	// Indices in people, by what makes two players acquainted.
	byID, byFriend, byIP map[string][]int
	byTicket             map[int][]int
	list                 []float64 // scores, reused
}

// person is a player on a server.
type person struct {
	id     string
	ticket int // index in the scene; -1: a player of a session
	server int // index in servers
}

// load reads the players and servers of a scene.
func (r *placementRules) load(s *Scene) (*placing, error) {
	p := &placing{Placement: r.Placement, scene: s, reader: r.Reader(),
		byID: map[string][]int{}, byFriend: map[string][]int{}, byIP: map[string][]int{}, byTicket: map[int][]int{}}
	for i := range s.Tickets {
		t := &s.Tickets[i]
		players := make([]vendor.Player, len(t.Players))
		for j := range t.Players {
			players[j] = p.player(fmt.Sprintf("ticket %q: player %q: attributes", t.ID, t.Players[j].ID), &t.Players[j], t.at)
		}
		p.joining = append(p.joining, players)
	}
	for i := range s.Sessions {
		p.session(i)
	}
	if err := p.reader.Problems().Err(); err != nil {
		return nil, err
	}
	// Of servers with equal score and age, the one with the smallest id wins.
	order := make([]int, len(s.Sessions))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.Sessions[a].ID, s.Sessions[b].ID) })
	for sequence, i := range order {
		p.servers[i].Sequence = int32(sequence)
	}
	return p, p.reader.Problems().Err()
}

// Check implements Runner.
func (r *placementRules) Check(s *Scene) error {
	_, err := r.load(s)
	return err
}

// player reads a player and their latencies.
func (p *placing) player(what string, from *Player, at jsontree.Value) vendor.Player {
	player := p.reader.Player(what, from.Attributes)
	for _, l := range from.Latencies {
		player.RTTMS = p.measured(player.RTTMS, l.Region, l.RTTMS, at)
	}
	return player
}

// session opens the server of a session and puts its players on it.
func (p *placing) session(i int) {
	from := &p.scene.Sessions[i]
	var players []vendor.Player
	var ids []string
	for _, team := range from.Teams {
		for j := range team.Players {
			what := fmt.Sprintf("session %q: player %q: attributes", from.ID, team.Players[j].ID)
			players = append(players, p.player(what, &team.Players[j], from.at))
			ids = append(ids, team.Players[j].ID)
		}
	}
	region, capacity := from.Region, from.Capacity
	if mock := p.mock(from, len(players)); mock != nil {
		players, capacity = mock.Players, cmp.Or(capacity, mock.Capacity)
		for j := range players {
			ids = append(ids, fmt.Sprintf("%s#%d", from.ID, j+1))
		}
		if mock.HasRTT {
			region = cmp.Or(region, from.ID)
			p.joining[0][0].RTTMS = p.measured(p.joining[0][0].RTTMS, region, mock.RTTMS, from.at)
		}
	}
	var first *vendor.Player
	if len(players) > 0 {
		first = &players[0]
	}
	server := p.reader.Server(fmt.Sprintf("session %q: attributes", from.ID), from.Attributes, first)
	server.CreatedMS = from.CreatedMS
	if server.Capacity = cmp.Or(capacity, p.Seats()); server.Capacity < 1 || server.Capacity > scoring.MaxSeats {
		p.reader.Problems().Errorf(from.at, "session %q: capacity: got %d, expected 1 to %d seats, here or as maxPlayerCount of the place",
			from.ID, server.Capacity, scoring.MaxSeats)
		server.Capacity = 1
	}
	if region != "" {
		var err error
		if server.Region, err = p.Schema().Region(region); err != nil {
			p.reader.Problems().Errorf(from.at, "session %q: region: %v", from.ID, err)
		}
	}
	if p.reader.Problems().Count() > 0 {
		return // invalid values may be outside the range of scores
	}
	p.servers = append(p.servers, p.Scorer().Open(server))
	for j := range players {
		p.enter(&players[j], person{ids[j], -1, i})
	}
}

// mock returns a server that is described relative to the joining player instead of by its
// players; nil for other servers.
func (p *placing) mock(from *Session, players int) *vendor.Mock {
	joiner, id := new(vendor.Player), ""
	alone := len(p.joining) == 1 && len(p.joining[0]) == 1
	if alone {
		joiner, id = &p.joining[0][0], p.scene.Tickets[0].Players[0].ID
	} else {
		*joiner = p.reader.Player("", jsontree.Value{})
	}
	mock, ok := p.reader.Mock(fmt.Sprintf("session %q: attributes", from.ID), from.Attributes, joiner, id)
	if ok && (!alone || players > 0) {
		p.reader.Problems().Errorf(from.at,
			"session %q: its attributes describe it as one joining player sees it, expected one in the scene and no players in teams", from.ID)
		return nil
	}
	return mock
}

// measured returns a player's RTTs with one added.
func (p *placing) measured(rttMS []float64, name string, ms float64, at jsontree.Value) []float64 {
	region, err := p.Schema().Region(name)
	if err != nil {
		p.reader.Problems().Errorf(at, "latencies: %v", err)
		return rttMS
	}
	for len(rttMS) <= int(region) {
		rttMS = append(rttMS, math.NaN()) // not measured
	}
	rttMS[region] = ms
	return rttMS
}

// enter puts a player on a server.
func (p *placing) enter(player *vendor.Player, who person) {
	place := len(p.people)
	p.people = append(p.people, who)
	p.byID[who.id] = append(p.byID[who.id], place)
	for _, friend := range player.Friends {
		p.byFriend[friend] = append(p.byFriend[friend], place)
	}
	if player.IP != "" {
		p.byIP[player.IP] = append(p.byIP[player.IP], place)
	}
	if who.ticket >= 0 {
		p.byTicket[who.ticket] = append(p.byTicket[who.ticket], place)
	}
	p.Scorer().Join(p.servers[who.server], &player.Player)
}

// joiner returns a player of a ticket with the people they know: friends, listed by either of
// the two, players with the same IP address, and players of the same ticket. Each person
// counts once.
func (p *placing) joiner(ticket, player int) scoring.Joiner {
	who, id := &p.joining[ticket][player], p.scene.Tickets[ticket].Players[player].ID
	known := slices.Concat(p.byFriend[id], p.byTicket[ticket])
	if who.IP != "" {
		known = append(known, p.byIP[who.IP]...)
	}
	for _, friend := range who.Friends {
		known = append(known, p.byID[friend]...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	sequences := make([]int32, len(known))
	for i, place := range known {
		sequences[i] = p.servers[p.people[place].server].Sequence
	}
	return scoring.NewJoiner(who.Player, who.Class, sequences)
}

// choose returns the scores of all servers and the index of the best; -1: a new one.
func (p *placing) choose(j *scoring.Joiner) (scores []float64, chosen int) {
	p.list = p.Scorer().Scores(p.list[:0], j, p.servers)
	return p.list, p.Scorer().Best(p.servers, p.list)
}

// place puts a player on the chosen server or on a new one. A new server has the capacity
// that the rules give or, if they give none, that of the first server in the scene.
func (p *placing) place(ticket, player, chosen int) {
	who := &p.joining[ticket][player]
	if chosen < 0 {
		server := p.NewServer(who)
		server.Sequence, server.CreatedMS = int32(len(p.servers)), p.scene.AtMS
		if server.Capacity == 0 && len(p.servers) > 0 {
			server.Capacity = p.servers[0].Capacity
		}
		server.Capacity = cmp.Or(server.Capacity, scoring.MaxSeats)
		chosen = len(p.servers)
		p.servers = append(p.servers, p.Scorer().Open(server))
	}
	p.enter(who, person{p.scene.Tickets[ticket].Players[player].ID, ticket, chosen})
}

// name returns the name of a server; new servers are numbered from the second.
func (p *placing) name(server int) string {
	known := len(p.scene.Sessions)
	switch {
	case server < 0 || server == known:
		return NewServer
	case server > known:
		return fmt.Sprintf("%s %d", NewServer, server-known+1)
	}
	return p.scene.Sessions[server].ID
}

// scores lists the servers that can be joined.
func (p *placing) scores(list []float64) Scores {
	var scores Scores
	for i, score := range list {
		if !math.IsNaN(score) {
			scores = append(scores, Score{p.name(i), score})
		}
	}
	return scores
}

// report lists the servers that accepted players: those of the scene as backfills, new ones
// as matches.
func (p *placing) report(out *Outcome) {
	matches := make([]Match, len(p.servers))
	for _, who := range p.people {
		m := &matches[who.server]
		if m.Teams == nil {
			m.Teams = []TeamList{{Name: "all"}}
		}
		m.Teams[0].Players = append(m.Teams[0].Players, who.id)
		if who.ticket < 0 {
			continue
		}
		// Players of a ticket are adjacent, so comparing with the last ticket is enough.
		if ticket := p.scene.Tickets[who.ticket].ID; len(m.Tickets) == 0 || m.Tickets[len(m.Tickets)-1] != ticket {
			m.Tickets = append(m.Tickets, ticket)
		}
	}
	for i, m := range matches {
		switch {
		case len(m.Tickets) == 0:
		case i < len(p.scene.Sessions):
			m.Session = p.scene.Sessions[i].ID
			out.Backfills = append(out.Backfills, m)
		default:
			m.Region = p.Schema().RegionName(p.servers[i].Region)
			out.Matches = append(out.Matches, m)
		}
	}
}
