package resultdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// RefusedError is the reason why a result cannot be written at the path that the user asked
// for. The user can correct it.
type RefusedError struct {
	message string
	cause   error
}

func (e *RefusedError) Error() string { return e.message }
func (e *RefusedError) Unwrap() error { return e.cause }

// refusef returns a RefusedError. It supports %w like fmt.Errorf.
func refusef(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &RefusedError{err.Error(), err}
}

// IsMendable reports whether the user can correct an error. The user can correct a
// RefusedError, and system errors about the name itself, such as a name that is too long or a
// link to itself. A missing or unwritable file is not included, because whether the user can
// correct that depends on the file.
func IsMendable(err error) bool {
	if refused := (*RefusedError)(nil); errors.As(err, &refused) {
		return true
	}
	for _, mendable := range []error{syscall.ENAMETOOLONG, syscall.ELOOP, syscall.ENOTDIR, syscall.EISDIR, syscall.EEXIST, syscall.ENXIO} {
		if errors.Is(err, mendable) {
			return true
		}
	}
	return false
}

// UnpublishedError is the reason why a result is not in its directory but beside it. The directory
// is unchanged.
type UnpublishedError struct {
	Kept  string // where the result is
	Cause error
}

func (e *UnpublishedError) Error() string {
	return fmt.Sprintf("%v; the new result is in %s", e.Cause, e.Kept)
}

func (e *UnpublishedError) Unwrap() error { return e.Cause }

// Published takes the results of Dir.Write apart. It returns where the result is, and an error to
// return at the end if that is beside the directory.
func Published(name string, err error) (where string, unpublished, fault error) {
	if kept := (*UnpublishedError)(nil); errors.As(err, &kept) {
		return kept.Kept, err, nil
	}
	return name, nil, err
}

// isFull reports whether an error means that the disk is full.
func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// fault replaces the path in a system error with the name that the user wrote.
func fault(name string, err error) error {
	if refused := (*RefusedError)(nil); err == nil || errors.As(err, &refused) {
		return err
	}
	if kept := (*UnpublishedError)(nil); errors.As(err, &kept) {
		return err
	}
	if detail := (*fs.PathError)(nil); errors.As(err, &detail) {
		err = detail.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		err = link.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// inOrder takes steps until one fails, and returns its error.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// first returns the first of two errors that is not nil, or nil if both are.
func first(one, other error) error {
	if one != nil {
		return one
	}
	return other
}
