package candidate

import (
	"slices"

	"mmsim/matcher/engine/internal/store"
)

// valueSets contains the bitmaps of one rule, for each limit that was queried.
type valueSets struct {
	sets []*valueSet
	used int
}

// valueSet contains the bitmaps of one rule under one limit.
type valueSet struct {
	bound     float64 // Bound of the limit, or the result of Asks for a TwoSided rule
	positions []byValue
	masks     []uint64 // mask of the row at each position, padded with 0 to full words
}

// byValue contains one word of each value's bitmap. A query reads a few words for many values, so
// these words are next to each other in memory. A separate bitmap for each value took 1 percent
// more instructions over a simulated day.
type byValue [64]uint64

// forget invalidates the bitmaps but keeps their memory.
func (v *valueSets) forget() { v.used = 0 }

// Masking is a Valued rule that can compute the masks of many rows in one call. For regions, this
// saves 4 percent of the instructions of a day.
type Masking interface {
	Masks(masks []uint64, l *store.Limit, candidates []Row)
}

// CandidateMasking is a TwoSided rule that computes CandidateMask for many candidates in one call.
type CandidateMasking interface {
	CandidateMasks(masks []uint64, l *store.Limit, candidates []Row)
}

// candidateMasks is a TwoSided rule whose masks contain the values of candidates.
type candidateMasks struct{ TwoSided }

// Masks implements Masking. The index calls it instead of Mask.
func (t candidateMasks) Masks(masks []uint64, l *store.Limit, candidates []Row) {
	if many, ok := t.TwoSided.(CandidateMasking); ok {
		many.CandidateMasks(masks, l, candidates)
		return
	}
	for i, row := range candidates {
		masks[i] = t.CandidateMask(l, row)
	}
}

// of returns the bitmaps of a rule under a limit. It computes them on first use.
func (x *Index) of(rule int, l *store.Limit) *valueSet {
	if two := x.twoSided[rule]; two != nil {
		return x.setOf(&x.sets[rule], two.Asks(l), candidateMasks{two}, l)
	}
	return x.setOf(&x.sets[rule], l.Bound, x.rules.Valued[rule], l)
}

// setOf returns the bitmaps in v for a bound. All limits with the same bound must give the same
// masks.
func (x *Index) setOf(v *valueSets, bound float64, rule Valued, l *store.Limit) *valueSet {
	for _, s := range v.sets[:v.used] {
		if s.bound == bound {
			return s
		}
	}
	if v.used == len(v.sets) {
		v.sets = append(v.sets, new(valueSet))
	}
	s := v.sets[v.used]
	v.used++
	s.bound, s.positions, s.masks = bound, slices.Grow(s.positions[:0], x.words)[:x.words], resize(s.masks, 64*x.words)
	x.mask(s.masks, rule, l)
	s.fill()
	return s
}

// mask stores the masks of all members under a limit. It sets the rest of the last word to 0.
func (x *Index) mask(masks []uint64, rule Valued, l *store.Limit) {
	clear(masks[len(x.inOrder):])
	if many, ok := rule.(Masking); ok {
		many.Masks(masks[:len(x.inOrder)], l, x.inOrder)
		return
	}
	for k, row := range x.inOrder {
		masks[k] = rule.Mask(l, row)
	}
}

// fill converts the masks to one bitmap per value, 64 members at a time.
func (s *valueSet) fill() {
	const low = 1<<32 - 1
	for k := range s.positions {
		masks, all := (*[64]uint64)(s.masks[k*64:]), uint64(0)
		lower, upper := (*[32]uint64)(s.positions[k][:32]), (*[32]uint64)(s.positions[k][32:])
		for i := range lower {
			a, b := masks[i], masks[i+32]
			lower[i] = a&low | b<<32
			all |= a | b
		}
		transpose(lower)
		clear(upper[:])
		if all > low {
			for i := range upper {
				upper[i] = masks[i]>>32 | masks[i+32]&^low
			}
			transpose(upper)
		}
	}
}

// transpose transposes two 32×32 squares of bits that are side by side: in each half, bit i of
// word k becomes bit k of word i. It is fast because it shifts only by constants and performs two
// steps each time it reads and writes a word.
func transpose(square *[32]uint64) {
	for k := range 8 {
		a, c := swap(square[k], square[k+16], 16, 0x0000ffff0000ffff)
		b, d := swap(square[k+8], square[k+24], 16, 0x0000ffff0000ffff)
		square[k], square[k+8] = swap(a, b, 8, 0x00ff00ff00ff00ff)
		square[k+16], square[k+24] = swap(c, d, 8, 0x00ff00ff00ff00ff)
	}
	for at := 0; at < 32; at += 8 {
		part := (*[8]uint64)(square[at:])
		for k := range 2 {
			a, c := swap(part[k], part[k+4], 4, 0x0f0f0f0f0f0f0f0f)
			b, d := swap(part[k+2], part[k+6], 4, 0x0f0f0f0f0f0f0f0f)
			part[k], part[k+2] = swap(a, b, 2, 0x3333333333333333)
			part[k+4], part[k+6] = swap(c, d, 2, 0x3333333333333333)
		}
	}
	for at := 0; at < 32; at += 2 {
		pair := (*[2]uint64)(square[at:])
		pair[0], pair[1] = swap(pair[0], pair[1], 1, 0x5555555555555555)
	}
}

// swap exchanges the bits of a that are in mask << shift with the bits of b that are in mask.
func swap(a, b uint64, shift int, mask uint64) (_, _ uint64) {
	moved := (a>>shift ^ b) & mask
	return a ^ moved<<shift, b ^ moved
}
