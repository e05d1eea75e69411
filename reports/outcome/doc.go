// Package outcome defines Summary, the content of summary.json: the measurements of a run. It
// also defines the metrics in a Summary, and reads and writes the file. Other packages count and
// draw.
//
// A metric is declared in one place, by the tags of its field in one of the structs of Summary:
//
//	RTTMean Millis `json:"rtt_mean_ms" better:"lower" base:"players" meaning:"Mean RTT of matched players *"`
//
// The name of a metric is the path of its JSON keys, such as by_continent.EU.rtt_mean_ms. A
// metric that every group has is declared once, with a star for the group's key:
// by_continent.*.rtt_mean_ms. The type of the field determines the unit. The tags are:
//
//   - unit: for a Count or an Average, what is counted.
//   - better: the direction in which the metric improves, "lower" or "higher".
//   - base: the metric that counts what this one describes. If the base is 0, this metric is not
//     measured: NaN in memory, null in the file. Its first key is looked up in the block of the field,
//     and then in the blocks around it: in a block that has a field "matches", "matches.count" is not
//     the number of all matches.
//   - range: "from 0" if a Value is never negative, or if a Share may exceed 1.
//   - matters: the smallest difference that matters, if it is not the usual one of the unit (see
//     Matters).
//   - step: "tick" or "1/16" (ms) if the metric has a coarser resolution than its type, as
//     percentiles do (see Step).
//   - words: the name in words, such as "mean wait of first searches", for titles and sentences. In the
//     words of a list, <key>, <continent> or <next> stands for the key; see placeholder.
//   - meaning: one sentence. "-" excludes numbers that are not metrics, such as limits and
//     positions.
//   - when: the runs that have the metrics, such as "several queues". Without it all runs have
//     them.
//   - keys: for a list, which of its keys are known before a run. Both when and keys refer to
//     tables in expected.go.
//   - instant: the field is the time of the metric before it, which is an extremum. Its key is
//     that metric's key with _at_s.
//
// If a struct is used in several places, "*" in a tag is replaced by the same tag of the field
// that has the struct type. If that field has no such tag, a star at the end is omitted. In the
// tag better, "-*" is the opposite of that field's direction. The fields of an embedded struct
// belong to the struct that embeds it; of the tags of the embedded field, only when applies to
// them.
//
// Gates, comparisons, sweeps, tuning and "mmsim help metrics" use these declarations. So does the
// check of a summary.json when it is read. The comment of package reports says how to add a metric.
//
// # Reading summary.json
//
// A search that began and ended inside the measured window is in exactly one of wait_s,
// failed_wait_s and bots_wait_s, once per player, unless it was rejected and so had no wait. The
// groups of by_continent, by_hour and by_party_size add up to the totals:
//
//   - A match counts once, in the group of the player who waited longest. So by_*.matches is not
//     the number of matches in which players of the group took part.
//   - by_hour groups searches by the hour of the day in which they began. One that began in the
//     warm-up period counts when it ends inside the window, but not its start nor its wait.
//   - unmatched_share is the share of ended searches that ended without a match. Searches end
//     without a match in every way that [Losses] counts: also with bots, and when a ticket is
//     rejected at once. Searches that continue at the end of the window are in
//     neither ended nor unmatched_share.
//   - by_attribute_decile is exact for up to 255 distinct values. With more values, the limits of
//     deciles are accurate to 0.2 % of the rows of the dataset.
//   - rules counts matches when they start. A rule counts as relaxed if it differs from the rule
//     for players who have not waited. Steps of different rules differ in size.
//   - rules.expiry counts the reasons why a ticket that gave up could not play with each of the
//     other waiting tickets. The ticket's wait determines how far the rules are relaxed. Each
//     pair counts once, for the first rule in the order of the ruleset that keeps the two apart.
//   - attributes and overlaps count the matches of all queues together. queues.NAME has those of
//     one queue.
//
// In the aggregate of several runs, counts are means with up to 3 digits. Every other number is
// the mean over the runs in which it describes at least one player; see [Aggregate].
package outcome
