package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/figure"
	"mmsim/reports/present"
	"mmsim/reports/result"
)

func newReportCommand(s *terminal.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "report [flags] DIR",
		Short: "Draw the plots and page of a result directory again",
		Long: `Draw the plots and the page of a result directory again from its files, and
print its summary. Nothing is simulated.`,
		Example: "  mmsim report mmsim-out",
		Args:    exactArgs("DIR"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error { return redraw(s, args[0]) },
	}
	addNoColour(c, s)
	return c
}

// redraw draws a result directory again. Each file is replaced as a whole.
func redraw(s *terminal.Streams, dir string) error {
	if info, err := os.Stat(filepath.Join(dir, results.RunsFolder)); err == nil && info.IsDir() {
		return input.Badf("%s: holds replications, expected one of them, such as %s",
			dir, filepath.Join(dir, results.RunsFolder, "0"))
	}
	result, err := result.Load(input.Folder(dir))
	if err != nil {
		var detail *fs.PathError
		if errors.As(err, &detail) {
			return input.Bad(input.Error(filepath.Join(dir, detail.Path), err))
		}
		return input.Badf("%s%c%w", dir, filepath.Separator, err)
	}
	file := filepath.Join(dir, results.ConfigFile)
	if err := input.CheckRegular(file); err != nil {
		return input.Bad(err)
	}
	resolved, err := input.ReadFile(file, yamltree.Limit)
	if err != nil {
		return input.Bad(err)
	}
	out, err := resultdir.Claim(dir, results.Kind)
	if err != nil {
		return err
	}
	if err := out.Begin(); err != nil {
		return err
	}
	defer out.Discard()
	output := config.Output{Plots: true, HTML: true}
	p := terminal.NewCount(s, false, 2*len(figure.Plots(result, nil))+1, "file") // PNG, SVG, and the page
	defer p.Finish()
	create := resultdir.In(out.Temp())
	counted := func(name string) (io.WriteCloser, error) {
		defer p.Step()
		return create(name)
	}
	if err := results.Draw(result, resolved, counted, output); err != nil {
		return out.Fail(err)
	}
	p.Finish()
	if err := out.Add(); err != nil {
		return err
	}
	_, err = io.WriteString(s.Out, present.Text(&result.Summary, s.Colour()))
	return err
}
