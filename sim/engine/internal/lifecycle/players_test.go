package lifecycle

import (
	"testing"
	"unsafe"
)

// A field that makes a Player larger costs memory for everyone online.
func TestPlayerIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(Player{}); size > 80 {
		t.Errorf("got Player of %d bytes, want at most 80", size)
	}
}
