// Command release prints the licences of all code that is linked into mmsim: of Go's standard
// library, of every module, and of files that a package embeds. A release and an image contain its
// output. Its tests are also those of the script that builds a release (build.sh), of the GitHub
// workflows, and of the action that installs a release.
//
//	go run ./scripts/release linux/amd64 windows/amd64 > THIRD-PARTY-NOTICES.txt
//
// The arguments are the platforms, because some modules are linked only on one of them; without
// arguments, it is the platform of this machine. The texts are the files in the module cache, so that
// they belong to the versions that are linked. A module without such a file is an error.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

func main() {
	platforms := os.Args[1:]
	if len(platforms) == 0 {
		platforms = []string{runtime.GOOS + "/" + runtime.GOARCH}
	}
	modules, err := linked(platforms)
	if err == nil {
		err = writeNotices(os.Stdout, modules)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// module is a module, or the standard library, with its texts by name.
type module struct {
	name  string // with the version
	texts map[string][]byte
}

// licence matches the names of files with a licence or a notice.
var licence = regexp.MustCompile(`(?i)^(licen[sc]es?|copying|notice|patents|copyright)([._-].*)?$`)

// listed is a package as "go list -json" prints it.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// linked lists the modules that are linked into mmsim on any of the platforms, by name.
func linked(platforms []string) ([]module, error) {
	found := map[string]*module{}
	for _, platform := range platforms {
		system, processor, ok := strings.Cut(platform, "/")
		if !ok {
			return nil, fmt.Errorf("got %q, expected a platform such as linux/amd64", platform)
		}
		c := exec.Command("go", "list", "-deps", "-json=Dir,Standard,Module", "mmsim/cmd/mmsim")
		c.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", platform, err)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var p listed
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if err := collect(found, p); err != nil {
				return nil, err
			}
		}
	}
	var list []module
	for _, m := range found {
		if len(m.texts) == 0 && !strings.HasPrefix(m.name, "mmsim") {
			return nil, fmt.Errorf("%s has no file with a licence", m.name)
		}
		if len(m.texts) > 0 {
			list = append(list, *m)
		}
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// collect adds the texts for a package: those in its folder and in the folders around it, up to the
// root of its module. For mmsim's own packages it adds those below the package, which belong to
// embedded files.
func collect(found map[string]*module, p listed) error {
	name, root, err := "Go standard library, "+runtime.Version(), "", error(nil)
	switch {
	case p.Standard:
		if root, err = goroot(); err != nil {
			return err
		}
	case p.Module.Main:
		name, root = "mmsim, embedded files", p.Module.Dir
	default:
		name, root = p.Module.Path+" "+p.Module.Version, p.Module.Dir
	}
	m := found[name]
	if m == nil {
		m = &module{name: name, texts: map[string][]byte{}}
		found[name] = m
	}
	if p.Module != nil && p.Module.Main {
		return filepath.WalkDir(p.Dir, func(file string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Dir(file) == root || !licence.MatchString(entry.Name()) {
				return err
			}
			return m.add(root, file)
		})
	}
	for folder := p.Dir; ; folder = filepath.Dir(folder) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if entry.Type().IsRegular() && licence.MatchString(entry.Name()) && filepath.Ext(entry.Name()) != ".go" {
				if err := m.add(root, filepath.Join(folder, entry.Name())); err != nil {
					return err
				}
			}
		}
		if folder == root || folder == filepath.Dir(folder) {
			return nil
		}
	}
}

// add adds the text of a file.
func (m *module) add(root, file string) error {
	name, err := filepath.Rel(root, file)
	if err != nil {
		return err
	}
	m.texts[filepath.ToSlash(name)], err = os.ReadFile(file)
	return err
}

// goroot returns the folder of the Go installation.
func goroot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}

// writeNotices prints the texts of all modules.
func writeNotices(w io.Writer, modules []module) error {
	var b bytes.Buffer
	b.WriteString("mmsim contains code by others. These are its parts, with their licences.\n\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "  %s\n", m.name)
	}
	for _, m := range modules {
		var names []string
		for name := range m.texts {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(&b, "\n%s\n%s: %s\n%s\n\n", strings.Repeat("=", 80), m.name, name, strings.Repeat("=", 80))
			b.Write(bytes.TrimSpace(bytes.ReplaceAll(m.texts[name], []byte("\r\n"), []byte("\n"))))
			b.WriteByte('\n')
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}
