package workers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Limits of messages and payloads. The receiver refuses anything larger.
const (
	entryBytesMax   = 1 << 20 // a message: the default limit of a server
	resultInline    = 512 << 10
	inputBytesMax   = 4 << 30 // one input file
	archiveBytesMax = 1 << 30 // the files of a replication
	inputsMax       = 256     // files that one job names, including those of folders of maps
	noteBytesMax    = 4 << 10 // a note; a longer one is dropped
	notesMax        = 1000    // notes that a coordinator shows
)

// Times of the protocol.
const (
	transfer    = 10 * time.Minute   // for inputs or results
	leaseUsual  = 30 * time.Second   // after which the job of a silent worker goes to another worker
	beatsALease = 3                  // renewals by a worker in that time
	diedMost    = 3                  // workers that die on a job before the job is given up
	keptFor     = 7 * 24 * time.Hour // expiry of what a killed coordinator leaves on the studio's server
)

// A job is everything that a worker needs to simulate a replication.
type job struct {
	Build  Build  `json:"build"`  // the only build that may do it
	Hash   string `json:"hash"`   // of the configuration with its inputs, see experiment.Inputs.JobHash
	Run    uint64 `json:"run"`    // the replication
	Config string `json:"config"` // complete; the i-th input has the name inputName(i)

	Inputs []file `json:"inputs,omitempty"`
	Files  *files `json:"files,omitempty"` // nil: only the summary is needed

	// Impure is set if the result is not a function of the hash, because a program or a
	// service takes part. The first of two results counts.
	Impure bool `json:"impure,omitempty"`

	// Start distinguishes jobs of one start of the command from those of another, if a
	// matchmaker that reports no version takes part; "": results of earlier starts are
	// reused.
	Start string `json:"start,omitempty"`
}

// A file is a file or folder that a configuration names.
type file struct {
	Name   string `json:"name"`             // without folders
	Shown  string `json:"shown,omitempty"`  // as the user wrote it, for messages
	SHA256 string `json:"sha256,omitempty"` // of the content, and its name in the object store; "": an empty file
	Bytes  int64  `json:"bytes,omitempty"`
	Folder bool   `json:"folder,omitempty"` // a folder of maps: only Maps is set
	Maps   []file `json:"maps,omitempty"`
}

// files asks for the result directory of a replication.
type files struct {
	Resolved string `json:"resolved"` // its config.yaml, with the coordinator's names of inputs
}

// inputName is the name of an input in the configuration of a job.
func inputName(i int) string { return fmt.Sprintf("input-%d", i) }

// encode encodes a job, and returns an id: the hash of the encoding.
func (j *job) encode() (id string, text []byte, err error) {
	if text, err = json.Marshal(j); err != nil {
		return "", nil, fmt.Errorf("writing a job: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), text, nil
}

// A record is the entry of a job in the bucket of results: the workers that took the job, and
// its result.
type record struct {
	Took   []string `json:"took,omitempty"`   // names of workers that have not given it back
	Result *result  `json:"result,omitempty"` // nil: the job is not done
}

// A result is the result of a job, or its error.
type result struct {
	Worker  string   `json:"worker"`            // the one that did the job
	Error   string   `json:"error,omitempty"`   // the error of the job, the same on any machine
	Bad     bool     `json:"bad,omitempty"`     // the user can correct the error
	Outside bool     `json:"outside,omitempty"` // the error is a matchmaker's; the payload, if any, covers what was simulated before it
	Died    []string `json:"died,omitempty"`    // workers that died on the job, which is given up
	SHA256  string   `json:"sha256,omitempty"`  // of the payload
	Bytes   int64    `json:"bytes,omitempty"`   // of a payload in the object store
	Payload []byte   `json:"payload,omitempty"` // a summary; larger ones, and files, are in the object store
	Taken   bool     `json:"taken,omitempty"`   // the coordinator has fetched the payload, and it was removed
}

// equals reports whether two workers computed the same result.
func (r *result) equals(other *result) bool {
	return r.SHA256 == other.SHA256 && r.Error == other.Error
}

// diedOn returns the other workers that took a job and did not finish it or give it back.
func (r *record) diedOn(worker string) []string {
	return slices.DeleteFunc(slices.Clone(r.Took), func(name string) bool { return name == worker })
}

// A note is a message of a worker to the user of its coordinator: why it leaves jobs to
// others.
type note struct {
	Worker string `json:"worker"`
	Text   string `json:"text"`
}

// A dispute is an entry of the bucket of results about two workers with different results.
type dispute struct {
	Job     string    `json:"job"` // the hash of its configuration
	Workers [2]string `json:"workers"`
}
