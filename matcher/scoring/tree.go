package scoring

import (
	"math"
	"slices"

	"mmsim/matcher"
)

const (
	// leafMost is the number of servers up to which a leaf is not divided.
	leafMost = 8
	// none is the index of no node.
	none = -1
)

// tree groups the servers of one class and region that any player may join. It is built by
// repeatedly dividing them in two along the column with the largest weighted range. Every
// node has an outline that bounds its servers.
//
// Between two builds the outlines only rise: a server that changes stays in its leaf, and a
// server that leaves still counts in the outlines. After as many changes as there are servers
// the tree is rebuilt. The shape of the tree affects the cost of a search, never its result.
//
// Dividing does not pay off on days of up to 6,000 servers: BenchmarkFleetDay with attributes
// takes 4.9 s of CPU with it and 4.7 s with a single leaf per tree. Larger days were not
// measured.
type tree struct {
	*layout
	class    matcher.Text
	region   matcher.Region
	nodes    []node
	outlines []float64 // of nodes
	size     int       // servers
	changes  int       // since the last build
	all      []*Server // used during a build
}

type node struct {
	parent      int32 // none: the root
	left, right int32 // none: a leaf
	column      int   // by which it is divided: values up to threshold go left
	threshold   float64
	members     []*Server // of a leaf
}

func newTree(l *layout, class matcher.Text, region matcher.Region) *tree {
	t := &tree{layout: l, class: class, region: region}
	t.leaf(none)
	return t
}

func (t *tree) outline(node int32) []float64 {
	i := int(node) * t.width
	return t.outlines[i : i+t.width]
}

// leaf appends an empty leaf. It reuses the memory of earlier builds.
func (t *tree) leaf(parent int32) int32 {
	at := len(t.nodes)
	t.nodes = slices.Grow(t.nodes, 1)[:at+1]
	t.nodes[at] = node{parent: parent, left: none, right: none, members: t.nodes[at].members[:0]}
	t.outlines = slices.Grow(t.outlines, t.width)[:(at+1)*t.width]
	for i := range t.width {
		t.outlines[at*t.width+i] = math.Inf(-1)
	}
	return int32(at)
}

// update adds a server, or takes account of its changed outline.
func (t *tree) update(s *Server) {
	if s.leaf == none {
		at := int32(0)
		for t.nodes[at].left != none {
			at = t.side(&t.nodes[at], s)
		}
		t.put(at, s)
		t.size++
	}
	for at := s.leaf; at != none && raise(t.outline(at), s.outline); {
		at = t.nodes[at].parent
	}
	t.changed()
}

// remove removes a server.
func (t *tree) remove(s *Server) {
	n := &t.nodes[s.leaf]
	i, last := slices.Index(n.members, s), len(n.members)-1
	n.members[i] = n.members[last]
	n.members = n.members[:last]
	s.leaf = none
	t.size--
	t.changed()
}

func (t *tree) put(at int32, s *Server) {
	t.nodes[at].members = append(t.nodes[at].members, s)
	s.leaf = at
}

// side returns the child of a divided node to which a server belongs.
func (t *tree) side(n *node, s *Server) int32 {
	if s.outline[n.column] <= n.threshold {
		return n.left
	}
	return n.right
}

// changed counts a change and rebuilds the tree after many of them.
func (t *tree) changed() {
	if t.changes++; t.changes <= t.size {
		return
	}
	t.changes, t.all = 0, t.all[:0]
	for i := range t.nodes {
		t.all = append(t.all, t.nodes[i].members...)
	}
	t.nodes, t.outlines = t.nodes[:0], t.outlines[:0]
	root := t.leaf(none)
	for _, s := range t.all {
		t.put(root, s)
		raise(t.outline(root), s.outline)
	}
	t.divide(root)
}

// divide splits a leaf with too many servers in two, recursively.
func (t *tree) divide(at int32) {
	if len(t.nodes[at].members) <= leafMost {
		return
	}
	column, threshold := t.widest(t.nodes[at].members)
	if column == none {
		return
	}
	left, right := t.leaf(at), t.leaf(at)
	n := &t.nodes[at]
	n.left, n.right, n.column, n.threshold = left, right, column, threshold
	for _, s := range n.members {
		part := t.side(n, s)
		t.put(part, s)
		raise(t.outline(part), s.outline)
	}
	n.members = n.members[:0]
	t.divide(left)
	t.divide(right)
}

// widest returns the column with the largest weighted range, and its middle. If no column has
// a range, it is the age; none: the servers have the same age too.
func (t *tree) widest(members []*Server) (column int, threshold float64) {
	column, widest := none, math.Inf(-1)
	for c := range t.width {
		low, high := math.Inf(1), math.Inf(-1)
		for _, s := range members {
			low, high = min(low, s.outline[c]), max(high, s.outline[c])
		}
		if low == high {
			continue
		}
		if worth := min(t.weight[c], t.gain[c]*(high-low)); worth > widest {
			column, widest, threshold = c, worth, middle(low, high)
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
