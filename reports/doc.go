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
package reports
