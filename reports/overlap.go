package reports

import (
	"slices"

	"mmsim/sim"
)

// overlapTally counts what the players of matches have in common of one attribute.
type overlapTally struct {
	PlayerTexts
	matches   int // with at least two players who have a value
	nonEmpty  int // of these, with an element that all of them have
	sharedSum int // elements that all have

	shared []uint32 // scratch of a match
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
	o.matches++
	o.sharedSum += len(o.shared)
	if len(o.shared) > 0 {
		o.nonEmpty++
	}
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

func (o *overlapTally) overlap() Overlap {
	return Overlap{
		Name:       o.Name,
		Rules:      o.Rules,
		Matches:    Count(o.matches),
		SharedMean: average(ratio(float64(o.sharedSum), float64(o.matches))),
		ShareAny:   ShareOf(o.nonEmpty, o.matches),
	}
}
