package worldmap

import (
	"slices"
	"testing"
)

// A single cell of another group vanishes. A straight border does not move, even across the
// antimeridian.
func TestSmoothed(t *testing.T) {
	groups := make([]int, Rows*Columns)
	for cell := range groups {
		if cell%Columns >= 180 {
			groups[cell] = 1
		}
	}
	want := slices.Clone(groups)
	groups[90*Columns+100] = 5
	groups[90*Columns] = 7
	groups[91*Columns+300] = -1 // sea remains sea
	want[91*Columns+300] = -1
	if got := Smoothed(groups); !slices.Equal(got, want) {
		for cell := range got {
			if got[cell] != want[cell] {
				t.Errorf("row %d, column %d: got %d, want %d", cell/Columns, cell%Columns, got[cell], want[cell])
			}
		}
	}
}
