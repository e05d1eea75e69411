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

// placementRules runs scenes with rules that place players on servers.
type placementRules struct{ vendor.Placement }

// Run implements Runner. It places tickets in the order of creation, and by id if they were created
// at the same time. It places the players of a ticket one by one, so the earlier players are
// already on their servers. Outcome.Scores and Outcome.Chosen are those of the very first player.
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

// byArrival returns the indices of tickets in the order in which they are placed.
func byArrival(tickets []Ticket) []int {
	order := byAge(tickets)
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(tickets[a].CreatedMS, tickets[b].CreatedMS), cmp.Compare(tickets[a].ID, tickets[b].ID))
	})
	return order
}

// placing is the state of a scene while players are placed.
type placing struct {
	vendor.Placement
	scene     *Scene
	reader    vendor.Reader
	servers   []*scoring.Server // servers of the scene, followed by new ones
	joining   [][]vendor.Player // by ticket and player
	occupants []occupant        // all players on servers

	// The following maps contain indices into occupants. They help to find the players whom a
	// joining player knows.
	byID, byFriend, byIP map[string][]int
	byTicket             map[int][]int
	list                 []float64 // scores of all servers for one player (scratch)
}

// occupant is a player on a server.
type occupant struct {
	id     string
	ticket int // index in the scene, or -1 for a player of a session
	server int // index into servers
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
	// Number the servers in the order of their ids. If several servers have equal scores and ages,
	// the one with the lowest number is chosen.
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

// player converts a player of the scene, including latencies.
func (p *placing) player(label string, from *Player, at jsontree.Value) vendor.Player {
	player := p.reader.Player(label, from.Attributes)
	for _, l := range from.Latencies {
		player.RTTMS = p.measured(player.RTTMS, l.Region, l.RTTMS, at)
	}
	return player
}

// session adds the server of a session with its players.
func (p *placing) session(i int) {
	from := &p.scene.Sessions[i]
	var players []vendor.Player
	var ids []string
	for _, team := range from.Teams {
		for j := range team.Players {
			label := fmt.Sprintf("session %q: player %q: attributes", from.ID, team.Players[j].ID)
			players = append(players, p.player(label, &team.Players[j], from.at))
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
		return // invalid values may exceed the range of scores
	}
	p.servers = append(p.servers, p.Scorer().Open(server))
	for j := range players {
		p.enter(&players[j], occupant{ids[j], -1, i})
	}
}

// mock returns the server of a session that describes its players only by totals relative to the
// joining player, see vendor.Mock. It returns nil for any other session.
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
			"session %q: attributes: got totals relative to the joining player, expected exactly one player in all tickets and no players in teams", from.ID)
		return nil
	}
	return mock
}

// measured sets the RTT to the named region in a player's list of RTTs, and returns the list.
func (p *placing) measured(rttMS []float64, name string, ms float64, at jsontree.Value) []float64 {
	rttMS, err := p.Schema().Measured(rttMS, name, ms)
	if err != nil {
		p.reader.Problems().Errorf(at, "latencies: %v", err)
	}
	return rttMS
}

// enter puts a player on a server.
func (p *placing) enter(player *vendor.Player, o occupant) {
	at := len(p.occupants)
	p.occupants = append(p.occupants, o)
	p.byID[o.id] = append(p.byID[o.id], at)
	for _, friend := range player.Friends {
		p.byFriend[friend] = append(p.byFriend[friend], at)
	}
	if player.IP != "" {
		p.byIP[player.IP] = append(p.byIP[player.IP], at)
	}
	if o.ticket >= 0 {
		p.byTicket[o.ticket] = append(p.byTicket[o.ticket], at)
	}
	p.Scorer().Join(p.servers[o.server], &player.Player)
}

// joiner returns a player of a ticket, with the occupants whom the player knows: friends (either of
// the two lists the other), players with the same IP address, and players of the same ticket. Each
// occupant counts once.
func (p *placing) joiner(ticket, player int) scoring.Joiner {
	from, id := &p.joining[ticket][player], p.scene.Tickets[ticket].Players[player].ID
	known := slices.Concat(p.byFriend[id], p.byTicket[ticket])
	if from.IP != "" {
		known = append(known, p.byIP[from.IP]...)
	}
	for _, friend := range from.Friends {
		known = append(known, p.byID[friend]...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	sequences := make([]int32, len(known))
	for i, at := range known {
		sequences[i] = p.servers[p.occupants[at].server].Sequence
	}
	return scoring.NewJoiner(from.Player, from.Class, sequences)
}

// choose returns the scores of all servers and the index of the best one, or -1 for a new server.
func (p *placing) choose(j *scoring.Joiner) (scores []float64, chosen int) {
	p.list = p.Scorer().Scores(p.list[:0], j, p.servers)
	return p.list, p.Scorer().Best(p.servers, p.list)
}

// place puts a player on the chosen server, or on a new server if chosen is -1. A new server has
// the capacity that the rules specify. If they specify none, it has the capacity of the first
// server in the scene.
func (p *placing) place(ticket, player, chosen int) {
	from := &p.joining[ticket][player]
	if chosen < 0 {
		server := p.NewServer(from)
		server.Sequence, server.CreatedMS = int32(len(p.servers)), p.scene.AtMS
		if server.Capacity == 0 && len(p.servers) > 0 {
			server.Capacity = p.servers[0].Capacity
		}
		server.Capacity = cmp.Or(server.Capacity, scoring.MaxSeats)
		chosen = len(p.servers)
		p.servers = append(p.servers, p.Scorer().Open(server))
	}
	p.enter(from, occupant{p.scene.Tickets[ticket].Players[player].ID, ticket, chosen})
}

// name returns the name of a server: the id of its session, "new" for the first new server, "new 2"
// for the second, and so on.
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

// scores returns the scores of the servers that the player can join.
func (p *placing) scores(list []float64) Scores {
	var scores Scores
	for i, score := range list {
		if !math.IsNaN(score) {
			scores = append(scores, Score{p.name(i), score})
		}
	}
	return scores
}

// report adds the servers that accepted players to the outcome. Servers of the scene are backfills,
// and new servers are matches.
func (p *placing) report(out *Outcome) {
	matches := make([]Match, len(p.servers))
	for _, o := range p.occupants {
		m := &matches[o.server]
		if m.Teams == nil {
			m.Teams = []TeamList{{Name: "all"}}
		}
		m.Teams[0].Players = append(m.Teams[0].Players, o.id)
		if o.ticket < 0 {
			continue
		}
		// Add each ticket only once. The players of a ticket are adjacent, so it is enough to
		// compare with the last ticket.
		if ticket := p.scene.Tickets[o.ticket].ID; len(m.Tickets) == 0 || m.Tickets[len(m.Tickets)-1] != ticket {
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
