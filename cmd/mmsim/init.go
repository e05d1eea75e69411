package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
)

// project is what `mmsim init` writes. It is a project like any other: what it says
// of mmsim is tested by running it.
//
//go:embed all:project
var project embed.FS

func newInitCommand(s *terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a small project to start from",
		Long: `Write a small project into a folder (the working directory, if none is named): a
commented configuration, a PlayFab queue and its test cases, a gate, a sweep, settings
to tune, a workflow for GitHub that runs tests, simulation and gate, and schemas by which
editors complete and check the YAML files.

Other files may be there, but nothing is overwritten: where one of the project's files
exists, nothing is written at all.`,
		Example: `  mmsim init
  mmsim init my-game`,
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			return initProject(s, folder)
		},
	}
}

// initProject writes the project, and tells what to do with it.
func initProject(s *terminal.Streams, folder string) error {
	if _, err := input.WorkingFolder(); err != nil {
		return err
	}
	files, err := projectFiles()
	if err != nil {
		return err
	}
	if err := writeProject(s, folder, files); err != nil {
		return err
	}
	fmt.Fprint(s.Err, `mmsim test cases
mmsim run --config mmsim.yaml
mmsim check results --gate gate.yaml
`)
	return nil
}

// writeProject writes files into a folder, none if one of them is there, and lists them.
func writeProject(s *terminal.Streams, folder string, files []projectFile) error {
	for _, file := range files {
		target := filepath.Join(folder, file.name)
		if _, err := os.Lstat(target); err == nil {
			return input.Badf("%s: exists already, expected a folder without the files of a project; nothing was written", target)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return input.Bad(input.Error(target, err))
		}
	}
	for _, file := range files {
		target := filepath.Join(folder, file.name)
		if err := writeProjectFile(target, file.content); err != nil {
			return input.Error(target, err)
		}
		if err := terminal.PrintTo(s.Out, "%s\n", target); err != nil {
			return err
		}
	}
	if folder != "." {
		terminal.PrintTo(s.Err, "\ncd %s\n", folder)
	}
	return nil
}

// projectFile is a file of the project, by its name in it.
type projectFile struct {
	name    string
	content []byte
}

// projectFiles lists the files of the project, and the schemas that its YAML files name.
func projectFiles() ([]projectFile, error) {
	var files []projectFile
	err := fs.WalkDir(project, "project", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel("project", filepath.FromSlash(path))
		if err != nil {
			return err
		}
		content, err := project.ReadFile(path)
		files = append(files, projectFile{name, content})
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"config", "gate", "sweep", "tune"} {
		content, err := schemaDocument(name)
		if err != nil {
			return nil, err
		}
		files = append(files, projectFile{filepath.Join("schemas", name+".json"), content})
	}
	return files, nil
}

// writeProjectFile writes one file, and refuses to overwrite another.
func writeProjectFile(target string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
