package main

import (
	"encoding/xml"
	"io"
	"strings"

	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports"
)

// The elements of a JUnit report that CI services agree on.
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr,omitempty"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		File    string        `xml:"classname,attr"`
		Failure *junitMessage `xml:"failure"`
		Error   *junitMessage `xml:"error"`
		Skipped *junitMessage `xml:"skipped"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// caseSuite is the results of case files as a JUnit report.
func caseSuite(verdicts []verdict) junitSuite {
	suite := junitSuite{Name: "mmsim test", Tests: len(verdicts)}
	for _, v := range verdicts {
		c := junitCase{Name: v.name, File: v.file}
		switch {
		case v.fault != nil:
			suite.Errors++
			c.Error = &junitMessage{"no sound case", errorText(v.fault)}
		case v.failure != nil:
			suite.Failures++
			c.Failure = &junitMessage{v.failure[0], strings.Join(v.failure, "\n")}
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}

// printable makes the texts of a suite such as XML and people can read: XML has no way to
// write most controls.
func (s *junitSuite) printable() {
	for i := range s.Cases {
		c := &s.Cases[i]
		c.Name, c.File = reports.Printable(c.Name), reports.Printable(c.File)
		for _, m := range []*junitMessage{c.Failure, c.Error, c.Skipped} {
			if m == nil {
				continue
			}
			m.Message = reports.Printable(m.Message)
			lines := strings.Split(m.Text, "\n")
			for i, line := range lines {
				lines[i] = reports.Printable(line)
			}
			m.Text = strings.Join(lines, "\n")
		}
	}
}

// writeJUnit writes a JUnit report. Nothing in it depends on the clock, so equal runs
// are equal bytes.
func writeJUnit(file string, suite junitSuite) error {
	suite.printable()
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	return resultdir.WriteFile(file, func(w io.Writer) error {
		_, err := w.Write([]byte(xml.Header + string(text) + "\n"))
		return err
	})
}
