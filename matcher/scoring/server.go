package scoring

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"mmsim/matcher"
)

// Server is a running session that takes players one at a time, as scores look at
// it. Scorer.Open makes one. Its exported fields belong to the caller and may change
// at any time; who plays there changes through Scorer.Join and Scorer.Leave.
type Server struct {
	Sequence  int32           // names it; of two servers as old and as good as each other the lower is taken
	CreatedMS int64           // instant at which it started; of equal scores the oldest is taken
	Region    matcher.Region  // where it runs; NoRegion: not known
	Capacity  int             // seats, taken ones included; a server may hold more players than it has
	Class     matcher.Text    // takes players of this class only
	Closed    string          // why it takes nobody at present; empty: it does
	Values    []matcher.Value // its own attributes by Column

	players int
	tallies []tally // by signal
	fleeted
}

// fleeted is what a Fleet keeps of a server.
type fleeted struct {
	outline []float64 // see outline.go
	tree    int32     // in which the server is, by place in Fleet.trees
	leaf    int32     // of the tree; none: strangers cannot join
	seen    uint32    // the search that looked at it first
}

// Limits of what a score is computed from. They keep every sum far inside the
// range in which it is exact.
const (
	// MaxNumber is the largest number, either side of 0, that a player or
	// server may have where a signal looks at it.
	MaxNumber = 1e12
	// MaxSeats is the largest capacity of a server.
	MaxSeats = 1_000_000
)

func (s *Server) checkSeats() {
	if s.Capacity < 0 || s.Capacity > MaxSeats {
		panic(fmt.Sprintf("scoring: a server with %d seats, expected 0 to %d", s.Capacity, MaxSeats))
	}
}

// Players returns how many play on the server.
func (s *Server) Players() int { return s.players }

// before tells whether of two equal scores this server is taken.
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

// tally is what the players of a server add up to, as one signal needs it.
type tally struct {
	having int       // players who have a number
	sum    sum       // of their numbers
	sorted []float64 // their numbers in rising order, for a median
	groups []group   // players by text or set
}

// group is how many players have the same text or the same set.
type group struct {
	text    matcher.Text
	set     []matcher.Text
	players int
}

// number counts a number in (by 1) or out (by -1).
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

// group counts a text or set in (by 1) or out (by -1). Empty groups leave, so that
// the cost goes with the variety on the server at present.
func (t *tally) group(text matcher.Text, set []matcher.Text, by int) {
	for i := range t.groups {
		g := &t.groups[i]
		if g.text != text || !slices.Equal(g.set, set) {
			continue
		}
		if g.players += by; g.players == 0 {
			last := len(t.groups) - 1
			t.groups[i] = t.groups[last] // order never counts: only whole numbers are added
			t.groups = t.groups[:last]
		}
		return
	}
	if by < 0 {
		panic("scoring: a player leaves a server that has no such player")
	}
	t.groups = append(t.groups, group{text, set, by})
}

// players returns how many players have a text.
func (t *tally) players(text matcher.Text) int {
	for i := range t.groups {
		if t.groups[i].text == text {
			return t.groups[i].players
		}
	}
	return 0
}

// sum is the exact sum of numbers: a whole number of 2^-64, 128 bits wide. A float
// would keep a residue of everybody who ever came and left, and two equal servers
// would no longer tie. Numbers are at most MaxNumber and a server has at most
// MaxSeats of them, so that it cannot overflow.
type sum struct {
	high int64
	low  uint64
}

const two64 = 1 << 64

// exactly returns the number in steps of 2^-64, which loses nothing of numbers
// above 0.0003 and at most 6e-20 of smaller ones.
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

// float returns the sum as the nearest double, give or take one unit in the last
// place. It depends on nothing but the sum.
func (s sum) float() float64 {
	if s.high < 0 {
		return -s.negated().float()
	}
	return float64(s.high) + float64(s.low)/two64
}

// Joiner is a player who looks for a server.
type Joiner struct {
	matcher.Player
	// Class is what a server's Class must be.
	Class matcher.Text
	// Known lists the servers, by Sequence, on which he knows somebody, one entry
	// for each such person.
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

// known returns how many people on a server the player knows.
func (j *Joiner) known(s *Server) int {
	n := 0
	for _, sequence := range j.Known {
		if sequence == s.Sequence {
			n++
		}
	}
	return n
}
