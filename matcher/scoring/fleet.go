package scoring

import (
	"fmt"
	"math"

	"mmsim/matcher"
	"mmsim/matcher/heap"
)

// Fleet contains the running servers under one Scorer. It finds the best server for a player
// without scoring most of the others: it groups servers with similar values, and looks into a
// group only if the bound on its scores is high enough. It chooses the same server as
// Scorer.Scores and Scorer.Best.
//
// A Fleet is not safe for concurrent use.
type Fleet struct {
	scorer *Scorer
	layout layout
	trees  []*tree

	bySequence []*Server // indexed by Sequence; nil for a closed server
	running    int
	search     search
}

// NewFleet returns a fleet without servers. The scorer must not change while the fleet is in use.
func NewFleet(scorer *Scorer) *Fleet {
	f := &Fleet{scorer: scorer, layout: newLayout(scorer)}
	f.search.fleet = f
	return f
}

// Open starts an empty server and sets its Sequence. Sequences begin at 0. The server's exported
// fields must not change while it runs.
func (f *Fleet) Open(server Server) *Server {
	server.Sequence = int32(len(f.bySequence))
	s := f.scorer.Open(server)
	s.outline, s.tree, s.leaf = make([]float64, f.layout.width), f.treeOf(s), none
	f.bySequence = append(f.bySequence, s)
	f.running++
	f.settle(s)
	return s
}

// treeOf returns the index of the tree for a server's class and region.
func (f *Fleet) treeOf(s *Server) int32 {
	for i, t := range f.trees {
		if t.class == s.Class && t.region == s.Region {
			return int32(i)
		}
	}
	f.trees = append(f.trees, newTree(&f.layout, s.Class, s.Region))
	return int32(len(f.trees) - 1)
}

// SetClosed closes a server to more players for a reason, or opens it if the reason is "".
func (f *Fleet) SetClosed(s *Server, why string) {
	if s.Closed != why {
		s.Closed = why
		f.settle(s)
	}
}

// Close removes a server, which must be empty. The caller must not use it again.
func (f *Fleet) Close(s *Server) {
	if s.players > 0 {
		panic(fmt.Sprintf("scoring: a server closes with %d players", s.players))
	}
	if s.leaf != none {
		f.trees[s.tree].remove(s)
	}
	f.bySequence[s.Sequence] = nil
	f.running--
}

// Join adds a player to a server, as Scorer.Join does.
func (f *Fleet) Join(s *Server, p *matcher.Player) {
	f.scorer.Join(s, p)
	f.settle(s)
}

// Leave removes a player from a server, as Scorer.Leave does.
func (f *Fleet) Leave(s *Server, p *matcher.Player) {
	f.scorer.Leave(s, p)
	f.settle(s)
}

// Running returns the number of servers.
func (f *Fleet) Running() int { return f.running }

// settle adds a server to its tree, updates it there, or removes it, because a tree contains only
// servers that any player may join. A search finds the servers of a player's acquaintances without
// the trees.
func (f *Fleet) settle(s *Server) {
	if s.Closed == "" && s.players < s.Capacity-f.scorer.KeptSeats {
		f.layout.draw(s.outline, s)
		f.trees[s.tree].update(s)
	} else if s.leaf != none {
		f.trees[s.tree].remove(s)
	}
}

// Best returns the server that Scorer.Scores and Scorer.Best choose for a player among all running
// servers. It also returns the runner-up, which would be the best without that server. Each result
// is nil if there is no such server. Both are nil if the best score is below MinScore. Best does
// not allocate.
func (f *Fleet) Best(j *Joiner) (best, runnerUp *Server) {
	q := &f.search
	q.begin(j)
	for len(q.frontier) > 0 && q.frontier[0].bound > q.second {
		q.expand(q.frontier.Pop(higher))
	}
	// The two highest scores are known now. The remaining nodes can at most equal them.
	if math.IsInf(q.first, -1) || q.first < f.scorer.MinScore {
		return nil, nil
	}
	best, runnerUp = q.choose()
	for len(q.frontier) > 0 {
		q.youngest = float64(max(best.CreatedMS, runnerUp.CreatedMS))
		if n := q.frontier.Pop(higher); n.bound >= q.least && -f.trees[n.tree].outline(n.node)[0] <= q.youngest {
			q.expand(n)
			best, runnerUp = q.choose()
		}
	}
	return best, runnerUp
}

