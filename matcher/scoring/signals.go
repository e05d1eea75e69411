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
// *ServerText. Its value is from 0 to 1, where 1 is best. The joining player is
// not among the players of the server. The value is 0 if the data for it is missing.
type Signal interface {
	weighted() *Weighted
	// count adds (by 1) or removes (by -1) a player.
	count(t *tally, p *matcher.Player, by int)
	value(j *Joiner, s *Server, t *tally) float64
	// formula returns the computation of value as text.
	formula(j *Joiner, s *Server, t *tally) string

	// The other methods are for a Fleet: columns returns the number of the signal's columns
	// in an outline, draw sets them for a server (they are 0 before), and ask sets how they
	// bound the value of a server for a player; the zero bound is 0.
	columns() int
	draw(columns []float64, s *Server, t *tally)
	ask(b *bound, j *Joiner)
}

// Weighted holds the fields that all signals have.
type Weighted struct {
	Name   string
	Weight float64 // 0 or more; 0: the signal is not evaluated at all
}

func (w *Weighted) weighted() *Weighted { return w }

// NameOf returns the name of a signal.
func NameOf(s Signal) string { return s.weighted().Name }

// WeightOf returns the weight of a signal.
func WeightOf(s Signal) float64 { return s.weighted().Weight }

// uncounted is embedded in signals that keep no totals over players.
type uncounted struct{}

func (uncounted) count(*tally, *matcher.Player, int) {}

// undrawn is embedded in signals without columns in outlines.
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

// Acquaintance is 1 if the player knows anybody on the server.
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

// ask leaves the bound at 0, because Fleet.Best scores the servers of acquaintances first.
func (*Acquaintance) ask(*bound, *Joiner) {}

// NearRTT falls from 1 at 0 ms to 0 at ScaleMS.
type NearRTT struct {
	Weighted
	uncounted
	undrawn
	ScaleMS  float64
	OverBest bool // only the excess over the player's lowest RTT to any region counts
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

// Reference is the value with which a number or text is compared.
type Reference struct {
	Constant bool           // Number or Text is used, otherwise the joining player's value in Column
	Column   matcher.Column // of players
	Number   float64        // of a constant
	Text     matcher.Text   // of a constant
}

// number returns the number to compare with, or false if the player has none.
func (r *Reference) number(j *Joiner) (float64, bool) {
	if r.Constant {
		return r.Number, true
	}
	v := j.Player.Value(r.Column)
	return v.Number, v.Kind == matcher.IsNumber
}

// text returns the text to compare with, or false if the player has none.
func (r *Reference) text(j *Joiner) (matcher.Text, bool) {
	if r.Constant {
		return r.Text, true
	}
	v := j.Player.Value(r.Column)
	return v.Text, v.Kind == matcher.IsText
}

// Aggregate combines the numbers of several players into one.
type Aggregate uint8

// The aggregates. The median of an even count is the mean of the two in the middle.
const (
	MeanNumber Aggregate = iota
	MedianNumber
	SumNumber
)

// PlayersNumber is the closeness of an aggregate of the players' numbers to a reference.
// Players without a number do not count; if no player has one, the value is 0. A sum includes
// the joining player, because it is the sum after the join.
type PlayersNumber struct {
	Weighted
	Column    matcher.Column // of players
	Aggregate Aggregate
	To        Reference
	Scale     float64 // difference from which the value is 0
}

func (n *PlayersNumber) count(t *tally, p *matcher.Player, by int) {
	if v := p.Value(n.Column); v.Kind == matcher.IsNumber {
		t.number(v.Number, by, n.Aggregate == MedianNumber)
	}
}

// there returns the aggregate over the players of the server, or false if there is none.
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

// compare returns the aggregate, including the joining player for a sum, and the number with
// which it is compared.
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

// own returns the number that the joining player adds to the aggregate, or false if it is not
// known.
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

// PlayersShare is the share of the server's players with the joining player's text. A missing
// text equals no text, not even another missing one.
type PlayersShare struct {
	Weighted
	Column matcher.Column
	Others bool // use the share of all other players instead
}

func (p *PlayersShare) count(t *tally, player *matcher.Player, by int) {
	if v := player.Value(p.Column); v.Kind == matcher.IsText {
		t.group(v.Text, nil, by)
	}
}

// same returns the number of players with the joining player's text.
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
		columns[0] = 1 // no bound by text: a text that no player has gives 1
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

// PlayersOverlap is the share of the server's players whose set has a text in common with the
// joining player's.
type PlayersOverlap struct {
	Weighted
	Column matcher.Column
}

func (p *PlayersOverlap) count(t *tally, player *matcher.Player, by int) {
	if v := player.Value(p.Column); v.Kind == matcher.IsSet {
		t.group(0, v.Set, by)
	}
}

// meeting returns the number of players whose set has a text in common with the joining
// player's.
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

// ServerNumber is the closeness of a number of the server to a reference.
type ServerNumber struct {
	Weighted
	uncounted
	Column matcher.Column // of servers
	To     Reference
	Scale  float64 // difference from which the value is 0
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

// ServerText is 1 if the server has the wanted text, otherwise 0.
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

// comparison is a number and the number with which it is compared.
type comparison struct {
	number, to float64
	missing    string // why a number is missing; empty: none is
}

func (c comparison) value(scale float64) float64 {
	if c.missing != "" {
		return 0
	}
	return closeness(c.number-c.to, scale)
}

// formula returns the computation of value as text; number is the first number as text.
func (c comparison) formula(number string, scale float64) string {
	if c.missing != "" {
		return c.missing
	}
	return fmt.Sprintf("1 - min(%s, |%s - %s|)/%s", short(scale), number, short(c.to), short(scale))
}

// difference returns the absolute difference of the numbers, NaN if one is missing.
func (c comparison) difference() float64 {
	if c.missing != "" {
		return math.NaN()
	}
	return math.Abs(c.number - c.to)
}

// closeness falls from 1 at no difference to 0 at scale.
func closeness(difference, scale float64) float64 {
	return 1 - min(scale, math.Abs(difference))/scale
}

// ratio returns n/of, or 0 if of is 0.
func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// shareOf returns a share of the players of a server as text.
func shareOf(n int, s *Server) string {
	if s.players == 0 {
		return "nobody there"
	}
	return fmt.Sprintf("%d/%d", n, s.players)
}

// short returns a number as text for a formula.
func short(number float64) string { return strconv.FormatFloat(number, 'g', 6, 64) }
