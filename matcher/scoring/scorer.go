package scoring

import (
	"fmt"
	"math"

	"mmsim/matcher"
)

// Scorer says how good each running server is for one joining player: the sum of
// signals, each from 0 to 1, times their weights; high is good.
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

// Open returns a server on which nobody plays yet.
func (sc *Scorer) Open(s Server) *Server {
	s.checkSeats()
	s.players, s.tallies = 0, make([]tally, len(sc.Signals))
	return &s
}

// Join counts a player in, whose numbers are at most MaxNumber. The server may
// be full: a player who comes by invitation is not asked. Cost: some 20 ns for each signal
// about players, more for medians.
func (sc *Scorer) Join(s *Server, p *matcher.Player) { sc.count(s, p, 1) }

// Leave counts a player out, who must have the values with which he joined. It
// panics where it finds that nobody such is there.
func (sc *Scorer) Leave(s *Server, p *matcher.Player) {
	if s.players == 0 {
		panic("scoring: a player leaves an empty server")
	}
	sc.count(s, p, -1)
}

func (sc *Scorer) count(s *Server, p *matcher.Player, by int) {
	s.players += by
	for i, signal := range sc.Signals {
		if sc.Measured || signal.weighted().Weight > 0 {
			signal.count(&s.tallies[i], p, by)
		}
	}
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

// Obstruction is why a player may not join a server.
type Obstruction uint8

// The obstructions, in the order in which they are looked for.
const (
	Joinable   Obstruction = iota // none
	IsClosed                      // Server.Closed says why
	OtherClass                    // the server is for players of another class
	IsFull                        // no seat is free
	SeatsKept                     // the free seats are for those who know somebody there
)

// Obstruction returns why a player may not join a server, Joinable if he may.
func (sc *Scorer) Obstruction(j *Joiner, s *Server) Obstruction {
	switch {
	case s.Closed != "":
		return IsClosed
	case s.Class != j.Class:
		return OtherClass
	case s.players >= s.Capacity:
		return IsFull
	case s.players >= s.Capacity-sc.KeptSeats && j.known(s) == 0:
		return SeatsKept
	}
	return Joinable
}

// Scores appends the score of each server to a list; NaN where the player may not
// join. It keeps nothing, so that a caller can use one list for a whole day.
func (sc *Scorer) Scores(list []float64, j *Joiner, servers []*Server) []float64 {
	for _, s := range servers {
		score := math.NaN()
		if sc.Obstruction(j, s) == Joinable {
			score = sc.Score(j, s)
		}
		list = append(list, score)
	}
	return list
}

// Best returns the place of the best server in a list of scores; -1 when a new
// server is to be started, because none can be joined or is good enough. Scores
// that a rounding may tell apart are equal; of those the oldest server is taken,
// then the one of the lowest Sequence.
func (sc *Scorer) Best(servers []*Server, scores []float64) int {
	highest := math.Inf(-1)
	for _, score := range scores {
		if score > highest { // never for NaN
			highest = score
		}
	}
	best := -1
	if highest < sc.MinScore {
		return best
	}
	for i, score := range scores {
		if score >= highest-tieTolerance(highest) && (best < 0 || servers[i].before(servers[best])) {
			best = i
		}
	}
	return best
}

// tieTolerance returns how far below a score another one equals it.
func tieTolerance(score float64) float64 { return tieWithin * max(1, math.Abs(score)) }
