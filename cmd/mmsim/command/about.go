package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"mmsim/cmd/mmsim/build"
	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets/atlas"
)

func newAboutCommand(s *terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "about",
		Aliases: []string{"version"},
		Short:   "Print the version, and the sources of the built-in data",
		Long:    "Print the version of mmsim, and the sources and licences of its built-in data and code.",
		Example: "  mmsim about",
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(s.Out, "mmsim %s, %s %s/%s\n\nData inside, with thanks:\n",
				build.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			for _, credit := range atlas.Credits() {
				fmt.Fprintf(s.Out, "  %s\n      %s; %s\n", credit.Data, credit.Source, credit.Licence)
			}
			for _, p := range atlas.Providers() {
				fmt.Fprintf(s.Out, "  regions of %s\n      names as of %s: %s\n", p.Title, p.Date, p.Source)
			}
			fmt.Fprintf(s.Out, "  %s\n      %s\n", "positions of regions, which are those of their cities", "GeoNames (geonames.org), changed: rounded; CC BY 4.0; towns below 100,000 people compiled for mmsim")
			_, err := fmt.Fprintf(s.Out, "  %s\n      %s\n\n%s\n", "built-in list of datacenters, cable routes and latency model",
				"compiled and fitted for mmsim",
				"The licences of all code inside are in THIRD-PARTY-NOTICES.txt, which every release contains.")
			return err
		},
	}
}

// newManCommand returns "mmsim man". A topic, such as "mmsim help config", gets no man page,
// because it is not a command.
func newManCommand(s *terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write man pages",
		Long:    `Write a man page for every command into DIR, which must be new or empty. "man -l FILE" shows a page.`,
		Example: "  mmsim man man1 && man -l man1/mmsim-run.1",
		RunE: func(c *cobra.Command, args []string) error {
			dir := args[0]
			if err := disk.MkdirAll(dir, 0o777); err != nil {
				return input.Bad(input.Error(dir, err))
			}
			if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
				return input.Badf("%s: contains files, expected a new or empty folder", dir)
			}
			header := &doc.GenManHeader{Section: "1", Source: "mmsim " + build.Version(), Manual: "mmsim"}
			if err := doc.GenManTree(c.Root(), header, dir); err != nil {
				pages, _ := filepath.Glob(filepath.Join(dir, "mmsim*.1")) // all are new: the folder was empty
				for _, page := range pages {
					err = errors.Join(err, disk.Remove(page))
				}
				return input.Error(dir, err)
			}
			return terminal.PrintTo(s.Out, "%s\n", dir)
		},
	}
}
