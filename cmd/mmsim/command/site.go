package command

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
)

func newSiteCommand(s *terminal.Streams) *cobra.Command {
	w := &search.Sweep{Simulating: cli.Simulating{Streams: s}, IsSite: true}
	c := &cobra.Command{
		Use:   "site [flags] SPEC.yaml",
		Short: "Choose datacenters: which ones, and what they cost",
		Long:  search.SiteHelp,
		Example: `  mmsim site site.yaml
  mmsim site site.yaml --scale 0.1 --out sites
  mmsim site site.yaml --runs 4 --shard 2/3 --out shards/2
  mmsim run --config sites/5-1.yaml           # one of the sets`,
	}
	asSearch(c, &w.Simulating, "set", search.DefaultSiteRuns, "print JSON instead of a table; with --shard, only the process that finishes the last job prints it", w.Run)
	addShard(c, &w.Shard)
	return c
}
