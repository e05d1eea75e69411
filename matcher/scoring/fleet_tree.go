package scoring

import (
	"math"
	"slices"

	"mmsim/matcher"
)

// leafMost is how many servers are a group that is not divided any more.
const leafMost = 16

// tree groups the servers that strangers may join: first by class and region, then
// in two parts each along the column in which they differ most by the weights.
// Every node has the outline of its servers, which never bounds more than them. How
// the tree has grown decides what a search costs, never what it finds.
type tree struct {
	layout  layout
	servers []*Server // by place
	rows    []float64 // their outlines
	roots   []root
	nodes   []node
	bounds  []float64 // outlines of nodes
	free    []int32   // nodes
}

// root is the group of a class and region.
type root struct {
	class matcher.Text
	node  int32
}

type node struct {
	parent      int32 // none: a root
	left, right int32 // none: a leaf
	column      int   // along which it is divided: at most threshold is left; none: anyhow
	threshold   float64
	region      matcher.Region
	count       int32   // servers
	oldest      *Server // of them
	members     []int32 // of a leaf, places of its servers
}

// room makes room for one more server and returns its place.
func (t *tree) room(s *Server) int32 {
	t.servers = append(t.servers, s)
	t.rows = append(t.rows, make([]float64, t.layout.width)...)
	return int32(len(t.servers) - 1)
}

func (t *tree) outlineOf(s *Server) []float64 { return t.row(s.place) }

func (t *tree) row(place int32) []float64 {
	i := int(place) * t.layout.width
	return t.rows[i : i+t.layout.width]
}

func (t *tree) bound(node int32) []float64 {
	i := int(node) * t.layout.width
	return t.bounds[i : i+t.layout.width]
}

// leaf returns an empty leaf.
func (t *tree) leaf(parent int32, region matcher.Region) int32 {
	var at int32
	if last := len(t.free) - 1; last >= 0 {
		at = t.free[last]
		t.free = t.free[:last]
	} else {
		at = int32(len(t.nodes))
		t.nodes = append(t.nodes, node{})
		t.bounds = append(t.bounds, make([]float64, t.layout.width)...)
	}
	t.nodes[at] = node{parent: parent, left: none, right: none, region: region, members: t.nodes[at].members[:0]}
	t.clear(at)
	return at
}

// clear leaves a node with the outline of no servers.
func (t *tree) clear(at int32) {
	t.nodes[at].oldest = nil
	bound := t.bound(at)
	for i := range bound {
		bound[i] = math.Inf(-1)
	}
}

// rootOf returns the root of a server's class and region, a new one at first sight.
func (t *tree) rootOf(s *Server) int32 {
	for _, r := range t.roots {
		if r.class == s.Class && t.nodes[r.node].region == s.Region {
			return r.node
		}
	}
	at := t.leaf(none, s.Region)
	t.roots = append(t.roots, root{s.Class, at})
	return at
}

// insert puts in a server whose outline is drawn.
func (t *tree) insert(s *Server) {
	row := t.outlineOf(s)
	at := t.rootOf(s)
	for {
		n := &t.nodes[at]
		t.take(at, s)
		n.count++
		if n.left == none {
			break
		}
		at = t.side(n, row)
	}
	n := &t.nodes[at]
	n.members = append(n.members, s.place)
	s.leaf = at
	if len(n.members) > leafMost {
		t.divide(at)
	}
}

// take makes a node's outline and oldest server those of one more server.
func (t *tree) take(at int32, s *Server) {
	raise(t.bound(at), t.outlineOf(s))
	if n := &t.nodes[at]; n.oldest == nil || s.before(n.oldest) {
		n.oldest = s
	}
}

// side returns the part of a divided node in which an outline belongs.
func (t *tree) side(n *node, row []float64) int32 {
	left := t.nodes[n.left].count < t.nodes[n.right].count
	if n.column != none {
		left = row[n.column] <= n.threshold
	}
	if left {
		return n.left
	}
	return n.right
}

// divide makes two leaves of one.
func (t *tree) divide(at int32) {
	column, threshold := t.widest(t.nodes[at].members)
	left, right := t.leaf(at, t.nodes[at].region), t.leaf(at, t.nodes[at].region)
	n := &t.nodes[at]
	n.left, n.right, n.column, n.threshold = left, right, column, threshold
	for _, place := range n.members {
		s := t.servers[place]
		part := t.side(n, t.row(place))
		t.take(part, s)
		t.nodes[part].count++
		t.nodes[part].members = append(t.nodes[part].members, place)
		s.leaf = part
	}
	n.members = n.members[:0]
}

// widest returns the column in which servers differ most by the weights, and the
// middle of it; none: they do not differ.
func (t *tree) widest(members []int32) (column int, threshold float64) {
	column, widest := none, 0.0
	for _, a := range t.layout.aspects {
		for c := a.at; c < a.at+a.columns; c++ {
			low, high := math.Inf(1), math.Inf(-1)
			for _, place := range members {
				v := t.rows[int(place)*t.layout.width+c]
				low, high = min(low, v), max(high, v)
			}
			if low == high {
				continue
			}
			if worth := a.worth(low, high); worth > widest {
				column, widest, threshold = c, worth, middle(low, high)
			}
		}
	}
	return column, threshold
}

// middle returns a number that is at least low and below high.
func middle(low, high float64) float64 {
	if math.IsInf(low, -1) {
		return -math.MaxFloat64
	}
	if m := low/2 + high/2; m < high {
		return max(low, m)
	}
	return low
}

// remove takes a server out, if it is in.
func (t *tree) remove(s *Server) {
	if s.leaf == none {
		return
	}
	at := s.leaf
	n := &t.nodes[at]
	i, last := slices.Index(n.members, s.place), len(n.members)-1
	n.members[i] = n.members[last]
	n.members = n.members[:last]
	s.leaf = none
	row, changed := t.outlineOf(s), true
	for ; at != none; at = t.nodes[at].parent {
		n := &t.nodes[at]
		n.count--
		switch {
		case n.left != none && n.count <= leafMost/2:
			t.unite(at)
		case changed:
			changed = t.lower(at, row, s)
		}
	}
}

// lower draws a node's outline again after a server has left, if it was he who
// decided any of it. It tells whether it changed.
func (t *tree) lower(at int32, row []float64, left *Server) bool {
	n, bound := &t.nodes[at], t.bound(at)
	decided := n.oldest == left
	for i, v := range row {
		decided = decided || v == bound[i]
	}
	if !decided {
		return false
	}
	t.clear(at)
	if n.left == none {
		for _, place := range n.members {
			t.take(at, t.servers[place])
		}
		return true
	}
	for _, part := range [2]int32{n.left, n.right} {
		p := &t.nodes[part]
		raise(bound, t.bound(part))
		if p.oldest != nil && (n.oldest == nil || p.oldest.before(n.oldest)) {
			n.oldest = p.oldest
		}
	}
	return true
}

// unite makes a leaf of a node of few servers.
func (t *tree) unite(at int32) {
	n := &t.nodes[at]
	left, right := n.left, n.right
	n.left, n.right = none, none
	n.members = n.members[:0]
	t.clear(at)
	t.gather(left, at)
	t.gather(right, at)
}

// gather moves the servers of a part, which is given up, to a leaf.
func (t *tree) gather(part, to int32) {
	n := &t.nodes[part]
	if n.left != none {
		t.gather(n.left, to)
		t.gather(n.right, to)
	}
	for _, place := range n.members {
		s := t.servers[place]
		s.leaf = to
		t.take(to, s)
		t.nodes[to].members = append(t.nodes[to].members, place)
	}
	t.free = append(t.free, part)
}
