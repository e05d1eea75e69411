package scoring

import (
	"fmt"
	"math"

	"mmsim/matcher"
)

// Scorer rates running servers for a joining player. The score is the sum of signals, each from 0
// to 1, times their weights. Higher is better.
type Scorer struct {
	// Signals are added in this order, so that a score has the same bits everywhere.
	Signals []Signal
	// KeptSeats is the number of seats on every server that are reserved for players who know
	// somebody there.
	KeptSeats int
	// MinScore is the score below which a new server is preferred.
	MinScore float64
	// Measured is set if players are also counted for signals without a weight. Measure then
	// works for these signals.
	Measured bool
}

// tieWithin is the relative difference up to which two scores are equal, because sums of decimal
// weights are rounded. It is relative to the higher score or to 1, whichever is larger.
const tieWithin = 1e-9

// Validate returns an error that names the signal and the field if a field is out of range.
func (sc *Scorer) Validate() error {
	total := 0.0
	for _, signal := range sc.Signals {
		w := signal.Settings()
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

// scaleOf returns the scale of a signal, or false if it has none.
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

// Open returns an empty server.
func (sc *Scorer) Open(s Server) *Server {
	if s.Capacity < 0 || s.Capacity > MaxSeats {
		panic(fmt.Sprintf("scoring: a server with %d seats, expected 0 to %d", s.Capacity, MaxSeats))
	}
	s.players, s.tallies = 0, make([]tally, len(sc.Signals))
	return &s
}

// Join adds a player to a server. The player's numbers must be at most MaxNumber. The server may be
// full, because invited players join without a check. Cost: about 20 ns for each signal about
// players, and more for medians.
func (sc *Scorer) Join(s *Server, p *matcher.Player) { sc.count(s, p, 1) }

// Leave removes a player, whose values must be the same as when they joined. It panics if it detects
// that no such player is on the server.
func (sc *Scorer) Leave(s *Server, p *matcher.Player) {
	if s.players == 0 {
		panic("scoring: a player leaves an empty server")
	}
	sc.count(s, p, -1)
}

func (sc *Scorer) count(s *Server, p *matcher.Player, by int) {
	s.players += by
	for i, signal := range sc.Signals {
		if sc.Measured || signal.Settings().Weight > 0 {
			signal.count(&s.tallies[i], p, by)
		}
	}
}

// Score returns the score of one server for a player, even if the player may not join it. Cost:
// about 15 ns for each signal with a weight.
func (sc *Scorer) Score(j *Joiner, s *Server) float64 {
	total := 0.0
	for i, signal := range sc.Signals {
		if weight := signal.Settings().Weight; weight > 0 {
			total += float64(weight * signal.value(j, s, &s.tallies[i])) // the conversion prevents fused multiply-add operations
		}
	}
	return total
}

// Obstruction is a reason why a player may not join a server.
type Obstruction uint8

// The obstructions, in the order in which they are checked.
const (
	Joinable   Obstruction = iota // the player may join
	IsClosed                      // the server is closed for the reason in Server.Closed
	OtherClass                    // the server is for players of another class
	IsFull                        // no seat is free
	SeatsKept                     // the free seats are reserved for players who know somebody there
)

// Obstruction returns the first reason why a player may not join a server, or Joinable.
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

// Scores appends the score of each server to a list, or NaN if the player may not join the server.
// It does not keep the list, so a caller can reuse it.
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

// Best returns the index of the best server, given the scores of all servers. It returns -1 if the
// player can join no server or if no score reaches MinScore, so that a new server must be started.
// Scores that differ only by rounding are equal. Of servers with equal scores, the oldest wins, and
// of equally old servers, the one with the lowest Sequence.
func (sc *Scorer) Best(servers []*Server, scores []float64) int {
	highest := math.Inf(-1)
	for _, score := range scores {
		if score > highest { // this is false for NaN
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

// tieTolerance returns how far below a score another score may be and still count as equal.
func tieTolerance(score float64) float64 { return float64(tieWithin * max(1, math.Abs(score))) }
