package gate

const Help = `A gate is a YAML file with limits for metrics of summary.json, by their keys:

  wait_s.p95: {max: 10s}
  rtt_ms.share_le_100: {min: 90%}
  rtt_ms.mean: {max_increase: 5%}              # against --baseline
  players.failed: {max: 100, max_increase: 10}
  failed_wait_s.p95: {max: 60s, min_players: 1}
  by_datacenter.*.rtt_p95_ms: {max: 250, min_players: 1000}
  by_continent.EU.wait_p95_s: {max_decrease: 1s, max_increase: 0.5s}

"mmsim help metrics" lists the metrics. A star matches any text.

max and min limit the mean over the runs. max_increase and max_decrease limit the change from
the baseline, in the metric's unit or in percent of the baseline. They allow for noise: the
limit is broken only if the whole 95 % interval of the change lies beyond it. Use replications
(mmsim run --runs N) on both sides; with single runs, the change itself is compared with the
limit. Runs with the same seed and number are compared as pairs, which detects much smaller
differences. --baseline may also be a folder with only the summary.json of "mmsim run
--runs N".

A gate never passes for lack of data:

- A metric that was not measured, such as the mean wait without any match, breaks its limit
  with the words "not measured" and exit code 1. The same holds for a metric that was not
  measured in the baseline, if the limit is on the change.
- min_players: N is the exception: a metric of fewer than N players is not judged, such as that
  of a small group, or the waits of failed searches if no search failed.
- Of the metrics that match a star, those that were not measured or have fewer players than
  min_players are skipped. If all are skipped, the limit is broken.
- A metric that is not in the result is an error with exit code 2. So is a summary.json in
  which a metric is absent, null, duplicate, negative although it cannot be, or a share above
  1; then nothing is checked. A baseline of an older version may lack metrics; create it
  again.`
