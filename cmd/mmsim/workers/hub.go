package workers

import (
	"context"
	"errors"
	"io"
	"time"
)

// A session is the work of one coordinator on a server. Its random name is kept beside the result
// directory, so that a restarted coordinator continues the session, and no two coordinators share
// one.
type session struct {
	name  string
	build string        // experiment.Version of the coordinator
	lease time.Duration // after which another worker gets the job of a silent worker
}

// A directory lists the sessions on a server. Workers search it for coordinators.
type directory interface {
	Sessions(ctx context.Context) (map[string]session, error)
	Open(ctx context.Context, s session) (hub, error)
	OnEnd(func(name string)) error // calls a function when a coordinator ends its session
}

// A hub is what a session needs of a server: a queue of jobs for each kind, a record for each job,
// objects by the hash of their content, and news. JetStream is the hub of the program. The tests
// have a small model of it, which loses, repeats and delays.
type hub interface {
	Ensure(ctx context.Context) error // creates what is missing
	Remove(ctx context.Context) error // removes everything

	// Stock lists the jobs and objects on the server. The error is errLost if a part of the
	// session is missing.
	Stock(ctx context.Context) (*stock, error)

	Publish(ctx context.Context, kind, id string, text []byte) error             // adds a job, unless the queue has it
	Withdraw(ctx context.Context, kind, id string) error                         // removes a job; "" removes all jobs
	Take(ctx context.Context, kind string, wait time.Duration) (delivery, error) // nil if there is no job

	Create(ctx context.Context, id string, record []byte) error // errExists if there is one
	Record(ctx context.Context, id string) ([]byte, error)      // nil if there is none
	Replace(ctx context.Context, id string, record []byte) error

	Upload(ctx context.Context, sum string, content io.Reader) error
	Object(ctx context.Context, sum string) (io.ReadCloser, error)
	Delete(ctx context.Context, sum string) error

	Tell(ctx context.Context, news []byte) error // sends news to the coordinator
	Hear(func(news []byte)) error                // receives the news of the workers
	End(ctx context.Context) error               // tells the workers that the session has ended
}

// A delivery is a job that a worker has received. The server delivers it again unless the worker
// acknowledges it or renews the lease.
type delivery interface {
	Data() []byte
	Number() int // 1 for the first delivery of the job
	Ack() error
	Renew() error
	GiveBack(delay time.Duration) error
}

// A stock lists what the server holds for a session.
type stock struct {
	jobs    map[string]bool
	objects map[string]bool
	spent   bool // whether the server delivers none of the jobs again, because each was delivered deliveriesMax times
}

var (
	errExists = errors.New("the job has a result already")
	errLost   = errors.New("a stream or bucket is missing")
	errStop   = errors.New("the exchange is no longer needed")
)

const (
	answer = 5 * time.Second // limit for each exchange with the server
	again  = time.Second     // pause before an exchange is repeated
)

// insist exchanges something with the server. It tries again until that succeeds, ctx is cancelled
// or patience has passed.
func insist(ctx context.Context, patience time.Duration, exchange func(context.Context) error) error {
	for began := time.Now(); ; pause(ctx, again) {
		limited, cancel := context.WithTimeout(ctx, answer)
		err := exchange(limited)
		cancel()
		if err == nil || errors.Is(err, errExists) || errors.Is(err, errStop) || ctx.Err() != nil || time.Since(began) >= patience {
			return err
		}
	}
}
