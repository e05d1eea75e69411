package store

import (
	"testing"
	"unsafe"
)

func TestPlayerFillsACacheLine(t *testing.T) {
	if size := unsafe.Sizeof(Player{}); size != 64 {
		t.Errorf("a player takes %d bytes, want 64", size)
	}
}
