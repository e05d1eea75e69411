// Package decision presents decisions as text for a terminal, as markdown, and as pages. A
// decision is what a command concludes from its inputs: a comparison, the check of a gate, a
// sweep, a tuning, or the aggregate of replications.
//
// # Adding a page
//
// A command with a page writes a directory with a JSON file and report.html, and "mmsim report"
// draws report.html again from the JSON. The check of a gate is an example of each step:
//
//  1. Declare the numbers: in package judge, a struct with a method that writes it as JSON, and a
//     function that parses the JSON. The JSON begins with the keys "schema" and "complete". See
//     GateResult and ParseGate there.
//  2. Describe the page: in this package, a function that returns a present.Page, such as
//     [GatePage]. Package page makes the HTML of every present.Page. Draw pictures in package
//     figure/decision. If a table has a column of verdicts, function markClass in package page
//     gives them colours.
//  3. Write the directory: in package cmd/mmsim/verdicts, a results.Decision, a function that
//     writes the files, and a function that draws the page from them. See check.go there.
//  4. Call them: the command gets the flag --out. It calls Decision.Claim before the work and the
//     function that writes the files after it. See cmd/mmsim/command/gate.go.
//  5. Draw the page again: add the results.Decision to the list decisions in
//     cmd/mmsim/command/report.go, and name the command in the help of that file.
//  6. Test it: add pages to the function decisions in page/decision_test.go. All tests of pages,
//     with and without a browser, use these. In cmd/mmsim/decide/testdata/script/decisions.txtar, check
//     that "mmsim report" draws the same page as the command.
package decision
