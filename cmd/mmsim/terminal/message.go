package terminal

import (
	"strings"

	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/words"
)

// hintedError is an error with advice.
type hintedError struct {
	error
	hint string
}

func (e *hintedError) Error() string { return e.error.Error() + "\n" + e.hint }

func (e *hintedError) Unwrap() error { return e.error }

// Hinted adds advice to an error. The advice may have several lines.
func Hinted(err error, format string, args ...any) error {
	var hint strings.Builder
	_ = PrintTo(&hint, format, args...) // writing to memory does not fail
	return &hintedError{err, hint.String()}
}

// ErrorText formats an error for people. It escapes line breaks inside messages, which may
// quote names. It keeps the line breaks that mmsim itself adds: between joined errors, before
// an excerpt of a file, and before advice.
func ErrorText(err error) string {
	switch e := err.(type) {
	case *hintedError:
		return ErrorText(e.error) + "\n" + e.hint
	case *yamltree.Error:
		return words.Printable(e.Place+": "+e.Message) + e.Excerpt
	case *jsontree.Error:
		return words.Printable(e.Position+": "+e.Message) + e.Excerpt
	case interface{ Unwrap() []error }:
		return aroundErrors(err.Error(), e.Unwrap())
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return aroundErrors(err.Error(), []error{inner})
		}
	}
	return words.Printable(err.Error())
}

// aroundErrors formats an error whose text contains the texts of other errors, in order. It
// keeps the line breaks that errors.Join adds between them.
func aroundErrors(text string, quoted []error) string {
	var b strings.Builder
	for _, inner := range quoted {
		before, after, found := strings.Cut(text, inner.Error())
		if !found {
			continue // the text does not contain this error unchanged
		}
		if before == "\n" {
			b.WriteByte('\n')
		} else {
			b.WriteString(words.Printable(before))
		}
		b.WriteString(ErrorText(inner))
		text = after
	}
	b.WriteString(words.Printable(text))
	return b.String()
}
