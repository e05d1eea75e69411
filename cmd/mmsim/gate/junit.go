package gate

import (
	"fmt"

	"mmsim/cmd/mmsim/junit"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
)

// Suite returns the result of a gate as a JUnit report with one test case for each limit.
func Suite(file string, result *judge.GateResult) junit.Suite {
	suite := junit.Suite{Name: "mmsim check", Tests: len(result.Limits)}
	for i := range result.Limits {
		l := &result.Limits[i]
		c := junit.Case{Name: fmt.Sprintf("%s %s", l.Metric, l.Kind), File: file}
		switch l.Verdict {
		case judge.LimitBroken, judge.LimitUndecided:
			if l.Verdict == judge.LimitUndecided && result.Passed { // --undecided pass
				break
			}
			suite.Failures++
			message := string(l.Verdict) + ": " + phrase.LimitMessage(l)
			c.Failure = &junit.Message{Message: message, Text: fmt.Sprintf("%s:%d:%d: %s", file, l.Line, l.Column, message)}
		case judge.LimitSkipped:
			suite.Skipped++
			c.Skipped = &junit.Message{Message: l.Reason}
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}
