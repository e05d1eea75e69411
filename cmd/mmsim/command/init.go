package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/build"
	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/gallery"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
)

func newInitCommand(s *terminal.Streams) *cobra.Command {
	var template string
	c := &cobra.Command{
		Use:   "init [flags] [DIR]",
		Short: "Write a small project to start from",
		Long: `Write a small project into DIR, by default the working directory. A project has a configuration with
comments; a gate file with limits for CI; a GitHub workflow that runs the simulation, the gate and
any test cases; schemas with which editors complete and check the YAML files; and mmsim.md, which
describes the project and shows its output. Most projects also have a vendor's ruleset with test
cases. In a git repository, the workflow goes to the root of the repository, where GitHub reads it.
--template selects the project:

` + templateList() + `
init never overwrites a file: if one of the project's files exists, it writes nothing at all.`,
		Example: `  mmsim init
  mmsim init my-game
  mmsim init --template accelbyte my-game`,
		RunE: func(_ *cobra.Command, args []string) error {
			project, _ := gallery.Find(template)
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			return initProject(s, project, folder)
		},
	}
	cli.Under(c, cli.GroupInput).Word(&template, "template", "NAME", gallery.Names()[0], "project to write", gallery.Names())
	return c
}

// templateList returns the lines of the help about the projects.
func templateList() string {
	var b strings.Builder
	for _, p := range gallery.Projects() {
		fmt.Fprintf(&b, "  %-14s %s\n", p.Name, p.About)
	}
	return b.String()
}

// initProject writes a project, and prints how to use it.
func initProject(s *terminal.Streams, project gallery.Project, folder string) error {
	if _, err := input.WorkingFolder(); err != nil {
		return err
	}
	from := gallery.Origin{Repository: build.Repository(), Release: build.Version()}
	inRepository, err := placeInRepository(folder)
	if err != nil {
		return err
	}
	files, err := projectFiles(project, from, inRepository)
	if err != nil {
		return err
	}
	note := ""
	if !from.IsKnown() {
		note = "This mmsim is not a release: enter the repository and a release of mmsim in " + filepath.Join(folder, workflowFile(inRepository)) + "."
	}
	if err := writeProject(s, folder, files, note); err != nil {
		return err
	}
	if project.HasCases() {
		fmt.Fprintln(s.Err, "mmsim test "+gallery.CasesFolder)
	}
	fmt.Fprint(s.Err, "mmsim run --config mmsim.yaml\nmmsim check results --gate gate.yaml\n")
	return nil
}

// placeInRepository returns the path of a folder in the git repository around it. It returns "" if the
// folder is the repository, or in none. The folder need not exist.
func placeInRepository(folder string) (string, error) {
	whole, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	for root := whole; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, ".git")); err == nil {
			inside, err := filepath.Rel(root, whole)
			if inside == "." {
				inside = ""
			}
			return inside, err
		}
		if root == filepath.Dir(root) {
			return "", nil
		}
	}
}

// workflowFile returns the name of a project's workflow, relative to the project. GitHub reads
// workflows only at the root of a repository, where every project has a file of its own.
func workflowFile(inRepository string) string {
	if inRepository == "" {
		return gallery.WorkflowFile
	}
	parts := strings.Split(inRepository, string(filepath.Separator))
	up := strings.Repeat(".."+string(filepath.Separator), len(parts))
	return up + strings.TrimSuffix(gallery.WorkflowFile, ".yml") + "-" + strings.ReplaceAll(strings.Join(parts, "-"), " ", "-") + ".yml"
}

// writeProject writes files into a folder and lists them, followed by a note. It writes
// nothing if one of the files exists.
func writeProject(s *terminal.Streams, folder string, files []gallery.File, note string) error {
	for _, file := range files {
		target := filepath.Join(folder, file.Name)
		if _, err := os.Lstat(target); err == nil {
			return input.Badf("%s: exists already, expected a folder without the files of a project; nothing was written", target)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return input.Bad(input.Error(target, err))
		}
	}
	if err := writeProjectFiles(folder, files); err != nil {
		return err
	}
	for _, file := range files {
		if err := terminal.PrintTo(s.Out, "%s\n", filepath.Join(folder, file.Name)); err != nil {
			return err
		}
	}
	if note != "" {
		terminal.PrintTo(s.Err, "%s\n", note)
	}
	if folder != "." {
		terminal.PrintTo(s.Err, "\n%s\n", input.ShellCommand([]string{"cd", folder}))
	}
	return nil
}

// projectFiles lists the files of a project, and the schemas that its YAML files name.
func projectFiles(project gallery.Project, from gallery.Origin, inRepository string) ([]gallery.File, error) {
	files, err := project.Files(from, inRepository)
	if err != nil {
		return nil, err
	}
	for i := range files {
		if files[i].Name == gallery.WorkflowFile {
			files[i].Name = workflowFile(inRepository)
		}
	}
	for _, name := range []string{"config", "gate", "sweep", "tune", "site"} {
		content, err := schemaDocument(name)
		if err != nil {
			return nil, err
		}
		files = append(files, gallery.File{Name: filepath.Join("schemas", name+".json"), Content: content})
	}
	return files, nil
}

// writeProjectFiles writes new files. If it cannot write one of them, it removes what it has made.
func writeProjectFiles(folder string, files []gallery.File) (err error) {
	var made []string // files and folders, each after the folder that it is in
	defer func() {
		for _, name := range slices.Backward(made) {
			if err != nil {
				_ = disk.Remove(name) // the error that is reported says more
			}
		}
	}()
	for _, file := range files {
		target := filepath.Join(folder, file.Name)
		first := len(made)
		for above := filepath.Dir(target); ; above = filepath.Dir(above) {
			if _, err := os.Lstat(above); !errors.Is(err, fs.ErrNotExist) {
				break
			}
			made = slices.Insert(made, first, above)
		}
		if err := disk.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return input.Error(target, err)
		}
		if err := disk.Write(target, file.Content, 0o666); err != nil {
			return input.Error(target, err)
		}
		made = append(made, target)
	}
	return nil
}
