// Package hub is what the jobs of package workers need of a server: the seam between the two, and
// NATS JetStream behind it, built into the coordinator or a server of the studio's own. It knows
// neither what a job is nor what a result is.
package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"mmsim/cmd/mmsim/input"
)

// A Session is the work of one coordinator on a server. Its random name comes from the token that is
// kept beside the result directory, so that a restarted coordinator continues the session, and no two
// coordinators share one.
type Session struct {
	Name  string
	Build string        // of the coordinator, see Build
	Lease time.Duration // after which another worker gets the job of a silent worker
}

// Build returns the build of this process. Builds of the same sources give equal results, whatever
// folder or operating system they were built in, and on amd64 and arm64, which scripts/equal compares.
// For other processors that is not shown.
func Build(sources string) string {
	if runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" {
		return fmt.Sprintf("%.16s", sources)
	}
	return fmt.Sprintf("%.16s for %s", sources, runtime.GOARCH)
}

// A Directory lists the sessions on a server. Workers search it for coordinators.
type Directory interface {
	Sessions(ctx context.Context) (map[string]Session, error)
	Open(ctx context.Context, s Session) (Hub, error)
	OnEnd(func(name string)) error // calls a function when a coordinator ends its session
}

// A Hub is what a session needs of a server: a queue of jobs for each kind, a record for each job,
// objects by the hash of their content, and news. JetStream is the hub of the program. The tests
// have a small model of it, which loses, repeats and delays. An exchange with a server that does not
// answer fails after Answer, or at the deadline of its context.
type Hub interface {
	Ensure(ctx context.Context) error // creates what is missing
	Remove(ctx context.Context) error // removes everything

	// Stock lists the jobs and objects on the server. The error is ErrLost if a part of the
	// session is missing.
	Stock(ctx context.Context) (*Stock, error)

	Publish(ctx context.Context, kind, id string, text []byte) (isNew bool, err error) // adds a job, unless the queue has it
	Withdraw(ctx context.Context, kind, id string) error                               // removes a job; "" removes all jobs
	Take(ctx context.Context, kind string, wait time.Duration) (Delivery, error)       // nil if there is no job

	Create(ctx context.Context, id string, record []byte) error // ErrExists if there is one
	Record(ctx context.Context, id string) ([]byte, error)      // nil if there is none
	Replace(ctx context.Context, id string, record []byte) error

	Upload(ctx context.Context, sum string, content io.Reader) error
	Object(ctx context.Context, sum string) (io.ReadCloser, error)
	Delete(ctx context.Context, sum string) error

	// The three below have no answer: a message may be lost.
	Tell(news []byte) error       // sends news to the coordinator, at once
	Hear(func(news []byte)) error // receives the news of the workers
	End() error                   // tells the workers that the session has ended
}

// A Delivery is a job that a worker has received, as a message of JetStream. The server delivers it
// again unless the worker acknowledges it or renews the lease.
type Delivery interface {
	Data() []byte
	Ack() error
	InProgress() error                      // renews the lease
	NakWithDelay(delay time.Duration) error // gives the job back
}

// A Stock lists what the server holds for a session.
type Stock struct {
	Jobs    map[string]bool
	Objects map[string]bool // also those that were deleted
	Spent   bool            // whether the server delivers none of the jobs again, because each was delivered DeliveriesMax times
}

// Kinds of jobs. Each has a queue of its own, so that a worker only receives jobs that it may do.
const (
	Pure = "pure" // its result depends only on its hash
	Exec = "exec" // an external program or service takes part; needs --allow-exec
)

// Kinds lists the kinds of jobs.
var Kinds = []string{Pure, Exec}

// Limits of a session.
const (
	EntryBytesMax = 1 << 20            // of a message; the default limit of NATS servers
	DeliveriesMax = 20                 // number of times that a job is delivered
	keptFor       = 7 * 24 * time.Hour // after which a NATS server removes what a killed coordinator left
)

// Errors of a Hub.
var (
	ErrExists   = errors.New("the job has a result already")
	ErrLost     = errors.New("a stream or bucket is missing")
	ErrRejected = errors.New("the server rejects this process")
)

const (
	Answer  = 5 * time.Second // limit for each exchange with the server
	again   = time.Second     // pause before an exchange is repeated
	slowest = 1 << 20         // bytes per second; fetching an object may not be slower
)

// Insist exchanges something with the server. It tries again until that succeeds, ctx is cancelled
// or patience has passed, unless the error is the user's.
func Insist(ctx context.Context, patience time.Duration, exchange func(context.Context) error) error {
	for began := time.Now(); ; Pause(ctx, again) {
		err := exchange(ctx)
		if err == nil || input.IsBad(err) || ctx.Err() != nil || time.Since(began) >= patience {
			return err
		}
	}
}

// Pause waits for d, or until ctx is cancelled.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Hash returns the hash of a content, which is the name of an object or a job.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Fetch copies an object to a writer. It checks that the object has the given size and the
// given hash. The hash is also the object's name.
func Fetch(ctx context.Context, h Hub, to io.Writer, sum string, size int64) error {
	if name, err := hex.DecodeString(sum); err != nil || len(name) != sha256.Size {
		return fmt.Errorf("an object named %q, expected 64 hexadecimal digits", sum)
	}
	ctx, cancel := context.WithTimeout(ctx, Answer+time.Duration(size/slowest)*time.Second)
	defer cancel()
	object, err := h.Object(ctx, sum)
	if err != nil {
		return err
	}
	defer object.Close()
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, hash), io.LimitReader(object, size+1))
	if err != nil {
		return err
	}
	if n != size || hex.EncodeToString(hash.Sum(nil)) != sum {
		return fmt.Errorf("the content of object %.12s does not match its name", sum)
	}
	return nil
}
