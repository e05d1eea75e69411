package tables

import (
	"math/big"
	"regexp"
	"strconv"
	"testing"
)

func TestFloorHundredths(t *testing.T) {
	for _, test := range []struct {
		text string
		want int16
		ok   bool
	}{
		{"0", 0, true},
		{"0.29", 29, true}, // as a float, 0.29*100 is below 29
		{"-0.29", -29, true},
		{"-0.005", -1, true},
		{"-0.000", 0, true},
		{"-0", 0, true},
		{"0.005", 0, true},
		{"40.52", 4052, true},
		{"-73.81", -7381, true},
		{"-73.8199999999999999999999999", -7382, true},
		{"1.1", 110, true},
		{"+1.15", 115, true},
		{".5", 50, true},
		{"5.", 500, true},
		{"00089.99999", 8999, true},
		{"90", 9000, true},
		{"90.000", 9000, true},
		{"-90", -9000, true},
		{"-90.000", -9000, true},
		{"1e-05", 0, true},
		{"-1e-05", -1, true},
		{"4.052E1", 4052, true},
		{"1234e-2", 1234, true},
		{"90.0000001", 0, false},
		{"-90.001", 0, false},
		{"91", 0, false},
		{"99999999999999999999", 0, false},
		{"1e999999999", 0, false},
		{"1e-999999999", 0, false},
		{"", 0, false},
		{".", 0, false},
		{"-", 0, false},
		{"+-1", 0, false},
		{"NaN", 0, false},
		{"Inf", 0, false},
		{"-inf", 0, false},
		{"0x10", 0, false},
		{"1_0", 0, false},
		{"1/2", 0, false},
		{"1,5", 0, false},
		{"4 0", 0, false},
		{"north", 0, false},
		{"40.5N", 0, false},
		{"1.2.3", 0, false},
	} {
		if got, ok := FloorHundredths([]byte(test.text), 90); got != test.want && ok || ok != test.ok {
			t.Errorf("FloorHundredths(%q): got %d, %v, want %d, %v", test.text, got, ok, test.want, test.ok)
		}
	}
}

func FuzzFloorHundredths(f *testing.F) {
	for _, seed := range []string{"0.29", "-0.005", "90", "1e-5", "-180.0000", "99999", "1.e1", "NaN"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 30 {
			return
		}
		got, ok := FloorHundredths([]byte(text), 180)
		value, isNumber := new(big.Rat), false
		if exponent := regexp.MustCompile(`[eE]([+-]?[0-9]+)$`).FindStringSubmatch(text); exponent == nil {
			value, isNumber = value.SetString(text)
		} else if n, err := strconv.Atoi(exponent[1]); err == nil && n >= -maxExponent && n <= maxExponent {
			value, isNumber = value.SetString(text)
		}
		limit := big.NewRat(180, 1)
		want := isNumber && decimalSyntax.MatchString(text) && value.Cmp(limit) <= 0 && value.Cmp(new(big.Rat).Neg(limit)) >= 0
		if ok != want {
			t.Fatalf("FloorHundredths(%q): got accepted %v, want %v", text, ok, want)
		}
		if !ok {
			return
		}
		low, high := big.NewRat(int64(got), 100), big.NewRat(int64(got)+1, 100)
		if low.Cmp(value) > 0 || high.Cmp(value) <= 0 {
			t.Fatalf("FloorHundredths(%q): got %d, want the value rounded down to hundredths", text, got)
		}
	})
}
