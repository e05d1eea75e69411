package world

// FreeList holds the handles that are free.
type FreeList[H ~uint32] []H

// Take removes and returns the handle that was freed last, if there is one.
func (f *FreeList[H]) Take() (handle H, ok bool) {
	n := len(*f)
	if n == 0 {
		return 0, false
	}
	handle = (*f)[n-1]
	*f = (*f)[:n-1]
	return handle, true
}

// Put adds a handle.
func (f *FreeList[H]) Put(handle H) { *f = append(*f, handle) }
