package scoring

import (
	"math"

	"mmsim/matcher"
)

// Contribution is what one signal adds to the score of one server.
type Contribution struct {
	Signal   string  `json:"signal"`
	Value    float64 `json:"value"`   // value of the signal, from 0 to 1
	Formula  string  `json:"formula"` // the computation of Value, with its numbers
	Weight   float64 `json:"weight"`
	Weighted float64 `json:"weighted"` // Value times Weight
}

// Explain returns what each signal adds to the score of a server, in the order of Signals. The
// score is the sum of Weighted in that order.
func (sc *Scorer) Explain(j *Joiner, s *Server) []Contribution {
	list := make([]Contribution, len(sc.Signals))
	for i, weighted := range sc.Contributions(nil, j, s) {
		signal, t := sc.Signals[i], &s.tallies[i]
		w := signal.Settings()
		list[i] = Contribution{Signal: w.Name, Weight: w.Weight, Weighted: weighted, Formula: "not considered"}
		if w.Weight > 0 {
			list[i].Value, list[i].Formula = signal.value(j, s, t), signal.formula(j, s, t)
		}
	}
	return list
}

// Contributions appends what each signal adds to the score of a server, in the order of Signals.
// Each is the value that Contribution.Weighted has in Explain. The call costs as much as Score.
func (sc *Scorer) Contributions(list []float64, j *Joiner, s *Server) []float64 {
	for i, signal := range sc.Signals {
		weighted := 0.0
		if weight := signal.Settings().Weight; weight > 0 {
			weighted = weight * signal.value(j, s, &s.tallies[i])
		}
		list = append(list, weighted)
	}
	return list
}

// Reason is the property that decided between two servers.
type Reason uint8

// The reasons.
const (
	ByScore    Reason = iota
	ByAge             // the scores were equal, and the older server won
	BySequence        // the scores and ages were equal, and the lower Sequence won
)

// Decision describes what decided between the winner and the runner-up.
type Decision struct {
	Reason Reason
	Margin float64 // score of the winner minus the score of the runner-up
	// Signal is the index of the signal that favours the winner most, or -1 if no signal
	// favours it. Of signals whose differences are equal except for rounding, it is the first.
	Signal     int
	Difference float64 // how much more Signal adds to the score of the winner
}

// Decide returns what decided between the winner and the runner-up. The parameters won and lost are
// the contributions to their scores.
func Decide(winner, runnerUp *Server, contributions, runnerUpContributions []float64) Decision {
	d := Decision{Signal: -1}
	high, low := 0.0, 0.0
	for i := range contributions {
		high += contributions[i]
		low += runnerUpContributions[i]
		difference := contributions[i] - runnerUpContributions[i]
		if difference > 0 && (d.Signal < 0 || difference > d.Difference+tieTolerance(d.Difference)) {
			d.Signal, d.Difference = i, difference
		}
	}
	d.Margin = high - low
	switch {
	case math.Abs(d.Margin) > tieTolerance(max(high, low)):
		d.Reason = ByScore
	case winner.CreatedMS != runnerUp.CreatedMS:
		d.Reason = ByAge
	default:
		d.Reason = BySequence
	}
	return d
}

// Measure selects a quantity that interests operators of a game: the value that a signal reads,
// before it is scaled and weighted.
type Measure struct {
	Name   string
	Signal int  // index in Scorer.Signals
	Fixed  bool // for PlayersShare: measure the share of players with Measure.Text instead of the joining player's text
	Text   matcher.Text
}

// Measure measures a server for a player who is about to join it. Signals about numbers return a
// difference, which may exceed their scale. NearRTT returns the RTT in ms. The others return a
// share; for PlayersShare, it is the share of players with the same text even if Others is set.
// The result is NaN if the player or the server has no value, or if the server is empty. Signals
// without a weight can be measured only if Scorer.Measured is set.
func (sc *Scorer) Measure(m *Measure, j *Joiner, s *Server) float64 {
	t := &s.tallies[m.Signal]
	empty := s.players == 0
	switch signal := sc.Signals[m.Signal].(type) {
	case *NearRTT:
		return j.rttMS(s.Region)
	case *ServerNumber:
		return signal.compare(j, s).difference()
	case *PlayersNumber:
		if !empty {
			return signal.compare(j, s, t).difference()
		}
	case *PlayersShare:
		switch own := j.Player.Value(signal.Column); {
		case empty:
		case m.Fixed:
			return ratio(t.players(m.Text), s.players)
		case own.Kind == matcher.IsText:
			return ratio(t.players(own.Text), s.players)
		}
	case *PlayersOverlap:
		if !empty && j.Player.Value(signal.Column).Kind == matcher.IsSet {
			return signal.value(j, s, t)
		}
	case *ServerText:
		if _, ok := signal.To.text(j); ok && s.value(signal.Column).Kind == matcher.IsText {
			return signal.value(j, s, t)
		}
	case *Occupancy:
		if !empty {
			return signal.value(j, s, t)
		}
	default:
		return signal.value(j, s, t)
	}
	return math.NaN()
}
