package reports

import (
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// overlapTally counts what the players of matches have in common of one attribute.
type overlapTally struct {
	setup.Texts
	queues []overlapCount // by queue, as far as one had a match
	shared []uint32       // scratch of a match
}

// overlapCount counts matches with at least two players who have a value.
type overlapCount struct {
	matches  int
	nonEmpty int // with an element that all of them have
	shared   int // elements that all have
}

// matched counts a match that starts. Cost: one step per element of its players.
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
		have++
	}
	if have < 2 {
		return
	}
	n := o.queue(m.Queue)
	n.matches++
	n.shared += len(o.shared)
	if len(o.shared) > 0 {
		n.nonEmpty++
	}
}

// queue returns the count of a queue.
func (o *overlapTally) queue(queue int) *overlapCount {
	for queue >= len(o.queues) {
		o.queues = append(o.queues, overlapCount{})
	}
	return &o.queues[queue]
}

// keepCommon keeps of one ascending list what is also in another.
func keepCommon(list, other []uint32) []uint32 {
	next := 0
	return slices.DeleteFunc(list, func(x uint32) bool {
		for next < len(other) && other[next] < x {
			next++
		}
		return next == len(other) || other[next] != x
	})
}

func (o *overlapTally) overlap() outcome.Overlap {
	var all overlapCount
	for _, n := range o.queues {
		all.matches += n.matches
		all.nonEmpty += n.nonEmpty
		all.shared += n.shared
	}
	return o.overlapOf(&all)
}

func (o *overlapTally) overlapOf(n *overlapCount) outcome.Overlap {
	return outcome.Overlap{
		Name:       o.Name,
		Rules:      o.Rules,
		Matches:    outcome.Count(n.matches),
		SharedMean: outcome.RoundAverage(outcome.Ratio(float64(n.shared), float64(n.matches))),
		ShareAny:   outcome.ShareOf(n.nonEmpty, n.matches),
	}
}
