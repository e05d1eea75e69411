// Package outside is the setting of a matchmaker outside mmsim: its name and the folder in
// which it runs.
package outside

import (
	"path/filepath"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
)

// External is a matchmaker outside mmsim that makes the matches of a queue.
type External struct {
	Matcher  string // KIND:TARGET, with an absolute path if it is a file; "": none
	Folder   string // in which a program runs, absolute
	Backfill bool   // it may add tickets to running matches
	Profiles string // file with the profiles of Open Match; "": none

	named string // the folder of the file that names the matchmaker
}

// RunFolder returns the folder in which a program runs: the configured one, or else that of
// the file that names the program.
func (e *External) RunFolder() string {
	if e.Folder != "" {
		return e.Folder
	}
	return e.named
}

// File returns the matchmaker's file, "" if it is not a file.
func (e *External) File() string {
	if kind, target, err := matchmaker.Parse(e.Matcher); err == nil && kind.IsFile {
		return target
	}
	return ""
}

// AsksProfiles reports whether the matchmaker is called with profiles.
func (e *External) AsksProfiles() bool {
	kind, _, err := matchmaker.Parse(e.Matcher)
	return err == nil && kind.Profiles
}

// AsksOutside reports whether the matchmaker is a program or a service.
func (e *External) AsksOutside() bool { return e.Matcher != "" && e.File() == "" }

// RenameFiles replaces the names of the files that are read.
func (e *External) RenameFiles(rename func(name string) (string, error)) (err error) {
	if file := e.File(); file != "" {
		renamed, err := rename(file)
		if err != nil {
			return err
		}
		e.Matcher = strings.TrimSuffix(e.Matcher, file) + renamed
	}
	if e.AsksProfiles() && e.Profiles != "" {
		e.Profiles, err = rename(e.Profiles)
	}
	return err
}

// RunIn sets the folder in which a program runs, whatever the configuration says.
func (e *External) RunIn(folder string) { e.Folder, e.named = folder, folder }

// Shown returns the matchmaker's name in results: a file is without its folder, so that
// results are equal in any place.
func (e *External) Shown() string {
	if file := e.File(); file != "" {
		return strings.TrimSuffix(e.Matcher, file) + filepath.Base(file)
	}
	return e.Matcher
}

// FolderValue is the setting of the folder. A written configuration always contains the
// folder of a program, even if it is that of the file that names the program.
func (e *External) FolderValue() value.Value {
	v := value.Path(&e.Folder, "the name of a folder")
	resolved := func() value.Value {
		folder := e.Folder // a copy: several goroutines may write a configuration
		if e.AsksOutside() {
			folder = e.RunFolder()
		}
		return value.Path(&folder, v.Expects)
	}
	v.Write = func() any { return resolved().Write() }
	v.From = func(to string) any { return resolved().From(to) }
	return v
}

// MatcherValue is the setting that names the matchmaker.
func (e *External) MatcherValue() value.Value {
	shown := func(name func(file string) string) any {
		if file := e.File(); file != "" {
			return value.EscapedText(strings.TrimSuffix(e.Matcher, file) + name(file))
		}
		return value.EscapedText(e.Matcher)
	}
	return value.Value{
		Expects: "one of " + strings.Join(matchmaker.Targets(), ", ") + ", or nothing",
		Read: func(n yamltree.Node) error {
			if n.Kind > yamltree.Text || !value.Printable(n.Text) {
				return n.Misfit()
			}
			if e.Matcher = n.Text; n.Text == "" {
				return nil
			}
			kind, target, err := matchmaker.Parse(n.Text)
			if err != nil {
				return err
			}
			if kind.IsFile && !filepath.IsAbs(target) {
				e.Matcher = kind.Name + ":" + filepath.Join(n.From.Folder, target)
			}
			e.named = n.From.Folder
			return nil
		},
		Write: func() any { return shown(func(file string) string { return file }) },
		From: func(folder string) any {
			return shown(func(file string) string { return input.Relative(folder, file) })
		},
		Schema: func() schema.Schema { return schema.OrNull(schema.Scalar()) },
	}
}
