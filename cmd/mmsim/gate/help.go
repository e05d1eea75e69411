package gate

const Help = `A gate file (YAML) has the limits for "mmsim check DIR --gate FILE". Each line names a metric by
its key in summary.json, and sets one or more limits:

  wait_s.p95: {max: 10s}
  rtt_ms.share_le_100: {min: 90%}
  rtt_ms.mean: {max_increase: 5%}              # compared with --baseline
  players.failed: {max: 100, max_increase: 10}
  failed_wait_s.p95: {max: 60s, min_players: 1}
  by_datacenter.*.rtt_p95_ms: {max: 250, min_players: 1000}
  by_continent.EU.wait_p95_s: {max_decrease: 1s, max_increase: 0.5s}
  wait_first_s: {max_distance: 5%}             # a whole distribution, compared with --baseline

"mmsim help metrics" lists the metrics. A star in a key matches any text.

LIMITS. max and min limit the value of a metric; with replications (run --runs N), its mean.
max_increase and max_decrease limit its change from the baseline. A number is in the metric's unit,
which is s for keys with _s and ms for keys with _ms. You can also write times with a unit, such as
10s. Write a share as a percentage or a fraction: {min: 90%} is {min: 0.9}.

In max_increase and max_decrease, a percentage is relative to the baseline, even for a share: from
a share of 40 %, {max_increase: 5%} allows a rise to 42 %, and {max_increase: 5pp} to 45 %.

DISTANCES. max_distance limits how far a distribution may be from that of the baseline. The distance
is the largest difference between the two shares of players at or below any value, so that 0 % is no
difference (Kolmogorov and Smirnov). It is measured at the edges that both files distributions.csv have.
The distributions are wait_s, wait_first_s, wait_repeat_s, rtt_ms and delta_rtt_ms. With several queues,
each also has its own: queues.NAME.wait_first_s and queues.NAME.rtt_ms. Replications are pooled. The
value alone decides whether the limit is held. Beside it is the noise of one run: 95 % of the replications
are no farther from all the others.

NOISE. With replications, each limit has one of three verdicts. It is held if the whole 95 % interval
of the mean or of the change is within the limit, broken if the whole interval is beyond it, and
otherwise undecided: the runs cannot tell. An undecided limit fails the check (exit code 1) unless
you pass --undecided pass; the table says how many runs would decide. Metrics that a star matches
share the chance of a false alarm, so that each of them needs a wider interval to be broken.

A single run has no interval: its value decides about max and min, and a change beyond its limit is
undecided. Runs with the same seed and replication number are compared in pairs, which detects much
smaller changes. A baseline can also be a folder with only the summary.json of "mmsim run --runs N";
its runs are then not paired.

UNMATCHED PLAYERS. Waits and RTTs describe only players who find a match. So with a baseline, the
first line of check says if more players are left without a match, even if no limit is about them.
The metric is players.unmatched_share.

MISSING DATA. A gate never passes because data is missing:

- If a metric has no value in this run ("not measured" in the list of metrics), its limit is
  broken (exit code 1). An example is the mean wait when no player was matched. A limit on a change
  is also broken if the metric has no value in the baseline.
- With min_players: N, a limit is skipped if its metric covers fewer than N players. Examples are a
  metric of a small datacenter, and failed_wait_s when no search failed. A limit on a change or a
  distance is skipped only if the baseline, too, has fewer than N.
- If a key has a star, metrics without a value are skipped, too. If all metrics of the key are
  skipped, the limit is broken.
- A key that summary.json does not contain, probably a typo, is an error (exit code 2).
- A summary.json is invalid if a metric is absent, null, duplicated, negative where that is
  impossible, or a share above 1. This is an error (exit code 2). If the baseline is from an older
  version of mmsim, metrics may be missing; create the baseline again.`
