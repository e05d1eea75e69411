package expression

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/internal/ranges"
)

// Bound limits how far a weighted sum of players' numbers may be from the number in the field
// about. For teams of known sizes, the average of a team is such a sum, in which every player of
// the team has the weight 1/size. Most rules about averages are therefore bounds on sums.
//
// The lowest and highest numbers of the remaining candidates determine which sums a group may
// still reach. A ticket may not join if none of these sums would be within the bound.
type Bound struct {
	Column  int
	weights []float64 // indexed by team: weight of each player
	size    float64   // sum of all players' absolute weights
	about   float64
	below   bool // the difference has a lower bound
	above   bool // the difference has an upper bound
}

// Progress is the state of a weighted sum while tickets join a group.
type Progress struct {
	sum   float64 // weighted sum of the players in the group
	final Span    // range of the sums that the complete match may have
}

// sums is an expression in the form of weighted sums of players' numbers.
type sums struct {
	weights [][]float64      // indexed by sum, then by team: weight of each player
	of      matcher.Function // Min or Max if the value is the lowest or highest of these sums
}

// Bounds returns the bounds on weighted sums that follow from a rule for teams of the given sizes.
// The rule limits the differences between the measured expressions and the reference. below is set
// if it has a lower limit, and above if it has an upper limit. If reference is nil, the reference
// is number.
//
// Bounds returns nil if any expression is not an average or a sum. whole reports whether the rule
// holds whenever all bounds are satisfied.
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
		// An upper limit on a maximum applies to each of the sums, but a lower limit does not.
		low := below && s.of != matcher.Max && with.of != matcher.Min
		high := above && s.of != matcher.Min && with.of != matcher.Max
		spread := s.of == matcher.Max && with.of == matcher.Min && slices.EqualFunc(s.weights, with.weights, slices.Equal)
		whole = whole && high == above && (low == below || spread)
		for _, v := range s.weights {
			for _, w := range with.weights {
				b := Bound{Column: x.numbers.column, weights: make([]float64, len(sizes)), about: number, below: low, above: high}
				for team, n := range sizes {
					b.weights[team] = v[team] - w[team]
					b.size += float64(n * math.Abs(b.weights[team]))
				}
				if b.size > 0 && (low || high) && !slices.ContainsFunc(list, b.mirrors) {
					list = append(list, b)
				}
			}
		}
	}
	return list, whole
}

// mirrors reports whether two bounds are equivalent because one of them is the other with all signs
// reversed.
func (b *Bound) mirrors(other Bound) bool {
	opposite := func(a, b float64) bool { return a == -b }
	return b.about == 0 && other.about == 0 && b.below == other.above && b.above == other.below &&
		slices.EqualFunc(b.weights, other.weights, opposite)
}

// sums converts an expression to weighted sums for teams of the given sizes. If that is not
// possible, the result has no weights.
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
				total[team] += float64(share * w)
			}
		}
		s.weights = [][]float64{total}
	default:
		return sums{}
	}
	return s
}

// weigh returns the weights for the sum or average over the players of the given teams. The
// result is indexed by team.
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

// Allowed returns the range of sums that a bound allows, with a tolerance for rounding errors.
// most is the rule's largest difference.
func (b *Bound) Allowed(c *Columns, most float64) Span {
	loaded := c.list[b.Column].numbers
	most += float64(1e-9 * (1 + float64(b.size*max(math.Abs(loaded.Low), math.Abs(loaded.High)))))
	s := ranges.Anywhere()
	if b.below {
		s.Low = b.about - most
	}
	if b.above {
		s.High = b.about + most
	}
	return s
}

// Loaded returns the range of all numbers loaded so far in a column.
func (c *Columns) Loaded(column int) Span { return c.list[column].numbers }

// Start returns the progress of a group that only contains the session players of g. It has no range
// yet, see Finish.
func (g *Group) Start(b *Bound) (p Progress) {
	for team, side := range g.Sides {
		for _, entry := range side {
			if entry < 0 {
				p.sum += float64(b.weights[team] * g.Columns.Cell(b.Column, entry).Number)
			}
		}
	}
	return p
}

// Join updates a progress once an entry has joined a team.
func (p *Progress) Join(c *Columns, b *Bound, entry Entry, team int) {
	p.sum += float64(b.weights[team] * float64(c.Count(entry)) * c.Cell(b.Column, entry).Number)
}

// Finish sets the range of sums of the complete match, whose teams have the given sizes. counts are the
// numbers of players in the teams so far. rest is the range of the numbers of players who may join.
func (p *Progress) Finish(b *Bound, sizes []float64, counts []int32, rest Span) {
	p.final = ranges.Exactly(p.sum)
	for team, w := range b.weights {
		room := sizes[team] - float64(counts[team])
		p.final.Low += float64(room * min(w*rest.Low, w*rest.High))
		p.final.High += float64(room * max(w*rest.Low, w*rest.High))
	}
}

// Lets reports whether an entry may join a team: the final sum must still be able to fall in the
// given range. rest is the range that Finish received.
func (g *Group) Lets(b *Bound, p *Progress, rest, allowed Span, entry Entry, team int) bool {
	w, players, number := b.weights[team], float64(g.Columns.Count(entry)), g.Columns.Cell(b.Column, entry).Number
	lowest, highest := w*rest.Low, w*rest.High
	if w < 0 {
		lowest, highest = highest, lowest
	}
	// The comparisons are negated so that a NaN, which results from overflow, does not exclude a
	// ticket.
	return !(players*(highest-float64(w*number)) > p.final.High-allowed.Low || players*(float64(w*number)-lowest) > allowed.High-p.final.Low)
}

// Sized returns a complete group with teams of the given sizes. It supports only expressions that
// count players.
func Sized(sizes []float64) (g Group) {
	g = Group{Columns: new(Columns), Complete: true, Needs: make([]bool, len(sizes))}
	for team, n := range sizes {
		g.Sides = append(g.Sides, []Entry{Entry(team)})
		g.Columns.players = append(g.Columns.players, int32(n))
	}
	return g
}

// CountsPlayers reports whether an expression counts players.
func (x *Expression) CountsPlayers() bool { return x.numbers != nil && x.numbers.column < 0 }
