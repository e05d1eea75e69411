// Package outcome is what a run is measured by: the Summary that summary.json holds,
// the metrics that it is made of, and reading and writing of both.
//
// A metric is declared in one place, the tags of its field in the structs of a Summary:
//
//	RTTMean Millis `json:"rtt_mean_ms" better:"lower" base:"players" meaning:"mean RTT of matched players *"`
//
// json is the last key of its name, and the type of the field its unit; of a Count the
// tag unit says what is counted. better says in which direction it improves, and base
// which metric counts what it describes: where that is 0, the metric has no value. The
// range of a Value or a Share says "from 0" where the type would allow less or more.
// A struct that stands in several places says "*" where the field that holds it
// completes a meaning, or decides on better. meaning:"-" marks numbers that are no
// metrics: which run it is, limits, instants and positions.
//
// Everything that goes by metrics reads these declarations: gates, comparisons, sweeps,
// tunings, "mmsim help metrics", the check of a summary.json that is read, and which
// statistics describe nobody. Metrics of groups are declared once for all groups, with
// a star for the key: by_continent.*.rtt_mean_ms.
//
// The package does not count anything, and draws nothing.
//
// # Reading summary.json
//
// A search that began inside the window and ended there is in exactly one of wait_s,
// failed_wait_s and bots_wait_s, once per player, or was rejected without a wait. The
// groups of a division (by_continent, by_hour, by_party_size) add up to the totals:
//
//   - A match counts once, in the group of its player who waited longest. So by_*.matches
//     is not the number of matches in which players of the group took part.
//   - by_hour goes by the UTC hour in which the search began. Those who began to search
//     in the warm-up period and were matched or gave up inside the window count in the
//     hour in which they began, without an entry and without a wait.
//   - by_attribute_decile is cut exactly up to 255 distinct values, else to 0.2 % of the
//     rows of the dataset.
//   - rules counts matches as they start. A rule was relaxed where it is not as it is
//     for players who have not waited; the steps of different rules are of different size.
//   - rules.expiry goes by what stood between a ticket and each other one when it gave
//     up, by then with rules relaxed by its wait, and of a pair by the first such rule
//     in the order of the ruleset: what it would have met behind it is not known.
//   - attributes and overlaps of several queues are over the matches of all of them;
//     each queue has its own in queues.
//
// In the aggregate of several runs counts are means with up to 3 digits, and every
// other number is the mean over those runs in which it describes somebody; see
// [Aggregate].
package outcome
