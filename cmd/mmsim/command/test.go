package command

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// testCommand holds the flags of "mmsim test".
type testCommand struct {
	*terminal.Streams
	rules      cli.ConfigFlags // only the flags about rules
	matcher    matcherFlag
	run, junit string
	command    *cobra.Command
}

func newTestCommand(s *terminal.Streams) *cobra.Command {
	t := &testCommand{Streams: s}
	c := &cobra.Command{
		Use:   "test [flags] PATH...",
		Short: "Run case files, the unit tests of a ruleset",
		Long: `Run case files, the unit tests of a ruleset. A case file has a ruleset, waiting tickets (players or
parties), and the matches that one matching pass should make from these tickets. "mmsim help case"
describes the format. PATH is a case file or a folder; in a folder and its subfolders, test runs all
.json files. "mmsim test new RULES" writes a case file to start from.

For each failed case, test prints the expected and the actual result. It also says if the case would
pass if its rules followed the vendor's documentation instead of the service, or the other way round.
The last line counts the cases that passed and failed. The exit code is 0 if all cases passed, 1 if a
case failed, and 2 if a file is not a valid case.`,
		Example: `  mmsim test cases/
  mmsim test --run 'far|close' cases/
  mmsim test --junit report.xml cases/ more/case.json`,
		RunE: func(_ *cobra.Command, args []string) error { return t.test(args) },
	}
	c.Flags().SortFlags = false
	cli.Under(c, cli.GroupInput).Text(&t.run, "run", "REGEXP", "", "run only the cases whose name matches this regular expression")
	addJUnit(c, &t.junit)
	t.command = c
	t.rules.AddShort(c, cli.PassFlags...)
	t.matcher.add(c)
	c.AddCommand(newNewCaseCommand(s))
	return c
}

// addJUnit adds --junit.
func addJUnit(c *cobra.Command, p *string) {
	cli.Under(c, cli.GroupOutput).File(p, cli.WritesFile, "junit", "", "also write the results to this file, as JUnit XML", "xml")
}

// verdict is the result of one case file.
type verdict struct {
	name, file string
	rulesFile  string             // file that the case takes its rules from, or ""
	failure    []string           // lines about the differences; empty if the case passed
	fault      error              // not nil if the file is not a valid case
	follows    []jsontree.Warning // that the vendor's service and its documentation differ for these rules
}

// test runs all cases, even if some files are invalid.
func (t *testCommand) test(paths []string) error {
	options, err := t.rules.RulesetOptions()
	if err != nil {
		return err
	}
	filter, err := regexp.Compile(t.run)
	if err != nil {
		return input.Badf("--run: got %q, expected a regular expression: %v", t.run, err)
	}
	if t.junit != "" { // errors that would make the result useless are found before the tests run
		if err := resultdir.CheckFile(t.junit); err != nil {
			return err
		}
	}
	files, err := caseFiles(paths)
	if err != nil {
		return input.Bad(err)
	}
	p := terminal.NewCount(t.Streams, false, len(files), "case")
	defer p.Finish()
	var verdicts []verdict
	var rulesFiles []string
	var follows []jsontree.Warning // of the first case that has some, which is enough
	for _, file := range files {
		v, runs := testFile(file, filter, options, t.matcher.take(t.Streams))
		p.Step()
		if !runs {
			continue
		}
		if follows == nil {
			follows = v.follows
		}
		rulesFiles = append(rulesFiles, v.rulesFile)
		if verdicts = append(verdicts, v); v.fault != nil || v.failure != nil {
			p.Clear()
		}
		if err := t.print(v); err != nil {
			return err
		}
	}
	p.Finish()
	cli.WriteWarnings(t.Streams, follows)
	if len(verdicts) == 0 {
		return input.Badf("--run: %q matches none of %d cases", t.run, len(files))
	}
	if t.junit != "" {
		if err := cli.CheckFiles(t.command, rulesFiles...); err != nil {
			return err
		}
		if err := gate.WriteJUnit(t.junit, caseSuite(verdicts)); err != nil {
			return err
		}
	}
	return t.conclude(verdicts)
}

