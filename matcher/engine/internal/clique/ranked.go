package clique

// Candidate is a ticket that the seed may meet.
type Candidate struct {
	Row     Row
	players int32
	inCore  int // its place among the rows of core
}

// Source gives the candidates of a seed in rank, nearest first.
type Source interface {
	// Next returns a candidate and its place among those that the source was given.
	Next() (row Row, at int, ok bool)
}

// ranked is the candidates of a source as far as they were asked for.
type ranked struct {
	list  []Candidate
	from  Source
	ended bool
}

func (r *ranked) begin(from Source) { r.list, r.from, r.ended = r.list[:0], from, false }

// have makes sure that there is a k-th candidate, if there is.
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
