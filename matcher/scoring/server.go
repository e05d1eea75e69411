package scoring

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
)

// Server is a running session that players join one at a time. Scorer.Open returns a Server. The
// caller may change its exported fields at any time unless it belongs to a Fleet. Scorer.Join and
// Scorer.Leave change its players.
type Server struct {
	Sequence  int32           // identifies the server; of servers with equal scores and ages, the lowest wins
	CreatedMS int64           // instant at which it started, ms; of servers with equal scores, the oldest wins
	Region    matcher.Region  // where it runs, or NoRegion if that is not known
	Capacity  int             // number of seats, free and taken; a server may have more players than seats
	Class     matcher.Text    // only players of this class may join
	Closed    string          // reason why no player may join, or "" if the server is open
	Values    []matcher.Value // the server's own attributes, indexed by Column

	players int
	tallies []tally // indexed by signal

	// Set by a Fleet:
	outline []float64 // the server's outline, see outline.go
	tree    int32     // index in Fleet.trees of the server's tree
	leaf    int32     // index of its leaf in the tree, or none if it is not in the tree, see Fleet.settle
	seen    uint32    // number of the last search that scored the server
}

// These limits keep every sum in the range in which it is exact.
const (
	// MaxNumber is the largest absolute value of a number that a signal reads from a player
	// or a server.
	MaxNumber = 1e12
	// MaxSeats is the largest capacity of a server.
	MaxSeats = 1_000_000
)

// Players returns the number of players on the server.
func (s *Server) Players() int { return s.players }

// before reports whether this server wins against t if their scores are equal.
func (s *Server) before(t *Server) bool {
	if s.CreatedMS != t.CreatedMS {
		return s.CreatedMS < t.CreatedMS
	}
	return s.Sequence < t.Sequence
}

// value returns the server's own value in a column.
func (s *Server) value(c matcher.Column) matcher.Value {
	if int(c) < len(s.Values) {
		return s.Values[c]
	}
	return matcher.Value{}
}

// tally contains the totals over a server's players that one signal needs.
type tally struct {
	having int       // number of players who have a number
	sum    sum       // sum of these numbers
	sorted []float64 // for a median, these numbers in ascending order
	groups []group   // number of players for each text or set
}

// group is the number of players with the same text or the same set.
type group struct {
	text    matcher.Text
	set     []matcher.Text
	players int
}

// number adds a number to the tally if the parameter by is 1, and removes it if by is -1. The
// parameter sorted is set if the tally is for a median.
func (t *tally) number(number float64, by int, sorted bool) {
	t.having += by
	exact := exactly(number)
	if by < 0 {
		exact = exact.negated()
	}
	t.sum = t.sum.plus(exact)
	if !sorted {
		return
	}
	at, found := slices.BinarySearch(t.sorted, number)
	if by > 0 {
		t.sorted = slices.Insert(t.sorted, at, number)
		return
	}
	if !found {
		panic(fmt.Sprintf("scoring: a player with %v leaves a server that has none", number))
	}
	t.sorted = slices.Delete(t.sorted, at, at+1)
}

// group counts a player with a text or a set if the parameter by is 1, and removes the player if by
// is -1. Empty groups are removed, so that the cost depends only on the players who are on the
// server.
func (t *tally) group(text matcher.Text, set []matcher.Text, by int) {
	for i := range t.groups {
		g := &t.groups[i]
		if g.text != text || !slices.Equal(g.set, set) {
			continue
		}
		if g.players += by; g.players == 0 {
			last := len(t.groups) - 1
			t.groups[i] = t.groups[last] // the order of groups has no effect, because only integers are added
			t.groups = t.groups[:last]
		}
		return
	}
	if by < 0 {
		panic("scoring: a player leaves a server that has no such player")
	}
	t.groups = append(t.groups, group{text, set, by})
}

// players returns the number of players with a text.
func (t *tally) players(text matcher.Text) int {
	for i := range t.groups {
		if t.groups[i].text == text {
			return t.groups[i].players
		}
	}
	return 0
}

// sum is the exact sum of numbers as a 128-bit integer in units of 2^-64. A float64 would keep
// rounding errors from players who have left, so that two equal servers would not have equal
// scores. The limits MaxNumber and MaxSeats prevent an overflow.
type sum struct {
	high int64
	low  uint64
}

const two64 = 1 << 64

// exactly returns a number as a sum. The conversion is exact for numbers above 0.0003. For smaller
// numbers, its error is at most 6e-20.
func exactly(number float64) sum {
	if !(math.Abs(number) <= MaxNumber) {
		panic(fmt.Sprintf("scoring: the number %v in a score, expected at most %v", number, MaxNumber))
	}
	whole, fraction := math.Modf(math.Abs(number))
	s := sum{int64(whole), uint64(fraction * two64)}
	if number < 0 {
		return s.negated()
	}
	return s
}

func (s sum) plus(t sum) sum {
	low, carry := bits.Add64(s.low, t.low, 0)
	return sum{s.high + t.high + int64(carry), low}
}

func (s sum) negated() sum {
	low, borrow := bits.Sub64(0, s.low, 0)
	return sum{-s.high - int64(borrow), low}
}

// float returns the sum as a float64. The error is at most one unit in the last digit.
func (s sum) float() float64 {
	if s.high < 0 {
		return -s.negated().float()
	}
	return float64(s.high) + float64(s.low)/two64
}

// Joiner is a player who looks for a server.
type Joiner struct {
	matcher.Player
	// Class is the class that a server must have.
	Class matcher.Text
	// Known lists the Sequence of each server on which the player knows somebody. A server is
	// listed once for each such person.
	Known     []int32
	bestRTTMS float64 // lowest RTT to any region, or NaN if none was measured
}

// NewJoiner returns a Joiner. It keeps the slices.
func NewJoiner(player matcher.Player, class matcher.Text, known []int32) Joiner {
	j := Joiner{Player: player, Class: class, Known: known, bestRTTMS: math.NaN()}
	if best := j.BestRegion(); best != matcher.NoRegion {
		j.bestRTTMS = player.RTTMS[best]
	}
	return j
}

// rttMS returns the player's RTT to a region, or NaN if it was not measured.
func (j *Joiner) rttMS(r matcher.Region) float64 {
	if r < 0 || int(r) >= len(j.RTTMS) {
		return math.NaN()
	}
	return j.RTTMS[r]
}

// known returns the number of people on a server whom the player knows.
func (j *Joiner) known(s *Server) int {
	n := 0
	for _, sequence := range j.Known {
		if sequence == s.Sequence {
			n++
		}
	}
	return n
}
