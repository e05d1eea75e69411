package workers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// A session is a coordinator's data on a server. It has a stream of jobs, a bucket of records,
// and an object store for inputs and large results. One subject announces the end of the
// session, and another carries the workers' notes. The name of the session depends on the
// result directory, so that a restarted coordinator finds earlier results.
//
// Each start creates a new stream. An acknowledgement refers to a job by its number in the
// stream. A late acknowledgement from before a restart must not remove a job from the new
// stream.
type session struct {
	name    string
	jobs    jetstream.Stream
	queue   jetstream.Consumer
	records jetstream.KeyValue
	objects jetstream.ObjectStore
	build   Build // build that does the jobs
}

// Names on the server. The names of streams and buckets must not contain dots.
const (
	streamPrefix   = "mmsim-jobs-"
	subjectPrefix  = "mmsim.jobs."
	endPrefix      = "mmsim.end."
	notePrefix     = "mmsim.note."
	recordsPrefix  = "mmsim-records-"
	objectsPrefix  = "mmsim-objects-"
	consumerName   = "workers"
	disputePrefix  = "dispute."
	recordPrefix   = "job."
	versionKey     = "mmsim-version"
	systemKey      = "mmsim-system"
	binaryKey      = "mmsim-binary"
	sessionNameLen = 16
)

// A server that cannot create a stream is asked createTries times, with pauses of createPause.
const (
	createTries = 5
	createPause = 50 * time.Millisecond
)

// sessionName returns the name of the session for a result directory on this machine. If dir
// is empty, it returns a new name each time.
func sessionName(dir string) string {
	if dir == "" {
		return nuid.Next()
	}
	host, _ := os.Hostname() // if this fails, machines with equal directories share a session
	if real, err := filepath.Abs(dir); err == nil {
		dir = real
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	sum := sha256.Sum256([]byte(host + "\x00" + dir))
	return hex.EncodeToString(sum[:])[:sessionNameLen]
}

// subject returns the subject of the session's jobs.
func (s *session) subject() string { return subjectPrefix + s.name }

// newSession creates a session on the server. If an earlier coordinator of the same directory
// left a session, newSession removes its jobs and keeps its records and objects.
func newSession(ctx context.Context, js jetstream.JetStream, name string, build Build, storage jetstream.StorageType, lease time.Duration) (*session, error) {
	s := &session{name: name, build: build}
	if err := s.removeStreams(ctx, js); err != nil {
		return nil, err
	}
	var err error
	if s.jobs, err = created(ctx, js.CreateStream, jetstream.StreamConfig{
		Name: streamPrefix + name + "-" + nuid.Next(), Subjects: []string{s.subject()},
		Retention: jetstream.WorkQueuePolicy, Storage: storage, MaxAge: keptFor, MaxMsgSize: entryBytesMax,
		Metadata: map[string]string{versionKey: build.Version, systemKey: build.System, binaryKey: build.SHA256},
	}); err != nil {
		return nil, err
	}
	if s.records, err = created(ctx, js.CreateOrUpdateKeyValue, jetstream.KeyValueConfig{Bucket: recordsPrefix + name, Storage: storage, TTL: keptFor, MaxValueSize: entryBytesMax}); err != nil {
		return nil, err
	}
	if s.objects, err = created(ctx, js.CreateOrUpdateObjectStore, jetstream.ObjectStoreConfig{Bucket: objectsPrefix + name, Storage: storage, TTL: keptFor}); err != nil {
		return nil, err
	}
	// The consumer is created last, so that a worker that finds it finds everything else.
	s.queue, err = s.jobs.CreateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxDeliver: -1, MaxAckPending: -1,
	})
	return s, err
}

// created calls create, and calls it again if the server cannot create the stream: when the last
// stream of an account is deleted, the server removes the account's folder in the background, and a
// stream cannot be created at that moment.
func created[C, T any](ctx context.Context, create func(context.Context, C) (T, error), config C) (T, error) {
	for range createTries - 1 {
		made, err := create(ctx, config)
		var failure *jetstream.APIError
		if !errors.As(err, &failure) || failure.ErrorCode != jetstream.ErrorCode(server.JSStreamCreateErrF) {
			return made, err
		}
		select {
		case <-time.After(createPause):
		case <-ctx.Done():
			return made, err
		}
	}
	return create(ctx, config)
}

// removeStreams removes the streams of the session.
func (s *session) removeStreams(ctx context.Context, js jetstream.JetStream) error {
	names := js.StreamNames(ctx, jetstream.WithStreamListSubject(s.subject()))
	for name := range names.Name() {
		if err := js.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	return names.Err()
}

// remove removes everything that belongs to the session from the server.
func (s *session) remove(ctx context.Context, js jetstream.JetStream) error {
	list := []error{s.removeStreams(ctx, js), js.DeleteKeyValue(ctx, recordsPrefix+s.name), js.DeleteObjectStore(ctx, objectsPrefix+s.name)}
	return errors.Join(slices.DeleteFunc(list, func(err error) bool { return errors.Is(err, jetstream.ErrBucketNotFound) })...)
}

// openSessions updates known, a worker's sessions by the names of their streams. It adds
// sessions that are new on the server, and removes sessions that are gone.
func openSessions(ctx context.Context, js jetstream.JetStream, known map[string]*session) error {
	seen := map[string]bool{}
	list := js.ListStreams(ctx, jetstream.WithStreamListSubject(subjectPrefix+"*"))
	for info := range list.Info() {
		stream := info.Config.Name
		rest, isOurs := strings.CutPrefix(stream, streamPrefix)
		name, _, hasStart := strings.Cut(rest, "-")
		if !isOurs || !hasStart {
			continue
		}
		seen[stream] = true
		if known[stream] != nil {
			continue
		}
		s, err := openSession(ctx, js, stream, name)
		if err != nil {
			seen[stream] = false // skip the session this time: it is being created or removed
			continue
		}
		s.build = Build{info.Config.Metadata[versionKey], info.Config.Metadata[systemKey], info.Config.Metadata[binaryKey]}
		known[stream] = s
	}
	for stream := range known {
		if !seen[stream] {
			delete(known, stream)
		}
	}
	return list.Err()
}

// openSession opens a session that a coordinator has created.
func openSession(ctx context.Context, js jetstream.JetStream, stream, name string) (*session, error) {
	s := &session{name: name}
	var err error
	if s.jobs, err = js.Stream(ctx, stream); err != nil {
		return nil, err
	}
	if s.queue, err = s.jobs.Consumer(ctx, consumerName); err != nil {
		return nil, err
	}
	if s.records, err = js.KeyValue(ctx, recordsPrefix+name); err != nil {
		return nil, err
	}
	s.objects, err = js.ObjectStore(ctx, objectsPrefix+name)
	return s, err
}

// connect connects to a server. The NATS library restores a lost connection.
func connect(url string, options ...nats.Option) (*nats.Conn, jetstream.JetStream, error) {
	options = append(options, nats.Name("mmsim"), nats.MaxReconnects(-1), nats.ReconnectWait(500*time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 500*time.Millisecond))
	nc, err := nats.Connect(url, options...)
	if err != nil {
		return nil, nil, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, nil, fmt.Errorf("JetStream: %w", err)
	}
	return nc, js, nil
}
