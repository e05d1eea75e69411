package matchmaker

import (
	"path/filepath"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
)

// External configures the external matchmaker of a queue: a matchmaker that is not part of mmsim and
// makes the matches of the queue.
type External struct {
	Matcher  string // KIND:TARGET, or "" for none; a TARGET that is a file has an absolute path
	Folder   string // absolute working directory of a program
	Backfill bool   // whether it may add tickets to running matches
	Profiles string // file with Open Match profiles, or "" for none

	named string // folder of the file in which Matcher is written
}

// RunFolder returns the working directory of a matchmaker program. It is the configured folder
// or, by default, the folder of the file that names the program.
func (e *External) RunFolder() string {
	if e.Folder != "" {
		return e.Folder
	}
	return e.named
}

// kind returns the transport and its target. Without a valid matchmaker, it is the zero Kind.
func (e *External) kind() (Kind, string) {
	kind, target, err := Parse(e.Matcher)
	if err != nil {
		return Kind{}, ""
	}
	return kind, target
}

// File returns the matchmaker's file, or "" if the matchmaker is not a file.
func (e *External) File() string {
	if kind, target := e.kind(); kind.IsFile {
		return target
	}
	return ""
}

// Reads lists the files that the matchmaker reads, as far as its settings name them: its own file or
// the files in the command of a program, and its profiles.
func (e *External) Reads() (list []string) {
	kind, target := e.kind()
	switch {
	case kind.IsFile:
		list = append(list, target)
	case kind.Files != nil:
		list = append(list, kind.Files(target, e.RunFolder())...)
	}
	if kind.Profiles && e.Profiles != "" {
		list = append(list, e.Profiles)
	}
	return list
}

// Programs lists the files in RunFolder that the command of a matchmaker program names relative to that
// folder, such as matchmaker.py in exec:python3 matchmaker.py.
func (e *External) Programs() (list []string) {
	kind, target := e.kind()
	if kind.Files == nil {
		return nil
	}
	for _, name := range kind.Files(target, e.RunFolder()) {
		below, err := filepath.Rel(e.RunFolder(), name)
		if err == nil && filepath.IsLocal(below) && !strings.Contains(target, name) && !slices.Contains(list, below) {
			list = append(list, below)
		}
	}
	return list
}

// AsksProfiles reports whether the matchmaker is called with Open Match profiles.
func (e *External) AsksProfiles() bool {
	kind, _ := e.kind()
	return kind.Profiles
}

// AsksProgram reports whether the matchmaker is a program or a service rather than a file.
func (e *External) AsksProgram() bool { return e.Matcher != "" && e.File() == "" }

// RenameFiles calls rename for each file name in e and replaces the name with the result.
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

// RunIn sets the working directory of a matchmaker program, overriding the configuration.
func (e *External) RunIn(folder string) { e.Folder, e.named = folder, folder }

// Shown returns the matchmaker as results show it. A file is shown without its folder, so that
// results do not depend on where the file is.
func (e *External) Shown() string { return e.withFile(filepath.Base) }

// withFile returns the matchmaker with another name of its file, if it is a file.
func (e *External) withFile(name func(file string) string) string {
	if file := e.File(); file != "" {
		return strings.TrimSuffix(e.Matcher, file) + name(file)
	}
	return e.Matcher
}

// FolderValue returns the setting for Folder. A written configuration always contains a
// program's folder, even the default one.
func (e *External) FolderValue() value.Value {
	v := value.Path(&e.Folder, "the name of a folder")
	v.Write = func(to string) any {
		folder := e.Folder // a copy, because several goroutines may write a configuration
		if e.AsksProgram() {
			folder = e.RunFolder()
		}
		return value.Path(&folder, v.Expects).Write(to)
	}
	return v
}

// MatcherValue returns the setting for Matcher.
func (e *External) MatcherValue() value.Value {
	return value.Value{
		Expects: "one of " + strings.Join(Targets(), ", ") + ", or nothing",
		Read: func(n yamltree.Node) error {
			if n.Kind > yamltree.Text || !value.Printable(n.Text) {
				return n.Misfit()
			}
			if e.Matcher = n.Text; n.Text == "" {
				return nil
			}
			kind, target, err := Parse(n.Text)
			if err != nil {
				return err
			}
			if kind.IsFile && !filepath.IsAbs(target) {
				e.Matcher = kind.Name + ":" + filepath.Join(n.From.Folder, target)
			}
			e.named = n.From.Folder
			return nil
		},
		Write: func(folder string) any {
			file := e.File()
			return value.EscapedText(strings.TrimSuffix(e.Matcher, file) + value.Relative(folder, file))
		},
		Schema: func() value.Schema { return value.NullableSchema(value.ScalarSchema()) },
	}
}
