package gate

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
	"mmsim/reports/words"
)

// The elements of a JUnit report that all CI services support.
type (
	JUnit struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr,omitempty"`
		Cases    []JUnitCase `xml:"testcase"`
	}
	JUnitCase struct {
		Name    string        `xml:"name,attr"`
		File    string        `xml:"classname,attr"`
		Failure *JUnitMessage `xml:"failure"`
		Error   *JUnitMessage `xml:"error"`
		Skipped *JUnitMessage `xml:"skipped"`
	}
	JUnitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// printable escapes control characters in texts, because XML cannot contain most of them.
func (s *JUnit) printable() {
	for i := range s.Cases {
		c := &s.Cases[i]
		c.Name, c.File = words.Printable(c.Name), words.Printable(c.File)
		for _, m := range []*JUnitMessage{c.Failure, c.Error, c.Skipped} {
			if m == nil {
				continue
			}
			m.Message = words.Printable(m.Message)
			lines := strings.Split(m.Text, "\n")
			for i, line := range lines {
				lines[i] = words.Printable(line)
			}
			m.Text = strings.Join(lines, "\n")
		}
	}
}

// WriteJUnit writes a JUnit report, a format that all CI services read. It contains no times, so
// that equal runs give equal bytes.
func WriteJUnit(file string, suite JUnit) error {
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

// JUnitOf returns the result of a gate as a JUnit report with one test case for each limit.
func JUnitOf(file string, result *judge.GateResult) JUnit {
	suite := JUnit{Name: "mmsim check", Tests: len(result.Limits)}
	for i := range result.Limits {
		l := &result.Limits[i]
		c := JUnitCase{Name: fmt.Sprintf("%s %s", l.Metric, l.Kind), File: file}
		switch l.Verdict {
		case judge.LimitBroken, judge.LimitUndecided:
			if l.Verdict == judge.LimitUndecided && result.Passed { // --undecided pass
				break
			}
			suite.Failures++
			message := string(l.Verdict) + ": " + phrase.LimitMessage(l)
			c.Failure = &JUnitMessage{Message: message, Text: fmt.Sprintf("%s:%d:%d: %s", file, l.Line, l.Column, message)}
		case judge.LimitSkipped:
			suite.Skipped++
			c.Skipped = &JUnitMessage{Message: l.Reason}
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}
