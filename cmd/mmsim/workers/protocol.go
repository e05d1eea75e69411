package workers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Limits of messages and payloads. The receiver rejects anything larger.
const (
	entryBytesMax   = 1 << 20   // of a message; the default limit of NATS servers
	resultInline    = 512 << 10 // of a payload in a record; larger payloads are in the object store
	inputBytesMax   = 4 << 30   // of one input file
	archiveBytesMax = 1 << 30   // of the files of a replication
	inputsMax       = 256       // number of inputs of a job, and of maps in a folder
	noteBytesMax    = 4 << 10   // of a note; larger notes are dropped
	notesMax        = 1000      // number of notes that a coordinator shows
)

// Durations and counts of the protocol.
const (
	transfer      = 10 * time.Minute   // limit for transferring inputs or results
	defaultLease  = 30 * time.Second   // after which another worker gets the job of a silent worker
	beatsPerLease = 3                  // number of times that a worker renews a lease in its duration
	deathsMax     = 3                  // number of workers that may die on a job before it is given up
	keptFor       = 7 * 24 * time.Hour // after which a NATS server removes what a killed coordinator left
)

// A job has everything that a worker needs to simulate a replication.
type job struct {
	Build  Build  `json:"build"`  // build that must do the job
	Hash   string `json:"hash"`   // experiment.Inputs.JobHash
	Run    uint64 `json:"run"`    // number of the replication
	Config string `json:"config"` // complete configuration, in which inputName(i) names the i-th input

	Inputs []file `json:"inputs,omitempty"`
	Files  *files `json:"files,omitempty"` // nil if only the summary is needed

	// Impure is set if an external program or service takes part. The result then does not
	// only depend on the hash. If two workers do the job, the first result counts.
	Impure bool `json:"impure,omitempty"`

	// Start distinguishes the jobs of different starts of the command. It is set if a
	// matchmaker does not report its version. It is "" if results of earlier starts can be
	// reused.
	Start string `json:"start,omitempty"`
}

// A file is a file or folder that a configuration names.
type file struct {
	Name   string `json:"name"`             // without its folder
	Shown  string `json:"shown,omitempty"`  // as the user wrote it, for messages
	SHA256 string `json:"sha256,omitempty"` // hash of the content, which is also its name in the object store; "" for a stray map, which workers create as an empty file
	Bytes  int64  `json:"bytes,omitempty"`
	Folder bool   `json:"folder,omitempty"` // whether it is a folder of latency maps, which are in Maps
	Maps   []file `json:"maps,omitempty"`
}

// files asks for all files of a replication's result.
type files struct {
	Resolved string `json:"resolved"` // content of config.yaml, with the coordinator's file names
}

// inputName returns the name of the i-th input in a job's configuration.
func inputName(i int) string { return fmt.Sprintf("input-%d", i) }

// encode encodes a job. The id is a hash of the encoded text.
func (j *job) encode() (id string, text []byte, err error) {
	if text, err = json.Marshal(j); err != nil {
		return "", nil, fmt.Errorf("writing a job: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), text, nil
}

// A record has the state of a job: the workers that took it, and its result. It is an entry in
// the session's bucket.
type record struct {
	Took   []string `json:"took,omitempty"`   // workers that have taken the job and not given it back
	Result *result  `json:"result,omitempty"` // nil if the job is not done
}

// A result is the result of a job, or its error.
type result struct {
	Worker  string   `json:"worker"`            // worker that did the job
	Error   string   `json:"error,omitempty"`   // error that the job has on every machine
	Bad     bool     `json:"bad,omitempty"`     // whether the user can correct the error
	Outside bool     `json:"outside,omitempty"` // whether an external matchmaker failed; the payload is then about the part simulated before
	Died    []string `json:"died,omitempty"`    // workers that died on the job, if it is given up
	SHA256  string   `json:"sha256,omitempty"`  // of the payload
	Bytes   int64    `json:"bytes,omitempty"`   // size of the payload, if it is in the object store
	Payload []byte   `json:"payload,omitempty"` // a small payload; a larger one is in the object store
	Taken   bool     `json:"taken,omitempty"`   // whether the coordinator has fetched and removed the payload
}

// equals reports whether two workers computed the same result.
func (r *result) equals(other *result) bool {
	return r.SHA256 == other.SHA256 && r.Error == other.Error
}

// diedOn returns the workers, other than the given one, that took the job and neither finished
// it nor gave it back.
func (r *record) diedOn(worker string) []string {
	return slices.DeleteFunc(slices.Clone(r.Took), func(name string) bool { return name == worker })
}

// A note is a worker's message to the coordinator's user, such as why the worker does not do a
// job.
type note struct {
	Worker string `json:"worker"`
	Text   string `json:"text"`
}

// A dispute says that two workers computed different results of a job. It is an entry in the
// session's bucket.
type dispute struct {
	Job     string    `json:"job"` // the job's hash
	Workers [2]string `json:"workers"`
}
