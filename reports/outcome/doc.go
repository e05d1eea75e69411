// Package outcome defines the measurements of a run: the Summary in summary.json and its metrics,
// and reads and writes both.
//
// A metric is declared in one place, the tags of its field in the structs of a Summary:
//
//	RTTMean Millis `json:"rtt_mean_ms" better:"lower" base:"players" meaning:"mean RTT of matched players *"`
//
// The tag json is the last key of its name. The type of the field determines its unit; for a
// Count the tag unit names what is counted. better is the direction in which the metric
// improves, and base names the metric that counts what it describes: if that is 0, the metric
// has no value. range is "from 0" for a Value or a Share if the range of its type would be
// wrong. In a struct that is used in several places, "*" marks where the field that holds it
// completes the meaning or determines better. meaning:"-" marks numbers that are not metrics:
// the identity of the run, limits and positions.
//
// These declarations are used by gates, comparisons, sweeps, tunings, "mmsim help metrics" and
// the check of a summary.json when it is read, and to find statistics without players. Metrics
// of groups are declared once for all groups, with a star for the key:
// by_continent.*.rtt_mean_ms.
//
// when names what the runs with the metrics of a field have, such as "several queues"; without it
// all runs have them. keys names the keys of a list that are known before a run. Both are defined
// in expected.go. instant marks the instant at which the metric before it was reached; its key is
// that of the metric with _at_s.
//
// # Adding a metric
//
//  1. Declare it: a field with tags in a struct of the Summary. Summaries of earlier versions
//     lack the key, so make the field a pointer with omitempty; otherwise reading an old
//     baseline is an error. An extremum may have its instant in the next field.
//  2. Count it: in package collect if what an observer receives suffices. Metrics of matches
//     take one file, matches.go there. Otherwise in package sim/engine/internal/run, which
//     keeps it in sim.Totals (a sim.Peak for an extremum), and collect/finish.go copies it.
//  3. If a picture shows it through the day: a column, which is a field of result.Minute with
//     the tag csv and omitzero (earlier results lack it), counted with the metric.
//  4. Draw it: an entry in the list of pictures in figure/plots.go, which names the metric, and
//     a function that draws. overWindows draws a value of every quarter of an hour; for a
//     share of columns of the minutes, add up the 15 rows of the series. A picture whose
//     Section is that of some tables, such as "searches", stands above them on the page;
//     others are replaced by interactive charts.
//
// Then everything else has it: summary.json, aggregates, the table of all metrics on the page,
// gates, comparisons, sweeps, tunings, schemas and the help. TestMetricsAreEverywhere in
// cmd/mmsim fails if something lacks it. The terminal shows a choice of metrics in sentences, in
// package present; Headline in package judge lists those that a comparison shows first.
//
// In tests, TestEveryMetricIsCounted in package collect needs a run in which it is not 0, and
// twinMatches there counts it a second time; a column of the minutes is counted a second time
// in TestSeriesAgreesWithTwin and named in files_test.go, where the keys of summary.json are
// listed too. The outputs in README.md and the gallery are rewritten
// by MMSIM_UPDATE=1 go test ./cmd/mmsim -run 'TestExamples|TestGallery'.
//
// The package neither counts nor draws.
//
// # Reading summary.json
//
// A search that began inside the window and ended there is in exactly one of wait_s,
// failed_wait_s and bots_wait_s, once per player, or was rejected without a wait. The
// groups of a division (by_continent, by_hour, by_party_size) add up to the totals:
//
//   - A match counts once, in the group of the player who waited longest. So by_*.matches
//     is not the number of matches in which players of the group took part.
//   - by_hour divides searches by the UTC hour in which they began. A search that began in
//     the warm-up period and ended inside the window counts in the hour in which it began,
//     without an entry and without a wait.
//   - by_attribute_decile is exact up to 255 distinct values, and otherwise to 0.2 % of
//     the rows of the dataset.
//   - rules counts matches when they start. A rule was relaxed if it differs from the rule
//     for players who have not waited; steps of different rules differ in size.
//   - rules.expiry counts what kept a ticket from each other ticket when it gave up, with
//     the rules relaxed by its wait. A pair counts for the first such rule in the order of
//     the ruleset; later rules that would have kept it apart are not counted.
//   - attributes and overlaps of several queues are over the matches of all of them;
//     each queue has its own in queues.
//
// In the aggregate of several runs, counts are means with up to 3 digits, and every other number
// is the mean over the runs that have players for it; see [Aggregate].
package outcome
