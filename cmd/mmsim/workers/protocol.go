package workers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Limits of what travels. Whatever is larger is refused by those who would receive it.
const (
	entryBytesMax   = 1 << 20 // a message: what a server takes unless it is told otherwise
	resultInline    = 512 << 10
	inputBytesMax   = 4 << 30 // a file of inputs
	archiveBytesMax = 1 << 30 // the files of a replication
	inputsMax       = 256     // files that one job names, maps of a folder included
	noteBytesMax    = 4 << 10 // a note; a longer one is not told
	notesMax        = 1000    // notes that a coordinator tells
)

// Times of the protocol.
const (
	transfer    = 10 * time.Minute   // for inputs or results
	leaseUsual  = 30 * time.Second   // after which the job of a silent worker goes to another one
	beatsALease = 3                  // signs of life of a worker in that time
	diedMost    = 3                  // workers that die on a job before it is given up
	keptFor     = 7 * 24 * time.Hour // what a killed coordinator leaves on the studio's server
)

// A job is all that a worker must know to simulate a replication.
type job struct {
	Build  Build  `json:"build"`  // that may do it
	Hash   string `json:"hash"`   // of the configuration with its inputs, see experiment.Inputs.JobHash
	Run    uint64 `json:"run"`    // the replication
	Config string `json:"config"` // in full; it names the i-th input inputName(i)

	Inputs []file `json:"inputs,omitempty"`
	Files  *files `json:"files,omitempty"` // nil: the summary alone is asked for

	// Impure is a job whose result is not a function of its hash, because it asks a program
	// or a service. Of two results the first one stands.
	Impure bool `json:"impure,omitempty"`

	// Start tells the jobs of one start of the command from those of another one, where a
	// matchmaker that says no version decided them; "": results of earlier starts stand.
	Start string `json:"start,omitempty"`
}

// A file is a file or folder that a configuration names.
type file struct {
	Name   string `json:"name"`             // without folders
	Shown  string `json:"shown,omitempty"`  // as the user wrote it, for messages
	SHA256 string `json:"sha256,omitempty"` // of the content, and its name in the object store; "": empty
	Bytes  int64  `json:"bytes,omitempty"`
	Folder bool   `json:"folder,omitempty"` // of maps: Maps and nothing else
	Maps   []file `json:"maps,omitempty"`
}

// files asks for the result directory of a replication.
type files struct {
	Resolved string `json:"resolved"` // its config.yaml, in which inputs have the names of the coordinator
}

// inputName stands for an input in the configuration of a job.
func inputName(i int) string { return fmt.Sprintf("input-%d", i) }

// encode writes a job, and names it: by the hash of all that it says.
func (j *job) encode() (id string, text []byte, err error) {
	if text, err = json.Marshal(j); err != nil {
		return "", nil, fmt.Errorf("writing a job: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), text, nil
}

// A record is what the bucket of results holds under the name of a job: who took it, and
// then what became of it.
type record struct {
	Took   []string `json:"took,omitempty"`   // workers, by name, that have not given it back
	Result *result  `json:"result,omitempty"` // nil: nobody has done it
}

// A result is what became of a job.
type result struct {
	Worker  string   `json:"worker"`            // that did it
	Error   string   `json:"error,omitempty"`   // what the job ended with, on any machine
	Bad     bool     `json:"bad,omitempty"`     // the user can mend the error
	Outside bool     `json:"outside,omitempty"` // the error is one of a matchmaker; the payload, where there is one, is what was simulated until then
	Died    []string `json:"died,omitempty"`    // workers: nobody does the job any more
	SHA256  string   `json:"sha256,omitempty"`  // of the payload
	Bytes   int64    `json:"bytes,omitempty"`   // of a payload in the object store
	Payload []byte   `json:"payload,omitempty"` // a summary; a larger one, and files, are in the object store
	Taken   bool     `json:"taken,omitempty"`   // the coordinator has it, and the payload is gone
}

// equals tells whether two workers found the same.
func (r *result) equals(other *result) bool {
	return r.SHA256 == other.SHA256 && r.Error == other.Error
}

// diedOn are the workers other than one that took a job and were not heard of again.
func (r *record) diedOn(worker string) []string {
	return slices.DeleteFunc(slices.Clone(r.Took), func(name string) bool { return name == worker })
}

// A note is what a worker has the coordinator tell its user: why it leaves jobs to others.
type note struct {
	Worker string `json:"worker"`
	Text   string `json:"text"`
}

// A dispute is what the bucket of results holds where two workers found different results.
type dispute struct {
	Job     string    `json:"job"` // the hash of its configuration
	Workers [2]string `json:"workers"`
}
