package scoring

import (
	"math"

	"mmsim/matcher"
)

// Measure is what a placement looks like to the people who run the game: what a
// signal looks at, before it is scaled and weighted.
type Measure struct {
	Name   string
	Signal int  // place in Scorer.Signals
	Fixed  bool // of a PlayersShare: the share of those who have Text, whatever the joining player has
	Text   matcher.Text
}

// Measure measures a server for a player who is about to join it. Number signals
// give a difference, not bounded by the scale; NearRTT the RTT in ms; the others a
// share, which of PlayersShare is always that of equals. NaN: there is nothing to
// measure, because the player or the server has no value or nobody plays there.
// Signals without a weight need Scorer.Measured.
func (sc *Scorer) Measure(m *Measure, j *Joiner, s *Server) float64 {
	t := &s.tallies[m.Signal]
	switch signal := sc.Signals[m.Signal].(type) {
	case *Occupancy:
		return emptyIsNone(s, signal.value(j, s, t))
	case *Acquaintance:
		return signal.value(j, s, t)
	case *NearRTT:
		return j.rttMS(s.Region)
	case *PlayersNumber:
		theirs, some := signal.together(j, t)
		to, ok := signal.To.number(j)
		return emptyIsNone(s, difference(theirs, some, to, ok))
	case *PlayersShare:
		same := float64(t.players(m.Text))
		if !m.Fixed {
			if j.Player.Value(signal.Column).Kind != matcher.IsText {
				return math.NaN()
			}
			same = float64(signal.same(j, t))
		}
		return emptyIsNone(s, same/float64(s.players))
	case *PlayersOverlap:
		if j.Player.Value(signal.Column).Kind != matcher.IsSet {
			return math.NaN()
		}
		return emptyIsNone(s, signal.value(j, s, t))
	case *ServerNumber:
		own := s.value(signal.Column)
		to, ok := signal.To.number(j)
		return difference(own.Number, own.Kind == matcher.IsNumber, to, ok)
	case *ServerText:
		if _, ok := signal.To.text(j); !ok || s.value(signal.Column).Kind != matcher.IsText {
			return math.NaN()
		}
		return signal.value(j, s, t)
	}
	panic("scoring: an unknown signal")
}

// emptyIsNone replaces what is said of nobody.
func emptyIsNone(s *Server, value float64) float64 {
	if s.players == 0 {
		return math.NaN()
	}
	return value
}

func difference(a float64, hasA bool, b float64, hasB bool) float64 {
	if !hasA || !hasB {
		return math.NaN()
	}
	return math.Abs(a - b)
}

// Contributions appends what each signal adds to the score of a server, in the order
// of Signals: Weighted of Explain, at the price of Score.
func (sc *Scorer) Contributions(list []float64, j *Joiner, s *Server) []float64 {
	for i, signal := range sc.Signals {
		weighted := 0.0
		if weight := signal.weighted().Weight; weight > 0 {
			weighted = weight * signal.value(j, s, &s.tallies[i])
		}
		list = append(list, weighted)
	}
	return list
}
