package matchmaker

import (
	"errors"

	"mmsim/matcher/dialect/jsontree"
)

// UnknownRuleset is the error for a file that is valid JSON, but not a ruleset that mmsim can
// compile. An external matchmaker may still understand it.
type UnknownRuleset struct {
	Err  error
	File string // as messages show it
	Text []byte // content of the file, with the queue's rule keys set
}

// NewUnknownRuleset returns a *UnknownRuleset that wraps err, or err itself if text is not JSON.
func NewUnknownRuleset(err error, file string, text []byte) error {
	root, faulty := jsontree.ParseRelaxed(file, text)
	if faulty != nil {
		return err
	}
	if _, relaxed := root.Relaxed(); relaxed {
		text = root.JSON() // a matchmaker expects strict JSON
	}
	return &UnknownRuleset{err, file, text}
}

// Unknown returns the *UnknownRuleset in err's chain if e's matchmaker may still read the ruleset, and
// otherwise nil. If the configuration sets a dialect, the ruleset must compile in that dialect,
// so the matchmaker may not.
func (e *External) Unknown(dialect string, err error) (unknown *UnknownRuleset) {
	if e.Matcher != "" && dialect == "" {
		errors.As(err, &unknown)
	}
	return unknown
}

func (e *UnknownRuleset) Error() string { return e.Err.Error() }
func (e *UnknownRuleset) Unwrap() error { return e.Err }

// Warning returns the warning for a run in which an external matchmaker reads the file.
func (e *UnknownRuleset) Warning() jsontree.Warning {
	w := jsontree.Warning{File: e.File, Message: e.Error()}
	var placed *jsontree.Error
	if errors.As(e.Err, &placed) { // leave out the excerpt, which has several lines
		w.Position, w.Message = placed.Position, placed.Message
	}
	w.Message = "mmsim cannot compile this ruleset, so the matchmaker gets it unchanged, matches have match.size players, and mmsim does not check them against the rules: " + w.Message
	return w
}
