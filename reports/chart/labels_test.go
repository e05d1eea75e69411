package chart

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Names that are placed apart from their points, and the lines to these points, cover neither
// other names nor each other.
func TestLeadersKeepApart(t *testing.T) {
	labels := Labels{Within: Box{0, 0, Width, 400}}
	var points []Point
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		points = append(points, Point{300 + 240*rng.Float64(), 100 + 160*rng.Float64()})
	}
	for _, p := range points {
		labels.Taken = append(labels.Taken, Around(p, 3))
	}
	marks := len(labels.Taken)
	var placed []Box
	apart := 0
	for _, p := range points {
		if at, ok := labels.Place(p, "datacenter", nil); ok {
			placed = append(placed, at)
			if len(leaderBoxes(p, at)) > 0 {
				apart++
			}
		}
	}
	if len(placed) < 25 || apart < 2 {
		t.Errorf("%d of %d names have a place, %d of them apart from their points, want at least 25 and 2", len(placed), len(points), apart)
	}
	for i, b := range placed {
		if slices.ContainsFunc(placed[:i], b.Touches) || slices.ContainsFunc(labels.Taken[:marks], b.Touches) {
			t.Errorf("the name at %v covers another name or a point", b)
		}
		crosses := func(leader Box) bool { return leader.X1-leader.X0 == 2 && leader.Touches(b) && !nextTo(leader, b) }
		if slices.ContainsFunc(labels.Taken[marks:], crosses) {
			t.Errorf("a line crosses the name at %v", b)
		}
	}
}

// nextTo reports whether a piece of a line only ends at the box.
func nextTo(piece, b Box) bool {
	inner := Box{b.X0 + 2, b.Y0 + 2, b.X1 - 2, b.Y1 - 2}
	return !piece.Touches(inner)
}

// A shortened name keeps both ends, because names such as eu-west-1 and eu-west-2 differ there.
func TestShortenName(t *testing.T) {
	long := "a_long_name_of_a_datacenter_in_region_07"
	for _, limit := range []float64{40, 60, 100, 150} {
		got := SmallFace.ShortenName(long, limit)
		if SmallFace.Width(got) > limit || !strings.HasPrefix(got, "a_") || !strings.HasSuffix(got, "7") || strings.Count(got, "…") != 1 {
			t.Errorf("at most %g wide: %q of width %g", limit, got, SmallFace.Width(got))
		}
	}
	if got := SmallFace.ShortenName("paris", 100); got != "paris" {
		t.Errorf("got %q for a name that fits", got)
	}
	if got := SmallFace.ShortenName(long, 1); got != "…" {
		t.Errorf("got %q for no room", got)
	}
}

// A long title becomes smaller and, before it is too small to read, shorter.
func TestFit(t *testing.T) {
	for n := 1; n < 60; n++ {
		text := strings.Repeat("word ", n)
		face, fitted := titleFace.fit(text, 900)
		if face.size < smallestFit*titleFace.size-1e-9 || face.Width(fitted) > 901 {
			t.Errorf("%d words: size %g, width %g", n, face.size, face.Width(fitted))
		}
		if whole := fitted == text; whole != (titleFace.Width(text)*smallestFit <= 900) {
			t.Errorf("%d words: %q", n, fitted)
		}
	}
}
