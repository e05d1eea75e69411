package packing

// PartySizes counts parties by their number of players, 1 to MaxMatchSize.
type PartySizes [MaxMatchSize + 1]int32

// CanFill reports whether some of the parties have exactly that many players
// together, 0 to MaxMatchSize. Where everybody may meet, this is all that decides
// whether a match can be packed. Cost: a comparison for solos, otherwise at most
// about total·ln(total) shifts, however many parties there are.
func (c *PartySizes) CanFill(total int) bool {
	return int(c[1]) >= total || c.sums(total)>>(total-1)&1 != 0
}

// CanFillWith reports whether some of the parties, at least one, and some of
// others, perhaps none, have exactly that many players together.
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

// sums returns which numbers of players, 1 to limit, can be had exactly: n is
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