// search is a search for the best server and the runner-up. It expands nodes in the order of their
// bounds, until no bound exceeds the second highest score found. The two highest scores are known
// only then. After that it expands the nodes that may contain an older server with an equal score.
type search struct {
	fleet  *Fleet
	joiner *Joiner
	number uint32
	bounds []bound

	first, second float64  // the two highest scores; -Inf if there are none
	least         float64  // lowest score that still counts as equal to the second highest score
	youngest      float64  // servers created after this instant cannot be chosen
	found         []scored // servers whose scores may equal one of the two highest
	frontier      heap.Heap[unexpandedNode]
}

type scored struct {
	server *Server
	score  float64
}

// unexpandedNode is a node that was not expanded yet.
type unexpandedNode struct {
	bound      float64
	tree, node int32
}

// higher orders nodes by their bounds. The node with the highest bound is expanded first.
func higher(a, b *unexpandedNode) bool { return a.bound > b.bound }

// begin scores the servers on which the player knows somebody, because bounds assume that the
// player knows nobody. Then it adds the roots of the trees to the frontier.
func (q *search) begin(j *Joiner) {
	q.joiner = j
	q.number++
	q.first, q.second, q.least, q.youngest = math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(1)
	q.found, q.frontier = q.found[:0], q.frontier[:0]
	f := q.fleet
	for _, sequence := range j.Known {
		if sequence < 0 || int(sequence) >= len(f.bySequence) {
			continue
		}
		s := f.bySequence[sequence]
		if s == nil || s.seen == q.number {
			continue
		}
		s.seen = q.number
		if f.scorer.Obstruction(j, s) == Joinable {
			q.score(s)
		}
	}
	q.bounds = f.layout.ask(q.bounds, j)
	for i, t := range f.trees {
		if t.class == j.Class && t.size > 0 {
			q.meet(int32(i), 0)
		}
	}
}

// score scores a server and records it.
func (q *search) score(s *Server) {
	score := q.fleet.scorer.Score(q.joiner, s)
	switch {
	case score > q.first:
		q.first, q.second = score, q.first
	case score > q.second:
		q.second = score
	}
	q.least = atLeast(q.second)
	if score >= q.least {
		q.found = append(q.found, scored{s, score})
	}
}

// meet adds a node to the frontier, unless the node contains no server that can be chosen.
func (q *search) meet(tree, node int32) {
	t := q.fleet.trees[tree]
	if bound := most(q.bounds, t.outline(node), t.region); bound >= q.least {
		q.frontier.Push(unexpandedNode{bound, tree, node}, higher)
	}
}

// expand replaces a node by its children, or scores the servers of a leaf.
func (q *search) expand(u unexpandedNode) {
	t := q.fleet.trees[u.tree]
	n := &t.nodes[u.node]
	if n.left != none {
		q.meet(u.tree, n.left)
		q.meet(u.tree, n.right)
		return
	}
	for _, s := range n.members {
		if s.seen != q.number && -s.outline[0] <= q.youngest && most(q.bounds, s.outline, t.region) >= q.least {
			q.score(s)
		}
	}
}

// choose returns the oldest of the servers with the highest score. It also returns the runner-up,
// which it chooses in the same way from the remaining servers. Scores that differ only by rounding
// are equal.
func (q *search) choose() (best, runnerUp *Server) {
	best, score := q.oldest(q.first, nil)
	rest := q.second
	if score < q.first {
		rest = q.first
	}
	runnerUp, _ = q.oldest(rest, best)
	return best, runnerUp
}

// oldest returns the oldest server found whose score equals a given score or is higher. Scores that
// differ only by rounding are equal. It ignores the server that is passed as except. its is the
// score of the result.
func (q *search) oldest(score float64, except *Server) (oldest *Server, its float64) {
	least := atLeast(score)
	for _, c := range q.found {
		if c.score >= least && c.server != except && (oldest == nil || c.server.before(oldest)) {
			oldest, its = c.server, c.score
		}
	}
	return oldest, its
}

// atLeast returns the lowest score that still counts as equal to a score.
func atLeast(score float64) float64 {
	if math.IsInf(score, -1) {
		return score
	}
	return score - tieTolerance(score)
}
