package clique

// Candidate is a ticket that may meet the seed.
type Candidate struct {
	Row     Row
	players int32
	inCore  int // index in the rows of core
}

// Source returns the candidates of a seed one at a time, nearest first.
type Source interface {
	// Next returns the next candidate and its index in the rows that were passed to the source.
	Next() (row Row, at int, ok bool)
}

// ranked contains the candidates that have been requested from a source so far.
type ranked struct {
	list  []Candidate
	from  Source
	ended bool
}

func (r *ranked) begin(from Source) { r.list, r.from, r.ended = r.list[:0], from, false }

// have reports whether the candidate with index k exists. It requests candidates from the source
// as far as k.
func (s *Search) have(k int) bool {
	r := &s.ranked
	for len(r.list) <= k && !r.ended {
		if row, at, ok := r.from.Next(); ok {
			r.list = append(r.list, Candidate{row, s.Rows.Players[row], s.core.position(at)})
		} else {
			r.ended = true
		}
	}
	return k < len(r.list)
}
