package scoring

import (
	"math"

	"mmsim/matcher"
)

// Signal is one of the signals of this package: *Occupancy, *Acquaintance,
// *NearRTT, *PlayersNumber, *PlayersShare, *PlayersOverlap, *ServerNumber or
// *ServerText. Its value is from 0, nothing speaks for the server, to 1. The joining
// player is not among the players of the server. What is not known speaks for
// nothing: it gives 0.
type Signal interface {
	weighted() *Weighted
	// count counts a player in (by 1) or out (by -1).
	count(t *tally, p *matcher.Player, by int)
	value(j *Joiner, s *Server, t *tally) float64
	// formula is value with its numbers in words.
	formula(j *Joiner, s *Server, t *tally) string
}

// Weighted is what all signals have.
type Weighted struct {
	Name   string
	Weight float64 // 0 or more; 0: the signal is not evaluated at all
}

func (w *Weighted) weighted() *Weighted { return w }

// uncounted is embedded in signals that keep nothing about players.
type uncounted struct{}

func (uncounted) count(*tally, *matcher.Player, int) {}

// closeness is 1 for no difference and 0 from the scale on.
func closeness(difference, scale float64) float64 {
	return 1 - min(scale, math.Abs(difference))/scale
}

// Occupancy is the share of seats that are taken.
type Occupancy struct {
	Weighted
	uncounted
}

func (*Occupancy) value(_ *Joiner, s *Server, _ *tally) float64 {
	if s.Capacity == 0 {
		return 0
	}
	return float64(s.players) / float64(s.Capacity)
}

// Acquaintance is 1 where the player knows somebody, however many.
type Acquaintance struct {
	Weighted
	uncounted
}

func (*Acquaintance) value(j *Joiner, s *Server, _ *tally) float64 {
	if j.known(s) > 0 {
		return 1
	}
	return 0
}

// NearRTT falls from 1 at 0 ms to 0 at ScaleMS.
type NearRTT struct {
	Weighted
	uncounted
	ScaleMS  float64
	OverBest bool // only what exceeds the player's lowest RTT to any region counts
}

func (n *NearRTT) value(j *Joiner, s *Server, _ *tally) float64 {
	rtt := j.rttMS(s.Region)
	if math.IsNaN(rtt) {
		return 0
	}
	if n.OverBest {
		rtt -= j.bestRTTMS
	}
	return closeness(rtt, n.ScaleMS)
}

// Aggregate is how the numbers of several players become one.
type Aggregate uint8

// The aggregates. The median of an even count is the mean of the two in the middle.
const (
	MeanNumber Aggregate = iota
	MedianNumber
	SumNumber
)

// Reference is what a number or text is compared with.
type Reference struct {
	Constant bool           // Number or Text, else the joining player's value in Column
	Column   matcher.Column // of players
	Number   float64        // of a constant
	Text     matcher.Text   // of a constant
}

// number returns the number to compare with; false when the player has none.
func (r *Reference) number(j *Joiner) (float64, bool) {
	if r.Constant {
		return r.Number, true
	}
	v := j.Player.Value(r.Column)
	return v.Number, v.Kind == matcher.IsNumber
}

// text returns the text to compare with; false when the player has none.
func (r *Reference) text(j *Joiner) (matcher.Text, bool) {
	if r.Constant {
		return r.Text, true
	}
	v := j.Player.Value(r.Column)
	return v.Text, v.Kind == matcher.IsText
}

// PlayersNumber is how close the numbers of those who play there, taken together,
// are to another. Players without a number do not count; if nobody has one, it is
// 0. In a sum the joining player is included, for it is the sum that he makes.
type PlayersNumber struct {
	Weighted
	Column    matcher.Column // of players
	Aggregate Aggregate
	To        Reference
	Scale     float64 // difference from which on it is 0
}

func (n *PlayersNumber) count(t *tally, p *matcher.Player, by int) {
	if v := p.Value(n.Column); v.Kind == matcher.IsNumber {
		t.number(v.Number, by, n.Aggregate == MedianNumber)
	}
}

