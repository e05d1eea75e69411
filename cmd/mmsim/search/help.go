package search

// SweepHelp explains the file of a sweep, the flags that stand for one, and how jobs are divided.
const SweepHelp = `Simulate every combination of the values of some settings. Each combination is simulated in one or
more replications, which have different random numbers. Within a replication, all combinations have
the same players. sweep writes a table, plots and report.html. For every combination, report.html
shows the command that simulates only that one.

--vary KEY=VALUE,... gives a setting the values that would be between the brackets of a list in
YAML. Repeat it for other settings. The result directory then has sweep.yaml, the file that the
flags stand for. To sweep ranges or to set a guard, write such a file. SPEC.yaml lists the settings
and their values:

  config: mmsim.yaml                 # the configuration to start from; optional
  runs: 4                            # replications of each combination
  settings:
    players.play_again: {from: 0.6, to: 0.9, step: 0.05}
    states.ideal.rtt: [30ms, 50ms, 70ms]
    states.ideal.for: {from: 1s, to: 30s, steps: 4, scale: log}    # 4 values
    rules.DifferenceRules.Skill.Difference: [80, 200]    # a value in the ruleset (--rules)
  metrics: [ccu.peak, wait_s.p95]    # metrics of summary.json to show; optional
  guard: {players.unmatched_share: 1pp}    # see below; optional

WHO IS LEFT OUT. Waits and RTTs describe only the players who found a match, so the lowest of them
may be those of a combination that leaves most players without one. Tables and pictures therefore
always show players.unmatched_share, the share of searches that end without a match. The guard says
how much worse than the best combination another may be and still be called good. It is drawn
hollow, marked, and neither the best nor on a front if it is worse by more. The default is one
percentage point (1pp) of players.unmatched_share; guard: none disables it. You can guard other
metrics, too, such as guard: {rtt_ms.share_le_100: 2pp, wait_s.p95: 10%}; 1pp of unmatched searches
remains in force unless you set players.unmatched_share to another amount or to none. Amounts are
written as in a gate file ("mmsim help gate"), and are compared by the means. If a metric has no
value in some runs of a combination, the combination is not comparable: tables say in how many runs
it has one, instead of an interval, and it is never the best.

SETS OF DATACENTERS. mmsim can choose the values of datacenters.use: sets of datacenters near the
players, all datacenters, and the configuration's own datacenters.use. "mmsim site --help" says how
sets are found, and tables call the I-th set of N datacenters N-I:

  settings:
    datacenters.use: {best: {count: {from: 3, to: 8}, candidates: 4, always: [frankfurt], never: []}}

With by: [rtt_ms.mean, rtt_ms.share_le_100], half of the candidates are those with the most players
within 100 ms.

A job is one replication of one combination. Finished jobs are kept in the folder jobs/ of the
result directory. To resume an interrupted sweep, repeat the command. If you add values to
SPEC.yaml, only the new combinations are simulated. The results of an earlier sweep are replaced
only when all jobs are done.

--shard I/N divides the jobs among N processes. With --shard 2/3, a process does every third job,
starting with the second. In a job array of Slurm or Grid Engine, --shard defaults to the index of
the task and the size of the array. If the processes share a result directory, the process that
finishes the last job writes the results. Otherwise, combine the directories with "mmsim sweep
merge".

Instead of dividing the jobs yourself, you can let workers on other machines take them one by one
(--serve or --nats; see "mmsim worker --help").`

// SiteHelp explains the file of a site search.
const SiteHelp = `Find sets of datacenters that are near the players, simulate them with the same players, and show the
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

COST. If the configuration has prices (fleet.prices), the cost is that of the machines that host the
matches ("mmsim help config fleet"). Without prices, the number of datacenters stands for it. The
cheapest set whose means meet every limit has a star. It is simulated again without each of its
datacenters, to show what their removal would do. A set with more unmatched searches than the guard
allows is never the cheapest; you can set guard as in a sweep ("mmsim sweep --help"). A metric of
minimise that is better when it is higher is maximised.

report.html shows the trade-off of all sets, the best set of each number of datacenters, and a map of
the cheapest set, for which its first run is simulated once more.

The set N-I is the I-th set of N datacenters. "mmsim run --config DIR/N-I.yaml" simulates it alone.

Jobs, --shard, workers, and how an interrupted search resumes, are as in a sweep. Combine the parts of
a divided search with "mmsim sweep merge", and then repeat the command without --shard.`
