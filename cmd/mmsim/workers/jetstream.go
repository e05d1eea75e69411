package workers

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names on the server. The names of streams and buckets must not contain dots.
const (
	jobsPrefix    = "mmsim-jobs-"
	recordsPrefix = "mmsim-records-"
	objectsPrefix = "mmsim-objects-"
	subjectPrefix = "mmsim.jobs." // then SESSION.BUILD.KIND.JOB
	newsPrefix    = "mmsim.news."
	endPrefix     = "mmsim.end."
	buildKey      = "mmsim-build"
	leaseKey      = "mmsim-lease"
)

// replicasMax is the maximum number of copies that a cluster keeps of a session.
const replicasMax = 3

// jetServer is a NATS server with JetStream.
type jetServer struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	storage jetstream.StorageType
}

// jetHub is a session on a NATS server with JetStream.
//
// The name of a job is part of its subject. So the server can list the jobs, and it rejects a job
// that it already has. A message ID could not do that: the server would also reject a job that was
// purged and is put back.
type jetHub struct {
	jetServer
	session
	records jetstream.KeyValue
	objects jetstream.ObjectStore
	queues  map[string]jetstream.Consumer // by kind
}

// Sessions returns the sessions on the server by name.
func (j jetServer) Sessions(ctx context.Context) (map[string]session, error) {
	found := map[string]session{}
	list := j.js.ListStreams(ctx, jetstream.WithStreamListSubject(subjectPrefix+">"))
	for info := range list.Info() {
		name, isOurs := strings.CutPrefix(info.Config.Name, jobsPrefix)
		lease, err := time.ParseDuration(info.Config.Metadata[leaseKey])
		if isOurs && err == nil {
			found[name] = session{name, info.Config.Metadata[buildKey], lease}
		}
	}
	return found, list.Err()
}

// Open opens a session that a coordinator has created.
func (j jetServer) Open(ctx context.Context, s session) (_ hub, err error) {
	h := &jetHub{jetServer: j, session: s, queues: map[string]jetstream.Consumer{}}
	if h.records, err = h.js.KeyValue(ctx, recordsPrefix+s.name); err != nil {
		return nil, err
	}
	if h.objects, err = h.js.ObjectStore(ctx, objectsPrefix+s.name); err != nil {
		return nil, err
	}
	for _, kind := range kinds {
		if h.queues[kind], err = h.js.Consumer(ctx, jobsPrefix+s.name, kind); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func (j jetServer) OnEnd(ended func(string)) error {
	_, err := j.nc.Subscribe(endPrefix+"*", func(m *nats.Msg) { ended(strings.TrimPrefix(m.Subject, endPrefix)) })
	return err
}

// subject returns the subject of a job, or of all jobs of a kind if the id is "*". A version may
// contain any characters, so its hash stands for it.
func (h *jetHub) subject(kind, id string) string {
	return fmt.Sprintf("%s%s.%.16s.%s.%s", subjectPrefix, h.name, idOf([]byte(h.build)), kind, id)
}

// Ensure creates streams, buckets and queues that are missing, with as many copies as the server
// allows.
func (h *jetHub) Ensure(ctx context.Context) error {
	for replicas := replicasMax; ; replicas-- {
		err := h.ensure(ctx, replicas)
		if replicas == 1 || !hasCode(err, jetstream.ErrorCode(server.JSStreamReplicasNotSupportedErr), jetstream.ErrorCode(server.JSClusterNoPeersErrF)) {
			return err
		}
	}
}

func (h *jetHub) ensure(ctx context.Context, replicas int) (err error) {
	if h.records, err = h.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: recordsPrefix + h.name, Storage: h.storage, Replicas: replicas, TTL: keptFor, MaxValueSize: entryBytesMax}); err != nil {
		return err
	}
	if h.objects, err = h.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: objectsPrefix + h.name, Storage: h.storage, Replicas: replicas, TTL: keptFor}); err != nil {
		return err
	}
	// The jobs come last, so that a worker that finds them finds everything else.
	jobs, err := h.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: jobsPrefix + h.name, Subjects: []string{subjectPrefix + h.name + ".>"},
		Retention: jetstream.WorkQueuePolicy, Storage: h.storage, Replicas: replicas, MaxAge: keptFor, MaxMsgSize: entryBytesMax,
		Metadata: map[string]string{buildKey: h.build, leaseKey: h.lease.String()},
	})
	for _, kind := range kinds {
		if err == nil {
			_, err = jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
				Durable: kind, FilterSubject: h.subject(kind, "*"), AckPolicy: jetstream.AckExplicitPolicy,
				AckWait: h.lease, MaxDeliver: deliveriesMax, MaxAckPending: -1,
			})
		}
	}
	return err
}

// Remove removes the session from the server.
func (h *jetHub) Remove(ctx context.Context) error {
	var list []error
	for _, err := range []error{h.js.DeleteStream(ctx, jobsPrefix+h.name), h.js.DeleteKeyValue(ctx, recordsPrefix+h.name), h.js.DeleteObjectStore(ctx, objectsPrefix+h.name)} {
		if !isMissing(err) {
			list = append(list, err)
		}
	}
	return errors.Join(list...)
}

