package clique

// Candidate is a ticket that the seed may meet.
type Candidate struct {
	Row     Row
	players int32
}

// Source gives the candidates of a seed in rank, nearest first.
type Source interface {
	Next() (row Row, ok bool)
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
		if row, ok := r.from.Next(); ok {
			r.list = append(r.list, Candidate{row, s.Rows.Players[row]})
		} else {
			r.ended = true
		}
	}
	return k < len(r.list)
}
