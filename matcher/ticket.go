package matcher

import (
	"fmt"
	"math"
)

// MaxNumber is the largest number, either side of 0, that an attribute may have:
// sums and differences of such numbers are finite.
const MaxNumber = 1e100

// Kind tells what an attribute value is.
type Kind uint8

// The kinds of value. The zero kind is a missing value.
const (
	Missing Kind = iota
	IsNumber
	IsText
	IsSet
)

// Value is one attribute of one player. The zero Value is missing. A rule takes a
// value of a kind that it cannot use for missing: telling the user about a wrong
// type is the dialect's part.
type Value struct {
	Kind   Kind
	Text   Text
	Number float64
	Set    []Text // sorted, each once; see Schema.Set
}

// NumberValue returns a number, which must not be beyond MaxNumber.
func NumberValue(number float64) Value { return Value{Kind: IsNumber, Number: number} }

// TextValue returns a text.
func TextValue(text Text) Value { return Value{Kind: IsText, Text: text} }

// SetValue returns a set of texts, sorted and each once. It keeps the slice.
func SetValue(set []Text) Value { return Value{Kind: IsSet, Set: set} }

// Player is one person, as far as rules look at people.
type Player struct {
	ID     uint64    // of the person, for a matchmaker outside; no rule looks at it
	Values []Value   // by Column; what lies behind the end is missing
	RTTMS  []float64 // by Region; NaN or behind the end: not measured, so not available
}

// Value returns the player's value in a column.
func (p *Player) Value(c Column) Value { return *p.at(c) }

// at returns the player's value in a column where it stands; NoColumn is one that
// everybody lacks.
func (p *Player) at(c Column) *Value {
	if uint(c) < uint(len(p.Values)) {
		return &p.Values[c]
	}
	return &missing
}

// BestRegion returns the region with the player's lowest RTT, the first of
// equal ones. NoRegion: none is measured.
func (p *Player) BestRegion() Region {
	best := NoRegion
	for r, rtt := range p.RTTMS {
		if !math.IsNaN(rtt) && (best == NoRegion || rtt < p.RTTMS[best]) {
			best = Region(r)
		}
	}
	return best
}

// missing is what nobody may change.
var missing Value

// Refuse returns a Refusal of numbers that nothing can be computed with.
func (p *Player) Refuse() error {
	for i := range p.Values {
		if v := &p.Values[i]; v.Kind == IsNumber && !(math.Abs(v.Number) <= MaxNumber) {
			return Refusal(fmt.Sprintf("a player with the number %v, want at most %v", v.Number, MaxNumber))
		}
	}
	for _, rtt := range p.RTTMS {
		if rtt < 0 || math.IsInf(rtt, 0) {
			return Refusal(fmt.Sprintf("a player with a round-trip time of %v ms, want 0 or more, or NaN", rtt))
		}
	}
	return nil
}

// Ticket is one player, or a party that is never split, who waits to be matched.
type Ticket struct {
	CreatedMS int64   // instant from which it waits, ms; the order of tickets, ties in the order of Add
	GiveUpMS  int64   // it expires when it has waited this long, ms; 0: never
	Values    []Value // of the ticket as a whole, by Column; PivotRules look at them
	Players   []Player
	From      Vantage // of a single player, in place of RTTMS; NoVantage: RTTMS says it
}

// Vantage names round-trip times that many players share, such as those of a place in
// which many live, so that they are not computed again for each ticket. It belongs to the
// pool that gave it.
type Vantage int32

// NoVantage is the Vantage of a ticket whose players bring round-trip times of their own.
const NoVantage Vantage = 0

// Member is a player of a session.
type Member struct {
	Player
	Team int // index in Ruleset.Teams, where the player stays; NoTeam: free to be put into any. With a Pivot: number of the team from 0
}

// NoTeam is the team of a session's player who may be put into any team.
const NoTeam = -1

// Session is a running server that looks for players: a backfill.
type Session struct {
	Match     uint64  // number of the match, for a matchmaker outside
	CreatedMS int64   // instant since when it looks for players, ms
	Region    Region  // where it runs; NoRegion: not known, then joining players only need one in common
	Capacity  int     // seats, taken ones included; 0: the maximum match size
	Values    []Value // as Ticket.Values
	Members   []Member
	Teams     int // with a Scan: teams that it has, those without members included; 0: those of its members
}

// Refusal is why a ticket or a session cannot wait in a pool at all.
type Refusal string

// Error returns the reason.
func (r Refusal) Error() string { return string(r) }

// Row names a ticket or a session of a Pool, from Add until it has left the pool.
type Row int32
