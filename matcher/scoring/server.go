package scoring

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
)

// Server is a running session that takes players one at a time. Scorer.Open makes one. Its
// exported fields belong to the caller and may change at any time; its players change through
// Scorer.Join and Scorer.Leave.
type Server struct {
	Sequence  int32           // identifies it; of two servers with equal score and age, the lower one wins
	CreatedMS int64           // instant at which it started; of equal scores, the oldest server wins
	Region    matcher.Region  // where it runs; NoRegion: not known
	Capacity  int             // seats, free and taken; a server may have more players than seats
	Class     matcher.Text    // only players of this class may join
	Closed    string          // why no player may join at present; empty: the server is open
	Values    []matcher.Value // its own attributes by Column

	players int
	tallies []tally // by signal
	fleeted
}

// fleeted is the data that a Fleet keeps about a server.
type fleeted struct {
	outline []float64 // see outline.go
	tree    int32     // index in Fleet.trees of the server's tree
	leaf    int32     // in the tree; none: only acquaintances may join
	seen    uint32    // the last search that scored it
}

// Limits of the inputs of a score. They keep every sum well inside the range in which it is
// exact.
const (
	// MaxNumber is the largest absolute value of a number that a signal reads from a player
	// or a server.
	MaxNumber = 1e12
	// MaxSeats is the largest capacity of a server.
	MaxSeats = 1_000_000
)

func (s *Server) checkSeats() {
	if s.Capacity < 0 || s.Capacity > MaxSeats {
		panic(fmt.Sprintf("scoring: a server with %d seats, expected 0 to %d", s.Capacity, MaxSeats))
	}
}

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

// tally is the totals over the players of a server that one signal needs.
type tally struct {
	having int       // players with a number
	sum    sum       // of their numbers
	sorted []float64 // their numbers in rising order, for a median
	groups []group   // players by text or set
}

// group is the number of players with the same text or the same set.
type group struct {
	text    matcher.Text
	set     []matcher.Text
	players int
}

// number adds (by 1) or removes (by -1) a number.
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

// group adds (by 1) or removes (by -1) a text or set. Empty groups are removed, so that the
// cost depends on the variety of the present players.
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

// sum is the exact sum of numbers: a 128-bit integer in units of 2^-64. A float would keep
// rounding errors of players who have left, and two equal servers would no longer tie.
// Numbers are at most MaxNumber and a server has at most MaxSeats of them, so it cannot
// overflow.
type sum struct {
	high int64
	low  uint64
}

const two64 = 1 << 64

// exactly returns the number in units of 2^-64. The conversion is exact for numbers above
// 0.0003 and loses at most 6e-20 of smaller ones.
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

// float returns the sum as a double, within one unit in the last place. The result depends
// only on the sum.
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
	// Known lists the servers, by Sequence, on which the player knows somebody, with one
	// entry for each such person.
	Known     []int32
	bestRTTMS float64 // to any region; NaN: none measured
}

// NewJoiner returns a player who looks for a server. It keeps the slices.
func NewJoiner(player matcher.Player, class matcher.Text, known []int32) Joiner {
	j := Joiner{Player: player, Class: class, Known: known, bestRTTMS: math.NaN()}
	if best := j.BestRegion(); best != matcher.NoRegion {
		j.bestRTTMS = player.RTTMS[best]
	}
	return j
}

// rttMS returns the player's RTT to a region; NaN: not measured.
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
