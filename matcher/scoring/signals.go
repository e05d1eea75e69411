package scoring

import (
	"fmt"
	"math"
	"strconv"

	"mmsim/matcher"
)

// Signal is implemented by *Occupancy, *Acquaintance, *NearRTT, *PlayersNumber, *PlayersShare,
// *PlayersOverlap, *ServerNumber and *ServerText. Its value is from 0 to 1, where 1 is best. The
// value is 0 if it cannot be computed because data is missing. The server's players do not include
// the joining player.
type Signal interface {
	// Settings returns the fields that all signals have.
	Settings() *Weighted
	// count adds a player to the tally if the parameter by is 1, and removes the player if by is
	// -1.
	count(t *tally, p *matcher.Player, by int)
	value(j *Joiner, s *Server, t *tally) float64
	// formula returns the computation of value as text.
	formula(j *Joiner, s *Server, t *tally) string

	// columns returns the number of the signal's columns in an outline.
	columns() int
	// draw sets the columns of a server's outline, which are 0 before the call.
	draw(columns []float64, s *Server, t *tally)
	// ask sets b to the bound of the value for a player. b is the zero bound before the call.
	ask(b *bound, j *Joiner)
}

// Weighted holds the fields that all signals have.
type Weighted struct {
	Name   string
	Weight float64 // 0 or more; a signal with weight 0 is not evaluated
}

// Settings returns w.
func (w *Weighted) Settings() *Weighted { return w }

// uncounted is embedded in signals that keep no totals over players.
type uncounted struct{}

func (uncounted) count(*tally, *matcher.Player, int) {}

// noOutline is embedded in signals without columns in outlines.
type noOutline struct{}

func (noOutline) columns() int                    { return 0 }
func (noOutline) draw([]float64, *Server, *tally) {}

// Occupancy is the share of a server's seats that are taken.
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
	noOutline
}

func (*Acquaintance) value(j *Joiner, s *Server, _ *tally) float64 {
	return float64(min(j.known(s), 1))
}

func (*Acquaintance) formula(j *Joiner, s *Server, _ *tally) string {
	return fmt.Sprintf("min(%d, 1)", j.known(s))
}

// ask leaves the bound at 0, because Fleet.Best scores the servers of acquaintances separately.
func (*Acquaintance) ask(*bound, *Joiner) {}

// NearRTT decreases from 1 at an RTT of 0 ms to 0 at ScaleMS.
type NearRTT struct {
	Weighted
	uncounted
	noOutline
	ScaleMS  float64
	OverBest bool // only the difference from the player's lowest RTT counts
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

// Reference is the value with which a number or a text is compared. It is a constant or a value of
// the joining player.
type Reference struct {
	Constant bool           // use Number or Text instead of Column
	Column   matcher.Column // attribute of the joining player
	Number   float64        // the number, if Constant is set
	Text     matcher.Text   // the text, if Constant is set
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

// The aggregates. The median of an even count of numbers is the mean of the two in the middle.
const (
	MeanNumber Aggregate = iota
	MedianNumber
	SumNumber
)

// PlayersNumber is the closeness of an aggregate of the players' numbers to a reference. Players
// without a number are ignored. A mean or median has the value 0 if no player has a number. A sum
// includes the number of the joining player, because it is the sum after the join.
type PlayersNumber struct {
	Weighted
	Column    matcher.Column // attribute of the server's players
	Aggregate Aggregate
	To        Reference
	Scale     float64 // differences of this or more have the value 0
}

func (n *PlayersNumber) count(t *tally, p *matcher.Player, by int) {
	if v := p.Value(n.Column); v.Kind == matcher.IsNumber {
		t.number(v.Number, by, n.Aggregate == MedianNumber)
	}
}

// there returns the aggregate over the server's players, or false if there is none.
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

// compare returns the aggregate and the number with which it is compared. A sum includes the number
// of the joining player.
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

// own returns the number that the joining player adds to a sum, or false if it is missing. It
// returns 0 for other aggregates.
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

// PlayersShare is the share of the server's players who have the same text as the joining player.
// Players without a text never count as having the same.
type PlayersShare struct {
	Weighted
	Column matcher.Column
	Others bool // use instead the share of the server's players with another text or without a text
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
		columns[0] = 1 // for a text that no player has, the value is 1
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
// joining player's set.
type PlayersOverlap struct {
	Weighted
	Column matcher.Column
}

func (p *PlayersOverlap) count(t *tally, player *matcher.Player, by int) {
	if v := player.Value(p.Column); v.Kind == matcher.IsSet {
		t.group(0, v.Set, by)
	}
}

// meeting returns the number of players whose set has a text in common with the joining player's
// set.
func (p *PlayersOverlap) meeting(j *Joiner, t *tally) int {
	own := j.Player.Value(p.Column).Set
	n := 0
	for i := range t.groups {
		if matcher.SetsMeet(own, t.groups[i].set) {
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
	Column matcher.Column // attribute of servers
	To     Reference
	Scale  float64 // differences of this or more have the value 0
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

// ServerText is 1 if the server's text equals a reference, otherwise 0.
type ServerText struct {
	Weighted
	uncounted
	Column matcher.Column // attribute of servers
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
	missing    string // reason why a number is missing, or "" if both are known
}

func (c comparison) value(scale float64) float64 {
	if c.missing != "" {
		return 0
	}
	return closeness(c.number-c.to, scale)
}

// formula returns the computation of value as text. The parameter number is the text for the first
// number.
func (c comparison) formula(number string, scale float64) string {
	if c.missing != "" {
		return c.missing
	}
	return fmt.Sprintf("1 - min(%s, |%s - %s|)/%s", short(scale), number, short(c.to), short(scale))
}

// difference returns the absolute difference of the numbers, or NaN if one is missing.
func (c comparison) difference() float64 {
	if c.missing != "" {
		return math.NaN()
	}
	return math.Abs(c.number - c.to)
}

// closeness decreases from 1 at no difference to 0 at a difference of scale.
func closeness(difference, scale float64) float64 {
	return 1 - min(scale, math.Abs(difference))/scale
}

// ratio returns n divided by of, or 0 if the divisor is 0.
func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// shareOf returns n as a share of a server's players, as text.
func shareOf(n int, s *Server) string {
	if s.players == 0 {
		return "nobody there"
	}
	return fmt.Sprintf("%d/%d", n, s.players)
}

// short returns a number as text for a formula.
func short(number float64) string { return strconv.FormatFloat(number, 'g', 6, 64) }
