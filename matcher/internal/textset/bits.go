package textset

import "mmsim/matcher"

// Bits numbers texts in the order of Add. The first 64 texts have a bit of their own; later
// ones share these bits.
type Bits struct {
	number []int32 // by text, from 1; 0: not added
	seen   int32
}

// Add gives a text a bit unless it has one.
func (b *Bits) Add(t matcher.Text) {
	for int(t) >= len(b.number) {
		b.number = append(b.number, 0)
	}
	if b.number[t] == 0 {
		b.seen++
		b.number[t] = b.seen
	}
}

// Of returns the bit of a text that was added.
func (b *Bits) Of(t matcher.Text) uint64 { return 1 << ((b.number[t] - 1) % 64) }

// Find returns the bit of a text, or 0 for a text that was not added.
func (b *Bits) Find(t matcher.Text) uint64 {
	if int(t) >= len(b.number) || b.number[t] == 0 {
		return 0
	}
	return b.Of(t)
}

// Exact reports whether every text has a bit of its own and at least one bit is unused.
func (b *Bits) Exact() bool { return b.seen < 64 }
