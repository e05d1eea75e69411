package scoring

import (
	"fmt"
	"math"
	"strconv"

	"mmsim/matcher"
)

// Contribution is what one signal adds to the score of one server.
type Contribution struct {
	Signal   string
	Value    float64 // 0 to 1
	Formula  string  // with the numbers that gave Value
	Weight   float64
	Weighted float64 // Value times Weight
}

// Explain returns what each signal adds to the score of a server, in the order of
// Signals. The sum of Weighted, in that order, is the score.
func (sc *Scorer) Explain(j *Joiner, s *Server) []Contribution {
	list := make([]Contribution, len(sc.Signals))
	for i, signal := range sc.Signals {
		w := signal.weighted()
		list[i] = Contribution{Signal: w.Name, Weight: w.Weight, Formula: "not considered"}
		if w.Weight == 0 {
			continue
		}
		t := &s.tallies[i]
		list[i].Value = signal.value(j, s, t)
		list[i].Formula = signal.formula(j, s, t)
		list[i].Weighted = w.Weight * list[i].Value
	}
	return list
}

// Reason is what decided between two servers.
type Reason uint8

// The reasons.
const (
	ByScore    Reason = iota
	ByAge             // equal scores, the older server
	BySequence        // equal scores and ages
)

// Decision is what decided between the winner and the runner-up.
type Decision struct {
	Reason Reason
	Margin float64 // score of the winner less that of the runner-up
	// Signal is the place of the signal that spoke most for the winner, and
	// Difference how much more it added to his score; of those that are equal but for
	// a rounding the first. -1: none spoke for the winner, as in a tie.
	Signal     int
	Difference float64
}

// Decide tells what decided between the winner and the runner-up, whose scores are
// the sums of the two lists of contributions.
func Decide(winner, runnerUp *Server, won, lost []float64) Decision {
	d := Decision{Signal: -1}
	high, low := 0.0, 0.0
	for i := range won {
		high += won[i]
		low += lost[i]
		difference := won[i] - lost[i]
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

// short writes a number for a formula.
func short(number float64) string { return strconv.FormatFloat(number, 'g', 6, 64) }

// nearness words closeness.
func nearness(a, b string, scale float64) string {
	return fmt.Sprintf("1 - min(%s, |%s - %s|)/%s", short(scale), a, b, short(scale))
}

func (*Occupancy) formula(_ *Joiner, s *Server, _ *tally) string {
	return fmt.Sprintf("%d/%d", s.players, s.Capacity)
}

func (*Acquaintance) formula(j *Joiner, s *Server, _ *tally) string {
	return fmt.Sprintf("min(%d, 1)", j.known(s))
}

func (n *NearRTT) formula(j *Joiner, s *Server, _ *tally) string {
	rtt := j.rttMS(s.Region)
	switch {
	case math.IsNaN(rtt):
		return "no RTT known"
	case n.OverBest:
		return fmt.Sprintf("1 - min(%s, %s - %s)/%s", short(n.ScaleMS), short(rtt), short(j.bestRTTMS), short(n.ScaleMS))
	}
	return fmt.Sprintf("1 - min(%s, %s)/%s", short(n.ScaleMS), short(rtt), short(n.ScaleMS))
}

func (n *PlayersNumber) formula(j *Joiner, s *Server, t *tally) string {
	theirs, some := n.together(j, t)
	to, ok := n.To.number(j)
	own := j.Player.Value(n.Column)
	switch {
	case s.players == 0 && !some:
		return "nobody there"
	case n.Aggregate == SumNumber && own.Kind != matcher.IsNumber, !ok:
		return "not known of the player"
	case !some:
		return "known of nobody there"
	case n.Aggregate == SumNumber:
		return nearness("("+short(t.sum.float())+" + "+short(own.Number)+")", short(to), n.Scale)
	case n.Aggregate == MedianNumber:
		return nearness("median "+short(theirs), short(to), n.Scale)
	}
	return nearness("mean "+short(theirs), short(to), n.Scale)
}

func (p *PlayersShare) formula(j *Joiner, s *Server, t *tally) string {
	if s.players == 0 {
		return "nobody there"
	}
	ratio := fmt.Sprintf("%d/%d", p.same(j, t), s.players)
	if p.Others {
		return "1 - " + ratio
	}
	return ratio
}

func (p *PlayersOverlap) formula(j *Joiner, s *Server, t *tally) string {
	if s.players == 0 {
		return "nobody there"
	}
	return fmt.Sprintf("%d/%d", p.meeting(j, t), s.players)
}

func (n *ServerNumber) formula(j *Joiner, s *Server, _ *tally) string {
	own := s.value(n.Column)
	to, ok := n.To.number(j)
	switch {
	case own.Kind != matcher.IsNumber:
		return "not known of the server"
	case !ok:
		return "not known of the player"
	}
	return nearness(short(own.Number), short(to), n.Scale)
}

func (e *ServerText) formula(j *Joiner, s *Server, _ *tally) string {
	own := s.value(e.Column)
	wanted, ok := e.To.text(j)
	switch {
	case own.Kind != matcher.IsText:
		return "not known of the server"
	case !ok:
		return "not known of the player"
	case own.Text != wanted:
		return "other value"
	}
	return "same value"
}
