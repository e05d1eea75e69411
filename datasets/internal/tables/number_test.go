package tables

import (
	"math"
	"regexp"
	"strconv"
	"testing"
)

// decimalSyntax matches the numbers that files may contain.
var decimalSyntax = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

func FuzzParseNumber(f *testing.F) {
	for _, seed := range []string{"1500", "-0.1", "1e3", "NaN", "0x1p4", "1_000", "123456789012345.5", ".5", "1.", "+", "1e999", "0.1e-400"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := ParseNumber([]byte(text))
		want, err := strconv.ParseFloat(text, 64)
		accept := err == nil && decimalSyntax.MatchString(text) && !math.IsInf(want, 0)
		if ok != accept || ok && got != want {
			t.Fatalf("parseNumber(%q): got %v, %v, want %v, %v", text, got, ok, want, accept)
		}
	})
}
