package splitmix

import "testing"

// The generator determines every result, so its values are pinned to the output that its author
// (Vigna) published for state 0.
func TestSourceIsSplitMix64(t *testing.T) {
	s := Source{0}
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec} {
		if got := s.next(); got != want {
			t.Errorf("draw %d: got %#x, want %#x", i, got, want)
		}
	}
}
