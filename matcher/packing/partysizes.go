package packing

// PartySizes counts parties by their number of players, from 1 to MaxMatchSize.
type PartySizes [MaxMatchSize + 1]int32

// CanFill reports whether some of the parties together have exactly the given total of players,
// which is from 0 to MaxMatchSize. If any two parties may meet, a match can be packed if and only
// if CanFill returns true. Cost: one comparison for solo players, otherwise at most about
// total·ln(total) shifts, independent of the number of parties.
func (c *PartySizes) CanFill(total int) bool {
	return int(c[1]) >= total || c.sums(total)>>(total-1)&1 != 0
}

// CanFillWith reports whether some parties together have exactly the given total of players. At
// least one of them must be counted in c, and the others may be counted in c or in others.
func (c *PartySizes) CanFillWith(others *PartySizes, total int) bool {
	own := c.sums(total)
	if own>>(total-1)&1 != 0 {
		return true
	}
	rest := others.sums(total - 1)
	for n := 1; n < total; n++ {
		if own>>(n-1)&1 != 0 && rest>>(total-n-1)&1 != 0 {
			return true
		}
	}
	return false
}

// sums returns, as bits, all numbers of players from 1 to limit that some of the parties have
// together. The number n is bit n-1, so that MaxMatchSize has a bit too.
func (c *PartySizes) sums(limit int) uint64 {
	sums := uint64(0)
	for n := 1; n <= limit; n++ {
		for k := 0; k < int(c[n]) && (k+1)*n <= limit; k++ {
			sums |= sums<<n | 1<<(n-1)
		}
	}
	return sums
}
