package config

import (
	"time"

	"mmsim/sim"
)

// SimSpan converts d to a duration on the virtual clock.
func SimSpan(d time.Duration) sim.Duration { return sim.Duration(d.Milliseconds()) }

// Milliseconds returns d in milliseconds, including fractions.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// RTTUnits converts an RTT threshold to the unit in which RTTs are stored. It rounds down, so
// that no RTT above the threshold counts as within it.
func RTTUnits(d time.Duration) sim.RTT { return sim.RTT(d * sim.RTTUnit / time.Millisecond) }
