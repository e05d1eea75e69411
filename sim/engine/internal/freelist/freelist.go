// Package freelist keeps the handles that may be given out again.
package freelist

// List is the handles that may be given out again.
type List[H ~uint32] []H

// Take returns the handle that was freed last, if there is one.
func (f *List[H]) Take() (handle H, ok bool) {
	n := len(*f)
	if n == 0 {
		return 0, false
	}
	handle = (*f)[n-1]
	*f = (*f)[:n-1]
	return handle, true
}

// Put adds a handle.
func (f *List[H]) Put(handle H) { *f = append(*f, handle) }
