// Package reports contains the packages that turn the events of a simulation into numbers,
// files and pictures. It has no code of its own. Its packages import only packages above them
// in this list:
//
//	outcome   Summary, units, and the definitions of the metrics of summary.json
//	words     numbers, names and reasons as texts that are safe to print
//	guard     texts as CSV cells that no spreadsheet runs as formulas
//	grade     the limits of good, fair and poor
//	judge     intervals, comparisons, gates, sweeps, tuning: numbers and verdicts
//	result    the content of a result directory; writing and reading its files
//	setup     the data about a run that observers receive before it begins
//	collect   an observer that counts events and makes a result
//	records   an observer that writes a row per search, as CSV or Parquet
//	chart     canvas, axes and panels, as PNG and SVG; independent of matchmaking
//	figure    the pictures of a result and of latency maps
//	decision  below figure: the pictures of comparisons, sweeps and tuning
//	present   tables and sentences for the terminal and markdown
//	decision  below present: tables and pages about comparisons, gates, sweeps and tuning
//	page      below present: the HTML pages of results and decisions, and the live page of a run
//
// For a run, collect makes a result and result writes its files. Apart from the live page, the
// packages figure, present and page show only what is in a result, which result.Load reads, so
// everything can be drawn again later. For a decision, judge produces JSON, and its pages are
// drawn from the JSON that was read back.
//
// Nothing here depends on the wall clock, the path of a directory or the iteration order of a
// map: equal runs give equal bytes. The caller handles directories and arguments; it passes
// functions that create and open files by name.
//
// Names in a result come from data files, so they are untrusted. For a terminal or markdown
// they go through words.Printable, which returns a single line of visible characters. For CSV
// they go through package guard, because spreadsheets run texts that begin with = as formulas.
package reports
