package config

import (
	"time"

	"mmsim/sim"
)

// SimSpan converts a duration to the virtual clock's.
func SimSpan(d time.Duration) sim.Duration { return sim.Duration(d.Milliseconds()) }

// Milliseconds returns a duration in milliseconds, with fractions.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// RTTUnits converts a threshold to the unit in which RTTs are stored, rounded down, so that
// no RTT above the threshold is within it.
func RTTUnits(d time.Duration) sim.RTT {
	return sim.RTT(d * sim.RTTUnit / time.Millisecond)
}
