package words

import "testing"

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		Thousands(0): "0", Thousands(999): "999", Thousands(1000): "1,000", Thousands(-1234567): "-1,234,567", Thousands(-123): "-123",
		Percent(0.12345): "12.3 %", Percent(0): "0.0 %", Percent(1): "100.0 %", Percent(0.0005): "0.1 %", Percent(0.99961): "99.96 %", Percent(0.99996): "99.996 %", Percent(0.00049): "0.049 %",
		Percent(0.0002): "0.02 %", Percent(0.000004): "less than 0.001 %", Percent(0.9999): "99.99 %", Percent(0.999996): "more than 99.999 %",
		PercentOf(244, 1_600_000): "0.015 %", PercentOf(1, 2): "50.0 %", PercentOf(0, 0): "0.0 %", Seconds(0): "0.00 s", Seconds(0.095): "0.095 s", Seconds(0.62): "0.62 s", Seconds(12.34): "12.3 s",
		Millis(48.81): "48.8 ms", Millis(248.5): "248 ms", Threshold(62.5): "62.5 ms", Threshold(50): "50 ms",
		Plural(1, "match"): "1 match", Plural(2000, "match"): "2,000 matches", Plural(0, "player"): "0 players",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A small mean of counts keeps two digits instead of being rounded to 0.
func TestMeanCount(t *testing.T) {
	for mean, want := range map[float64]string{0: "0", 0.033: "0.033", 1.25: "1.2", 9.94: "9.9", 9.96: "10", 820.5: "821", 15287.6: "15,288"} {
		if got := MeanCount(mean); got != want {
			t.Errorf("%v: got %s, want %s", mean, got, want)
		}
	}
}
