package result

import "math"

// curve is a cumulative distribution: below[i] players have a value of at most edges[i].
type curve struct {
	edges []float64
	below []float64
	all   float64
}

// curveOf returns the cumulative distribution of adjacent bins.
func curveOf(bins []Bin) (c curve) {
	for _, b := range bins {
		c.all += float64(b.Players)
		c.edges, c.below = append(c.edges, b.To), append(c.below, c.all)
	}
	return c
}

// edgeError is more than the error of an edge that was written to a file, and less than the width of a bin.
const edgeError = 1e-6

// walk calls visit for each edge that both curves have, with the numbers of players up to it. If
// beyond is set, it does the same for the edges of one curve after the end of the other.
func walk(a, b *curve, beyond bool, visit func(edge, belowA, belowB float64)) {
	i, j := 0, 0
	for i < len(a.edges) && j < len(b.edges) {
		switch x, y := a.edges[i], b.edges[j]; {
		case math.Abs(x-y) <= edgeError:
			visit(x, a.below[i], b.below[j])
			i, j = i+1, j+1
		case x < y:
			i++
		default:
			j++
		}
	}
	for ; beyond && i < len(a.edges); i++ {
		visit(a.edges[i], a.below[i], b.all)
	}
	for ; beyond && j < len(b.edges); j++ {
		visit(b.edges[j], a.all, b.below[j])
	}
}

// Pooled returns the distribution of the players of several runs, in bins between the edges that all
// runs have. Runs without players do not count. After the last edge of a run, all its players are below
// every edge.
func Pooled(runs ...[]Bin) []Bin {
	var sum curve
	for _, bins := range runs {
		next := curveOf(bins)
		switch {
		case next.all == 0:
			continue
		case sum.all == 0:
			sum = next
			continue
		}
		both := curve{all: sum.all + next.all}
		walk(&sum, &next, true, func(edge, below, more float64) {
			both.edges, both.below = append(both.edges, edge), append(both.below, below+more)
		})
		sum = both
	}
	bins, from, below := make([]Bin, 0, len(sum.edges)), 0.0, 0.0
	for i, to := range sum.edges {
		bins = append(bins, Bin{From: from, To: to, Players: int(sum.below[i] - below)})
		from, below = to, sum.below[i]
	}
	return bins
}

// Distance returns the largest gap between two cumulative distributions (Kolmogorov and Smirnov), from
// 0 to 1, at the edges that both have. It is NaN if one of them has no players.
func Distance(a, b []Bin) float64 {
	x, y := curveOf(a), curveOf(b)
	if x.all == 0 || y.all == 0 {
		return math.NaN()
	}
	gap := 0.0
	walk(&x, &y, false, func(_, below, other float64) {
		gap = max(gap, math.Abs(below/x.all-other/y.all))
	})
	return gap
}
