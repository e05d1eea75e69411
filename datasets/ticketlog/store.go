package ticketlog

import "math"

// chunks is a list that grows without being copied: of ten million tickets, a slice that grows would keep
// twice their memory for a while. Pointers to its elements stay valid.
type chunks[T any] struct {
	list [][]T
	len  int
}

// chunkLen is the number of elements of a chunk, a power of two.
const chunkLen = 1 << 14

// at returns the element with an index.
func (c *chunks[T]) at(i uint32) *T { return &c.list[i/chunkLen][i%chunkLen] }

// add appends an element.
func (c *chunks[T]) add(value T) {
	if c.len%chunkLen == 0 {
		c.list = append(c.list, make([]T, 0, chunkLen))
	}
	last := &c.list[len(c.list)-1]
	*last = append(*last, value)
	c.len++
}

// all calls yield with every element, in order.
func (c *chunks[T]) all(yield func(i uint32, value *T) bool) {
	for at, chunk := range c.list {
		for i := range chunk {
			if !yield(uint32(at*chunkLen+i), &chunk[i]) {
				return
			}
		}
	}
}

// take calls yield with every element, in order, and frees them.
func (c *chunks[T]) take(yield func(value *T)) {
	for at, chunk := range c.list {
		for i := range chunk {
			yield(&chunk[i])
		}
		c.list[at] = nil
	}
	*c = chunks[T]{}
}

// index finds numbers by their hashes, as a map does, in half of its memory: it asks for the hash of a
// number instead of keeping it. A slot has a number from 1 below 32 bits of the mixed hash, so that it asks
// only for numbers that it finds. An empty slot is 0.
type index struct {
	slots  []uint64
	used   int
	hashOf func(number uint32) uint64
}

func newIndex(hashOf func(number uint32) uint64) index {
	return index{slots: make([]uint64, 1<<10), hashOf: hashOf}
}

// tagOf returns the bits of a hash that a slot has. They also say where the search for the slot begins.
func tagOf(hash uint64) uint64 { return mixed(hash) &^ math.MaxUint32 }

// find returns the slot of a hash, and its number, or 0 if the hash is new.
func (x *index) find(hash uint64) (slot int, number uint32) {
	tag, last := tagOf(hash), len(x.slots)-1
	for i := int(tag>>32) & last; ; i = (i + 1) & last {
		switch n := uint32(x.slots[i]); {
		case n == 0:
			return i, 0
		case x.slots[i]-uint64(n) == tag && x.hashOf(n) == hash:
			return i, n
		}
	}
}

// set sets the number of a hash in the slot that find returned.
func (x *index) set(slot int, hash uint64, number uint32) {
	isNew := x.slots[slot] == 0
	if x.slots[slot] = tagOf(hash) | uint64(number); !isNew {
		return
	}
	if x.used++; 4*x.used < 3*len(x.slots) {
		return
	}
	old := x.slots
	x.slots = make([]uint64, 2*len(old))
	last := len(x.slots) - 1
	for _, s := range old {
		if s == 0 {
			continue
		}
		i := int(s>>32) & last
		for x.slots[i] != 0 {
			i = (i + 1) & last
		}
		x.slots[i] = s
	}
}