// there returns the aggregate of those who play there; false when there is none.
func (n *PlayersNumber) there(t *tally) (float64, bool) {
	switch {
	case n.Aggregate == SumNumber:
		return t.sum.float(), true
	case t.having == 0:
		return 0, false
	case n.Aggregate == MeanNumber:
		return t.sum.float() / float64(t.having), true
	}
	upper := t.having / 2
	return (t.sorted[(t.having-1)/2] + t.sorted[upper]) / 2, true
}

// together returns the aggregate with the joining player in it where that is so;
// false when there is none.
func (n *PlayersNumber) together(j *Joiner, t *tally) (float64, bool) {
	theirs, some := n.there(t)
	if n.Aggregate == SumNumber {
		own := j.Player.Value(n.Column)
		return theirs + own.Number, own.Kind == matcher.IsNumber
	}
	return theirs, some
}

func (n *PlayersNumber) value(j *Joiner, _ *Server, t *tally) float64 {
	theirs, some := n.together(j, t)
	to, ok := n.To.number(j)
	if !some || !ok {
		return 0
	}
	return closeness(theirs-to, n.Scale)
}

// PlayersShare is the share of the players there who have the joining player's
// text. A missing one equals nothing, not even another missing one.
type PlayersShare struct {
	Weighted
	Column matcher.Column
	Others bool // the share of all others instead
}

func (p *PlayersShare) count(t *tally, player *matcher.Player, by int) {
	if v := player.Value(p.Column); v.Kind == matcher.IsText {
		t.group(v.Text, nil, by)
	}
}

// same returns how many players have the joining player's text.
func (p *PlayersShare) same(j *Joiner, t *tally) int {
	own := j.Player.Value(p.Column)
	if own.Kind != matcher.IsText {
		return 0
	}
	return t.players(own.Text)
}

func (p *PlayersShare) value(j *Joiner, s *Server, t *tally) float64 {
	if s.players == 0 {
		return 0
	}
	share := float64(p.same(j, t)) / float64(s.players)
	if p.Others {
		return 1 - share
	}
	return share
}

// PlayersOverlap is the share of the players there whose set has a text in common
// with the joining player's.
type PlayersOverlap struct {
	Weighted
	Column matcher.Column
}

func (p *PlayersOverlap) count(t *tally, player *matcher.Player, by int) {
	if v := player.Value(p.Column); v.Kind == matcher.IsSet {
		t.group(0, v.Set, by)
	}
}

// meeting returns how many players have something in common with the joining one.
func (p *PlayersOverlap) meeting(j *Joiner, t *tally) int {
	own := j.Player.Value(p.Column).Set
	n := 0
	for i := range t.groups {
		if matcher.CountShared(own, t.groups[i].set) > 0 {
			n += t.groups[i].players
		}
	}
	return n
}

func (p *PlayersOverlap) value(j *Joiner, s *Server, t *tally) float64 {
	if s.players == 0 {
		return 0
	}
	return float64(p.meeting(j, t)) / float64(s.players)
}

// ServerNumber is how close a number of the server is to another.
type ServerNumber struct {
	Weighted
	uncounted
	Column matcher.Column // of servers
	To     Reference
	Scale  float64 // difference from which on it is 0
}

func (n *ServerNumber) value(j *Joiner, s *Server, _ *tally) float64 {
	own := s.value(n.Column)
	to, ok := n.To.number(j)
	if own.Kind != matcher.IsNumber || !ok {
		return 0
	}
	return closeness(own.Number-to, n.Scale)
}

// ServerText is 1 where the server has the text that is wanted, else 0.
type ServerText struct {
	Weighted
	uncounted
	Column matcher.Column // of servers
	To     Reference
}

func (e *ServerText) value(j *Joiner, s *Server, _ *tally) float64 {
	own := s.value(e.Column)
	if wanted, ok := e.To.text(j); ok && own.Kind == matcher.IsText && own.Text == wanted {
		return 1
	}
	return 0
}

// NameOf returns the name of a signal.
func NameOf(s Signal) string { return s.weighted().Name }

// WeightOf returns the weight of a signal.
func WeightOf(s Signal) float64 { return s.weighted().Weight }
