package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"mmsim/cmd/mmsim/build"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports/outcome"
)

// A Store keeps the summaries of finished jobs by job hash.
type Store interface {
	Get(hash string) (*outcome.Summary, error) // nil if there is no summary
	Put(hash string, s *outcome.Summary) error
}

// Folder is a Store in the folder "jobs" of a result directory. Each summary is a file that
// appears only when it is complete.
type Folder struct {
	Dir  string               // result directory
	Warn func(message string) // receives warnings about files that are not summaries; may be nil
}

// JobsFolder is the name of the folder with the finished jobs.
const JobsFolder = "jobs"

// jobHash matches a job hash.
var jobHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// IsJobHash reports whether text has the form of a job hash.
func IsJobHash(text string) bool { return jobHash.MatchString(text) }

// jobLimit limits the size of a summary file.
var jobLimit = input.Limit{Name: "MaxSummaryBytes", Bytes: outcome.MaxSummaryBytes, Expected: "the summary of a job"}

// file returns the name of a job's file.
func (f Folder) file(hash string) string { return filepath.Join(f.Dir, JobsFolder, hash+".json") }

// Open creates the folder.
func (f Folder) Open() error {
	return resultdir.MakeFolder(f.Dir, JobsFolder)
}

// Get returns the summary of a job, or nil if there is none. It also returns nil if another
// version of mmsim wrote the summary, or if the file is broken, for example by a full disk or
// an interrupted copy. A broken file also causes a warning. In all these cases the job is done
// again.
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
		err = fmt.Errorf("is about configuration %.12s, expected the one in the file name", summary.Run.ConfigSHA256)
	}
	if err != nil {
		if f.Warn != nil {
			f.Warn(fmt.Sprintf("%s: not a finished job: %v", name, err))
		}
		return nil, nil
	}
	if summary.Run.Version != build.Version() || !summary.Complete {
		return nil, nil
	}
	return summary, nil
}

// Has reports whether the folder has a finished job, for about 1 % of the cost of Get. It reads only
// the beginning and the end of the file, where this version of mmsim writes the version, the hash
// and the last brace, so it does not notice a file that is broken in between: whoever needs the
// numbers calls Get, and does a broken job again. If the file looks different, Has asks Get.
func (f Folder) Has(hash string) (bool, error) {
	name := f.file(hash)
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil && info.Mode().IsRegular() && looksFinished(name, info.Size(), hash) {
		return true, nil
	}
	summary, err := f.Get(hash)
	return summary != nil, err
}

// Written returns the time at which the file of a job was written.
func (f Folder) Written(hash string) (time.Time, error) {
	info, err := os.Stat(f.file(hash))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// looksFinished reports whether a file of the given size begins and ends as this version of mmsim
// writes the summary of a finished job. See [outcome.Summary.Write].
func looksFinished(name string, size int64, hash string) bool {
	const headBytes, end = 512, "\n}\n"
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	var head [headBytes]byte
	n, _ := file.ReadAt(head[:], 0) // at the end of a short file, an error and what there is
	var tail [len(end)]byte
	if _, err := file.ReadAt(tail[:], size-int64(len(end))); err != nil || string(tail[:]) != end {
		return false
	}
	fields := finishedHead.FindSubmatch(head[:n])
	return fields != nil && string(fields[1]) == build.Version() && string(fields[2]) == hash
}

// finishedHead matches the beginning of the summary of a finished job, up to the hash.
var finishedHead = regexp.MustCompile(fmt.Sprintf(`^\{\n  "schema": %d,\n  "complete": true,\n  "run": \{\n    "seed": \d+,\n    "run": \d+,\n    "version": "([^"\\]*)",\n    "config_sha256": "([0-9a-f]{64})",\n`, outcome.Schema))

// Put writes the summary of a job.
func (f Folder) Put(hash string, s *outcome.Summary) error {
	return resultdir.Store(f.Dir, filepath.Join(JobsFolder, hash+".json"), s.Write)
}
