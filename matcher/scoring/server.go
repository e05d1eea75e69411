package scoring

import (
	"fmt"
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
	place int32  // in tree.servers
	leaf  int32  // of the tree; none: strangers cannot join
	seen  uint32 // the search that looked at it first
}

// Open returns a server on which nobody plays yet.
func (sc *Scorer) Open(s Server) *Server {
	s.checkSeats()
	s.players, s.tallies = 0, make([]tally, len(sc.Signals))
	return &s
}

func (s *Server) checkSeats() {
	if s.Capacity < 0 || s.Capacity > MaxSeats {
		panic(fmt.Sprintf("scoring: a server with %d seats, expected 0 to %d", s.Capacity, MaxSeats))
	}
}

// Players returns how many play on the server.
func (s *Server) Players() int { return s.players }

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
		panic("scoring: a player leaves a server that has none of his kind")
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

// Join counts a player in, whose numbers are at most MaxNumber. The server may
// be full: who comes by invitation is not asked. Cost: some 20 ns for each signal
// about players, more for medians.
func (sc *Scorer) Join(s *Server, p *matcher.Player) { sc.count(s, p, 1) }

// Leave counts a player out, who must have the values with which he joined. It
// panics where it finds that nobody such is there.
func (sc *Scorer) Leave(s *Server, p *matcher.Player) {
	if s.players == 0 {
		panic("scoring: a player leaves an empty server")
	}
	sc.count(s, p, -1)
}

func (sc *Scorer) count(s *Server, p *matcher.Player, by int) {
	s.players += by
	for i, signal := range sc.Signals {
		if sc.Measured || signal.weighted().Weight > 0 {
			signal.count(&s.tallies[i], p, by)
		}
	}
}
