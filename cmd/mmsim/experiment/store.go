package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports/outcome"
)

// A Store keeps the summaries of jobs that are done, by the hashes of the jobs.
type Store interface {
	Get(hash string) (*outcome.Summary, error) // nil: the job is not done
	Put(hash string, s *outcome.Summary) error
}

// Folder is a store in the folder jobs of a result directory: each summary is a file of
// its own, which appears when it is whole.
type Folder struct {
	Dir  string               // the result directory
	Warn func(message string) // is told of files that are no summaries; nil: nobody asks
}

// JobsFolder holds the jobs that are done.
const JobsFolder = "jobs"

// jobHash is the form of the name of a job.
var jobHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// IsJobHash tells whether a text has the form of the hash of a job.
func IsJobHash(text string) bool { return jobHash.MatchString(text) }

// jobLimit bounds a file of the folder.
var jobLimit = input.Limit{Name: "MaxSummaryBytes", Bytes: outcome.MaxSummaryBytes, Expected: "the summary of a job"}

// file is the name of the file of a job.
func (f Folder) file(hash string) string { return filepath.Join(f.Dir, JobsFolder, hash+".json") }

// Open makes the folder.
func (f Folder) Open() error {
	jobs := filepath.Join(f.Dir, JobsFolder)
	if err := os.MkdirAll(jobs, 0o777); err != nil {
		return input.Error(jobs, err)
	}
	return nil
}

// Get reads what a job found. A file that another version wrote is not done, nor is one
// that is broken, as a full disk or a copy that was cut off leave it: that is a warning,
// and the job is done again.
func (f Folder) Get(hash string) (*outcome.Summary, error) {
	name := f.file(hash)
	text, err := input.ReadRegular(name, jobLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, input.Bad(err)
	}
	summary, err := outcome.ParseSummary(text)
	if err == nil && summary.Run.ConfigSHA256 != hash {
		err = fmt.Errorf("is about configuration %.12s, expected the one that the file is named after", summary.Run.ConfigSHA256)
	}
	if err != nil {
		if f.Warn != nil {
			f.Warn(fmt.Sprintf("%s: not a finished job: %v", name, err))
		}
		return nil, nil
	}
	if summary.Run.Version != Version() || !summary.Complete {
		return nil, nil
	}
	return summary, nil
}

// Put writes what a job found.
func (f Folder) Put(hash string, s *outcome.Summary) error {
	return resultdir.WriteFile(f.file(hash), s.Write)
}
