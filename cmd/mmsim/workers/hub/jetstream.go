package hub

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names on the server. The names of streams and buckets must not contain dots.
const (
	JobsPrefix    = "mmsim-jobs-"
	RecordsPrefix = "mmsim-records-"
	ObjectsPrefix = "mmsim-objects-"
	subjectPrefix = "mmsim.jobs." // then SESSION.BUILD.KIND.JOB
	newsPrefix    = "mmsim.news."
	endPrefix     = "mmsim.end."
	buildKey      = "mmsim-build"
	leaseKey      = "mmsim-lease"
)

// replicasMax is the maximum number of copies that a cluster keeps of a session.
const replicasMax = 3

// Jet is a session on a NATS server with JetStream.
//
// The name of a job is part of its subject. So the server can list the jobs, and it rejects a job
// that it already has. A message ID could not do that: the server would also reject a job that was
// purged and is put back.
type Jet struct {
	*Server
	Session
	records jetstream.KeyValue
	objects jetstream.ObjectStore
	queues  map[string]jetstream.Consumer // by kind
}

// Sessions returns the sessions on the server by name.
func (j *Server) Sessions(ctx context.Context) (map[string]Session, error) {
	if j.Conn.IsClosed() { // the library gives up only then
		return nil, fmt.Errorf("%w: %w", ErrRejected, j.Conn.LastError())
	}
	found := map[string]Session{}
	list := j.JS.ListStreams(ctx, jetstream.WithStreamListSubject(subjectPrefix+">"))
	for info := range list.Info() {
		name, isOurs := strings.CutPrefix(info.Config.Name, JobsPrefix)
		lease, err := time.ParseDuration(info.Config.Metadata[leaseKey])
		if isOurs && err == nil {
			found[name] = Session{name, info.Config.Metadata[buildKey], lease}
		}
	}
	return found, list.Err()
}

// Open opens a session that a coordinator has created.
func (j *Server) Open(ctx context.Context, s Session) (_ Hub, err error) {
	h := &Jet{Server: j, Session: s, queues: map[string]jetstream.Consumer{}}
	if h.records, err = h.JS.KeyValue(ctx, RecordsPrefix+s.Name); err != nil {
		return nil, err
	}
	if h.objects, err = h.JS.ObjectStore(ctx, ObjectsPrefix+s.Name); err != nil {
		return nil, err
	}
	for _, kind := range Kinds {
		if h.queues[kind], err = h.JS.Consumer(ctx, JobsPrefix+s.Name, kind); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// Hub returns the hub of a session that may not exist yet.
func (j *Server) Hub(s Session) *Jet { return &Jet{Server: j, Session: s} }

// OnEnd calls a function when a coordinator ends its session.
func (j *Server) OnEnd(ended func(string)) error {
	_, err := j.Conn.Subscribe(endPrefix+"*", func(m *nats.Msg) { ended(strings.TrimPrefix(m.Subject, endPrefix)) })
	return err
}

// Subject returns the subject of a job, or of all jobs of a kind if the id is "*". A version may
// contain any characters, so its hash stands for it.
func (h *Jet) Subject(kind, id string) string {
	return fmt.Sprintf("%s%s.%.16s.%s.%s", subjectPrefix, h.Name, Hash([]byte(h.Build)), kind, id)
}

// Ensure creates streams, buckets and queues that are missing, with as many copies as the server
// allows.
func (h *Jet) Ensure(ctx context.Context) error {
	for replicas := replicasMax; ; replicas-- {
		err := h.ensure(ctx, replicas)
		if replicas == 1 || !hasCode(err, jetstream.ErrorCode(server.JSStreamReplicasNotSupportedErr), jetstream.ErrorCode(server.JSClusterNoPeersErrF)) {
			return err
		}
	}
}

func (h *Jet) ensure(ctx context.Context, replicas int) error {
	records, err := h.JS.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: RecordsPrefix + h.Name, Storage: h.storage, Replicas: replicas, TTL: keptFor, MaxValueSize: EntryBytesMax})
	if err != nil {
		return err
	}
	objects, err := h.JS.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: ObjectsPrefix + h.Name, Storage: h.storage, Replicas: replicas, TTL: keptFor})
	if err != nil {
		return err
	}
	if h.records == nil { // they remain valid for buckets that are created again, and may be in use
		h.records, h.objects = records, objects
	}
	// The jobs come last, so that a worker that finds them finds everything else.
	jobs, err := h.JS.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: JobsPrefix + h.Name, Subjects: []string{subjectPrefix + h.Name + ".>"},
		Retention: jetstream.WorkQueuePolicy, Storage: h.storage, Replicas: replicas, MaxAge: keptFor, MaxMsgSize: EntryBytesMax,
		Metadata: map[string]string{buildKey: h.Build, leaseKey: h.Lease.String()},
	})
	for _, kind := range Kinds {
		if err == nil {
			_, err = jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
				Durable: kind, FilterSubject: h.Subject(kind, "*"), AckPolicy: jetstream.AckExplicitPolicy,
				AckWait: h.Lease, MaxDeliver: DeliveriesMax, MaxAckPending: -1,
			})
		}
	}
	return err
}

