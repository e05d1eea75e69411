package clique

// Candidate is a ticket that the seed may meet.
type Candidate struct {
	Row     Row
	players int32
	inCore  int // index in the rows of core
}

// Source returns the candidates of a seed in rank, nearest first.
type Source interface {
	// Next returns a candidate and its index in the rows that the source was given.
	Next() (row Row, at int, ok bool)
}

// ranked is the candidates of a source that were requested so far.
type ranked struct {
	list  []Candidate
	from  Source
	ended bool
}

func (r *ranked) begin(from Source) { r.list, r.from, r.ended = r.list[:0], from, false }

// have requests candidates up to the k-th and reports whether it exists.
func (s *Search) have(k int) bool {
	r := &s.ranked
	for len(r.list) <= k && !r.ended {
		if row, at, ok := r.from.Next(); ok {
			r.list = append(r.list, Candidate{row, s.Rows.Players[row], s.core.place(at)})
		} else {
			r.ended = true
		}
	}
	return k < len(r.list)
}
