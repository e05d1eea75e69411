package matcher

import "slices"

// chunkSize is the largest number of entries in a chunk: an insertion moves half
// of them on average.
const chunkSize = 512

// entry is a row in a sorted list, ordered by key, then by sequence. It carries
// what a walk asks of most rows, which would else be a cache miss each.
type entry struct {
	key       float64 // finite
	seq       int64
	createdMS int64
	row       Row
	size      int32
}

func (e *entry) less(other *entry) bool {
	return e.key < other.key || e.key == other.key && e.seq < other.seq
}

// sortedList keeps entries in order, in chunks, none of them empty. Insert and
// remove cost a binary search and a move inside one chunk; walking is as fast as
// in a slice.
type sortedList struct {
	chunks [][]entry
	spare  [][]entry
}

// place is a position in a list, valid until the list changes.
type place struct{ chunk, index int }

// find returns the place of the first entry that is not below e.
func (l *sortedList) find(e entry) place {
	from, to := 0, len(l.chunks)
	for from < to {
		if middle := (from + to) / 2; l.chunks[middle][len(l.chunks[middle])-1].less(&e) {
			from = middle + 1
		} else {
			to = middle
		}
	}
	p := place{chunk: from}
	if from == len(l.chunks) {
		return p
	}
	chunk := l.chunks[from]
	for to = len(chunk); p.index < to; {
		if middle := (p.index + to) / 2; chunk[middle].less(&e) {
			p.index = middle + 1
		} else {
			to = middle
		}
	}
	return p
}

// at returns the entry of a place that exists.
func (l *sortedList) at(p place) *entry { return &l.chunks[p.chunk][p.index] }

// holds tells whether a place is inside the list.
func (l *sortedList) holds(p place) bool { return p.chunk >= 0 && p.chunk < len(l.chunks) }

// after and before return the neighbours of a place; outside the list holds is
// false for them.
func (l *sortedList) after(p place) place {
	if p.index++; p.index == len(l.chunks[p.chunk]) {
		return place{chunk: p.chunk + 1}
	}
	return p
}

func (l *sortedList) before(p place) place {
	if p.index > 0 {
		return place{p.chunk, p.index - 1}
	}
	if p.chunk == 0 {
		return place{chunk: -1}
	}
	return place{p.chunk - 1, len(l.chunks[p.chunk-1]) - 1}
}

// around returns the place of the first entry with a key that is not below one,
// and the place before it.
func (l *sortedList) around(key float64) (up, down place) {
	up = l.find(entry{key: key})
	if l.holds(up) {
		return up, l.before(up)
	}
	if down.chunk = up.chunk - 1; down.chunk >= 0 {
		down.index = len(l.chunks[down.chunk]) - 1
	}
	return up, down
}

func (l *sortedList) insert(e entry) {
	p := l.find(e)
	if p.chunk == len(l.chunks) {
		if p.chunk == 0 {
			l.chunks = append(l.chunks, l.newChunk())
		}
		p.chunk = len(l.chunks) - 1
		p.index = len(l.chunks[p.chunk])
	}
	if len(l.chunks[p.chunk]) == chunkSize {
		half := l.chunks[p.chunk][chunkSize/2:]
		upper := append(l.newChunk(), half...)
		l.chunks[p.chunk] = l.chunks[p.chunk][:chunkSize/2]
		l.chunks = slices.Insert(l.chunks, p.chunk+1, upper)
		if p.index > chunkSize/2 {
			p.chunk, p.index = p.chunk+1, p.index-chunkSize/2
		}
	}
	l.chunks[p.chunk] = slices.Insert(l.chunks[p.chunk], p.index, e)
}

// remove takes an entry out, which must be there.
func (l *sortedList) remove(e entry) {
	p := l.find(e)
	chunk := l.chunks[p.chunk]
	if chunk[p.index].row != e.row {
		panic("matcher: the index does not hold a ticket that waits")
	}
	l.chunks[p.chunk] = slices.Delete(chunk, p.index, p.index+1)
	if len(l.chunks[p.chunk]) == 0 {
		l.spare = append(l.spare, chunk[:0])
		l.chunks = slices.Delete(l.chunks, p.chunk, p.chunk+1)
	}
}

// newChunk returns an empty chunk, one that was emptied before if there is any.
func (l *sortedList) newChunk() []entry {
	if n := len(l.spare); n > 0 {
		chunk := l.spare[n-1]
		l.spare = l.spare[:n-1]
		return chunk
	}
	return make([]entry, 0, chunkSize)
}
