// Package reports turns the outcomes of a run into numbers, files and pictures.
//
//	run -> Collector -> result.Result -> files
//	files -> result.Load -> result.Result -> plots and page again
//
// A [Collector] observes a simulation and counts; Finish turns the counts into a
// [result.Result], which holds exactly what the files of a result directory hold. Text,
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
package reports