// Stock lists what the server holds.
func (h *jetHub) Stock(ctx context.Context) (*stock, error) {
	s := &stock{jobs: map[string]bool{}, objects: map[string]bool{}, spent: true}
	jobs, err := h.subjects(ctx, jobsPrefix+h.name, subjectPrefix+h.name+".>")
	if err != nil {
		return nil, err
	}
	for subject := range jobs {
		s.jobs[subject[strings.LastIndexByte(subject, '.')+1:]] = true
	}
	if _, err := h.subjects(ctx, "KV_"+recordsPrefix+h.name, "none"); err != nil {
		return nil, err
	}
	objects, err := h.subjects(ctx, "OBJ_"+objectsPrefix+h.name, "$O."+objectsPrefix+h.name+".M.>")
	if err != nil {
		return nil, err
	}
	for subject := range objects {
		name, err := base64.URLEncoding.DecodeString(subject[strings.LastIndexByte(subject, '.')+1:])
		if err == nil {
			s.objects[string(name)] = true
		}
	}
	for _, kind := range kinds {
		queue, err := h.js.Consumer(ctx, jobsPrefix+h.name, kind)
		if err != nil {
			return nil, lost(err)
		}
		info := queue.CachedInfo()
		s.spent = s.spent && info.NumPending == 0 && info.NumAckPending == 0
	}
	return s, nil
}

// subjects returns the subjects of a stream that match a filter.
func (h *jetHub) subjects(ctx context.Context, name, filter string) (map[string]uint64, error) {
	stream, err := h.js.Stream(ctx, name)
	if err != nil {
		return nil, lost(err)
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return nil, lost(err)
	}
	return info.State.Subjects, nil
}

// lost returns errLost if err says that a part of the session is missing.
func lost(err error) error {
	if isMissing(err) {
		return errLost
	}
	return err
}

func isMissing(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound)
}

// hasCode reports whether err is an error of JetStream with one of the codes.
func hasCode(err error, codes ...jetstream.ErrorCode) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		for _, code := range codes {
			if api.ErrorCode == code {
				return true
			}
		}
	}
	return false
}

func (h *jetHub) Publish(ctx context.Context, kind, id string, text []byte) error {
	_, err := h.js.Publish(ctx, h.subject(kind, id), text, jetstream.WithExpectLastSequencePerSubject(0))
	if hasCode(err, jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant) {
		return nil // the queue has the job
	}
	return err
}

func (h *jetHub) Withdraw(ctx context.Context, kind, id string) error {
	stream, err := h.js.Stream(ctx, jobsPrefix+h.name)
	switch {
	case err != nil:
		return lost(err)
	case id == "":
		return stream.Purge(ctx)
	}
	return stream.Purge(ctx, jetstream.WithPurgeSubject(h.subject(kind, id)))
}

func (h *jetHub) Take(_ context.Context, kind string, wait time.Duration) (delivery, error) {
	var batch jetstream.MessageBatch
	var err error
	if wait > 0 {
		batch, err = h.queues[kind].Fetch(1, jetstream.FetchMaxWait(wait))
	} else {
		batch, err = h.queues[kind].FetchNoWait(1)
	}
	if err != nil {
		return nil, err
	}
	for m := range batch.Messages() {
		return jetDelivery{m}, nil
	}
	return nil, batch.Error()
}

func (h *jetHub) Create(ctx context.Context, id string, record []byte) error {
	_, err := h.records.Create(ctx, id, record)
	if errors.Is(err, jetstream.ErrKeyExists) || hasCode(err, jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant) {
		return errExists
	}
	return err
}

func (h *jetHub) Record(ctx context.Context, id string) ([]byte, error) {
	entry, err := h.records.Get(ctx, id)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return entry.Value(), nil
}

func (h *jetHub) Replace(ctx context.Context, id string, record []byte) error {
	if record == nil {
		return h.records.Purge(ctx, id)
	}
	_, err := h.records.Put(ctx, id, record)
	return err
}

func (h *jetHub) Upload(ctx context.Context, sum string, content io.Reader) error {
	_, err := h.objects.Put(ctx, jetstream.ObjectMeta{Name: sum}, content)
	return err
}

func (h *jetHub) Object(ctx context.Context, sum string) (io.ReadCloser, error) {
	return h.objects.Get(ctx, sum)
}

func (h *jetHub) Delete(ctx context.Context, sum string) error {
	if err := h.objects.Delete(ctx, sum); !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	return nil
}

func (h *jetHub) Tell(ctx context.Context, news []byte) error {
	if err := h.nc.Publish(newsPrefix+h.name, news); err != nil {
		return err
	}
	return h.nc.FlushWithContext(ctx)
}

func (h *jetHub) Hear(heard func([]byte)) error {
	_, err := h.nc.Subscribe(newsPrefix+h.name, func(m *nats.Msg) { heard(m.Data) })
	return err
}

func (h *jetHub) End(ctx context.Context) error {
	if err := h.nc.Publish(endPrefix+h.name, nil); err != nil {
		return err
	}
	return h.nc.FlushWithContext(ctx)
}

// jetDelivery is a message with a job.
type jetDelivery struct{ jetstream.Msg }

func (d jetDelivery) Number() int {
	if about, err := d.Metadata(); err == nil {
		return int(about.NumDelivered)
	}
	return 1
}

func (d jetDelivery) Renew() error                       { return d.InProgress() }
func (d jetDelivery) GiveBack(delay time.Duration) error { return d.NakWithDelay(delay) }
