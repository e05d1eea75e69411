// Package reports is the room of everything that turns what a simulation reports into
// numbers, files and pictures. It has no code of its own; imports of its packages run one
// way, from the bottom of this list to the top:
//
//	outcome   Summary, units and the metrics of summary.json: what each of them counts
//	words     numbers, names and reasons as texts, safe to print
//	guard     texts as cells of CSV that no spreadsheet runs
//	grade     what is good, fair and poor
//	judge     intervals, comparisons, gates, sweeps, tuning: numbers and verdicts
//	result    everything that a result directory holds; writing and reading its files
//	setup     what observers know of a run before it begins
//	collect   an observer that counts, and makes a result
//	records   an observer that writes a row per search, as CSV or Parquet
//	chart     canvas, axes and panels, as PNG and SVG; no word of matchmaking
//	figure    the pictures of a result and of latency maps
//	decision  below figure: the pictures of comparisons, sweeps and tuning
//	present   tables and sentences for the terminal and markdown
//	decision  below present: tables and pages about comparisons, gates, sweeps and tuning
//	page      below present: the HTML pages of results and decisions, and the page of a run as
//	          it happens
//
// A run goes from collect to result, and its files through result.Load to figure, present
// and page: everything shown is drawn from a result, so it can be drawn again later. A
// decision goes from judge to JSON, and is drawn from what is read back.
//
// Nothing here depends on the wall clock, the place of a directory or the order of a map:
// equal runs give equal bytes. Directories and arguments belong to the caller, which passes
// functions that create and open files by name.
//
// Names in a result come from data files, and so from anybody. In text for a terminal or in
// markdown they pass words.Printable, which leaves one line of characters that can be seen;
// in CSV they pass package guard, because spreadsheets run texts that begin with =.
package reports
