package matcher

// TextBits assigns each added text one of the bits of a 64-bit mask. The first 64 texts have bits of
// their own. Later texts share these bits.
type TextBits struct {
	number []uint32 // by text, from 1; 0 if the text was not added
	seen   uint32
}

// Add returns the bit of a text and adds the text unless it was added before.
func (b *TextBits) Add(t Text) uint64 {
	for int(t) >= len(b.number) {
		b.number = append(b.number, 0)
	}
	if b.number[t] == 0 {
		b.seen++
		b.number[t] = b.seen
	}
	return b.Of(t)
}

// Of returns the bit of a text, which must have been added.
func (b *TextBits) Of(t Text) uint64 { return 1 << ((b.number[t] - 1) % 64) }

// Find returns the bit of a text, or 0 if it was not added.
func (b *TextBits) Find(t Text) uint64 {
	if int(t) >= len(b.number) || b.number[t] == 0 {
		return 0
	}
	return b.Of(t)
}

// Exact reports whether every text has its own bit and at least one bit is unused.
func (b *TextBits) Exact() bool { return b.seen < 64 }
