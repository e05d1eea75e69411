package sim

// freeList is the handles that may be given out again.
type freeList[H ~uint32] []H

// take returns the handle that was freed last, if there is one.
func (f *freeList[H]) take() (handle H, ok bool) {
	n := len(*f)
	if n == 0 {
		return 0, false
	}
	handle = (*f)[n-1]
	*f = (*f)[:n-1]
	return handle, true
}

func (f *freeList[H]) put(handle H) { *f = append(*f, handle) }
