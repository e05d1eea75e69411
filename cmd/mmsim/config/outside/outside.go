// Package outside is the setting of a matchmaker outside of mmsim: how it is named, and in
// which folder it is run.
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

// External is a matchmaker outside of mmsim that makes the matches of a queue.
type External struct {
	Matcher  string // KIND:TARGET, a file by its absolute name; "": none
	Folder   string // in which a program is run, absolute
	Backfill bool   // it may add tickets to running matches
	Profiles string // file with the profiles of Open Match; "": none

	named string // the folder of the file that names it
}

// RunFolder is the folder in which a program is run: the one that is given, else that of
// the file which names the program.
func (e *External) RunFolder() string {
	if e.Folder != "" {
		return e.Folder
	}
	return e.named
}

// File is the file that the matchmaker is, "" where it is none.
func (e *External) File() string {
	if kind, target, err := matchmaker.Parse(e.Matcher); err == nil && kind.IsFile {
		return target
	}
	return ""
}

// AsksProfiles tells whether the matchmaker is asked with profiles.
func (e *External) AsksProfiles() bool {
	kind, _, err := matchmaker.Parse(e.Matcher)
	return err == nil && kind.Profiles
}

// AsksOutside tells whether the matchmaker is a program or a service.
func (e *External) AsksOutside() bool { return e.Matcher != "" && e.File() == "" }

// RenameFiles puts other names in place of those of the files that are read.
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

// RunIn lets a program be run in a folder, whatever the configuration says.
func (e *External) RunIn(folder string) { e.Folder, e.named = folder, folder }

// Shown is the matchmaker in results: of a file without the way to it, so that they are
// equal in any place.
func (e *External) Shown() string {
	if file := e.File(); file != "" {
		return strings.TrimSuffix(e.Matcher, file) + filepath.Base(file)
	}
	return e.Matcher
}

// FolderValue is the setting of the folder. What is written names the folder of a program
// even where the file that names the program stands for it.
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
