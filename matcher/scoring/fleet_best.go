package scoring

import (
	"math"

	"mmsim/matcher/internal/heap"
)

// Best returns the server that a player joins, as Scorer.Scores and Scorer.Best
// choose it among all that run, and the one that would be best without it. nil:
// there is none, or none that is good enough. Cost: see Fleet; allocates nothing.
func (f *Fleet) Best(j *Joiner) (best, runnerUp *Server) {
	q := &f.search
	q.begin(f, j)
	q.lookAtKnown()
	for _, r := range f.tree.roots {
		if r.class == j.Class {
			q.meet(r.node)
		}
	}
	for len(q.frontier) > 0 && q.frontier[0].bound > q.second {
		q.open(q.frontier.Pop(higher).node)
	}
	if math.IsInf(q.first, -1) || q.first < f.scorer.MinScore {
		return nil, nil
	}
	best, score := q.oldest(atLeast(q.first), nil)
	rest := q.second
	if score < q.first {
		rest = q.first
	}
	if !math.IsInf(rest, -1) {
		runnerUp, _ = q.oldest(atLeast(rest), best)
	}
	return best, runnerUp
}

// atLeast returns the lowest score that equals a score but for rounding.
func atLeast(score float64) float64 {
	if math.IsInf(score, -1) {
		return score
	}
	return score - tieTolerance(score)
}

// fleetSearch is one search for the best server. Groups are opened in the order of
// their bounds until none can exceed the second best score that was found; only then
// is it known which scores equal the highest, and among those the oldest server is
// looked for, in the groups that are left too.
type fleetSearch struct {
	*Fleet
	joiner *Joiner
	number uint32
	terms  []term

	first, second float64  // highest scores; -Inf: none
	found         []scored // all servers looked at that may equal one of them
	frontier      heap.Heap[unopened]
}

type scored struct {
	server *Server
	score  float64
}

// unopened is a node that was not opened.
type unopened struct {
	bound float64
	node  int32
}

func higher(a, b *unopened) bool { return a.bound > b.bound }

func (q *fleetSearch) begin(f *Fleet, j *Joiner) {
	q.Fleet, q.joiner = f, j
	q.number++
	q.first, q.second = math.Inf(-1), math.Inf(-1)
	q.found, q.frontier = q.found[:0], q.frontier[:0]
	q.ask()
}

// lookAtKnown looks at the servers on which the player knows somebody. For all
// others that signal is 0.
func (q *fleetSearch) lookAtKnown() {
	for _, sequence := range q.joiner.Known {
		s := q.server(sequence)
		if s == nil || s.seen == q.number {
			continue
		}
		s.seen = q.number
		if q.scorer.Obstruction(q.joiner, s) == Joinable {
			q.find(s, q.scorer.Score(q.joiner, s))
		}
	}
}

// find notes the score of a server.
func (q *fleetSearch) find(s *Server, score float64) {
	switch {
	case score > q.first:
		q.first, q.second = score, q.first
	case score > q.second:
		q.second = score
	}
	if score >= atLeast(q.second) {
		q.found = append(q.found, scored{s, score})
	}
}

// meet puts a node on the frontier, unless nothing in it can be good enough.
func (q *fleetSearch) meet(at int32) {
	n := &q.tree.nodes[at]
	if n.count == 0 {
		return
	}
	if bound := q.most(q.tree.bound(at), n.region); bound >= atLeast(q.second) {
		q.frontier.Push(unopened{bound, at}, higher)
	}
}

// open looks into a node.
func (q *fleetSearch) open(at int32) {
	n := &q.tree.nodes[at]
	if n.left != none {
		q.meet(n.left)
		q.meet(n.right)
		return
	}
	for _, place := range n.members {
		if q.most(q.tree.row(place), n.region) < atLeast(q.second) {
			continue
		}
		if s := q.tree.servers[place]; s.seen != q.number {
			q.find(s, q.scorer.Score(q.joiner, s))
		}
	}
}

// oldest returns the oldest server, not counting one, whose score is at least so
// much, and its score.
func (q *fleetSearch) oldest(least float64, except *Server) (*Server, float64) {
	o := eldest{fleetSearch: q, least: least, except: except}
	for _, c := range q.found {
		o.consider(c.server, c.score)
	}
	for _, g := range q.frontier {
		if g.bound >= least {
			o.open(g.node)
		}
	}
	return o.server, o.score
}

// eldest is a search for the oldest server of those that are equal.
type eldest struct {
	*fleetSearch
	least  float64
	except *Server
	server *Server // the oldest so far
	score  float64
}

func (o *eldest) consider(s *Server, score float64) {
	if score >= o.least && s != o.except && (o.server == nil || s.before(o.server)) {
		o.server, o.score = s, score
	}
}

// open looks into a node that has an older server and may be good enough.
func (o *eldest) open(at int32) {
	n := &o.tree.nodes[at]
	if n.count == 0 || o.server != nil && !n.oldest.before(o.server) || o.most(o.tree.bound(at), n.region) < o.least {
		return
	}
	if n.left != none {
		first, second := n.left, n.right
		if a, b := o.tree.nodes[first].oldest, o.tree.nodes[second].oldest; a == nil || b != nil && b.before(a) {
			first, second = second, first
		}
		o.open(first)
		o.open(second)
		return
	}
	for _, place := range n.members {
		s := o.tree.servers[place]
		if s.seen == o.number || o.server != nil && !s.before(o.server) || o.most(o.tree.row(place), n.region) < o.least {
			continue
		}
		o.consider(s, o.scorer.Score(o.joiner, s))
	}
}
