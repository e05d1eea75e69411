// Package reports turns the outcomes of a run into numbers, files and pictures.
//
//	run -> Collector -> Result -> files
//	files -> Load -> Result -> plots and page again
//
// A [Collector] observes a simulation and counts; Finish turns the counts into a
// [Result], which holds exactly what the files of a result directory hold. Text,
// plots and the page are drawn from a Result alone.
//
// Nothing here depends on the wall clock, the place of a directory or the order of
// a map: equal runs give equal bytes. Directories and arguments belong to the
// caller, who hands in functions that create and open files by name.
//
// Names in a result come from the data, and so from anybody. In text for a terminal or in
// markdown they pass [Printable], which leaves one line of characters that can be seen;
// in CSV they pass guardFormula, because spreadsheets run texts that begin with =.
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
//   - rules counts matches as they start. A rule has given way where it is not as it is
//     for those who have not waited; the steps of different rules are of different size.
//   - rules.expiry goes by what stood between a ticket and each other one when it gave
//     up, by then with rules relaxed by its wait, and of a pair by the first such rule
//     in the order of the ruleset: what it would have met behind it is not known.
//   - attributes and overlaps of several queues are over the matches of all of them;
//     each queue has its own in queues.
//
// In the aggregate of several runs counts are means with up to 3 digits, and every
// other number is the mean over those runs in which it describes somebody; see
// [Aggregate].
//
// # Reading timelapse.csv.gz and load.csv
//
// Both are about the same instants, every 10 minutes of a day: timelapse.csv.gz has the
// players in match and their mean RTT for every cell of one degree where they live, by
// its south-west corner, cells without anybody left out; load.csv has the players in
// match for every datacenter. Players whose match began in the warm-up period are in
// neither; the column playing of timeseries.csv counts them.
package reports
