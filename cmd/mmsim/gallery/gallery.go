// Package gallery holds the projects that "mmsim init" writes: recipes for common kinds of
// games, each in a folder of its own with a page (mmsim.md) that describes it and shows its
// output. A test runs everything that the pages show.
//
// To add a recipe, add a folder here and a line in the table.
package gallery

import (
	"embed"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
)

// Project is a recipe.
type Project struct {
	Name  string // of the template, and of its folder here
	About string // for lists, in one line
}

// Projects lists all recipes. The first is the default of init.
func Projects() []Project {
	return []Project{
		{"playfab", "ranked 5 against 5, by skill and region, in a PlayFab queue"},
		{"accelbyte", "ranked 5 against 5, by skill and region, in an AccelByte ruleset"},
		{"flexmatch", "ranked 5 against 5, by skill and region, in a FlexMatch rule set, with acceptance"},
		{"roblox", "players joining running servers, chosen by a Roblox scoring configuration"},
		{"article", "the article's matchmaker: a queue for each datacenter and no rules except RTT"},
		{"queues", "several queues that share a day: ranked, duel and casual"},
		{"battle-royale", "matches of up to 60, in squads, in a PlayFab queue"},
		{"co-op", "co-op for up to 4, with joins in progress, in an AccelByte ruleset"},
		{"matchmaker", "a matchmaker of your own, in 15 lines of Python and as a WebAssembly module in Go"},
	}
}

// Find returns the project of a name.
func Find(name string) (Project, bool) {
	for _, p := range Projects() {
		if p.Name == name {
			return p, true
		}
	}
	return Project{}, false
}

// Names lists the names of all projects.
func Names() []string {
	var names []string
	for _, p := range Projects() {
		names = append(names, p.Name)
	}
	return names
}

// CasesFolder holds the case files of a project that has rules.
const CasesFolder = "cases"

// folders holds all projects; the folder shared has the files that all projects have.
//
//go:embed all:*/*
var folders embed.FS

// File is a file of a project, by its name in it.
type File struct {
	Name    string
	Content []byte
}

// Origin is where the program comes from, for the workflow of a project.
type Origin struct {
	Repository string // OWNER/NAME
	Release    string // tag
}

// Placeholders in the workflow if the origin is unknown.
const (
	noRepository = "OWNER/mmsim"
	noRelease    = "vX.Y.Z"
)

var releaseForm = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-(rc|alpha|beta)[0-9A-Za-z.]*)?$`)

// IsKnown reports whether a workflow can install mmsim from the origin.
func (o Origin) IsKnown() bool { return o.Repository != "" && releaseForm.MatchString(o.Release) }

// Files lists the files of a project, those that all projects have first.
func (p Project) Files(from Origin) ([]File, error) {
	var edits []string
	if from.IsKnown() {
		edits = append(edits, noRepository, from.Repository, noRelease, from.Release)
	}
	if !p.HasCases() {
		edits = append(edits, "          cases: "+CasesFolder+"\n", "")
	}
	shared, err := filesIn("shared")
	if err != nil {
		return nil, err
	}
	for i := range shared {
		shared[i].Content = []byte(strings.NewReplacer(edits...).Replace(string(shared[i].Content)))
	}
	own, err := filesIn(p.Name)
	return append(shared, own...), err
}

// filesIn lists the files in a folder.
func filesIn(folder string) ([]File, error) {
	var files []File
	err := fs.WalkDir(folders, folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := folders.ReadFile(path)
		files = append(files, File{filepath.FromSlash(strings.TrimPrefix(path, folder+"/")), content})
		return err
	})
	return files, err
}

// HasCases reports whether a project has rules to test.
func (p Project) HasCases() bool {
	cases, err := fs.ReadDir(folders, p.Name+"/"+CasesFolder)
	return err == nil && len(cases) > 0
}
