// Package gallery has what users start from: the projects that "mmsim init" writes, and the cases
// that "mmsim test new" writes ([Drafts]).
//
// There is a project for each common type of game. Each is a folder with a page (mmsim.md), which
// describes the project and shows its output. A test runs all commands on the pages.
//
// To add a project, add a folder here and a line in the table in Projects.
package gallery

import (
	"embed"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Project is a template for "mmsim init".
type Project struct {
	Name  string // name of the template and of its folder
	About string // one line for lists
}

// Projects lists all projects. The first is the default of "mmsim init".
func Projects() []Project {
	return []Project{
		{"playfab", "ranked 5 against 5, by skill and region, in a PlayFab queue"},
		{"accelbyte", "ranked 5 against 5, by skill and region, in an AccelByte ruleset"},
		{"flexmatch", "ranked 5 against 5, by skill and region, in FlexMatch; players accept each match"},
		{"roblox", "players join running servers, which a Roblox scoring configuration chooses"},
		{"article", "the matchmaker of Glenn Fiedler's article: only RTT decides who plays together"},
		{"queues", "three queues that share the players of a day: ranked, duel and casual"},
		{"battle-royale", "matches of up to 60, in squads, in a PlayFab queue"},
		{"co-op", "co-op for up to 4, who may join a running match, in an AccelByte ruleset"},
		{"outage", "a datacenter goes down for an hour; and how long players may take to accept a match"},
		{"season", "weeks of duels in a PlayFab queue: who wins, what the rating learns, who comes back"},
		{"matchmaker", "a matchmaker of your own, in 15 lines of Python and as a WebAssembly module in Go"},
		{"calibrate", "a model made from the log of a matchmaker in production, and a decision with it"},
	}
}

// Find returns the project with the given name.
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

// CasesFolder is the folder of case files in projects with rules.
const CasesFolder = "cases"

// folders has all projects. The folder shared has the files that all projects have.
//
//go:embed all:*/*
var folders embed.FS

// File is a file of a project.
type File struct {
	Name    string
	Content []byte
}

// Origin is where a project's CI workflow gets mmsim from.
type Origin struct {
	Repository string // OWNER/NAME
	Release    string // tag
}

// Placeholders in the workflow, which remain if the origin is unknown.
const (
	noRepository = "OWNER/mmsim"
	noRelease    = "vX.Y.Z"
)

var releaseForm = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-(rc|alpha|beta)[0-9A-Za-z.]*)?$`)

// IsKnown reports whether a workflow can install mmsim from the origin.
func (o Origin) IsKnown() bool { return o.Repository != "" && releaseForm.MatchString(o.Release) }

// WorkflowFile is the CI workflow of a project that is a whole repository.
var WorkflowFile = filepath.FromSlash(".github/workflows/mmsim.yml")

// projectPath matches the paths of a project's files in the workflow.
var projectPath = regexp.MustCompile(`(?m)^( +(?:config|cases|gate): )(.*)$`)

// plainPath matches paths that need no quotes in YAML.
var plainPath = regexp.MustCompile(`^\w[\w./-]*$`)

// Files lists the files of a project. Files that all projects have come first. folder is the path of
// the project in its repository, or "" if it is the repository.
func (p Project) Files(from Origin, folder string) ([]File, error) {
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
		text := strings.NewReplacer(edits...).Replace(string(shared[i].Content))
		if shared[i].Name == WorkflowFile && folder != "" {
			text = projectPath.ReplaceAllStringFunc(text, func(line string) string {
				parts := projectPath.FindStringSubmatch(line)
				file := path.Join(filepath.ToSlash(folder), parts[2])
				if !plainPath.MatchString(file) {
					file = strconv.Quote(file)
				}
				return parts[1] + file
			})
		}
		shared[i].Content = []byte(text)
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
