package resultdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"mmsim/cmd/mmsim/disk"
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
	return errors.As(err, new(*RefusedError)) ||
		isAny(err, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.ENOTDIR, syscall.EISDIR, syscall.EEXIST, syscall.ENXIO)
}

// isAny reports whether an error is one of several.
func isAny(err error, of ...error) bool {
	return slices.ContainsFunc(of, func(one error) bool { return errors.Is(err, one) })
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
	if kept, is := errors.AsType[*UnpublishedError](err); is {
		return kept.Kept, err, nil
	}
	return name, nil, err
}

// isFull reports whether an error means that the disk is full.
func isFull(err error) bool { return isAny(err, syscall.ENOSPC, syscall.EDQUOT) }

// fault replaces the path in a system error with the name that the user wrote.
func fault(name string, err error) error {
	if err == nil || errors.As(err, new(*RefusedError)) || errors.As(err, new(*UnpublishedError)) {
		return err
	}
	if detail, is := errors.AsType[*fs.PathError](err); is {
		err = detail.Err
	}
	if link, is := errors.AsType[*os.LinkError](err); is {
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

// writeSynced writes a new file and flushes it to the disk.
func writeSynced(file string, text []byte) error {
	if err := disk.Write(file, text, 0o666); err != nil {
		return err
	}
	return disk.Sync(file)
}

// rename renames a file, and flushes its new name to the disk.
func rename(from, to string) error {
	if err := disk.Rename(from, to); err != nil {
		return err
	}
	return disk.Sync(filepath.Dir(to))
}
