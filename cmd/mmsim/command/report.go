package command

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/calibrate"
	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/tuning"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/figure"
	"mmsim/reports/present"
	"mmsim/reports/result"
)

func newReportCommand(s *terminal.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "report [flags] DIR",
		Short: "Draw the plots and page of a result directory again",
		Long: `Draw the plots and report.html of a result directory again, from its data files, without simulating.
DIR is a result directory of run, compare, check, sweep, tune, site or calibrate. For a result of run, report
also prints the summary. If DIR contains replications (run --runs), report.html is about all of them. For
the page of a single replication, name its directory, such as DIR/runs/0.`,
		Example: `  mmsim report mmsim-out
  mmsim report baseline/runs/0
  mmsim report comparison`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error { return redraw(s, args[0]) },
	}
	cli.AddNoColour(c, s)
	return c
}

// decisions lists the kinds of result directories other than those of runs.
var decisions = []*results.Decision{&results.Comparison, &results.Check, &search.SweepKind, &tuning.Kind, &calibrate.Kind}

// redraw draws the page and pictures of a result directory again. A file is replaced only when its
// new version is complete.
func redraw(s *terminal.Streams, dir string) error {
	for _, d := range decisions {
		if _, err := os.Stat(filepath.Join(dir, d.Marker)); err == nil {
			warn := func(message string) { terminal.PrintTo(s.Err, "%s\n", message) }
			return addFiles(dir, d.Kind, func(create result.Create) error { return d.Draw(dir, create, warn) })
		}
	}
	if results.HoldsRuns(dir) {
		return redrawRuns(s, dir)
	}
	return redrawRun(s, dir)
}

// addFiles writes files into an existing result directory.
func addFiles(dir string, kind resultdir.Kind, draw func(result.Create) error) error {
	out, err := resultdir.Claim(dir, kind)
	if err != nil {
		return err
	}
	return out.Add(func(folder string) error { return draw(resultdir.In(folder)) })
}

// redrawRuns draws the page and pictures of a directory with replications.
func redrawRuns(s *terminal.Streams, dir string) error {
	total, counted, err := results.LoadRuns(dir)
	if err != nil {
		return err
	}
	resolved, err := readResolved(dir)
	if err != nil {
		return err
	}
	if err := addFiles(dir, results.Kind, func(create result.Create) error {
		return results.DrawRuns(total, counted, resolved, create, config.Output{Plots: true, HTML: true})
	}); err != nil {
		return err
	}
	_, err = io.WriteString(s.Out, present.Text(total, s.Colour()))
	return err
}

// readResolved reads the configuration of a result directory.
func readResolved(dir string) ([]byte, error) {
	text, err := input.ReadRegular(filepath.Join(dir, results.ConfigFile), yamltree.Limit)
	if err != nil {
		return nil, input.Bad(err)
	}
	return text, nil
}

// redrawRun draws the page and pictures of a single run.
func redrawRun(s *terminal.Streams, dir string) error {
	found, err := result.Load(input.Folder(dir))
	if err != nil {
		var detail *fs.PathError
		if errors.As(err, &detail) {
			return input.Bad(input.Error(filepath.Join(dir, detail.Path), err))
		}
		return input.Badf("%s%c%w", dir, filepath.Separator, err)
	}
	resolved, err := readResolved(dir)
	if err != nil {
		return err
	}
	p := terminal.NewCount(s, false, 2*len(figure.Plots(found, nil))+1, "file") // PNG and SVG of each, and the page
	defer p.Finish()
	if err := addFiles(dir, results.Kind, func(create result.Create) error {
		counted := func(name string) (io.WriteCloser, error) {
			defer p.Step()
			return create(name)
		}
		return results.Draw(found, resolved, counted, config.Output{Plots: true, HTML: true})
	}); err != nil {
		return err
	}
	p.Finish()
	_, err = io.WriteString(s.Out, present.Text(&found.Summary, s.Colour()))
	return err
}
