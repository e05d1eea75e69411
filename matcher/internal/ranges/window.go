package ranges

// Window decides whether enough players can be near: candidates with the needed number of players whose
// numbers, together with those of a group, differ by at most a width. Begin sets the group and the width.
// The caller then adds the candidates that have the same region, text and so on: first those without a
// number, then the others in ascending order of their numbers. There are enough if Players reaches the
// needed number at any time.
//
// No set is missed, because after each Add the window has all earlier candidates that are near the one
// just added.
type Window struct {
	Players int32 // number of players of the candidates in the window

	group Span
	width float64
	list  []member // the candidates with a number; those before index first are no longer in the window
	first int
}

type member struct {
	number  float64
	players int32
}

// Begin empties the window. group is the range of the group's numbers, or None if it has none.
func (w *Window) Begin(group Span, width float64) {
	w.Players, w.group, w.width, w.list, w.first = 0, group, width, w.list[:0], 0
}

// AddFree adds a candidate without a number, which is within any width.
func (w *Window) AddFree(players int32) { w.Players += players }

// Add adds a candidate. It returns the number of candidates that are too far from it or from the group
// and leave the window, which are those that were added first. A candidate is always near itself, also
// if the width is negative.
func (w *Window) Add(number float64, players int32) (left int) {
	w.list = append(w.list, member{number, players})
	w.Players += players
	last, high := len(w.list)-1, max(number, w.group.High)
	wide := high-w.group.Low > w.width
	for ; w.first < last && high-w.list[w.first].number > w.width; w.first++ {
		w.Players -= w.list[w.first].players
		left++
	}
	for ; w.first <= last && (wide || high > number && high-number > w.width); w.first++ {
		w.Players -= w.list[w.first].players
		left++
	}
	return left
}
