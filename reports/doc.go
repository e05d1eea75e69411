// Package reports contains the packages that turn a simulation's events into numbers, files and
// pictures. It has no code of its own. A package in this list imports only packages above it:
//
//	outcome   Summary, units, and the definitions of the metrics in summary.json
//	words     formats numbers and names as text that is safe to print, and as CSV cells that
//	          spreadsheets do not run as formulas
//	grade     the limits of good, fair and poor
//	judge     intervals and decisions: numbers and verdicts
//	fidelity  how far a simulation is from production; what a calibration counted and estimated
//	phrase    what judge and fidelity find, in words
//	result    the content of a result directory; writes and reads its files
//	setup     the data about a run that observers receive before it begins
//	timelapse (in collect) the players in matches at regular times of a run
//	collect   an observer that counts events and makes a result
//	records   an observer that writes a row per search, as CSV or Parquet
//	chart     canvas, axes and panels, as PNG and SVG; independent of matchmaking
//	geography the coast and the places on maps of the world
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
package reports

import "embed"

// Sources are the source files of the packages that make the numbers of a result, see sim.Sources.
// Packages that only draw, decide or print are missing.
//
//go:embed doc.go pattern/[a-z]*[^t].go outcome/[a-z]*[^t].go words/[a-z]*[^t].go grade/[a-z]*[^t].go result/[a-z]*[^t].go
//go:embed setup/[a-z]*[^t].go collect/[a-z]*[^t].go collect/*/[a-z]*[^t].go collect/*/*/[a-z]*[^t].go records/[a-z]*[^t].go
//go:embed outcome/[a-z]*[^s]t.go result/[a-z]*[^s]t.go collect/[a-z]*[^s]t.go records/[a-z]*[^s]t.go grade/[a-z]*[^e]st.go
var Sources embed.FS
