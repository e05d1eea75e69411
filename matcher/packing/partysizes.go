package packing

// PartySizes counts parties by their number of players, 1 to MaxMatchSize.
type PartySizes [MaxMatchSize + 1]int32

// CanFill reports whether some of the parties have exactly total players together, 0 to
// MaxMatchSize. If any two tickets may meet, this alone decides whether a match can be
// packed. Cost: one comparison for solos, otherwise at most about total·ln(total) shifts,
// independent of the number of parties.
func (c *PartySizes) CanFill(total int) bool {
	return int(c[1]) >= total || c.sums(total)>>(total-1)&1 != 0
}

// CanFillWith reports whether at least one of the parties and any number of others have
// exactly total players together.
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

// sums returns the numbers of players, 1 to limit, to which some of the parties add up: n is
// bit n-1, so that MaxMatchSize has a bit too.
func (c *PartySizes) sums(limit int) uint64 {
	sums := uint64(0)
	for n := 1; n <= limit; n++ {
		for k := 0; k < int(c[n]) && (k+1)*n <= limit; k++ {
			sums |= sums<<n | 1<<(n-1)
		}
	}
	return sums
}
