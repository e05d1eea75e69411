package config

import (
	"fmt"
	"math"
	"testing"
	"time"

	"mmsim/cmd/mmsim/config/section"
)

// Theory predicts which share of a stationary population has been online for longer than t. For
// sessions of length X, it is E[max(0, X-t)] / E[X]. For matches of constant length and return
// probability p, it is p^n after n matches, and linear in between.
func TestStationaryWarmup(t *testing.T) {
	servers := func(session string) []string { return []string{"placement=servers", "servers.session=" + session} }
	matches := func(length, pause string, again float64) []string {
		return []string{"match.length=" + length, "players.between_matches=" + pause, fmt.Sprintf("players.play_again=%v", again)}
	}
	for _, test := range []struct {
		name     string
		settings []string
		want     float64 // in minutes
		within   float64 // tolerance in minutes, in addition to rounding up
	}{
		{"article", nil, 120, 0}, // 0.75^n < 1 % from 88 min on
		{"exponential", servers("{exponential: 40m}"), 40 * math.Log(100), 0}, // memoryless
		{"constant", servers("{constant: 310m}"), 310 * 0.99, 0},              // the age is uniform
		{"weibull 1", servers("{weibull: {shape: 1, scale: 1h}}"), 60 * math.Log(100), 0},
		// Q(2, x) = (1 + x) e^-x is 1 % at x = 6.63835, and t = scale · x².
		{"weibull 1/2", servers("{weibull: {shape: 0.5, scale: 20m}}"), 20 * 6.638352 * 6.638352, 0.01},
		{"weibull 1/2 beyond a day", servers("{weibull: {shape: 0.5, scale: 1h}}"), 24 * 60, 0},
		{"steep weibull", servers("{weibull: {shape: 100, scale: 1m}}"), 120, 0},
		// 0.75^16 is 1.0023 %. The share then falls linearly by a quarter in 20 min.
		{"matches", matches("19m", "1m", 0.75), 20 * (16 + (1-0.01/math.Pow(0.75, 16))/0.25), 0.1},
		{"long matches", matches("3h", "0s", 0), 180 * 0.99, 0},
		{"matches of one second", matches("1s", "0s", 0.9), 120, 0},
		{"no end", matches("10m", "1m", 0.99), 24 * 60, 0}, // 1100 min on average, times ln 100, is above the maximum
		{"long matches in one of two queues", []string{"queues=[{name: a, share: 0.5}, {name: b, share: 0.5, match: {length: 10h}}]", "players.play_again=0", "players.between_matches=0s"}, 600 * 0.99, 0},
		{"as given", []string{"clock.warmup=20m"}, 20, 0},
	} {
		c, err := Load("", overrides(t, test.settings))
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if got := c.Clock.Warmup.Minutes(); got < test.want-test.within-1e-9 || got >= test.want+1+test.within {
			t.Errorf("%s: got warm-up of %v min, want %.2f rounded up", test.name, got, test.want)
		}
	}
}

// overrides returns settings as the command line would set them.
func overrides(t *testing.T, settings []string) []Override {
	t.Helper()
	var list []Override
	for _, setting := range settings {
		o, err := ParseOverride("set", setting)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
	return list
}

// The share of players who have been online for longer than the warm-up is an integral of
// P(session > t). For log-normal sessions, the test adds it up instead of using the closed form.
func TestLogNormalWarmup(t *testing.T) {
	c, err := Load("", overrides(t, []string{"placement=servers", "servers.session={lognormal: {mean: 1h, sd: 1h}}"}))
	if err != nil {
		t.Fatal(err)
	}
	sigma := math.Sqrt(math.Log(2))
	mu := math.Log(60) - sigma*sigma/2
	older := 0.0
	const step = 0.01
	for x := c.Clock.Warmup.Minutes() + step/2; x < 60*24*30; x += step {
		older += step / 60 * math.Erfc((math.Log(x)-mu)/sigma/math.Sqrt2) / 2
	}
	if older >= section.Older || older < 0.95*section.Older {
		t.Errorf("got a share of %.4f of the population older than %s, want 0.95 to 1 times section.Older", older, c.Clock.Warmup)
	}
}

// Session lengths in the data are used as they are. An unknown length has the distribution
// from which it will be drawn.
func TestWarmupOfGivenSessions(t *testing.T) {
	for _, test := range []struct {
		seconds []float64
		want    time.Duration
	}{
		{[]float64{4 * 3600, 4 * 3600}, 238 * time.Minute}, // 99 % of 240 min are 237.6 min
		{[]float64{3600}, 2 * time.Hour},
		{[]float64{math.NaN()}, 307 * time.Minute}, // 99 % of 310 min are 306.9 min
		// With lengths of 2 h and 9 h, the share of players who have been online for longer
		// than t minutes is (540 - t)/660 if t is above two hours.
		{[]float64{9 * 3600, 2 * 3600}, 534 * time.Minute},
	} {
		c, err := Load("", overrides(t, []string{"placement=servers", "servers.session={constant: 310m}"}))
		if err != nil {
			t.Fatal(err)
		}
		before := c.Clock
		if got := c.ForData(1, test.seconds).Clock.Warmup; got != test.want {
			t.Errorf("sessions of %v s: got warm-up %s, want %s", test.seconds, got, test.want)
		}
		if c.Clock != before {
			t.Errorf("sessions of %v s: ForData changed its receiver to %v, want %v as before", test.seconds, c.Clock, before)
		}
	}
}
