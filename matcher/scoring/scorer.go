package scoring

import (
	"fmt"
	"math"

	"mmsim/matcher"
)

// Scorer says how good each running server is for one joining player: the sum of
// signals, each from 0 to 1, times their weights; high is good. It is for games in
// which nobody waits: whoever joins goes to the best server at once.
//
// A server keeps what its players add up to, so that a score costs a few
// operations for each signal, however many play there, and allocates nothing. What
// it keeps is exact: two servers with the same players have the same score whatever
// happened on them before.
type Scorer struct {
	// Signals are added in this order, so that a score has the same bits everywhere.
	Signals []Signal
	// KeptSeats is how many seats of every server are for players who know
	// somebody there.
	KeptSeats int
	// MinScore is the score below which a new server is better than any; 0: none.
	MinScore float64
	// Measured counts players for signals without a weight too, for Measure.
	Measured bool
}

// Limits of what a score is computed from. They keep every sum far inside the
// range in which it is exact.
const (
	// MaxNumber is the largest number, either side of 0, that a player or
	// server may have where a signal looks at it.
	MaxNumber = 1e12
	// MaxSeats is the largest capacity of a server.
	MaxSeats = 1_000_000
)

// tieWithin is how far two scores may lie apart and still be equal, relative to
// the better one but at least to 1: sums of decimal weights are rounded.
const tieWithin = 1e-9

// Validate refuses signals that nothing sound can be computed with. The error
// names the signal and the field.
func (sc *Scorer) Validate() error {
	total := 0.0
	for _, signal := range sc.Signals {
		w := signal.weighted()
		if !(w.Weight >= 0) || math.IsInf(w.Weight, 0) {
			return fmt.Errorf("signal %q: weight: got %v, expected a finite number, 0 or more", w.Name, w.Weight)
		}
		if scale, ok := scaleOf(signal); ok && (!(scale > 0) || math.IsInf(scale, 0)) {
			return fmt.Errorf("signal %q: scale: got %v, expected a finite number above 0", w.Name, scale)
		}
		total += w.Weight
	}
	switch {
	case math.IsInf(total, 0):
		return fmt.Errorf("the weights add up to more than %v", math.MaxFloat64)
	case sc.KeptSeats < 0:
		return fmt.Errorf("kept seats: got %d, expected 0 or more", sc.KeptSeats)
	case !(sc.MinScore >= 0):
		return fmt.Errorf("minimum score: got %v, expected 0 or more", sc.MinScore)
	}
	return nil
}

// scaleOf returns the scale of a signal that has one.
func scaleOf(signal Signal) (scale float64, ok bool) {
	switch s := signal.(type) {
	case *NearRTT:
		return s.ScaleMS, true
	case *PlayersNumber:
		return s.Scale, true
	case *ServerNumber:
		return s.Scale, true
	}
	return 0, false
}

// Score returns the score of one server for a player, whether he may join it or
// not. Cost: some 15 ns for each signal with a weight.
func (sc *Scorer) Score(j *Joiner, s *Server) float64 {
	total := 0.0
	for i, signal := range sc.Signals {
		if weight := signal.weighted().Weight; weight > 0 {
			total += float64(weight * signal.value(j, s, &s.tallies[i])) // the conversion forbids fused operations
		}
	}
	return total
}

// Joiner is a player who looks for a server.
type Joiner struct {
	matcher.Player
	// Class is what a server's Class must be.
	Class matcher.Text
	// Known lists the servers, by Sequence, on which he knows somebody, one entry
	// for each such person.
	Known     []int32
	bestRTTMS float64 // to any region; NaN: none measured
}

// NewJoiner returns a player who looks for a server. It keeps the slices.
func NewJoiner(player matcher.Player, class matcher.Text, known []int32) Joiner {
	j := Joiner{Player: player, Class: class, Known: known, bestRTTMS: math.NaN()}
	if best := j.BestRegion(); best != matcher.NoRegion {
		j.bestRTTMS = player.RTTMS[best]
	}
	return j
}

// rttMS returns the player's RTT to a region; NaN: not measured.
func (j *Joiner) rttMS(r matcher.Region) float64 {
	if r < 0 || int(r) >= len(j.RTTMS) {
		return math.NaN()
	}
	return j.RTTMS[r]
}

// known returns how many people on a server the player knows.
func (j *Joiner) known(s *Server) int {
	n := 0
	for _, sequence := range j.Known {
		if sequence == s.Sequence {
			n++
		}
	}
	return n
}
