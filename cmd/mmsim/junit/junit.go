// Package junit writes JUnit reports, a format that all CI services read.
package junit

import (
	"encoding/xml"
	"io"
	"strings"

	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports/words"
)

// The elements of a JUnit report that all CI services support.
type (
	Suite struct {
		XMLName  xml.Name `xml:"testsuite"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Skipped  int      `xml:"skipped,attr,omitempty"`
		Cases    []Case   `xml:"testcase"`
	}
	Case struct {
		Name    string   `xml:"name,attr"`
		File    string   `xml:"classname,attr"`
		Failure *Message `xml:"failure"`
		Error   *Message `xml:"error"`
		Skipped *Message `xml:"skipped"`
	}
	Message struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// printable escapes control characters in texts, because XML cannot contain most of them.
func (s *Suite) printable() {
	for i := range s.Cases {
		c := &s.Cases[i]
		c.Name, c.File = words.Printable(c.Name), words.Printable(c.File)
		for _, m := range []*Message{c.Failure, c.Error, c.Skipped} {
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

// Write writes a JUnit report. It contains no times, so that equal runs give equal bytes.
func Write(file string, suite Suite) error {
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
