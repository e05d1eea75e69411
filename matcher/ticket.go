package matcher

import (
	"fmt"
	"math"
)

// MaxNumber is the largest absolute value of a number in an attribute. It keeps sums and
// differences finite.
const MaxNumber = 1e100

// Kind is the type of an attribute value.
type Kind uint8

// The kinds of value. The zero kind is a missing value.
const (
	Missing Kind = iota
	IsNumber
	IsText
	IsSet
)

// Value is one attribute of one player. The zero Value is missing. A rule treats a value of a
// kind that it cannot use as missing; the dialects report wrong types to the user.
type Value struct {
	Kind   Kind
	Text   Text
	Number float64
	Set    []Text // sorted, without duplicates; see Schema.Set
}

// NumberValue returns a number, which must not be beyond MaxNumber.
func NumberValue(number float64) Value { return Value{Kind: IsNumber, Number: number} }

// TextValue returns a text.
func TextValue(text Text) Value { return Value{Kind: IsText, Text: text} }

// SetValue returns a set of texts, which must be sorted and without duplicates. It keeps the
// slice.
func SetValue(set []Text) Value { return Value{Kind: IsSet, Set: set} }

// Player holds the data of one person that rules read.
type Player struct {
	ID     uint64    // of the person, for an external matchmaker; no rule reads it
	Values []Value   // by Column; columns beyond the end are missing
	RTTMS  []float64 // by Region; NaN or beyond the end: not measured, so the region is not available
}

// Value returns the player's value in a column.
func (p *Player) Value(c Column) Value { return *p.At(c) }

// At returns a pointer to the player's value in a column, which must not be changed; the value
// is missing for NoColumn.
func (p *Player) At(c Column) *Value {
	if uint(c) < uint(len(p.Values)) {
		return &p.Values[c]
	}
	return &missing
}

// BestRegion returns the region with the player's lowest RTT; on ties, the first. It returns
// NoRegion if none is measured.
func (p *Player) BestRegion() Region {
	best := NoRegion
	for r, rtt := range p.RTTMS {
		if !math.IsNaN(rtt) && (best == NoRegion || rtt < p.RTTMS[best]) {
			best = Region(r)
		}
	}
	return best
}

// missing is the value that At returns for absent columns. It must not be changed.
var missing Value

// Refuse returns a Refusal if the player has a number beyond MaxNumber or an invalid RTT.
func (p *Player) Refuse() error {
	values := p.Values // a local variable: a quarter fewer instructions
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
	CreatedMS int64   // instant at which its wait begins, ms; tickets are ordered by it, ties by the order of Add
	GiveUpMS  int64   // it expires when it has waited this long, ms; 0: never
	Values    []Value // of the ticket as a whole, by Column; only PivotRules read them
	Players   []Player
	From      Place // whose round-trip times a single player has; NoPlace: those in RTTMS
}

// Place identifies the round-trip times of a place where many players live, so that they are
// read once and not for each ticket. It belongs to the pool that issued it.
type Place int32

// NoPlace is the Place of a ticket whose players have their own round-trip times.
const NoPlace Place = 0

// Member is a player of a session.
type Member struct {
	Player
	Team int // index in Ruleset.Teams of the player's team; NoTeam: any team. With a Pivot: team number from 0
}

// NoTeam is the team of a session's player who may be moved to any team.
const NoTeam = -1

// Session is a running server that looks for players: a backfill.
type Session struct {
	Match     uint64  // number of the match, for an external matchmaker
	CreatedMS int64   // instant since which it looks for players, ms
	Region    Region  // where it runs; NoRegion: not known, and joining players need only have a region in common
	Capacity  int     // seats, free and taken; 0: the maximum match size
	Values    []Value // like Ticket.Values
	Members   []Member
	Teams     int // with a Scan: number of teams, empty ones included; 0: the teams of its members
}

// Refusal is an error that says why a pool does not accept a ticket or a session.
type Refusal string

// Error returns the reason.
func (r Refusal) Error() string { return string(r) }

// Row identifies a ticket or a session of a Pool from Add until it leaves the pool.
type Row int32
