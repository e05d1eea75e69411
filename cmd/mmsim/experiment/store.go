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

// A Store keeps the summaries of finished jobs by the hashes of the jobs.
type Store interface {
	Get(hash string) (*outcome.Summary, error) // nil: the job is not done
	Put(hash string, s *outcome.Summary) error
}

// Folder is a store in the folder jobs of a result directory. Each summary is a file, which
// appears only when it is complete.
type Folder struct {
	Dir  string               // the result directory
	Warn func(message string) // receives warnings about files that are no summaries; nil: no warnings
}

// JobsFolder is the folder of the finished jobs.
const JobsFolder = "jobs"

// jobHash is the form of a job's hash.
var jobHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// IsJobHash reports whether a text has the form of a job's hash.
func IsJobHash(text string) bool { return jobHash.MatchString(text) }

// jobLimit limits the size of a file in the folder.
var jobLimit = input.Limit{Name: "MaxSummaryBytes", Bytes: outcome.MaxSummaryBytes, Expected: "the summary of a job"}

// file returns the name of a job's file.
func (f Folder) file(hash string) string { return filepath.Join(f.Dir, JobsFolder, hash+".json") }

// Open creates the folder.
func (f Folder) Open() error {
	jobs := filepath.Join(f.Dir, JobsFolder)
	if err := os.MkdirAll(jobs, 0o777); err != nil {
		return input.Error(jobs, err)
	}
	return nil
}

// Get reads the summary of a job. A job whose file was written by another version counts as
// not done. So does a broken file, which a full disk or an interrupted copy may leave; it
// causes a warning, and the job is done again.
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

// Put writes the summary of a job.
func (f Folder) Put(hash string, s *outcome.Summary) error {
	return resultdir.WriteFile(f.file(hash), s.Write)
}
