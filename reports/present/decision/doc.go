// Package decision describes decisions as pages, which package present writes as text for a terminal
// and as markdown, and package page as HTML. A decision is what a command concludes from its inputs: a
// comparison, the check of a gate, a sweep, a tuning, a calibration, or the aggregate of replications.
//
// # Adding a page
//
// A command with a page writes a directory with a JSON file and report.html, and "mmsim report"
// draws report.html again from the JSON. The check of a gate is an example of each step:
//
//  1. Declare the numbers: in package judge, a struct with a method that writes it as JSON, and a
//     function that parses the JSON. The JSON begins with the keys "schema" and "complete". See
//     GateResult and ParseGate there.
//  2. Say what they mean: in package phrase, a function that returns the conclusion, with the sizes of
//     the largest effects. See Gate there.
//  3. Describe the page: in this package, a function that returns a present.Page, such as [Gate]. Items
//     made by present.Say and present.Show are also shown on a terminal and in markdown. Draw pictures
//     in package figure/decision. A new word for a verdict gets its colours in the map tones of package
//     present.
//  4. Write the directory: in package cmd/mmsim/results, a Decision, a function that writes the files,
//     and a function that draws the page from them. See check.go there.
//  5. Call them: the command gets the flag --out. It calls Decision.Claim before the work and the
//     function that writes the files after it. See cmd/mmsim/command/gate.go, which also prints the page
//     with its methods Text and Markdown.
//  6. Draw the page again: add the Decision to the list decisions in cmd/mmsim/command/report.go, and
//     name the command in the help of that file.
//  7. Test it: add pages to the function decisions in page/decision_test.go. All tests of pages,
//     with and without a browser, use these. In cmd/mmsim/command/testdata/script/decisions.txtar, check
//     that "mmsim report" draws the same page as the command.
//
// # Adding a section
//
// A section of a run is a present.Section in present.Run, or items in its function for the block of a
// queue; a section of a decision is one in the function for its page. A picture is in the section whose
// ID its chart.Plot names. A number of a run is declared once in package outcome, which puts it into
// summary.json, gates, comparisons and the table of metrics.
package decision
