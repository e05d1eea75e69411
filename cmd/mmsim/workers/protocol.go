package workers

import (
	"encoding/json"
	"fmt"
	"time"

	"mmsim/cmd/mmsim/workers/hub"
	"mmsim/reports/setup"
)

// Limits of messages and payloads. The receiver rejects anything larger.
const (
	resultInline  = 512 << 10 // of a payload in a record; larger payloads are in the object store
	inputBytesMax = 4 << 30   // of one input file
	inputsMax     = 256       // number of inputs of a job
	newsBytesMax  = 64 << 10  // of a worker's news; larger news are dropped
	unableMax     = 64        // number of jobs that a worker reports as not done
	membersMax    = 10_000    // number of workers that a coordinator remembers
)

// Durations and counts of the protocol.
const (
	defaultLease  = 30 * time.Second // after which another worker gets the job of a silent worker
	beatsPerLease = 3                // number of times that a worker renews a lease in its duration
	deathsMax     = 3                // number of workers that may end while they do a job before it is given up
	jobLongest    = 24 * time.Hour   // after which a running job is given up
)

// A job has everything that a worker needs to simulate a replication.
type job struct {
	Hash    string `json:"hash"`    // experiment.Inputs.JobHash
	Run     uint64 `json:"run"`     // number of the replication
	Version string `json:"version"` // of the coordinator, for the result; a worker of the same sources may have another
	Config  string `json:"config"`  // complete configuration, in which inputName(i) names the i-th input

	Inputs []file `json:"inputs,omitempty"`

	// Resolved is the content of config.yaml, with the coordinator's file names, if the result has all
	// files of the replication. It is "" if only the summary is needed.
	Resolved string `json:"resolved,omitempty"`

	// Brief is set if the result has distributions and a map, see experiment.Options.
	Brief bool `json:"brief,omitempty"`

	// Around is experiment.Inputs.Around.
	Around []setup.Span `json:"around,omitempty"`

	// Impure is set for a job of hub.Exec. If two workers do it, the first result counts.
	Impure bool `json:"impure,omitempty"`

	// Programs lists the matchmaker programs, for messages. Unsent says why their folder is not an
	// input, so that they must be on the worker's machine.
	Programs []string `json:"programs,omitempty"`
	Unsent   string   `json:"unsent,omitempty"`

	// Start distinguishes the jobs of different starts of the command. It is set if a
	// matchmaker does not report its version. It is "" if results of earlier starts can be
	// reused.
	Start string `json:"start,omitempty"`
}

// kind returns the kind of the job.
func (j *job) kind() string {
	if j.Impure {
		return hub.Exec
	}
	return hub.Pure
}

// A file is a file or folder that a configuration names.
type file struct {
	Name   string `json:"name"`             // without its folder
	Shown  string `json:"shown"`            // as the user wrote it, for messages
	SHA256 string `json:"sha256"`           // hash of the content, which is also its name in the object store
	Bytes  int64  `json:"bytes"`            // size of the content
	Folder bool   `json:"folder,omitempty"` // whether the content is an archive of a folder
}

// inputName returns the name of the i-th input in a job's configuration.
func inputName(i int) string { return fmt.Sprintf("input-%d", i) }

// encode encodes a job. The id is a hash of the encoded text.
func (j *job) encode() (id string, text []byte, err error) {
	if text, err = json.Marshal(j); err != nil {
		return "", nil, fmt.Errorf("writing a job: %w", err)
	}
	return hub.Hash(text), text, nil
}

// A record of a job has its result, or its error.
type record struct {
	Worker           string `json:"worker"`                      // worker that did the job
	Error            string `json:"error,omitempty"`             // error that the job has on every machine
	Bad              bool   `json:"bad,omitempty"`               // whether the user can correct the error
	MatchmakerFailed bool   `json:"matchmaker_failed,omitempty"` // whether an external matchmaker failed; the payload is then about the part simulated before
	GivenUp          string `json:"given_up,omitempty"`          // why the job is given up
	SHA256           string `json:"sha256,omitempty"`            // of the payload
	Bytes            int64  `json:"bytes,omitempty"`             // size of the payload, if it is in the object store
	Payload          []byte `json:"payload,omitempty"`           // a small payload; a larger one is in the object store
	Taken            bool   `json:"taken,omitempty"`             // whether the coordinator has fetched and removed the payload
}

// contradicts reports whether two workers computed different results of a pure job.
func (r *record) contradicts(other *record) bool {
	return r.GivenUp == "" && other.GivenUp == "" && (r.SHA256 != other.SHA256 || r.Error != other.Error)
}

// News is what a worker tells the coordinator of a session: at least beatsPerLease times per
// lease, and whenever it takes or ends a job. News may be lost.
type news struct {
	Worker  string         `json:"worker"`
	Number  int            `json:"number"`            // increases, because news may overtake each other
	Running []string       `json:"running,omitempty"` // jobs that it does
	Done    int            `json:"done,omitempty"`    // number of jobs that it has done in the session
	Seconds float64        `json:"seconds,omitempty"` // time that these jobs took
	Unable  map[string]why `json:"unable,omitempty"`  // what it cannot do, by kind or job
	Note    string         `json:"note,omitempty"`    // for the coordinator's user
	Stored  string         `json:"stored,omitempty"`  // job whose result it has just stored
	Dispute string         `json:"dispute,omitempty"` // that it and another worker computed different results
	Left    bool           `json:"left,omitempty"`    // whether it leaves the session and has given its jobs back
}

// why is an error that only one worker has: why it does not do a job, and what the user can do about
// it.
type why struct {
	Reason string `json:"reason"`
	Cure   string `json:"cure"`
}

func (w why) Error() string { return w.Reason + "; " + w.Cure }
