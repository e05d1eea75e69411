package packing

// PartySizes counts parties by their number of players, from 1 to MaxMatchSize.
type PartySizes [MaxMatchSize + 1]int32

// CanFill reports whether some of the parties together have exactly the given total of players,
// which is from 0 to MaxMatchSize. If any two parties may meet, a match can be packed if and only
// if CanFill returns true. Cost: one comparison for solo players, otherwise at most about
// total·ln(total) shifts, independent of the number of parties.
func (c *PartySizes) CanFill(total int) bool {
	if int(c[1]) >= total {
		return true
	}
	sums := c.sums(total)
	return sums.has(total)
}

// CanFillWith reports whether some parties together have exactly the given total of players. At
// least one of them must be counted in c, and the others may be counted in c or in others.
func (c *PartySizes) CanFillWith(others *PartySizes, total int) bool {
	own := c.sums(total)
	if own.has(total) {
		return true
	}
	rest := others.sums(total - 1)
	for n := 1; n < total; n++ {
		if own.has(n) && rest.has(total-n) {
			return true
		}
	}
	return false
}

// sums returns all numbers of players from 1 to limit that some of the parties have together.
func (c *PartySizes) sums(limit int) (s numbers) {
	for n := 1; n <= limit; n++ {
		for k := 0; k < int(c[n]) && (k+1)*n <= limit; k++ {
			s.addToAll(n, limit)
		}
	}
	return s
}

// numbers is a set of numbers from 1 to MaxMatchSize. The number n is bit n-1.
type numbers [(MaxMatchSize + 63) / 64]uint64

func (s *numbers) has(n int) bool { return s[(n-1)/64]>>((n-1)%64)&1 != 0 }

// addToAll adds to the set the number n and, for each number in the set, its sum with n. It may
// leave out sums above limit. A limit of at most 64 needs a single word.
func (s *numbers) addToAll(n, limit int) {
	words, bits := n/64, n%64
	for i := (limit - 1) / 64; i >= words; i-- {
		s[i] |= s[i-words] << bits
		if bits > 0 && i > words {
			s[i] |= s[i-words-1] >> (64 - bits)
		}
	}
	s[(n-1)/64] |= 1 << ((n - 1) % 64)
}
