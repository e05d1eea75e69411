package scoring

import (
	"fmt"

	"mmsim/matcher"
)

// Fleet is the running servers under one Scorer, kept so that the best server for
// a player is found without a look at most of the others: servers are grouped by
// what they offer, and a group is opened only where the best that it could offer
// is good enough. Which server is chosen never depends on that: it is the one that
// Scorer.Scores and Scorer.Best choose. The files fleet_*.go are in the order of a
// search: what a server offers (outline), how servers are grouped by it (tree), what
// the player asks of an outline (term), and which groups are opened (best).
//
// Not safe for concurrent use. Cost of Join and Leave: about half a microsecond each;
// of Best: some 5 µs among 500 servers with free seats that all differ, 12 µs among
// 5,000, less where they are alike; it allocates nothing. Memory: 4 bytes for every
// server ever opened, and some 150 bytes for each running one and each signal that
// compares texts.
type Fleet struct {
	scorer *Scorer
	layout layout
	tree   tree

	bySequence []int32   // place of a server in tree.servers; none: closed
	closed     []*Server // to be used again
	running    int
	search     fleetSearch
}

// none stands where there is no node or server.
const none = -1

// NewFleet returns a fleet without servers. The scoring must not change while the
// fleet is in use.
func NewFleet(scorer *Scorer) *Fleet {
	layout := newLayout(scorer)
	return &Fleet{scorer: scorer, layout: layout, tree: tree{layout: layout}}
}

// Open starts a server on which nobody plays yet, and gives it the next Sequence,
// from 0. Its exported fields must stay as they are while it runs.
func (f *Fleet) Open(server Server) *Server {
	server.Sequence = int32(len(f.bySequence))
	server.checkSeats()
	var s *Server
	if last := len(f.closed) - 1; last >= 0 {
		s = f.closed[last]
		f.closed = f.closed[:last]
		server.tallies, server.place = s.tallies, s.place // the tallies of nobody
		*s = server
	} else {
		s = f.scorer.Open(server)
		s.place = f.tree.room(s)
	}
	s.leaf = none
	f.bySequence = append(f.bySequence, s.place)
	f.running++
	f.settle(s)
	return s
}

// Close ends a server, on which nobody plays any more. It must not be used again.
func (f *Fleet) Close(s *Server) {
	if s.players > 0 {
		panic(fmt.Sprintf("scoring: a server closes with %d players", s.players))
	}
	f.tree.remove(s)
	f.bySequence[s.Sequence] = none
	f.closed = append(f.closed, s)
	f.running--
}

// Join counts a player in, as Scorer.Join does.
func (f *Fleet) Join(s *Server, p *matcher.Player) {
	f.scorer.Join(s, p)
	f.settle(s)
}

// Leave counts a player out, as Scorer.Leave does.
func (f *Fleet) Leave(s *Server, p *matcher.Player) {
	f.scorer.Leave(s, p)
	f.settle(s)
}

// Running returns how many servers there are.
func (f *Fleet) Running() int { return f.running }

// settle puts a server where it belongs now. One that takes nobody, or only those who
// know somebody, is in no group: a search looks at the servers of friends anyway.
func (f *Fleet) settle(s *Server) {
	f.tree.remove(s)
	if s.Closed == "" && s.players < s.Capacity-f.scorer.KeptSeats {
		f.layout.draw(f.tree.outlineOf(s), s)
		f.tree.insert(s)
	}
}

// server returns a running server by its Sequence, nil when there is none.
func (f *Fleet) server(sequence int32) *Server {
	if sequence < 0 || int(sequence) >= len(f.bySequence) || f.bySequence[sequence] == none {
		return nil
	}
	return f.tree.servers[f.bySequence[sequence]]
}
