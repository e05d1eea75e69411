package command

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
)

func newSiteCommand(s *terminal.Streams) *cobra.Command {
	w := &search.Sweep{Options: search.Options{Streams: s}, IsSite: true}
	c := &cobra.Command{
		Use:   "site [flags] SPEC.yaml",
		Short: "Choose datacenters: which ones, and what they cost",
		Long:  siteHelp,
		Example: `  mmsim site site.yaml
  mmsim site site.yaml --scale 0.1 --out sites
  mmsim site site.yaml --runs 4 --shard 2/3 --out shards/2
  mmsim run --config sites/5-1.yaml           # one of the sets`,
	}
	asSearch(c, &w.Options, "set", search.DefaultSiteRuns, "print JSON instead of a table; with --shard, only the process that finishes the last job prints it", w.Run)
	c.Flags().StringVar(&w.Shard, "shard", "", "do only part I of N of the jobs, such as 2/3 (default: all jobs or, in a job array, this task's part)")
	cli.Placeholders(c.Flags(), map[string]string{"shard": "I/N"})
	cli.Grouped(c.Flags(), cli.GroupSimulation, "shard")
	return c
}

// siteHelp explains the file of a site search.
const siteHelp = `Find sets of datacenters that are near the players, simulate them with the same players, and show the
trade-off: more datacenters mean a lower RTT, but longer waits and higher costs. site writes a table,
plots and report.html, and the configuration of every set. SPEC.yaml says what to look for:

  config: mmsim.yaml              # the configuration, whose list of datacenters to choose from; optional
  count: {from: 3, to: 8}         # how many datacenters; or one number
  always: [frankfurt]             # in every set; optional
  never: [dublin]                 # in no set; optional
  candidates: 4                   # sets to simulate for each number of datacenters (1 to 50)
  runs: 2                         # replications of each set
  minimise: [rtt_ms.p95]          # one to three metrics to improve; optional
  constraints:                    # limits that a good set meets, as in a gate file; optional
    rtt_ms.share_le_100: {min: 95%}
    wait_first_s.p95: {max: 60s}

CANDIDATES. For each number of datacenters, mmsim looks for the set with the lowest mean, over all
joins of run 0, of the lowest RTT to a datacenter of the set. It starts with the best single datacenter,
adds the best further one until there are enough, and then swaps one for another as long as that
helps. The other candidates are the next best sets that differ in one datacenter. If minimise or
constraints name rtt_ms.share_le_50 or rtt_ms.share_le_100, half of the candidates are those with the
most players that near. Nothing is simulated for this. The set of all datacenters but never, and
datacenters.use of the configuration, are always simulated, too. In a sweep, the same sets are the
values of a setting: datacenters.use: {best: {count: 3, candidates: 4, always: [], never: []}}.

COST. Without prices, the number of datacenters stands for the cost. The cheapest set whose means meet
every limit has a star. It is simulated again without each of its datacenters, to show what their
removal would do. A set with more unmatched searches than the guard allows is never the cheapest; you
can set guard as in a sweep ("mmsim sweep --help"). A metric of minimise that is better when it is
higher is maximised.

The set N-I is the I-th set of N datacenters. "mmsim run --config DIR/N-I.yaml" simulates it alone.

Jobs, --shard, workers, and how an interrupted search resumes, are as in a sweep. Combine the parts of
a divided search with "mmsim sweep merge", and then repeat the command without --shard.`
