package scoring

import (
	"fmt"
	"math"
	"strconv"

	"mmsim/matcher"
	"mmsim/matcher/internal/textset"
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

	// The rest is for a Fleet: columns returns how many columns of an outline the signal
	// has, draw sets them for a server (they are 0 before), and ask says how they bound
	// the value of a server for a player; a bound left as it is says 0.
	columns() int
	draw(columns []float64, s *Server, t *tally)
	ask(b *bound, j *Joiner)
}

// Weighted is what all signals have.
type Weighted struct {
	Name   string
	Weight float64 // 0 or more; 0: the signal is not evaluated at all
}

func (w *Weighted) weighted() *Weighted { return w }

// NameOf returns the name of a signal.
func NameOf(s Signal) string { return s.weighted().Name }

// WeightOf returns the weight of a signal.
func WeightOf(s Signal) float64 { return s.weighted().Weight }

// uncounted is embedded in signals that keep nothing about players.
type uncounted struct{}

func (uncounted) count(*tally, *matcher.Player, int) {}

// undrawn is embedded in signals of which outlines say nothing.
type undrawn struct{}

func (undrawn) columns() int                    { return 0 }
func (undrawn) draw([]float64, *Server, *tally) {}

// Occupancy is the share of seats that are taken.
type Occupancy struct {
	Weighted
	uncounted
}

func (*Occupancy) value(_ *Joiner, s *Server, _ *tally) float64 { return ratio(s.players, s.Capacity) }

func (*Occupancy) formula(_ *Joiner, s *Server, _ *tally) string {
	return fmt.Sprintf("%d/%d", s.players, s.Capacity)
}

func (*Occupancy) columns() int { return 1 }
func (o *Occupancy) draw(columns []float64, s *Server, t *tally) {
	columns[0] = o.value(nil, s, t)
}
func (*Occupancy) ask(b *bound, _ *Joiner) { b.column(0) }

// Acquaintance is 1 where the player knows somebody, however many.
type Acquaintance struct {
	Weighted
	uncounted
	undrawn
}

func (*Acquaintance) value(j *Joiner, s *Server, _ *tally) float64 {
	return float64(min(j.known(s), 1))
}

func (*Acquaintance) formula(j *Joiner, s *Server, _ *tally) string {
	return fmt.Sprintf("min(%d, 1)", j.known(s))
}

// ask leaves the bound at 0: Fleet.Best looks at the servers of acquaintances first.
func (*Acquaintance) ask(*bound, *Joiner) {}

// NearRTT falls from 1 at 0 ms to 0 at ScaleMS.
type NearRTT struct {
	Weighted
	uncounted
	undrawn
	ScaleMS  float64
	OverBest bool // only what exceeds the player's lowest RTT to any region counts
}

func (n *NearRTT) value(j *Joiner, s *Server, _ *tally) float64 { return n.inRegion(j, s.Region) }

func (n *NearRTT) inRegion(j *Joiner, r matcher.Region) float64 {
	rtt := j.rttMS(r)
	if math.IsNaN(rtt) {
		return 0
	}
	if n.OverBest {
		rtt -= j.bestRTTMS
	}
	return closeness(rtt, n.ScaleMS)
}

func (n *NearRTT) formula(j *Joiner, s *Server, _ *tally) string {
	rtt := j.rttMS(s.Region)
	words := short(rtt)
	switch {
	case math.IsNaN(rtt):
		return "no RTT known"
	case n.OverBest:
		words += " - " + short(j.bestRTTMS)
	}
	return fmt.Sprintf("1 - min(%s, %s)/%s", short(n.ScaleMS), words, short(n.ScaleMS))
}

func (n *NearRTT) ask(b *bound, j *Joiner) {
	b.kind = byRegion
	for region := matcher.NoRegion; int(region) < len(j.RTTMS); region++ {
		b.regions = append(b.regions, n.inRegion(j, region))
	}
}

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

