package outside

import (
	"errors"

	"mmsim/matcher/dialect/jsontree"
)

// Foreign is the error about a file that is JSON, but not a ruleset that mmsim knows. A
// matchmaker outside may be able to read it.
type Foreign struct {
	Err  error
	File string // as shown in messages
	Text []byte // with the keys set in it
}

// NewForeign returns a Foreign, or err itself if the text is not JSON.
func NewForeign(err error, file string, text []byte) error {
	if _, faulty := jsontree.Parse(file, text); faulty != nil {
		return err
	}
	return &Foreign{err, file, text}
}

// Foreign returns err's Foreign if err is one and the matchmaker may be able to read the
// ruleset, else nil. If the configuration names a dialect, the file must be in that dialect.
func (e *External) Foreign(dialect string, err error) (foreign *Foreign) {
	if e.Matcher != "" && dialect == "" {
		errors.As(err, &foreign)
	}
	return foreign
}

func (e *Foreign) Error() string { return e.Err.Error() }
func (e *Foreign) Unwrap() error { return e.Err }

// Warning returns the warning about such a file with a matchmaker outside.
func (e *Foreign) Warning() jsontree.Warning {
	w := jsontree.Warning{File: e.File, Message: e.Error()}
	var placed *jsontree.Error
	if errors.As(e.Err, &placed) { // without its excerpt of several lines
		w.Place, w.Message = placed.Place, placed.Message
	}
	w.Message = "the matchmaker gets it unchanged; matches have match.size players and are not checked against it, because mmsim cannot compile it: " + w.Message
	return w
}
