package builtin

import (
	"math"
	"testing"
	"time"

	"mmsim/datasets/atlas"
)

func curveOf(t *testing.T, zone, date string) *dayCurve {
	t.Helper()
	midnight, err := time.Parse(time.DateOnly, date)
	if err != nil {
		t.Fatal(err)
	}
	return newDayCurve(atlas.Zone(zone), midnight, 1, Spike{Factor: 1})
}

func TestRateAt(t *testing.T) {
	for _, test := range []struct {
		second int
		want   float64
	}{
		{0, 0.85}, {3600, 0.55}, {1800, 0.70}, {20 * 3600, 1.92},
		{23*3600 + 1800, (1.20 + 0.85) / 2}, {86400, 0.85}, {-3600, 1.20},
	} {
		if got := rateAt(test.second); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("rateAt(%d): got %v, want %v", test.second, got, test.want)
		}
	}
}

func TestDayCurveZones(t *testing.T) {
	// quarter is the quarter hour in UTC at which it is 20:00 local time, the peak.
	for _, test := range []struct {
		zone, date string
		quarter    int
	}{
		{"Africa/Abidjan", "2026-03-14", 20 * 4},
		{"Europe/Berlin", "2026-03-14", 19 * 4},
		{"Europe/Berlin", "2026-07-01", 18 * 4},
		{"America/New_York", "2026-03-07", 25 * 4},
		{"America/New_York", "2026-03-14", 24 * 4}, // already in summer time, unlike Europe
		{"Asia/Kolkata", "2026-03-14", 14*4 + 2},
		{"Asia/Kathmandu", "2026-03-14", 14*4 + 1},
	} {
		c := curveOf(t, test.zone, test.date)
		if math.Abs(c.total()-1) > 1e-12 {
			t.Errorf("%s on %s: got a total of %v, want 1", test.zone, test.date, c.total())
		}
		peak := 0
		for q := range quarters {
			if c.first[q] > c.first[peak] {
				peak = q
			}
		}
		if want := test.quarter % quarters; peak != want {
			t.Errorf("%s on %s: got the peak in quarter-hour %d, want %d", test.zone, test.date, peak, want)
		}
	}
	// At 01:00 UTC, clocks go from 02:00 to 03:00, and the rate jumps.
	c := curveOf(t, "Europe/Berlin", "2026-03-29")
	mean := c.first[0] / rateAt(1*3600)
	if got, want := c.first[4]/mean, rateAt(3*3600); math.Abs(got-want) > 1e-9 {
		t.Errorf("rate after the change of clocks: got %v, want %v", got, want)
	}
}

// The instant of each share is compared with a sum over the rates of all seconds.
func TestDayCurveInstant(t *testing.T) {
	c := curveOf(t, "Asia/Tokyo", "2026-03-14")
	sum := 0.0
	for second := range 86_400 {
		q, part := second/900, (float64(second%900)+0.5)/900
		if second%900 > 0 && second%77 == 0 {
			if got := c.instant(q, sum); math.Abs(float64(got)-float64(second)*1000) > 2 {
				t.Fatalf("instant of share %v: got %d ms, want %d s", sum, got, second)
			}
		}
		sum += (c.first[q]*(1-part) + c.last[q]*part) / 86_400
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("got rates that add up to %v, want 1", sum)
	}
}