// conclude prints the last line and returns the error with the exit code.
func (t *testCommand) conclude(verdicts []verdict) error {
	failed, faulty := 0, 0
	for _, v := range verdicts {
		switch {
		case v.fault != nil:
			faulty++
		case v.failure != nil:
			failed++
		}
	}
	if err := terminal.PrintTo(t.Out, "%d passed, %d failed\n", len(verdicts)-failed-faulty, failed+faulty); err != nil {
		return err
	}
	switch {
	case faulty > 0:
		return &codedError{code: ExitBadInput} // the errors were already printed
	case failed > 0:
		return &codedError{code: ExitFailed}
	}
	return nil
}

// print reports a case that did not pass.
func (t *testCommand) print(v verdict) error {
	if v.fault != nil {
		_, err := fmt.Fprintln(t.Err, terminal.ErrorText(v.fault))
		return err
	}
	if v.failure == nil {
		return nil
	}
	if err := terminal.PrintTo(t.Out, "FAIL %s (%s)\n", v.name, v.file); err != nil {
		return err
	}
	for _, line := range v.failure {
		if err := terminal.PrintTo(t.Out, "  %s\n", line); err != nil {
			return err
		}
	}
	return nil
}

// testFile runs the case in a file. runs is false if the filter excludes the case. take may replace
// the matchmaker.
func testFile(file string, filter *regexp.Regexp, options vendor.CompileOptions, take takeRules) (v verdict, runs bool) {
	c, err := cli.ReadCase(file)
	if err != nil {
		return verdict{name: file, file: file, fault: err}, true
	}
	if !filter.MatchString(c.Name) {
		return verdict{}, false
	}
	rules, outcome, refused := runCase(c, options, take)
	if v = (verdict{name: c.Name, file: file, rulesFile: c.RulesFile}); rules != nil {
		v.follows = rules.Followed(input.Shown(file), vendor.FollowInCase)
	}
	if refused != nil && !c.ExpectsRefusal() {
		v.fault = refused
		return v, true
	}
	if v.failure = c.Compare(outcome, refused); v.failure == nil {
		return v, true
	}
	if passesOtherwise(c, options, take) {
		v.failure = append(v.failure, fmt.Sprintf("%s lets this case pass", vendor.FollowInCase(c.Follow.Other())))
	}
	if c.Why != "" {
		v.failure = append([]string{c.Why}, v.failure...)
	}
	return v, true
}

// passesOtherwise reports whether a case passes if its rules follow the vendor's documentation
// instead of its service, or the other way round.
func passesOtherwise(c *casefile.Case, options vendor.CompileOptions, take takeRules) bool {
	other := *c
	other.Follow = c.Follow.Other()
	rules, outcome, refused := runCase(&other, options, take)
	differs := rules == nil || len(rules.Differences) > 0
	return differs && other.Compare(outcome, refused) == nil
}

// caseFiles returns the given files, and the .json files in the given folders and their subfolders,
// in lexical order for each folder. It skips hidden folders.
func caseFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		before := len(files)
		err := filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return input.Error(file, err)
			case entry.IsDir() && file != path && strings.HasPrefix(entry.Name(), "."):
				return filepath.SkipDir
			case file == path && !entry.IsDir():
				files = append(files, file)
			case !entry.IsDir() && filepath.Ext(file) == ".json":
				files = append(files, file)
				return input.CheckRegular(file)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s: no .json files in the folder, expected cases", path)
		}
	}
	return files, nil
}

// caseSuite returns the results of case files as a JUnit report.
func caseSuite(verdicts []verdict) gate.JUnit {
	suite := gate.JUnit{Name: "mmsim test", Tests: len(verdicts)}
	for _, v := range verdicts {
		c := gate.JUnitCase{Name: v.name, File: v.file}
		switch {
		case v.fault != nil:
			suite.Errors++
			c.Error = &gate.JUnitMessage{Message: "no valid case", Text: terminal.ErrorText(v.fault)}
		case v.failure != nil:
			suite.Failures++
			c.Failure = &gate.JUnitMessage{Message: v.failure[0], Text: strings.Join(v.failure, "\n")}
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}
