package expression

import (
	"math"
	"slices"

	"mmsim/matcher"
)

// Bound is a bound on a weighted sum of the numbers of a match. In teams of known sizes, the
// average of a team is its sum divided by its size, so most rules about averages are such
// bounds. A seat whose number is not the highest of the candidates lowers the highest sum that a
// match of the group may have. A ticket that lowers it below the bound may not join.
type Bound struct {
	Column  int
	weights []float64 // by team: of the number of each player
	size    float64   // sum of all weights of the match, each taken positive
	about   float64   // the bound is on the difference between the sum and this number
	below   bool      // there is a bound from below
	above   bool
}

// Progress is the weighted sum of a group.
type Progress struct {
	sum   float64
	rest  Span // the range of the numbers of players that may still join
	final Span // the range of the sums that matches of the group may have
}

// sums are weighted sums of the numbers of players.
type sums struct {
	weights [][]float64      // of each sum, by team
	of      matcher.Function // Min or Max: only the lowest or highest of the sums counts
}

// Bounds returns the bounds on weighted sums that follow for teams of known sizes, if the
// differences between all numbers of the measured expressions and the reference are bounded from
// below, from above or both. Without an expression, the reference is a number. There is none if
// some expression is not about averages or sums. whole is set if nothing else follows.
func Bounds(sizes []float64, measured []*Expression, reference *Expression, number float64, below, above bool) (list []Bound, whole bool) {
	with := sums{weights: [][]float64{make([]float64, len(sizes))}}
	if reference != nil {
		if with = reference.sums(sizes); with.weights == nil {
			return nil, false
		}
	}
	whole = true
	for _, x := range measured {
		s := x.sums(sizes)
		if s.weights == nil || reference != nil && x.numbers.column != reference.numbers.column {
			return nil, false
		}
		// If the highest of several numbers is at most a bound, each is; if it is at least a bound, one is.
		low := below && s.of != matcher.Max && with.of != matcher.Min
		high := above && s.of != matcher.Min && with.of != matcher.Max
		spread := s.of == matcher.Max && with.of == matcher.Min && slices.EqualFunc(s.weights, with.weights, slices.Equal)
		whole = whole && high == above && (low == below || spread)
		for _, v := range s.weights {
			for _, w := range with.weights {
				b := Bound{Column: x.numbers.column, weights: make([]float64, len(sizes)), about: number, below: low, above: high}
				for team, n := range sizes {
					b.weights[team] = v[team] - w[team]
					b.size += n * math.Abs(b.weights[team])
				}
				if b.size > 0 && (low || high) && !slices.ContainsFunc(list, b.mirrors) {
					list = append(list, b)
				}
			}
		}
	}
	return list, whole
}

// mirrors reports whether another bound is the same with the opposite sign.
func (b *Bound) mirrors(other Bound) bool {
	opposite := func(a, b float64) bool { return a == -b }
	return b.about == 0 && other.about == 0 && b.below == other.above && b.above == other.below &&
		slices.EqualFunc(b.weights, other.weights, opposite)
}

// sums returns the numbers that an expression gives as weighted sums, without weights if they
// are not such sums.
func (x *Expression) sums(sizes []float64) (s sums) {
	n := x.numbers
	if n == nil || n.inner != matcher.Avg && n.inner != matcher.Sum {
		return s
	}
	if !n.byTeam {
		s.weights = [][]float64{n.weigh(n.teams, sizes)}
		return s
	}
	for i := range n.teams {
		s.weights = append(s.weights, n.weigh(n.teams[i:i+1], sizes))
	}
	switch n.outer {
	case matcher.NoFunction:
	case matcher.Min, matcher.Max:
		s.of = n.outer
	case matcher.Avg, matcher.Sum:
		total, share := make([]float64, len(sizes)), 1.0
		if n.outer == matcher.Avg {
			share /= float64(len(n.teams))
		}
		for _, weights := range s.weights {
			for team, w := range weights {
				total[team] += share * w
			}
		}
		s.weights = [][]float64{total}
	default:
		return sums{}
	}
	return s
}

// weigh returns the weights of the sum or the average of some teams.
func (n *numbers) weigh(teams []int, sizes []float64) []float64 {
	weights, players := make([]float64, len(sizes)), 0.0
	for _, team := range teams {
		players += sizes[team]
	}
	for _, team := range teams {
		if weights[team] = 1; n.inner == matcher.Avg {
			weights[team] = 1 / players
		}
	}
	return weights
}

// Within returns the range of the allowed sums, given the largest allowed difference. It is
// wider by more than the rounding of sums.
func (b *Bound) Within(c *Columns, most float64) Span {
	loaded := c.list[b.Column].numbers
	most += 1e-9 * (1 + b.size*max(math.Abs(loaded.Low), math.Abs(loaded.High)))
	s := Anywhere()
	if b.below {
		s.Low = b.about - most
	}
	if b.above {
		s.High = b.about + most
	}
	return s
}

// Start returns the progress of the players of a session, or of no players, towards teams of some
// sizes.
func (g *Group) Start(b *Bound, sizes []float64) (p Progress) {
	for team, side := range g.Sides {
		for _, who := range side {
			p.sum += b.weights[team] * g.Columns.Cell(b.Column, who).Number
		}
	}
	g.Narrow(b, &p, sizes, g.Columns.list[b.Column].numbers)
	return p
}

// Join returns the progress after an entry has joined a team.
func (g *Group) Join(b *Bound, p Progress, sizes []float64, who Entry, team int) Progress {
	p.sum += b.weights[team] * float64(g.Columns.Count(who)) * g.Columns.Cell(b.Column, who).Number
	g.Narrow(b, &p, sizes, p.rest)
	return p
}

// Narrow sets the range of the numbers of players that may still join a group.
func (g *Group) Narrow(b *Bound, p *Progress, sizes []float64, rest Span) {
	p.rest, p.final = rest, Exactly(p.sum)
	for team, w := range b.weights {
		room := sizes[team] - float64(g.Counts[team])
		p.final.Low += room * min(w*rest.Low, w*rest.High)
		p.final.High += room * max(w*rest.Low, w*rest.High)
	}
}

// Lets reports whether the sum may still be within a range after an entry has joined a team.
func (g *Group) Lets(b *Bound, p *Progress, within Span, who Entry, team int) bool {
	w, players, number := b.weights[team], float64(g.Columns.Count(who)), g.Columns.Cell(b.Column, who).Number
	lowest, highest := w*p.rest.Low, w*p.rest.High
	if w < 0 {
		lowest, highest = highest, lowest
	}
	// Overflows to NaN do not exclude a ticket.
	return !(players*(highest-w*number) > p.final.High-within.Low || players*(w*number-lowest) > within.High-p.final.Low)
}

// Sized returns a complete group with a single ticket in each team of some sizes, for
// expressions about the number of players.
func Sized(sizes []float64) (g Group) {
	g = Group{Columns: new(Columns), Complete: true, Needs: make([]bool, len(sizes))}
	for team, n := range sizes {
		g.Sides = append(g.Sides, []Entry{Entry(team)})
		g.Columns.players = append(g.Columns.players, int32(n))
	}
	return g
}

// CountsPlayers reports whether an expression is about the number of players.
func (x *Expression) CountsPlayers() bool { return x.numbers != nil && x.numbers.column < 0 }
