package collect

import (
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// overlapTally counts the elements of one attribute that all players of a match have.
type overlapTally struct {
	setup.Texts
	queues []overlapCount // by queue, up to the last queue that had a match
	shared []uint32       // reused for every match
}

// overlapCount counts the matches in which at least two players have a value.
type overlapCount struct {
	matches  int
	nonEmpty int // matches with an element that all these players have
	shared   int // elements that all these players have
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
		if have++; have > 1 && len(o.shared) == 0 {
			break // nothing that the other players have can be shared
		}
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

// keepCommon returns the elements of an ascending list that are also in another one, in the memory
// of the list.
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