// Remove removes the session from the server.
func (h *Jet) Remove(ctx context.Context) error {
	var list []error
	for _, err := range []error{h.JS.DeleteStream(ctx, JobsPrefix+h.Name), h.JS.DeleteKeyValue(ctx, RecordsPrefix+h.Name), h.JS.DeleteObjectStore(ctx, ObjectsPrefix+h.Name)} {
		if lost(err) != ErrLost {
			list = append(list, err)
		}
	}
	return errors.Join(list...)
}

// Stock lists what the server holds.
func (h *Jet) Stock(ctx context.Context) (*Stock, error) {
	s := &Stock{Jobs: map[string]bool{}, Objects: map[string]bool{}, Spent: true}
	for stream, filter := range map[string]string{JobsPrefix + h.Name: ">", "KV_" + RecordsPrefix + h.Name: "none", "OBJ_" + ObjectsPrefix + h.Name: "$O.*.M.>"} {
		about, err := h.JS.Stream(ctx, stream)
		if err != nil {
			return nil, lost(err)
		}
		info, err := about.Info(ctx, jetstream.WithSubjectFilter(filter))
		if err != nil {
			return nil, lost(err)
		}
		for subject := range info.State.Subjects {
			name := subject[strings.LastIndexByte(subject, '.')+1:]
			if filter == ">" {
				s.Jobs[name] = true
			} else if object, err := base64.URLEncoding.DecodeString(name); err == nil {
				s.Objects[string(object)] = true
			}
		}
	}
	for _, kind := range Kinds {
		queue, err := h.JS.Consumer(ctx, JobsPrefix+h.Name, kind)
		if err != nil {
			return nil, lost(err)
		}
		info := queue.CachedInfo()
		s.Spent = s.Spent && info.NumPending == 0 && info.NumAckPending == 0
	}
	return s, nil
}

// lost returns ErrLost if err says that a part of the session is missing.
func lost(err error) error {
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) {
		return ErrLost
	}
	return err
}

// hasCode reports whether err is an error of JetStream with one of the codes.
func hasCode(err error, codes ...jetstream.ErrorCode) bool {
	api, is := errors.AsType[*jetstream.APIError](err)
	return is && slices.Contains(codes, api.ErrorCode)
}

// isThere reports whether err says that there is a message with the subject already.
func isThere(err error) bool {
	return hasCode(err, jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

func (h *Jet) Publish(ctx context.Context, kind, id string, text []byte) (isNew bool, err error) {
	_, err = h.JS.Publish(ctx, h.Subject(kind, id), text, jetstream.WithExpectLastSequencePerSubject(0))
	if isThere(err) {
		return false, nil
	}
	return err == nil, err
}

func (h *Jet) Withdraw(ctx context.Context, kind, id string) error {
	stream, err := h.JS.Stream(ctx, JobsPrefix+h.Name)
	switch {
	case err != nil:
		return lost(err)
	case id == "":
		return stream.Purge(ctx)
	}
	return stream.Purge(ctx, jetstream.WithPurgeSubject(h.Subject(kind, id)))
}

func (h *Jet) Take(_ context.Context, kind string, wait time.Duration) (Delivery, error) {
	m, err := h.queues[kind].Next(jetstream.FetchMaxWait(max(wait, time.Millisecond)))
	if errors.Is(err, nats.ErrTimeout) {
		return nil, nil
	}
	return m, err
}

func (h *Jet) Create(ctx context.Context, id string, record []byte) error {
	_, err := h.records.Create(ctx, id, record)
	if errors.Is(err, jetstream.ErrKeyExists) || isThere(err) {
		return ErrExists
	}
	return err
}

func (h *Jet) Record(ctx context.Context, id string) ([]byte, error) {
	entry, err := h.records.Get(ctx, id)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return entry.Value(), nil
}

func (h *Jet) Replace(ctx context.Context, id string, record []byte) error {
	if record == nil {
		return h.records.Purge(ctx, id)
	}
	_, err := h.records.Put(ctx, id, record)
	return err
}

func (h *Jet) Upload(ctx context.Context, sum string, content io.Reader) error {
	_, err := h.objects.Put(ctx, jetstream.ObjectMeta{Name: sum}, content)
	return err
}

func (h *Jet) Object(ctx context.Context, sum string) (io.ReadCloser, error) {
	return h.objects.Get(ctx, sum)
}

func (h *Jet) Delete(ctx context.Context, sum string) error {
	if err := h.objects.Delete(ctx, sum); !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	return nil
}

func (h *Jet) Tell(news []byte) error {
	if err := h.Conn.Publish(newsPrefix+h.Name, news); err != nil {
		return err
	}
	return h.Conn.FlushTimeout(leaving)
}

func (h *Jet) Hear(heard func([]byte)) error {
	_, err := h.Conn.Subscribe(newsPrefix+h.Name, func(m *nats.Msg) { heard(m.Data) })
	return err
}

func (h *Jet) End() error { return h.Conn.Publish(endPrefix+h.Name, nil) }
