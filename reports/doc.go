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
// markdown they pass [words.Printable], which leaves one line of characters that can be seen;
// in CSV they pass [guard.Text], because spreadsheets run texts that begin with =.
//
// What the metrics of summary.json count is in package outcome, what is concluded from
// them in package judge.
//
// # Reading timelapse.csv.gz and load.csv
//
// Both are about the same instants, every 10 minutes of a day: timelapse.csv.gz has the
// players in match and their mean RTT for every cell of one degree where they live, by
// its south-west corner, cells without anybody left out; load.csv has the players in
// match for every datacenter. Players whose match began in the warm-up period are in
// neither; the column playing of timeseries.csv counts them.
package reports
