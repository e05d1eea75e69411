package candidate

import (
	"math/bits"
	"slices"

	"mmsim/matcher/engine/internal/store"
)

// valueSets are the bitmaps of one rule: for each limit that was queried, a bitmap of positions
// for each value.
type valueSets struct {
	sets []*valueSet
	used int
}

// valueSet is the bitmaps under one limit.
type valueSet struct {
	bound  float64 // Bound of the limit; for a TwoSided rule the number of Asks
	places []byValue
	masks  []uint64 // by position, filled up to whole words
}

// byValue is one word of the bitmap of each value. A query reads a few words for many values,
// so the words of all values are next to each other: a separate bitmap for each value took
// 1 % more instructions of the matcher over a day.
type byValue [64]uint64

// forget invalidates the bitmaps but keeps their memory.
func (v *valueSets) forget() { v.used = 0 }

// masker returns the values of a row under a limit.
type masker interface {
	Mask(l *store.Limit, row Row) uint64
}

// Masking is a Valued rule that computes the masks of many rows in one call. For regions
// this saves 4 % of the instructions of a day.
type Masking interface {
	Masks(masks []uint64, l *store.Limit, rows []Row)
}

// theirs adapts the candidates' values of a TwoSided rule to masker.
type theirs struct{ TwoSided }

// Mask implements masker.
func (t theirs) Mask(l *store.Limit, row Row) uint64 { return t.Theirs(l, row) }

// TheirsMasking is a TwoSided that returns the values of many candidates in one call.
type TheirsMasking interface {
	TheirMasks(masks []uint64, l *store.Limit, rows []Row)
}

// theirsMasking is theirs for a rule that returns the values of many candidates in one call.
type theirsMasking struct {
	theirs
	many TheirsMasking
}

// Masks implements Masking.
func (t theirsMasking) Masks(masks []uint64, l *store.Limit, rows []Row) {
	t.many.TheirMasks(masks, l, rows)
}

// of returns the bitmaps of a rule under a limit. They are computed on first use.
func (x *Index) of(rule int, l *store.Limit) *valueSet {
	if two := x.twoSided[rule]; two != nil {
		values := masker(theirs{two})
		if many, ok := two.(TheirsMasking); ok {
			values = theirsMasking{theirs{two}, many}
		}
		return x.setOf(&x.sets[rule], two.Asks(l), values, l)
	}
	return x.setOf(&x.sets[rule], l.Bound, x.rules.Valued[rule], l)
}

// setOf returns the bitmaps of v for a bound. The masks must depend only on that number.
func (x *Index) setOf(v *valueSets, bound float64, rule masker, l *store.Limit) *valueSet {
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
	s.bound, s.places, s.masks = bound, slices.Grow(s.places[:0], x.words)[:x.words], resize(s.masks, 64*x.words)
	x.mask(s.masks, rule, l)
	s.fill()
	return s
}

// fewValues is the largest number of values for which testing each mask for each value is
// faster than a transposition.
const fewValues = 6

// mask stores the masks of all members under a limit, and 0 in the rest of the last word.
func (x *Index) mask(masks []uint64, rule masker, l *store.Limit) {
	clear(masks[len(x.placed):])
	if many, ok := rule.(Masking); ok {
		many.Masks(masks[:len(x.placed)], l, x.placed)
		return
	}
	for k, row := range x.placed {
		masks[k] = rule.Mask(l, row)
	}
}

// fill converts the masks into one bitmap per value, 64 members at a time, by transposing two
// squares of 32 bits side by side.
func (s *valueSet) fill() {
	clear(s.places)
	for k := range s.places {
		words, masks := &s.places[k], (*[64]uint64)(s.masks[k*64:])
		all := uint64(0)
		for _, mask := range masks {
			all |= mask
		}
		if bits.OnesCount64(all) <= fewValues {
			for ; all != 0; all &= all - 1 {
				b, word := bits.TrailingZeros64(all), uint64(0)
				for i, m := range masks {
					word |= m >> b & 1 << i
				}
				words[b%64] = word
			}
			continue
		}
		for half := 0; half < 64; half += 32 {
			if all>>half&(1<<32-1) == 0 {
				continue
			}
			var square [32]uint64
			for i := range square {
				square[i] = masks[i]>>half&(1<<32-1) | masks[i+32]>>half<<32
			}
			transpose(&square)
			copy(words[half:], square[:])
		}
	}
}

// transpose transposes two squares of 32 bits side by side: bit i of word k, in either half,
// becomes bit k of word i. It is fast because all shifts are by constants.
func transpose(square *[32]uint64) {
	for k := range 16 {
		square[k], square[k+16] = swap(square[k], square[k+16], 16, 0x0000ffff0000ffff)
	}
	for at := 0; at < 32; at += 16 {
		part := (*[16]uint64)(square[at:])
		for k := range 8 {
			part[k], part[k+8] = swap(part[k], part[k+8], 8, 0x00ff00ff00ff00ff)
		}
	}
	for at := 0; at < 32; at += 8 {
		part := (*[8]uint64)(square[at:])
		for k := range 4 {
			part[k], part[k+4] = swap(part[k], part[k+4], 4, 0x0f0f0f0f0f0f0f0f)
		}
	}
	for at := 0; at < 32; at += 4 {
		part := (*[4]uint64)(square[at:])
		a, c := swap(part[0], part[2], 2, 0x3333333333333333)
		b, d := swap(part[1], part[3], 2, 0x3333333333333333)
		part[0], part[1] = swap(a, b, 1, 0x5555555555555555)
		part[2], part[3] = swap(c, d, 1, 0x5555555555555555)
	}
}

// swap exchanges the bits of a selected by mask << shift with the bits of b selected by mask.
func swap(a, b uint64, shift int, mask uint64) (_, _ uint64) {
	moved := (a>>shift ^ b) & mask
	return a ^ moved<<shift, b ^ moved
}
