package scoring

import (
	"math"
	"slices"

	"mmsim/matcher"
)

const (
	// leafMost is how many servers are not divided any more when a tree is built.
	leafMost = 8
	// none stands where there is no node.
	none = -1
)

// tree groups the servers of one class and region that strangers may join. It is
// built by dividing them in two along the column in which they differ most by the
// weights, again and again; every node has an outline that bounds its servers.
//
// Between two builds the outlines only rise: a server that changes stays in its leaf,
// one that leaves is not taken off the outlines. Once as many changes were made as
// there are servers the tree is built anew. How it has grown decides what a search
// costs, never what it finds.
//
// Dividing does not pay on days of up to 6,000 servers: BenchmarkFleetDay with
// attributes takes 4.9 s of CPU with it and 4.7 s where a tree is one leaf. Beyond that
// it is not measured.
type tree struct {
	*layout
	class    matcher.Text
	region   matcher.Region
	nodes    []node
	outlines []float64 // of nodes
	size     int       // servers
	changes  int       // since the tree was built
	all      []*Server // while it is built
}

type node struct {
	parent      int32 // none: the root
	left, right int32 // none: a leaf
	column      int   // along which it is divided: at most threshold is left
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

// leaf appends an empty leaf. It uses what an earlier build left behind.
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

// update takes in a server whose outline is new, or was drawn again.
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

// remove takes a server out.
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

// side returns the part of a divided node in which a server belongs.
func (t *tree) side(n *node, s *Server) int32 {
	if s.outline[n.column] <= n.threshold {
		return n.left
	}
	return n.right
}

// changed counts a change and builds the tree anew when there were many.
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

// divide makes two of a leaf that has too many servers, and so on with those.
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

// widest returns the column in which servers differ most by the weights, and the
// middle of it. It is the age when they do not; none: they are as old too.
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
