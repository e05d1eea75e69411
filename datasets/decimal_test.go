package datasets

import (
	"math"
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
		{"0.29", 29, true}, // 0.29*100 is below 29 in floats
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
		if got, ok := floorHundredths([]byte(test.text), 90); got != test.want && ok || ok != test.ok {
			t.Errorf("floorHundredths(%q) = %d, %v, want %d, %v", test.text, got, ok, test.want, test.ok)
		}
	}
}

// decimalSyntax is what a number may look like.
var decimalSyntax = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

func FuzzFloorHundredths(f *testing.F) {
	for _, seed := range []string{"0.29", "-0.005", "90", "1e-5", "-180.0000", "99999", "1.e1", "NaN"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 30 {
			return
		}
		got, ok := floorHundredths([]byte(text), 180)
		value, isNumber := new(big.Rat), false
		if exponent := regexp.MustCompile(`[eE]([+-]?[0-9]+)$`).FindStringSubmatch(text); exponent == nil {
			value, isNumber = value.SetString(text)
		} else if n, err := strconv.Atoi(exponent[1]); err == nil && n >= -maxExponent && n <= maxExponent {
			value, isNumber = value.SetString(text)
		}
		limit := big.NewRat(180, 1)
		want := isNumber && decimalSyntax.MatchString(text) && value.Cmp(limit) <= 0 && value.Cmp(new(big.Rat).Neg(limit)) >= 0
		if ok != want {
			t.Fatalf("floorHundredths(%q) accepts: %v, want %v", text, ok, want)
		}
		if !ok {
			return
		}
		low, high := big.NewRat(int64(got), 100), big.NewRat(int64(got)+1, 100)
		if low.Cmp(value) > 0 || high.Cmp(value) <= 0 {
			t.Fatalf("floorHundredths(%q) = %d", text, got)
		}
	})
}

func TestParseTime(t *testing.T) {
	for _, test := range []struct {
		text  string
		ms    uint32
		whole bool
		ok    bool
	}{
		{"00:00:00", 0, true, true},
		{"23:59:59", 86_399_000, true, true},
		{"01:02:03", 3_723_000, true, true},
		{"01:02:03.5", 3_723_500, false, true},
		{"01:02:03.045", 3_723_045, false, true},
		{"01:02:03.000", 3_723_000, false, true},
		{"23:59:59.999999", 86_399_999, false, true},
		{"0", 0, true, true},
		{"3661", 3_661_000, true, true},
		{"3661.25", 3_661_250, false, true},
		{"86399.9999", 86_399_999, false, true},
		{"12345678", 0, false, false},
		{"86400", 0, false, false},
		{"24:00:00", 0, false, false},
		{"23:60:00", 0, false, false},
		{"23:59:60", 0, false, false},
		{"12:00", 0, false, false},
		{"1:02:03", 0, false, false},
		{"12-00-00", 0, false, false},
		{"12:00-00", 0, false, false},
		{"12:00:00.", 0, false, false},
		{"12:00:00,5", 0, false, false},
		{"12:00:00Z", 0, false, false},
		{"12:00:00.5Z", 0, false, false},
		{"2026-03-14T12:00:00", 0, false, false},
		{"-1", 0, false, false},
		{"1e3", 0, false, false},
		{"", 0, false, false},
		{".5", 0, false, false},
		{"noon", 0, false, false},
		{"/0:00:00", 0, false, false},
		{"0::00:00", 0, false, false},
	} {
		got, ok := parseTime([]byte(test.text))
		if ok != test.ok || ok && got != newStamp(test.ms, test.whole) {
			t.Errorf("parseTime(%q) = %d ms, whole %v, %v, want %d ms, %v, %v", test.text, got.ms(), got&1 == 1, ok, test.ms, test.whole, test.ok)
		}
	}
}

// The digits of a time of day, as a pattern.
var timeSyntax = regexp.MustCompile(`^([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(\.[0-9]+)?$|^([0-9]+)(\.[0-9]+)?$`)

func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{"00:00:00", "23:59:59.999", "86400", "24:00:00", "3600.5", "12:00", "1:1:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseTime([]byte(text))
		parts := timeSyntax.FindStringSubmatch(text)
		number := func(i int) float64 {
			value, _ := strconv.ParseFloat("0"+parts[i], 64)
			return value
		}
		want := parts != nil && (parts[5] == "" || number(5) < 86400)
		if ok != want {
			t.Fatalf("parseTime(%q) accepts: %v, want %v", text, ok, want)
		}
		if !ok {
			return
		}
		seconds := number(1)*3600 + number(2)*60 + number(3) + number(5)
		if uint32(seconds) != got.ms()/1000 {
			t.Fatalf("parseTime(%q) = %d ms", text, got.ms())
		}
		fraction := (parts[4] + parts[6] + "0000")
		if len(parts[4]+parts[6]) > 0 && fraction[1:4] != strconv.Itoa(int(got.ms()%1000 + 1000))[1:] {
			t.Fatalf("parseTime(%q) = %d ms", text, got.ms())
		}
	})
}

func FuzzParseNumber(f *testing.F) {
	for _, seed := range []string{"1500", "-0.1", "1e3", "NaN", "0x1p4", "1_000", "123456789012345.5", ".5", "1.", "+", "1e999", "0.1e-400"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseNumber([]byte(text))
		want, err := strconv.ParseFloat(text, 64)
		accept := err == nil && decimalSyntax.MatchString(text) && !math.IsInf(want, 0)
		if ok != accept || ok && got != want {
			t.Fatalf("parseNumber(%q) = %v, %v, want %v, %v", text, got, ok, want, accept)
		}
	})
}
