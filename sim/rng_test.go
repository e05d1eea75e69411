package sim

import (
	"math"
	"testing"
)

// The expected values come from an independent implementation. If a draw changes, every published
// result changes.
func TestDrawsArePinned(t *testing.T) {
	first, replica := Entity(7, 0, 0, 0), Entity(7, 2, -1, 1)
	if first != 0xb78b9f38a670e787 || replica != 0xde454c2f1e7ff403 {
		t.Errorf("Entity: got %#x and %#x, want 0xb78b9f38a670e787 and 0xde454c2f1e7ff403", first, replica)
	}
	again := NewStream(1, 0, PurposePlayAgain)
	if a, b := again.Bits(first, 0), again.Bits(first, 1); a != 0xefcc07d2b52bdd88 || b != 0x66832a3abb586fa6 {
		t.Errorf("Bits of PurposePlayAgain: got %#x and %#x, want 0xefcc07d2b52bdd88 and 0x66832a3abb586fa6", a, b)
	}
	if got := NewStream(1, 2, PurposeShuffle).Bits(86_400_000, 3); got != 0xfae34b4456a01791 {
		t.Errorf("Bits of PurposeShuffle: got %#x, want 0xfae34b4456a01791", got)
	}
	if NewStream(1, 0, PurposePlayAgain) == NewStream(0, 1, PurposePlayAgain) {
		t.Error("NewStream(1, 0) equals NewStream(0, 1), want different streams")
	}
}

// The moments of the draws are within four standard errors.
func TestDrawMoments(t *testing.T) {
	const n = 200_000
	s := NewStream(3, 0, PurposeLastMile)
	mean, square, normal, normal2, length, length2 := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	span := Length{Mean: 300_000, SD: 60_000}
	for i := range uint64(n) {
		u, z, l := s.Uniform(i, 0), s.Normal(i, 1), float64(span.Draw(s, i, 2))
		mean, square = mean+u/n, square+u*u/n
		normal, normal2 = normal+z/n, normal2+z*z/n
		length, length2 = length+l/n, length2+l*l/n
	}
	check := func(name string, got, want, se float64) {
		if math.Abs(got-want) > 4*se {
			t.Errorf("%s: got %g, want %g ± %g", name, got, want, 4*se)
		}
	}
	root := math.Sqrt(n)
	check("mean of uniform", mean, 0.5, math.Sqrt(1./12)/root)
	check("square of uniform", square, 1./3, math.Sqrt(4./45)/root)
	check("mean of normal", normal, 0, 1/root)
	check("square of normal", normal2, 1, math.Sqrt2/root)
	check("mean of length", length, 300_000, 60_000/root)
	check("sd of length", math.Sqrt(length2-length*length), 60_000, 60_000/root)
}

// A bounded draw is uniform even if the bound does not divide 2^64, and a shuffle gives every
// permutation the same chance.
func TestShuffleIsUniform(t *testing.T) {
	const n = 60_000
	var seen [6]int
	for i := range uint64(n) {
		list := []int32{0, 1, 2}
		src := NewStream(5, 0, PurposeShuffle).Source(i, 0)
		src.Shuffle(list)
		code := list[0] * 2
		if list[1] > list[2] {
			code++
		}
		seen[code]++
	}
	chi2 := 0.0
	for _, c := range seen {
		chi2 += math.Pow(float64(c)-n/6., 2) / (n / 6.)
	}
	if chi2 > 20.5 { // 99.9 % point of chi-square with 5 degrees of freedom
		t.Errorf("counts of the permutations: got %v with chi-square %.1f, want at most 20.5", seen, chi2)
	}
}

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
