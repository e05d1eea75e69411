package gate

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/input"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
	"mmsim/reports/present/decision"
	"mmsim/reports/words"
)

// Annotate writes a GitHub workflow command for every limit in the gate that is broken or undecided
// for at least one metric, and for every warning, first the one that the result leaves more players
// without a match. GitHub shows at most ten errors and ten warnings.
// Annotate also appends the table to the job summary if GitHub provides a file for it.
func Annotate(out io.Writer, file string, result *judge.GateResult) error {
	for _, line := range result.Lines() {
		for _, verdict := range []judge.LimitVerdict{judge.LimitBroken, judge.LimitUndecided} {
			if err := annotateLimit(out, file, line.With(verdict), result.Passed); err != nil {
				return err
			}
		}
	}
	warnings := result.Warnings
	if more := phrase.MoreUnmatched("The result", result.Unmatched); more != "" {
		warnings = append([]string{more}, warnings...)
	}
	for _, warning := range warnings {
		command := "warning"
		if words.IsNote(warning) {
			command = "notice"
		}
		if _, err := fmt.Fprintf(out, "::%s title=mmsim check::%s\n", command, inCommand(warning)); err != nil {
			return err
		}
	}
	summary := os.Getenv("GITHUB_STEP_SUMMARY")
	if summary == "" {
		return nil
	}
	f, err := disk.Append(summary)
	if err != nil {
		return input.Error(summary, err)
	}
	_, err = io.WriteString(f, decision.Gate(result, nil).Markdown())
	if err = errors.Join(err, f.Close()); err != nil {
		return input.Error(summary, err)
	}
	return nil
}

// annotateLimit writes a workflow command about the limits of one line that have the same verdict. It
// is a warning if the gate passes in spite of them.
func annotateLimit(out io.Writer, file string, limits []judge.LimitResult, passed bool) error {
	if len(limits) == 0 {
		return nil
	}
	worst, command := &limits[0], "error"
	if passed {
		command = "warning"
	}
	message := string(worst.Verdict) + ": " + phrase.LimitMessage(worst)
	if len(limits) > 1 {
		message += fmt.Sprintf(" (and %d more of %s)", len(limits)-1, worst.Pattern)
	}
	_, err := fmt.Fprintf(out, "::%s file=%s,line=%d,col=%d,title=%s::%s\n",
		command, inProperty(file), worst.Line, worst.Column, inProperty(worst.Metric), inCommand(message))
	return err
}

// inCommand and inProperty escape text for GitHub's workflow commands. They also escape
// non-printing characters, because people read the text.
func inCommand(text string) string { return words.Printable(escapeCommand(text)) }

func inProperty(text string) string { return words.Printable(escapeProperty(text)) }

var (
	escapeCommand  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace
)
