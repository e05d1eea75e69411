// Package reports contains the packages that turn a simulation's events into numbers, files and
// pictures. It has no code of its own. A package in this list imports only packages above it:
//
//	outcome   Summary, units, and the definitions of the metrics in summary.json
//	words     formats numbers and names as text that is safe to print, and as CSV cells that
//	          spreadsheets do not run as formulas
//	grade     the limits of good, fair and poor
//	estimate  how certain numbers are
//	judge     decisions: numbers and verdicts
//	fidelity  how far a simulation is from production; what a calibration counted and estimated
//	phrase    what judge and fidelity find, in words
//	result    the content of a result directory; writes and reads its files
//	setup     the data about a run that observers receive before it begins
//	timelapse (in collect) the players in matches at regular times of a run
//	collect   an observer that counts events and makes a result
//	records   an observer that writes a row per search, as CSV or Parquet
//	chart     canvas, axes and panels, as PNG and SVG; independent of matchmaking
//	worldmap  (in figure) maps of the world, and their geometry
//	events    (in figure) the minutes around events
//	figure    the pictures of a result and of latency maps
//	season    (in figure) the pictures of a season, of a run or of both sides of a comparison
//	decision  (in figure) the pictures of decisions
//	present   the content of a run as a page, and its forms for the terminal and markdown
//	decision  (in present) the content of decisions as pages
//	page      (in present) pages as HTML, and a run's live page
//
// Package collect makes a run's result, and package result writes its files. The packages figure,
// present and page show only what result.Load reads from those files, so a result can be drawn
// again at any time; only the live page shows a run directly. Decisions, such as comparisons, work
// the same way: package judge makes their JSON, and their pages are drawn from it. The comment of
// present/decision says how to add a page.
//
// Nothing here depends on the wall clock, the path of a directory or the iteration order of a
// map, so equal runs produce equal bytes. The caller handles directories and arguments and passes
// functions that create and open files by name.
//
// Names in a result come from data files and are untrusted. For a terminal or markdown they pass
// through words.Printable, which returns a single line of visible characters. For CSV they pass
// through words.Guard, because spreadsheets run text that begins with = as a formula.
//
// # Adding a metric
//
//  1. Declare it: a field with tags in one of the structs. A metric of the run and of each of
//     several queues is a field of outcome.Common. Baselines that were written before lack its
//     key, so make the field a pointer with omitempty; otherwise reading them fails. A mean,
//     percentile or share needs a base that counts exactly what it describes. If no metric does,
//     declare a block that has its own count, such as RTTStats. An extremum may have its time in
//     the next field.
//  2. Count it: in package collect if what an observer receives suffices. A metric of matches
//     needs only matches.go there. A metric of matched players is counted in searchTally.add for
//     each queue, and Collector.common returns it for a queue and for the run, which is the sum of
//     its queues. Otherwise count it in package sim/engine/internal/world, which keeps it in
//     sim.Totals (a sim.Peak for an extremum), and copy it in collect/finish.go.
//  3. If a picture shows more than the metric's value, choose where the data for it are kept:
//     a result.Measure, for a distribution over matched players, with or without one for each
//     queue: distributions.csv has it as soon as searchTally.add counts it;
//     a field of result.Minute, for a count over the day, counted with the metric; or
//     a field of result.Window, for a mean or percentile over the day, set in series.endWindow.
//     No file has the minutes or quarter hours of one of several queues. Fields have the tag csv,
//     with omitzero because earlier results do not have them.
//  4. Draw it: add an entry to the list of pictures in figure/plots.go, which names the metric,
//     and a function that draws it. overWindows draws one value per quarter of an hour; for a
//     share of columns of the minutes, add up the 15 rows. plotQueues draws a distribution for
//     each queue, and words.PerQueue lists a value of each queue for its title. waitShares draws
//     one for the run. If the metric describes no player, return no picture. Set the picture's
//     Section to one of figure/sections.go: the page shows a picture without a Section only where
//     scripts do not run.
//
// Everything else follows from the declaration: summary.json, aggregates, the table of all
// metrics on the page, gates, comparisons, sweeps, tuning, schemas and the help.
// TestMetricsAreEverywhere in cmd/mmsim fails if any of them does not have the metric. Two places
// show a selection: the sentences of package present in the terminal, and Headline in package
// judge, which lists the metrics that a comparison shows first.
//
// Tests to extend:
//
//   - TestEveryMetricIsCounted in package collect needs a run in which the metric is not 0.
//   - TestCollectorAgreesWithTwin compares all summaries and queues: count the metric
//     independently in twinCommon, twinSummary or twinMatches. TestSeriesAgreesWithTwin and
//     TestWindowsAgreeWithTwin do so for columns of the minutes and quarter hours.
//     TestSumsAreTotals compares a distribution with its base and needs no change.
//   - files_test.go in package collect lists the columns and the keys of summary.json.
//   - cmd/mmsim/theory/records_test.go computes the metrics of matched players again from the records.
//   - The results of reports/internal/resulttest need the metric and its distribution;
//     TestEveryPictureIsDrawn fails until one of them has the picture. TestTitles and
//     TestWritePlots in package figure list titles and files.
//   - To update the outputs in README.md and the gallery, run MMSIM_UPDATE=1 go test ./cmd/mmsim/gallery.
//
// # Adding a block
//
// A block of metrics with a section, a picture and a column of a CSV file has nine places. In package
// outcome, a struct in an existing file (the package is full), and its field in Summary: a pointer with
// omitempty. In package collect, a field of Collector with a type of its own, the counting in count.go,
// and the result in finish.go. In package result, a field of Minute; a CSV file of its own is a table and
// a line of the list in files.go instead. In package figure, the picture, and its line in plots.go. In
// package present, the section, whose ID is the picture's Section, and its call in run.go. The rest, and
// the tests to extend, are those of a metric. The expected texts of package present are written again by
// go test ./reports/present -update.
//
// A list of groups of players needs a count of players, which gates ask for, and two places more: it is a
// group for outcome.IsGroup, and ConcealedSummary of package result leaves out small groups of production.
package reports

import "embed"

// Sources are the source files of the packages that make the numbers of a result, see sim.Sources.
// Packages that only draw, decide or print are missing.
//
//go:embed doc.go outcome/[a-z]*[^t].go words/[a-z]*[^t].go grade/[a-z]*[^t].go result/[a-z]*[^t].go
//go:embed setup/[a-z]*[^t].go collect/[a-z]*[^t].go collect/*/*/[a-z]*[^t].go records/[a-z]*[^t].go
//go:embed outcome/[a-z]*[^s]t.go result/[a-z]*[^s]t.go collect/[a-z]*[^s]t.go records/[a-z]*[^s]t.go grade/[a-z]*[^e]st.go
var Sources embed.FS