// Aggregate is how the numbers of several players become one.
type Aggregate uint8

// The aggregates. The median of an even count is the mean of the two in the middle.
const (
	MeanNumber Aggregate = iota
	MedianNumber
	SumNumber
)

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

// compare returns the aggregate, with the joining player in a sum, and what it is
// compared with.
func (n *PlayersNumber) compare(j *Joiner, s *Server, t *tally) comparison {
	theirs, some := n.there(t)
	own, has := n.own(j)
	to, ok := n.To.number(j)
	switch {
	case s.players == 0 && !(some && has):
		return comparison{missing: "nobody there"}
	case !has || !ok:
		return comparison{missing: "not known of the player"}
	case !some:
		return comparison{missing: "known of nobody there"}
	}
	return comparison{number: theirs + own, to: to}
}

// own returns what the joining player adds to the aggregate; false when it cannot be
// said.
func (n *PlayersNumber) own(j *Joiner) (float64, bool) {
	if n.Aggregate != SumNumber {
		return 0, true
	}
	v := j.Player.Value(n.Column)
	return v.Number, v.Kind == matcher.IsNumber
}

func (n *PlayersNumber) value(j *Joiner, s *Server, t *tally) float64 {
	return n.compare(j, s, t).value(n.Scale)
}

func (n *PlayersNumber) formula(j *Joiner, s *Server, t *tally) string {
	c := n.compare(j, s, t)
	switch n.Aggregate {
	case MeanNumber:
		return c.formula("mean "+short(c.number), n.Scale)
	case MedianNumber:
		return c.formula("median "+short(c.number), n.Scale)
	}
	own, _ := n.own(j)
	return c.formula("("+short(t.sum.float())+" + "+short(own)+")", n.Scale)
}

func (*PlayersNumber) columns() int { return 2 }
func (n *PlayersNumber) draw(columns []float64, _ *Server, t *tally) {
	number, some := n.there(t)
	drawNumber(columns, number, some)
}
func (n *PlayersNumber) ask(b *bound, j *Joiner) {
	if own, has := n.own(j); has {
		b.distance(&n.To, j, own, n.Scale)
	}
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
	share := ratio(p.same(j, t), s.players)
	if p.Others && s.players > 0 {
		return 1 - share
	}
	return share
}

func (p *PlayersShare) formula(j *Joiner, s *Server, t *tally) string {
	words := shareOf(p.same(j, t), s)
	if p.Others && s.players > 0 {
		return "1 - " + words
	}
	return words
}

func (*PlayersShare) columns() int { return textSlots }
func (p *PlayersShare) draw(columns []float64, s *Server, t *tally) {
	if p.Others && s.players > 0 {
		columns[0] = 1 // not bounded by text: a text that nobody has there is worth 1
		return
	}
	for i := range t.groups {
		slot := slotOf(t.groups[i].text)
		columns[slot] = max(columns[slot], ratio(t.groups[i].players, s.players))
	}
}
func (p *PlayersShare) ask(b *bound, j *Joiner) {
	if p.Others {
		b.column(0)
	} else if own := j.Player.Value(p.Column); own.Kind == matcher.IsText {
		b.column(slotOf(own.Text))
	}
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
		if textset.Meet(own, t.groups[i].set) {
			n += t.groups[i].players
		}
	}
	return n
}

func (p *PlayersOverlap) value(j *Joiner, s *Server, t *tally) float64 {
	return ratio(p.meeting(j, t), s.players)
}

func (p *PlayersOverlap) formula(j *Joiner, s *Server, t *tally) string {
	return shareOf(p.meeting(j, t), s)
}

func (*PlayersOverlap) columns() int { return 1 }
func (*PlayersOverlap) draw(columns []float64, s *Server, t *tally) {
	sets := 0
	for i := range t.groups {
		sets += t.groups[i].players
	}
	columns[0] = ratio(sets, s.players)
}
func (p *PlayersOverlap) ask(b *bound, j *Joiner) {
	if len(j.Player.Value(p.Column).Set) > 0 {
		b.column(0)
	}
}

