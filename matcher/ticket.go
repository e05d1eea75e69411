package matcher

import (
	"fmt"
	"math"
)

// MaxNumber is the largest absolute value of a number in an attribute. It keeps sums and
// differences finite.
const MaxNumber = 1e100

// ValueKind is the type of an attribute value.
type ValueKind uint8

// The kinds of values.
const (
	Missing ValueKind = iota
	IsNumber
	IsText
	IsSet
)

// Value is the value of one attribute of one player. The zero Value is missing. A rule that cannot
// use a value because of its kind treats it as missing. The dialects report wrong types to the
// user.
type Value struct {
	Kind   ValueKind
	Text   Text
	Number float64
	Set    []Text // sorted, without duplicates; see Schema.Set
}

// NumberValue returns the Value of a number, whose absolute value must be at most MaxNumber.
func NumberValue(number float64) Value { return Value{Kind: IsNumber, Number: number} }

// TextValue returns the Value of a text.
func TextValue(text Text) Value { return Value{Kind: IsText, Text: text} }

// SetValue returns the Value of a set of texts, which must be sorted and without duplicates. The
// slice is not copied.
func SetValue(set []Text) Value { return Value{Kind: IsSet, Set: set} }

// Player is the data about one person that rules read.
type Player struct {
	ID     uint64    // identifies the person to an external matchmaker; no rule reads it
	Values []Value   // indexed by Column; values beyond the end are missing
	RTTMS  []float64 // indexed by Region; a region with NaN or beyond the end was not measured and is not available
}

// Value returns the player's value in a column.
func (p *Player) Value(c Column) Value { return *p.At(c) }

// At returns a pointer to the player's value in a column, or to a missing value for NoColumn. The
// caller must not change the value.
func (p *Player) At(c Column) *Value {
	if uint(c) < uint(len(p.Values)) {
		return &p.Values[c]
	}
	return &missing
}

// BestRegion returns the region with the player's lowest RTT, or NoRegion if none was measured. If
// several regions have that RTT, it returns the first one.
func (p *Player) BestRegion() Region {
	best := NoRegion
	for r, rtt := range p.RTTMS {
		if !math.IsNaN(rtt) && (best == NoRegion || rtt < p.RTTMS[best]) {
			best = Region(r)
		}
	}
	return best
}

// missing is the Value that At returns a pointer to if a column has no value.
var missing Value

// Refuse returns a Refusal if the player has a number beyond MaxNumber or an invalid RTT. Otherwise
// it returns nil.
func (p *Player) Refuse() error {
	values := p.Values // a local variable saves a quarter of the instructions
	for i := range values {
		if v := &values[i]; v.Kind == IsNumber && !(math.Abs(v.Number) <= MaxNumber) {
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

// Ticket is a player, or a party that is never split, waiting for a match.
type Ticket struct {
	CreatedMS int64   // instant at which the wait begins, ms; of two tickets with the same instant, the one added first is older
	GiveUpMS  int64   // wait after which the ticket expires, ms; 0 if it never does
	Values    []Value // attributes of the ticket as a whole, by Column; only PivotRules read them
	Players   []Player
	Regions   []Region // order of preference if this ticket is the seed of a match; if it is empty, Ruleset.Regions applies
	From      Place    // place whose RTTs replace RTTMS, only in a ticket of one player; otherwise NoPlace
}

// Place identifies the round-trip times of a place where many players live. A pool reads these
// times once instead of for every ticket. A Place is valid only in the pool that issued it.
type Place int32

// NoPlace is the Place of a ticket whose players have round-trip times of their own.
const NoPlace Place = 0

// Member is a player of a session.
type Member struct {
	Player
	Team int // index of the player's team in the ruleset, or NoTeam; with a Pivot, the team's number from 0
}

// NoTeam is the team of a session's player who may be moved to any team.
const NoTeam = -1

// Session is a running server that looks for players.
type Session struct {
	Match     uint64  // number of the match, for an external matchmaker
	CreatedMS int64   // instant since which it looks for players, ms
	Region    Region  // where it runs; with NoRegion, all players need only have a region in common
	Capacity  int     // number of seats, free and taken; 0 means the maximum match size
	Values    []Value // attributes of the session as a whole, by Column
	Members   []Member
	Teams     int // with PivotRules.InTurn, the number of teams including empty ones; 0 means that only teams with members count
}

// Refusal is the reason why a pool does not accept a ticket or a session.
type Refusal string

// Error returns the reason.
func (r Refusal) Error() string { return string(r) }

// Row identifies a ticket or a session of a Pool from the call that adds it until it leaves the
// pool.
type Row int32
