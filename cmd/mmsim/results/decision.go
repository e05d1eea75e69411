package results

import (
	"path/filepath"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports/result"
)

// A Decision describes the result directories of a command whose page is drawn from the other
// files, such as "mmsim compare". The comment of package reports/present/decision says how to add
// one.
type Decision struct {
	resultdir.Kind
	// Files lists the files that Claim checks: all of a result except pictures and the files that
	// the command passes to [resultdir.Dir.Keep].
	Files []string
	// Draw writes the page and the pictures. It reads the other files in folder. warn receives
	// warnings about broken files; it may be nil. Every error about a file is a bad input error.
	Draw func(folder string, create result.Create, warn func(message string)) error
}

// Claim checks that a result may be written to dir; see [resultdir.Claim]. It also returns an
// error if one of Files would replace a file of the user, because finding that out after a long
// simulation would be too late.
func (d *Decision) Claim(dir string, inputs ...string) (*resultdir.Dir, error) {
	out, err := resultdir.Claim(dir, d.Kind, inputs...)
	if err != nil {
		return nil, err
	}
	return out, out.Expect(d.Files...)
}

// Write writes a result and returns its directory. It calls write, which writes all files except
// the page and the pictures, and then Draw.
func (d *Decision) Write(out *resultdir.Dir, complete bool, write func(create result.Create) error) (string, error) {
	return out.Write(func(folder string) (bool, error) {
		create := result.Create(resultdir.In(folder))
		if err := write(create); err != nil {
			return false, err
		}
		return complete, d.Draw(folder, create, nil)
	})
}

// markerLimit limits the size of a file that ReadMarker reads.
var markerLimit = input.Limit{Name: "MaxVerdictBytes", Bytes: 64 << 20, Expected: "the result of compare, check or tune"}

// ReadMarker reads the marker of a Decision. Every error is a bad input error.
func ReadMarker[T any](folder, marker string, parse func(file string, text []byte) (T, error)) (T, error) {
	file := filepath.Join(folder, marker)
	text, err := input.ReadRegular(file, markerLimit)
	if err != nil {
		return *new(T), input.Bad(err)
	}
	found, err := parse(file, text)
	return found, input.Bad(err)
}
