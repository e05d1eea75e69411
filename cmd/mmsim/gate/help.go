package gate

const Help = `A gate is a YAML file of metrics of summary.json, by their keys, and limits:

  wait_s.p95: {max: 10s}
  rtt_ms.share_le_100: {min: 90%}
  rtt_ms.mean: {max_increase: 5%}              # against --baseline
  players.failed: {max: 100, max_increase: 10}
  failed_wait_s.p95: {max: 60s, min_players: 1}
  by_datacenter.*.rtt_p95_ms: {max: 250, min_players: 1000}
  by_continent.EU.wait_p95_s: {max_decrease: 1s, max_increase: 0.5s}

"mmsim help metrics" lists them. A star stands for any text. max and min bound the mean
over the runs. max_increase and max_decrease bound the distance from the baseline, in the
metric's unit or in percent of the baseline, and take the noise of the replications into account: they are broken
only if the whole 95 % interval of the distance lies beyond the limit. So give
replications (mmsim run --runs N) on both sides; of single runs the distance itself is
held against the limit. Runs of the same seed and number are compared as pairs, which
shows much smaller differences; --baseline may also be a folder with nothing but the
summary.json of "mmsim run --runs N".

Metrics that are not there. A gate never passes because it had nothing to look at:

- A metric that was not measured, such as the mean wait where nobody was matched, breaks
  its limit with the words "not measured", exit code 1. So does one that was not measured
  in the baseline, for limits on the distance from it.
- min_players: N skips a metric that describes fewer than N players: a small group, or
  the waits of those who failed where nobody did.
- Of the metrics that a star stands for, those that were not measured or describe fewer
  players than min_players are skipped. If that is all of them, the limit is broken.
- A metric that the gate names and the result does not have is an error, exit code 2.
  So is a summary.json in which a metric is absent, null, there twice, below 0 where it
  counts or measures something, or a share above 1: nothing is checked then. A baseline
  made by an older version may lack metrics; make it again.`
