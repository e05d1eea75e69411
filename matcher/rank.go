package matcher

import (
	"math"
	"slices"
)

// stream walks one list of the index away from the seed.
type stream struct {
	list     *sortedList
	at       place
	origin   float64 // the seed's number
	byAge    bool    // else in numeric order
	upwards  bool
	regional float64 // weighted distance that the regions of all here make at least
	least    float64 // of the total distance of what is left
}

// rated is a ticket that was compared with the seed.
type rated struct {
	total   float64
	row     Row
	reserve bool // it comes after all who are not
}

// ranker lists the tickets that a seed may meet, nearest first; ties by age. It is
// lazy: it compares the seed with as few tickets as prove who comes next. That
// works because every stream knows a lower bound for all that it has not shown.
type ranker struct {
	pool    *Pool
	seed    Row
	room    int32   // players that fit beside the seed
	axis    int     // place of the index's axis among the ranking rules, -1 for none
	text    int     // place of the rule that divides the index, -1 for none
	region  int     // place of the region rule, -1 for none
	cutoff  float64 // difference on the axis that nobody may exceed
	bounds  bounds
	streams []stream
	heap    heap[rated] // compared, but not yet next
	count   headcount   // of a scan
	helpers []helper    // of a scan: all in the heap
	span    numbers     // of a scan: of the seed and all in the heap
	subset  *Subset     // whose seeds in vain are no candidates; nil: all are
}

func (r *ranker) init(p *Pool) {
	r.pool = p
	r.axis = slices.Index(p.ranking, p.index.axis)
	r.text = slices.Index(p.ranking, p.index.text)
	r.region = slices.Index(p.ranking, p.region)
}

// circle is a seed and those among whom it looks for others.
type circle struct {
	subset  *Subset
	reserve *Subset // candidates of any age, after all others; or nil
	seed    Row
	at      int // of the seed among the members, -1 for a session
}

// begun forgets the seed before.
func (r *ranker) begun(seed Row, room int32) {
	r.seed, r.room, r.subset = seed, room, nil
	r.heap, r.streams = r.heap[:0], r.streams[:0]
}

// begin starts on a seed with the bounds that inOrder allows; see bounds.set.
func (r *ranker) begin(seed Row, inOrder bool) {
	p := r.pool
	r.begun(seed, int32(p.seats(seed))-p.size[seed])
	r.bounds.set(p, seed, inOrder)
	r.cutoff = math.Inf(1)
	if r.axis >= 0 && r.bounds.enforced(r.axis) {
		r.cutoff = r.bounds.now[r.axis].bound + tolerance
	}
	if r.text >= 0 && r.bounds.enforced(r.text) {
		switch text := p.index.text.text[seed]; text {
		case clashedText:
			return
		case anyText:
		default:
			r.open(p.index.division(text))
			r.open(&p.index.anyText)
			return
		}
	}
	r.open(&p.index.all)
}

// open adds the streams of a division.
func (r *ranker) open(d *division) {
	number := math.NaN()
	if r.axis >= 0 {
		number = r.pool.index.axis.number[r.seed]
	}
	if math.IsNaN(number) {
		regional, _ := r.inLane(nil)
		r.add(stream{list: &d.byAge, byAge: true, regional: regional})
		return
	}
	for _, l := range d.lanes {
		if l == nil || l.empty() {
			continue
		}
		regional, share := r.inLane(l)
		if !share {
			continue
		}
		up, down := l.byNumber.around(number)
		r.add(stream{list: &l.byNumber, at: up, origin: number, upwards: true, regional: regional})
		r.add(stream{list: &l.byNumber, at: down, origin: number, regional: regional})
		r.add(stream{list: &l.without, byAge: true, regional: regional})
	}
}

// inLane returns weight times the smallest region distance to anybody in a lane,
// and whether the region rule lets any of them meet the seed. No lane stands for
// all.
func (r *ranker) inLane(l *lane) (regional float64, meet bool) {
	if r.region < 0 {
		return 0, true
	}
	regional, share := r.bounds.inLane(r.pool, r.region, r.seed, l)
	return regional, share || !r.bounds.enforced(r.region)
}

func (r *ranker) add(s stream) {
	if r.bound(&s) {
		r.insert(s)
	}
}

// bound computes what a stream's next entry promises; false when there is none.
func (r *ranker) bound(s *stream) bool {
	if !s.list.holds(s.at) {
		return false
	}
	difference := 0.0
	if !s.byAge {
		difference = math.Abs(s.list.at(s.at).key - s.origin)
		if difference > r.cutoff {
			return false
		}
	}
	s.least = r.bounds.total(r.pool, r.axis, difference, r.region, s.regional)
	return true
}

// next returns the next ticket in rank, or false when there is none left.
func (r *ranker) next() (rated, bool) {
	for {
		nearest := r.unsettled()
		if nearest < 0 {
			if len(r.heap) == 0 {
				return rated{}, false
			}
			return r.heap.pop(r.before), true
		}
		s := r.streams[nearest]
		more := r.step(&s)
		r.streams = append(r.streams[:nearest], r.streams[nearest+1:]...)
		if more {
			r.insert(s)
		}
	}
}

// unsettled returns the stream with the least bound that may still have somebody
// who comes before the nearest ticket that was compared; -1 when none may.
func (r *ranker) unsettled() int {
	for i := range r.streams {
		if !r.settled(&r.streams[i]) {
			return i
		}
		if r.heap[0].total < r.streams[i].least {
			break // so it is for all behind
		}
	}
	return -1
}

// insert puts a stream where its bound belongs.
func (r *ranker) insert(s stream) {
	at := 0
	for at < len(r.streams) && r.streams[at].least < s.least {
		at++
	}
	r.streams = slices.Insert(r.streams, at, s)
}

// settled tells whether nothing that a stream has left comes before the nearest
// ticket that was compared.
func (r *ranker) settled(s *stream) bool {
	if len(r.heap) == 0 {
		return false
	}
	first := r.heap[0]
	if first.total != s.least || !s.byAge {
		return first.total < s.least
	}
	return r.pool.older(first.row, s.list.at(s.at).row)
}

// step compares the next ticket of a stream with the seed and moves on; false
// when the stream has ended.
func (r *ranker) step(s *stream) bool {
	p := r.pool
	e := s.list.at(s.at)
	if e.row != r.seed && e.size <= r.room && (!p.partitioned || p.part[e.row] == p.part[r.seed]) && !r.passed(e) {
		old, young := r.seed, e.row
		if e.createdMS < p.createdMS[r.seed] {
			old, young = young, old
		}
		if total, meet := p.rate(r.seed, e.row, old, young); meet {
			r.heap.push(rated{total, e.row, false}, r.before)
		}
	}
	return r.move(s)
}

// passed tells whether a ticket was a seed in vain before this one.
func (r *ranker) passed(e *entry) bool {
	if r.subset == nil || !r.subset.settled(e.row) {
		return false
	}
	return r.pool.older(e.row, r.seed)
}

// move goes on to a stream's next ticket; false when it has ended.
func (r *ranker) move(s *stream) bool {
	if s.byAge || s.upwards {
		s.at = s.list.after(s.at)
	} else {
		s.at = s.list.before(s.at)
	}
	return r.bound(s)
}

// before is the rank of two tickets that were compared with the seed.
func (r *ranker) before(a, b *rated) bool {
	if a.reserve != b.reserve {
		return b.reserve
	}
	if a.total != b.total {
		return a.total < b.total
	}
	return r.pool.older(a.row, b.row)
}
