package config

import (
	"time"

	"mmsim/sim"
)

// SimSpan is a duration on the virtual clock.
func SimSpan(d time.Duration) sim.Duration { return sim.Duration(d.Milliseconds()) }

// Milliseconds is a duration in milliseconds, with what is finer.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// RTTUnits is a threshold in the units in which RTTs are stored, rounded down:
// no RTT above the threshold is within it.
func RTTUnits(d time.Duration) sim.RTT {
	return sim.RTT(d * sim.RTTUnit / time.Millisecond)
}
