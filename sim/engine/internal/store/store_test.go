package store

import (
	"testing"
	"unsafe"
)

func TestPlayerFillsACacheLine(t *testing.T) {
	if size := unsafe.Sizeof(Player{}); size != 64 {
		t.Errorf("got Player of %d bytes, want 64, one cache line", size)
	}
}
