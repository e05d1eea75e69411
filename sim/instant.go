package sim

import "math"

// Instant is a point on the virtual clock in milliseconds. Instant 0 is midnight UTC, when the
// measured window begins. The warm-up period before it has negative instants.
type Instant int64

// Duration is a span of virtual time in milliseconds.
type Duration int64

// Spans of virtual time.
const (
	Millisecond Duration = 1
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
	Hour                 = 60 * Minute
	Day                  = 24 * Hour
)

// Never is later than any instant that a run can reach.
const Never Instant = math.MaxInt64

// Add returns the instant t+d.
func (t Instant) Add(d Duration) Instant { return t + Instant(d) }

// Sub returns the span from u to t.
func (t Instant) Sub(u Instant) Duration { return Duration(t - u) }

// Seconds returns t in seconds.
func (t Instant) Seconds() float64 { return float64(t) / float64(Second) }

// Seconds returns d in seconds.
func (d Duration) Seconds() float64 { return float64(d) / float64(Second) }

// CeilTo returns the first whole multiple of step at or after t.
func (t Instant) CeilTo(step Duration) Instant {
	s := Instant(step)
	floor := t / s * s
	if t%s < 0 {
		floor -= s
	}
	if floor < t {
		floor += s
	}
	return floor
}
