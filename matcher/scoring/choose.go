package scoring

import "math"

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

// before tells whether of two equal scores this server is taken.
func (s *Server) before(t *Server) bool {
	if s.CreatedMS != t.CreatedMS {
		return s.CreatedMS < t.CreatedMS
	}
	return s.Sequence < t.Sequence
}
