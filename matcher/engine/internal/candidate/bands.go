package candidate

import (
	"math"
	"math/bits"

	"mmsim/matcher/engine/internal/store"
)

// Always is embedded by rules that exclude candidates for every seed and limit.
type Always struct{}

// Asks implements TwoSided.
func (Always) Asks(*store.Limit) float64 { return 0 }

// Filters implements Valued.
func (Always) Filters(*store.Limit) bool { return true }

// Certain implements Valued.
func (Always) Certain(*store.Limit) bool { return true }

// Bands is a Valued rule for a number other than the sort key. It divides the numbers into bands
// of equal width and assigns the 64 values to the bands in turn. A seed has the value of its own
// band. A candidate has the values of all bands that its width covers. Without Bands, a ruleset
// with three numbers took eight times as long.
type Bands struct {
	Number func(row Row) float64
	// Width returns the largest difference that a candidate accepts from a seed with limit l. It
	// is at most the limit's bound.
	Width func(l *store.Limit, candidate Row) float64
}

const (
	bandsInBound = 8    // number of bands in the Bound of a limit; with more, distant rows would share a value more often
	bandSlack    = 1e-3 // exceeds the rounding error of a number, in bands
	lastBand     = 1 << 40
)

// band converts a number to a position in units of bands. ok is false if the number has no band.
func band(l *store.Limit, number float64) (at float64, ok bool) {
	if l.Bound > 0 {
		number *= bandsInBound / l.Bound
	}
	return number, math.Abs(number) < lastBand
}

// Mask implements Valued.
func (b *Bands) Mask(l *store.Limit, seed Row) uint64 {
	at, ok := band(l, b.Number(seed))
	if !ok {
		return AllValues
	}
	return 1 << (int64(math.Floor(at)) & 63)
}

// CandidateMask implements TwoSided.
func (b *Bands) CandidateMask(l *store.Limit, candidate Row) uint64 {
	number, width := b.Number(candidate), b.Width(l, candidate)
	low, lowOK := band(l, number-width)
	high, highOK := band(l, number+width)
	first := math.Floor(low - bandSlack)
	count := math.Floor(high+bandSlack) - first + 1
	if !lowOK || !highOK || count >= 64 {
		return AllValues
	}
	return bits.RotateLeft64(1<<int(count)-1, int(int64(first)&63))
}

// Asks implements TwoSided.
func (b *Bands) Asks(l *store.Limit) float64 { return l.Bound }

// Filters implements Valued.
func (b *Bands) Filters(l *store.Limit) bool { return l.Active && !math.IsInf(l.Bound, 1) }

// Certain implements Valued.
func (b *Bands) Certain(l *store.Limit) bool { return l.Active }
