package matcher

import "math/bits"

// headcountPlanes is enough for MaxGroupPlayers.
const headcountPlanes = 11

// headcount counts players in all regions at once: bit r of plane k is bit k of the
// count of region r, so that to add a ticket costs the same in one region as in
// all. Counts begin so that the one that is looked for is an overflow.
type headcount struct {
	planes [headcountPlanes]uint64
	used   int    // planes in use
	start  int    // count of everybody at first
	full   uint64 // regions that came to the number looked for
}

// begin looks for a number of players, at least 1.
func (h *headcount) begin(players int) {
	h.used = bits.Len(uint(players - 1))
	h.start, h.full = 1<<h.used-players, 0
	for k := range h.used {
		h.planes[k] = -uint64(h.start >> k & 1)
	}
}

// add counts the players of a ticket in its regions.
func (h *headcount) add(regions uint64, players int32) {
	for k := 0; players != 0; k, players = k+1, players>>1 {
		if players&1 == 0 {
			continue
		}
		carry := regions
		for i := k; i < h.used && carry != 0; i++ {
			h.planes[i], carry = h.planes[i]^carry, h.planes[i]&carry
		}
		h.full |= carry
	}
}

// remove takes a ticket out again. Regions that came to the number looked for stay
// so.
func (h *headcount) remove(regions uint64, players int32) {
	for k := 0; players != 0; k, players = k+1, players>>1 {
		if players&1 == 0 {
			continue
		}
		borrow := regions
		for i := k; i < h.used && borrow != 0; i++ {
			h.planes[i], borrow = h.planes[i]^borrow, ^h.planes[i]&borrow
		}
	}
}

// missing returns how many players the fullest region is short of the number looked
// for, 0 when there is none short.
func (h *headcount) missing() int {
	if h.full != 0 {
		return 0
	}
	most, among := 0, ^uint64(0)
	for k := h.used - 1; k >= 0; k-- {
		if in := among & h.planes[k]; in != 0 {
			among, most = in, most|1<<k
		}
	}
	return 1<<h.used - most
}
