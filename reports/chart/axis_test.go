package chart

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func labels(ticks []Tick) string {
	var all []string
	for _, t := range ticks {
		all = append(all, t.Label)
	}
	return strings.Join(all, " ")
}

func TestNiceTicks(t *testing.T) {
	for _, c := range []struct {
		top  float64
		n    int
		want string
	}{
		{0, 5, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{math.NaN(), 5, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{1, 4, "0.00 0.25 0.50 0.75 1.00"},
		{3, 6, "0.0 0.5 1.0 1.5 2.0 2.5 3.0"},
		{7, 7, "0 1 2 3 4 5 6 7"},
		{26612, 7, "0 5,000 10,000 15,000 20,000 25,000 30,000"},
		{0.02, 4, "0.000 0.005 0.010 0.015 0.020"},
	} {
		if got := labels(NiceTicks(c.top, c.n)); got != c.want {
			t.Errorf("NiceTicks(%g, %d): got %s, want %s", c.top, c.n, got, c.want)
		}
	}
}

// Ticks ascend from 0 to at least top, and their labels differ.
func TestNiceTicksProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 10_000 {
		top, n := math.Exp(rng.Float64()*30-10), 3+rng.IntN(8)
		ticks := NiceTicks(top, n)
		last := ticks[len(ticks)-1].Value
		if ticks[0].Value != 0 || last < top*(1-1e-9) || len(ticks) > n+2 {
			t.Fatalf("NiceTicks(%g, %d): got %v, want ticks from 0 to the top and at most two more than asked for", top, n, ticks)
		}
		for i := 1; i < len(ticks); i++ {
			if ticks[i].Value <= ticks[i-1].Value || ticks[i].Label == ticks[i-1].Label {
				t.Fatalf("NiceTicks(%g, %d): got %v, want ascending values with distinct labels", top, n, ticks)
			}
		}
	}
}

func TestLogTicks(t *testing.T) {
	if got, want := labels(LogTicks(0.1, 20)), "0.1 0.2 0.5 1 2 5 10 20"; got != want {
		t.Errorf("LogTicks(0.1, 20): got %s, want %s", got, want)
	}
	if got, want := labels(LogTicks(1, 2000)), "1 2 5 10 20 50 100 200 500 1,000 2,000"; got != want {
		t.Errorf("LogTicks(1, 2000): got %s, want %s", got, want)
	}
}

func TestTimeTicks(t *testing.T) {
	for _, c := range []struct {
		duration float64
		want     string
	}{
		{60, "00:00 00:01"},
		{3600, "00:00 00:05 00:10 00:15 00:20 00:25 00:30 00:35 00:40 00:45 00:50 00:55 01:00"},
		{86400, "00:00 02:00 04:00 06:00 08:00 10:00 12:00 14:00 16:00 18:00 20:00 22:00 24:00"},
		{3 * 86400, "00:00 06:00 12:00 18:00 day 2 06:00 12:00 18:00 day 3 06:00 12:00 18:00 00:00"},
	} {
		if got := labels(timeTicks(0, c.duration)); got != c.want {
			t.Errorf("timeTicks(%g): got %s, want %s", c.duration, got, c.want)
		}
	}
	for duration := 1.0; duration < 1e9; duration *= 1.7 {
		if n := len(timeTicks(0, duration)); n > 14 {
			t.Errorf("got %d ticks for %g s, want at most 14", n, duration)
		}
	}
}

func TestScale(t *testing.T) {
	linear := Scale{Min: 0, Max: 10, Lo: 100, Hi: 200}
	logarithmic := Scale{Min: 0.1, Max: 10, Lo: 0, Hi: 100, Log: true}
	tail := Scale{Min: 0, Max: 1, Lo: 100, Hi: 0, Tail: true} // upwards; 90 % of the players are in the lowest third
	for _, c := range []struct {
		scale    Scale
		in, want float64
	}{{tail, 0, 100}, {tail, 1, 0}, {tail, 0.9 / 0.999, 100 - 100.0/3}, {tail, 0.99 / 0.999, 100 - 200.0/3}, {linear, 0, 100}, {linear, 5, 150}, {linear, 10, 200}, {logarithmic, 0, 0}, {logarithmic, 0.1, 0}, {logarithmic, 1, 50}, {logarithmic, 10, 100}} {
		if got := c.scale.At(c.in); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: At(%g): got %g, want %g", c.scale, c.in, got, c.want)
		}
	}
}

func TestTicksWithin(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		n         int
		want      string
	}{
		{10, 31, 4, "10 20 30"}, {44.8, 60.6, 4, "45 50 55 60"}, {0.1, 0.3, 4, "0.10 0.15 0.20 0.25 0.30"}, {-1, 1, 4, "-1.0 -0.5 0.0 0.5 1.0"}, {-0.004, 0.03, 4, "0.00 0.01 0.02 0.03"},
	} {
		var labels []string
		for _, tick := range TicksWithin(test.low, test.high, test.n) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("%g to %g: got %s, want %s", test.low, test.high, got, test.want)
		}
	}
}
