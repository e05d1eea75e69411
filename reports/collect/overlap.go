package collect

import (
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// overlapTally counts the elements of one attribute that all players of a match have in common.
type overlapTally struct {
	setup.Texts
	queues []overlapCount // by queue
	shared []uint32       // for the current match; reused
}

// overlapCount counts matches in which at least two players have a value.
type overlapCount struct {
	matches  int
	nonEmpty int // matches whose players have an element in common
	shared   int // elements in common, over all matches
}

func (n *overlapCount) merge(other *overlapCount) {
	n.matches += other.matches
	n.nonEmpty += other.nonEmpty
	n.shared += other.shared
}

// matched counts a match that starts. Its cost is proportional to the number of elements that the
// players have.
func (o *overlapTally) matched(m *sim.Match) {
	have := 0
	for i := range m.Players {
		texts := o.Of(&m.Players[i].Player)
		switch {
		case len(texts) == 0:
			continue
		case have == 0:
			o.shared = append(o.shared[:0], texts...)
		default:
			o.shared = keepCommon(o.shared, texts)
		}
		if have++; have > 1 && len(o.shared) == 0 {
			break // the players counted so far already have nothing in common
		}
	}
	if have < 2 {
		return
	}
	n := &o.queues[m.Queue]
	n.matches++
	n.shared += len(o.shared)
	if len(o.shared) > 0 {
		n.nonEmpty++
	}
}

// keepCommon returns the elements that are in both lists, which are in ascending order. It
// overwrites list with the result.
func keepCommon(list, other []uint32) []uint32 {
	common, next := list[:0], 0
	for _, x := range list {
		for next < len(other) && other[next] < x {
			next++
		}
		if next < len(other) && other[next] == x {
			common = append(common, x)
		}
	}
	return common
}

// overlap returns the statistics of the queues from first up to but not including end.
func (o *overlapTally) overlap(first, end int) outcome.Overlap {
	var n overlapCount
	for queue := first; queue < end; queue++ {
		n.merge(&o.queues[queue])
	}
	return outcome.Overlap{
		Name:       o.Name,
		Rules:      o.Rules,
		Matches:    outcome.Count(n.matches),
		SharedMean: outcome.RoundAverage(outcome.Ratio(float64(n.shared), float64(n.matches))),
		ShareAny:   outcome.ShareOf(n.nonEmpty, n.matches),
	}
}
