package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
)

// CheckFiles checks the files that a command writes, before it does anything. A file must not be one
// that the command reads, nor in the result directory that it replaces, and no two outputs may be the
// same file. Names are the same file if their paths, symbolic links or hard links lead to it, even if
// it does not exist yet.
//
// CheckFiles knows the files that the command line names. Those that files name in turn are known only
// when these are read: who reads a configuration calls CheckConfigs, and who reads another file with
// names calls CheckFiles with them.
func CheckFiles(c *cobra.Command, inputs ...string) error {
	files := namedFiles(c)
	for _, name := range inputs {
		files = append(files, namedFile{Reads, "", name})
	}
	return checkFiles(c, files)
}

// CheckConfigs is CheckFiles with the files that configurations name.
func CheckConfigs(c *cobra.Command, configs ...*config.Config) error {
	files := namedFiles(c)
	for _, own := range configs {
		for _, name := range config.FileNames(own) {
			files = append(files, namedFile{Reads, "", name})
		}
		if f := c.Flags().Lookup("out"); f != nil {
			if _, is := f.Value.(*shortFlag); is {
				files = append(files, namedFile{RoleOf(f), "--" + f.Name, input.Shown(own.Output.Dir)})
			}
		}
	}
	return checkFiles(c, files)
}

func checkFiles(c *cobra.Command, files []namedFile) error {
	places := make([]place, len(files))
	for i, f := range files {
		places[i] = placeOf(f.name)
		if f.name == input.Stdin && f.role == Reads {
			places[i] = stdinOf(c)
		}
	}
	for i, out := range files {
		if out.role != WritesFile && out.role != WritesFolder || out.role == WritesFile && !places[i].isReplaced() {
			continue
		}
		for k, other := range files {
			if err := out.against(other, places[i], places[k], k < i); err != nil {
				return err
			}
		}
	}
	return nil
}

// against returns an error if an output and another file of the command are the same file, or if one
// is in the other. isEarlier says that the other one stands earlier in the list.
func (out namedFile) against(other namedFile, at, otherAt place, isEarlier bool) error {
	switch {
	case out.role == WritesFolder && (other.role == Reads || other.role == Secret):
		if at.isFolder() && otherAt.info != nil && otherAt.isIn(at) {
			return input.Badf("%s: the output directory contains the input %s, expected another name", out.name, input.Shown(other.name))
		}
	case out.role == WritesFolder:
	case other.role == Reads || other.role == Secret:
		if found := otherAt.find(at); found != "" {
			return input.Badf("%s: %swould replace %s, which is an input%s; expected another name", out.name, phrase(out.by, " "), input.Shown(found), phrase(" (", other.by, ")"))
		}
	case other.role == WritesFolder:
		if at.isIn(otherAt) {
			return input.Badf("%s: %sis in the result directory %s, which the command replaces; expected a file in another folder", out.name, phrase(out.by, " "), input.Shown(other.name))
		}
	case other.role == WritesFile && isEarlier && at.isSame(otherAt):
		return input.Badf("%s: the output of both %s and %s; expected two names", out.name, nameOr(other.by), nameOr(out.by))
	}
	return nil
}

// phrase joins the parts of an addition to a message. It returns "" if one of the parts is "".
func phrase(parts ...string) string {
	for _, part := range parts {
		if part == "" {
			return ""
		}
	}
	return strings.Join(parts, "")
}

func nameOr(by string) string {
	if by == "" {
		return "the argument"
	}
	return by
}

// A place is where a name leads.
type place struct {
	path string      // absolute, without symbolic links; "" if the name leads nowhere
	info fs.FileInfo // nil if nothing is there
}

// placeOf finds the place of a name.
func placeOf(name string) place {
	if name == "" || name == input.Stdin {
		return place{}
	}
	info, err := os.Stat(name)
	if err != nil {
		return place{path: input.Resolved(name)}
	}
	return place{input.Resolved(name), info}
}

// stdinOf is the place of standard input, which is a file after "<" in a shell.
func stdinOf(c *cobra.Command) place {
	if f, is := c.InOrStdin().(*os.File); is {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return place{info: info}
		}
	}
	return place{}
}

func (p place) isFolder() bool { return p.info != nil && p.info.IsDir() }

// isReplaced reports whether writing a file there replaces it. Devices and pipes stay, and so does
// what already is standard output.
func (p place) isReplaced() bool {
	if p.info == nil {
		return p.path != ""
	}
	standard, err := os.Stdout.Stat()
	return p.info.Mode().IsRegular() && (err != nil || !os.SameFile(standard, p.info))
}

// isSame reports whether two places are the same one.
func (p place) isSame(other place) bool {
	if p.info != nil && other.info != nil {
		return os.SameFile(p.info, other.info)
	}
	return p.path != "" && p.path == other.path
}

// isIn reports whether a place is the folder, or in it.
func (p place) isIn(folder place) bool {
	if p.isSame(folder) {
		return true
	}
	rest, isBelow := strings.CutPrefix(p.path, strings.TrimSuffix(folder.path, string(filepath.Separator)))
	return isBelow && folder.path != "" && rest != "" && os.IsPathSeparator(rest[0])
}

// find returns the name of the input that is at a place: p itself or, if p is a folder of inputs, a
// file in it that the command may read. It returns "" if there is none.
func (p place) find(at place) (found string) {
	switch {
	case !p.isFolder() && p.isSame(at):
		return p.name(at)
	case !p.isFolder() || at.info == nil:
		return ""
	}
	_ = filepath.WalkDir(p.path, func(path string, entry fs.DirEntry, err error) error { // reading the folder later reports its errors
		if err != nil || entry.IsDir() || !mayBeRead(entry.Name()) {
			return nil
		}
		if info, err := os.Stat(path); err == nil && os.SameFile(info, at.info) {
			found = path
			return filepath.SkipAll
		}
		return nil
	})
	return found
}

// name returns the path of p, or that of the same file at if p has none, as standard input.
func (p place) name(at place) string {
	if p.path == "" {
		return at.path
	}
	return p.path
}

// mayBeRead reports whether a command may read a file with this name in a folder of results, cases or
// maps. Files with other names, such as pictures and JUnit XML, are only written.
func mayBeRead(name string) bool {
	switch filepath.Ext(name) {
	case ".json", ".jsonl", ".yaml", ".csv", ".gz", ".zst", ".parquet", ".bin":
		return true
	}
	return strings.HasPrefix(name, "latency_")
}