// ServerNumber is how close a number of the server is to another.
type ServerNumber struct {
	Weighted
	uncounted
	Column matcher.Column // of servers
	To     Reference
	Scale  float64 // difference from which on it is 0
}

func (n *ServerNumber) compare(j *Joiner, s *Server) comparison {
	own := s.value(n.Column)
	to, ok := n.To.number(j)
	switch {
	case own.Kind != matcher.IsNumber:
		return comparison{missing: "not known of the server"}
	case !ok:
		return comparison{missing: "not known of the player"}
	}
	return comparison{number: own.Number, to: to}
}

func (n *ServerNumber) value(j *Joiner, s *Server, _ *tally) float64 {
	return n.compare(j, s).value(n.Scale)
}

func (n *ServerNumber) formula(j *Joiner, s *Server, _ *tally) string {
	c := n.compare(j, s)
	return c.formula(short(c.number), n.Scale)
}

func (*ServerNumber) columns() int { return 2 }
func (n *ServerNumber) draw(columns []float64, s *Server, _ *tally) {
	own := s.value(n.Column)
	drawNumber(columns, own.Number, own.Kind == matcher.IsNumber)
}
func (n *ServerNumber) ask(b *bound, j *Joiner) { b.distance(&n.To, j, 0, n.Scale) }

// ServerText is 1 where the server has the text that is wanted, else 0.
type ServerText struct {
	Weighted
	uncounted
	Column matcher.Column // of servers
	To     Reference
}

// The formulas of ServerText.
const (
	sameValue  = "same value"
	otherValue = "other value"
)

func (e *ServerText) formula(j *Joiner, s *Server, _ *tally) string {
	own := s.value(e.Column)
	wanted, ok := e.To.text(j)
	switch {
	case own.Kind != matcher.IsText:
		return "not known of the server"
	case !ok:
		return "not known of the player"
	case own.Text != wanted:
		return otherValue
	}
	return sameValue
}

func (e *ServerText) value(j *Joiner, s *Server, t *tally) float64 {
	if e.formula(j, s, t) == sameValue {
		return 1
	}
	return 0
}

func (*ServerText) columns() int { return textSlots }
func (e *ServerText) draw(columns []float64, s *Server, _ *tally) {
	if own := s.value(e.Column); own.Kind == matcher.IsText {
		columns[slotOf(own.Text)] = 1
	}
}
func (e *ServerText) ask(b *bound, j *Joiner) {
	if wanted, ok := e.To.text(j); ok {
		b.column(slotOf(wanted))
	}
}

// comparison is a number and what it is compared with.
type comparison struct {
	number, to float64
	missing    string // why there is nothing to compare; empty: there is
}

func (c comparison) value(scale float64) float64 {
	if c.missing != "" {
		return 0
	}
	return closeness(c.number-c.to, scale)
}

// formula words value; number is the number in words.
func (c comparison) formula(number string, scale float64) string {
	if c.missing != "" {
		return c.missing
	}
	return fmt.Sprintf("1 - min(%s, |%s - %s|)/%s", short(scale), number, short(c.to), short(scale))
}

// difference returns how far apart the numbers are; NaN: there is nothing to compare.
func (c comparison) difference() float64 {
	if c.missing != "" {
		return math.NaN()
	}
	return math.Abs(c.number - c.to)
}

// closeness is 1 for no difference and 0 from the scale on.
func closeness(difference, scale float64) float64 {
	return 1 - min(scale, math.Abs(difference))/scale
}

// ratio returns n/of; 0 of none.
func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// shareOf words a share of the players of a server.
func shareOf(n int, s *Server) string {
	if s.players == 0 {
		return "nobody there"
	}
	return fmt.Sprintf("%d/%d", n, s.players)
}

// short writes a number for a formula.
func short(number float64) string { return strconv.FormatFloat(number, 'g', 6, 64) }
