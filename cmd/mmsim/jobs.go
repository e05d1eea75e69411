package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports"
)

// jobsFolder holds the finished jobs of a sweep or of a search: each is a summary, in a file
// of its own.
const jobsFolder = "jobs"

// jobHash is the form of the name of a job: the hash of the configuration.
var jobHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// jobFile is the name of the file of a job.
func jobFile(folder, hash string) string { return filepath.Join(folder, jobsFolder, hash+".json") }

// openJobs makes the folder for jobs below a result folder.
func openJobs(folder string) error {
	jobs := filepath.Join(folder, jobsFolder)
	if err := os.MkdirAll(jobs, 0o777); err != nil {
		return input.Error(jobs, err)
	}
	return nil
}

// readJob reads what a job found; nil where it is not done. A file that another version wrote
// is not done, nor is one that is broken, as a full disk or a copy that was cut off leave it:
// that is a warning, and the job is done again.
func readJob(warnings io.Writer, folder, hash string) (*reports.Summary, error) {
	name := jobFile(folder, hash)
	text, err := input.ReadRegular(name, jobLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, input.Bad(err)
	}
	summary, err := reports.ParseSummary(text)
	if err == nil && summary.Run.ConfigSHA256 != hash {
		err = fmt.Errorf("is about configuration %.12s, expected the one that the file is named after", summary.Run.ConfigSHA256)
	}
	if err != nil {
		err = terminal.PrintTo(warnings, "%s: not a finished job: %v\n", name, err)
		return nil, err
	}
	if summary.Run.Version != experiment.Version() || !summary.Complete {
		return nil, nil
	}
	return summary, nil
}
