package scoring

import (
	"math"

	"mmsim/matcher"
)

// term is what one signal is worth to the joining player of a search, as far as it
// can be said before the server is known.
type term struct {
	kind     termKind
	weight   float64
	byRegion []float64 // values, those of NoRegion first
	at       int       // first column of an outline
	to, own  float64   // what a number is compared with; what the player adds to it
	scale    float64
	slots    []int // of the player's texts, each once
}

type termKind uint8

const (
	noTerm     termKind = iota // 0 on all servers
	regionTerm                 // by region
	columnTerm                 // as a column says
	numberTerm                 // by the distance of a number
	unionTerm                  // at most the sum of several columns
)

// ask sets the terms of a search.
func (q *fleetSearch) ask() {
	if q.terms == nil {
		q.terms = make([]term, len(q.layout.aspects))
	}
	for i, a := range q.layout.aspects {
		t := &q.terms[i]
		*t = term{weight: a.signal.weighted().Weight, at: a.at, scale: a.scale, byRegion: t.byRegion[:0], slots: t.slots[:0]}
		switch s := a.signal.(type) {
		case *Occupancy:
			t.kind = columnTerm
		case *NearRTT:
			t.nearRTT(s, q.joiner)
		case *PlayersNumber:
			own := q.joiner.Player.Value(s.Column)
			if s.Aggregate == SumNumber {
				t.own = own.Number
			}
			t.number(&s.To, q.joiner, s.Aggregate != SumNumber || own.Kind == matcher.IsNumber)
		case *ServerNumber:
			t.number(&s.To, q.joiner, true)
		case *PlayersShare:
			own := q.joiner.Player.Value(s.Column)
			t.column(a, own.Text, own.Kind == matcher.IsText)
		case *ServerText:
			if wanted, ok := s.To.text(q.joiner); ok {
				t.column(a, wanted, true)
			}
		case *PlayersOverlap:
			t.union(a, q.joiner.Player.Value(s.Column).Set)
		}
	}
}

func (t *term) nearRTT(n *NearRTT, j *Joiner) {
	t.kind = regionTerm
	for region := matcher.NoRegion; int(region) < len(j.RTTMS); region++ {
		t.byRegion = append(t.byRegion, n.value(j, &Server{Region: region}, nil))
	}
}

func (t *term) number(to *Reference, j *Joiner, ok bool) {
	number, known := to.number(j)
	if ok && known {
		t.kind, t.to = numberTerm, number
	}
}

// column makes the term that of one text.
func (t *term) column(a *aspect, text matcher.Text, has bool) {
	t.kind = columnTerm
	if has {
		t.at += a.slotOf(text)
	}
}

// union makes the term that of a set.
func (t *term) union(a *aspect, set []matcher.Text) {
	var taken uint32
	for _, text := range set {
		if slot := a.slotOf(text); slot > 0 && taken&(1<<slot) == 0 {
			taken |= 1 << slot
			t.slots = append(t.slots, slot)
		}
	}
	switch len(t.slots) {
	case 0: // nothing in common with anybody
	case 1:
		t.kind = columnTerm
		t.at += t.slots[0]
	default:
		t.kind = unionTerm
	}
}

// most returns what a server with an outline, or any of a group, is worth at most.
func (q *fleetSearch) most(outline []float64, region matcher.Region) float64 {
	total := 0.0
	for i := range q.terms {
		t := &q.terms[i]
		value := 0.0
		switch t.kind {
		case regionTerm:
			if r := int(region) + 1; r < len(t.byRegion) {
				value = t.byRegion[r]
			}
		case columnTerm:
			value = outline[t.at]
		case numberTerm:
			value = t.nearest(-outline[t.at], outline[t.at+1])
		case unionTerm:
			value = t.atMost(outline[t.at:])
		}
		total += float64(t.weight * value) // as Scorer.Score does
	}
	return total
}

// nearest returns the value of the number between two that is nearest to what it is
// compared with; 0 when there is none.
func (t *term) nearest(low, high float64) float64 {
	if math.IsInf(high, -1) {
		return 0
	}
	difference := 0.0
	if d := low + t.own - t.to; d > 0 {
		difference = d
	} else if d := high + t.own - t.to; d < 0 {
		difference = d
	}
	return closeness(difference, t.scale)
}

// atMost returns a share of players that those who have one of several texts do not
// exceed: the sum over the texts, a little more than its rounding could take off.
func (t *term) atMost(columns []float64) float64 {
	sum := 0.0
	for _, slot := range t.slots {
		sum += columns[slot]
	}
	const rounding = 1e-12
	return min(1, sum*(1+rounding))
}
