package workers

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"mmsim/cmd/mmsim/workers/hub"
)

// model is a small model of JetStream: a server for the sessions of coordinators, and their hub.
// TestModel holds it to the real server. It may lose news, answer late or not at all,
// and deliver jobs that a worker is doing.
type model struct {
	mutex    sync.Mutex
	random   *rand.Rand
	late     time.Duration // exchanges take up to this long
	unlucky  float64       // share of exchanges whose answer is lost, and of news that are lost
	isDown   bool          // whether it answers nothing
	sessions map[string]*modelSession
	ends     []func(string)
}

// modelSession is what the server holds for a session. The maps are nil if the stream or bucket
// does not exist.
type modelSession struct {
	hub.Session
	number  int
	jobs    map[string]*modelJob
	records map[string][]byte
	objects map[string][]byte
	hear    func([]byte)

	hasNoQueues bool // whether the queues are deleted, but not the jobs in them
}

// isWhole reports whether all parts exist.
func (s *modelSession) isWhole() bool {
	return s.jobs != nil && s.records != nil && s.objects != nil && !s.hasNoQueues
}

type modelJob struct {
	kind      string
	text      []byte
	number    int // order of publication
	delivered int
	free      time.Time // when it may be delivered again
}

// modelHub is the model as a process sees it.
type modelHub struct {
	*model
	session hub.Session
	isDead  *bool // whether the process was killed; guarded by model.mutex
}

func newModel(seed uint64) *model {
	return &model{random: rand.New(rand.NewPCG(seed, 0)), sessions: map[string]*modelSession{}}
}

var errNoAnswer = errors.New("no answer")

// exchange calls do with the session, as an exchange of messages that may be late or fail. The
// effect may happen although the answer is lost.
func (h modelHub) exchange(ctx context.Context, do func(*modelSession) error) error {
	ctx, cancel := context.WithTimeout(ctx, hub.Answer)
	defer cancel()
	h.mutex.Lock()
	isLost, isHeard := h.random.Float64() < h.unlucky, h.random.IntN(2) == 0
	if h.late > 0 { // a timer of no time on a virtual clock can crash Go's race detector
		late := 1 + time.Duration(h.random.Int64N(int64(h.late)))
		h.mutex.Unlock()
		hub.Pause(ctx, late)
		h.mutex.Lock()
	}
	isLost = isLost || h.isDown || *h.isDead || ctx.Err() != nil
	var err error
	if !h.isDown && !*h.isDead && (!isLost || isHeard) {
		s := h.sessions[h.session.Name]
		if s == nil {
			s = &modelSession{Session: h.session}
			h.sessions[h.session.Name] = s
		}
		err = do(s)
	}
	h.mutex.Unlock()
	if isLost {
		<-ctx.Done()
		return errNoAnswer
	}
	return err
}

func (h modelHub) Sessions(ctx context.Context) (found map[string]hub.Session, err error) {
	found = map[string]hub.Session{}
	err = h.exchange(ctx, func(*modelSession) error {
		for name, s := range h.sessions {
			if s.jobs != nil {
				found[name] = s.Session
			}
		}
		return nil
	})
	return found, err
}

func (h modelHub) Open(ctx context.Context, s hub.Session) (hub.Hub, error) {
	h.session = s
	return h, h.exchange(ctx, func(m *modelSession) error {
		if !m.isWhole() {
			return hub.ErrLost
		}
		return nil
	})
}

func (h modelHub) OnEnd(ended func(string)) error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.ends = append(h.ends, ended)
	return nil
}

func (h modelHub) Ensure(ctx context.Context) error {
	return h.exchange(ctx, func(m *modelSession) error {
		if m.jobs == nil {
			m.jobs = map[string]*modelJob{}
		}
		if m.records == nil {
			m.records = map[string][]byte{}
		}
		if m.objects == nil {
			m.objects = map[string][]byte{}
		}
		if m.hasNoQueues { // new ones know of no delivery
			for id, j := range m.jobs {
				m.jobs[id] = &modelJob{kind: j.kind, text: j.text, number: j.number}
			}
		}
		m.hasNoQueues = false
		return nil
	})
}

func (h modelHub) Remove(ctx context.Context) error {
	return h.exchange(ctx, func(m *modelSession) error {
		m.jobs, m.records, m.objects = nil, nil, nil
		return nil
	})
}

func (h modelHub) Stock(ctx context.Context) (s *hub.Stock, err error) {
	err = h.exchange(ctx, func(m *modelSession) error {
		if !m.isWhole() {
			return hub.ErrLost
		}
		s = &hub.Stock{Jobs: map[string]bool{}, Objects: map[string]bool{}, Spent: true}
		for id, j := range m.jobs {
			s.Jobs[id] = true
			s.Spent = s.Spent && j.delivered >= hub.DeliveriesMax && time.Now().After(j.free)
		}
		for sum := range m.objects {
			s.Objects[sum] = true
		}
		return nil
	})
	return s, err
}

func (h modelHub) Publish(ctx context.Context, kind, id string, text []byte) (isNew bool, err error) {
	err = h.exchange(ctx, func(m *modelSession) error {
		if m.jobs == nil {
			return hub.ErrLost
		}
		if isNew = m.jobs[id] == nil; isNew {
			m.number++
			m.jobs[id] = &modelJob{kind: kind, text: text, number: m.number}
		}
		return nil
	})
	return isNew && err == nil, err
}

func (h modelHub) Withdraw(ctx context.Context, _, id string) error {
	return h.exchange(ctx, func(m *modelSession) error {
		if m.jobs == nil {
			return hub.ErrLost
		}
		if id == "" {
			clear(m.jobs)
		}
		delete(m.jobs, id)
		return nil
	})
}

func (h modelHub) Take(ctx context.Context, kind string, wait time.Duration) (d hub.Delivery, err error) {
	for end := time.Now().Add(wait); ; {
		err = h.exchange(ctx, func(m *modelSession) error {
			if m.jobs == nil || m.hasNoQueues {
				return hub.ErrLost
			}
			var next *modelJob
			isEager := h.random.Float64() < h.unlucky // delivers a job that a worker is doing
			for _, j := range m.jobs {
				isFree := j.delivered < hub.DeliveriesMax && (isEager || !time.Now().Before(j.free))
				if j.kind == kind && isFree && (next == nil || j.number < next.number) {
					next = j
				}
			}
			if next != nil {
				next.delivered++
				next.free = time.Now().Add(m.Lease)
				d = modelDelivery{h, next, next.delivered}
			}
			return nil
		})
		if err != nil {
			return nil, err // a delivery whose message was lost counts
		}
		if d != nil || !time.Now().Before(end) || ctx.Err() != nil {
			return d, nil
		}
		hub.Pause(ctx, 100*time.Millisecond)
	}
}

func (h modelHub) Create(ctx context.Context, id string, record []byte) error {
	return h.exchange(ctx, func(m *modelSession) error {
		if m.records == nil {
			return hub.ErrLost
		}
		if m.records[id] != nil {
			return hub.ErrExists
		}
		m.records[id] = record
		return nil
	})
}

func (h modelHub) Record(ctx context.Context, id string) (record []byte, err error) {
	err = h.exchange(ctx, func(m *modelSession) error {
		if m.records == nil {
			return hub.ErrLost
		}
		record = slices.Clone(m.records[id])
		return nil
	})
	return record, err
}

func (h modelHub) Replace(ctx context.Context, id string, record []byte) error {
	return h.exchange(ctx, func(m *modelSession) error {
		if m.records == nil {
			return hub.ErrLost
		}
		if m.records[id] = record; record == nil {
			delete(m.records, id)
		}
		return nil
	})
}

func (h modelHub) Upload(ctx context.Context, sum string, content io.Reader) error {
	text, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	return h.exchange(ctx, func(m *modelSession) error {
		if m.objects == nil {
			return hub.ErrLost
		}
		m.objects[sum] = text
		return nil
	})
}

func (h modelHub) Object(ctx context.Context, sum string) (content io.ReadCloser, err error) {
	err = h.exchange(ctx, func(m *modelSession) error {
		text := m.objects[sum]
		if text == nil {
			return hub.ErrLost
		}
		content = io.NopCloser(bytes.NewReader(text))
		return nil
	})
	return content, err
}

func (h modelHub) Delete(ctx context.Context, sum string) error {
	return h.exchange(ctx, func(m *modelSession) error {
		if m.objects[sum] != nil {
			m.objects[sum] = nil // its name stays
		}
		return nil
	})
}

func (h modelHub) Tell(news []byte) error {
	var hear func([]byte)
	err := h.exchange(context.Background(), func(m *modelSession) error {
		hear = m.hear
		return nil
	})
	if hear != nil && err == nil {
		hear(news)
	}
	return err
}

func (h modelHub) Hear(hear func([]byte)) error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.sessions[h.session.Name].hear = hear
	return nil
}

func (h modelHub) End() error {
	err := h.exchange(context.Background(), func(*modelSession) error { return nil })
	if err == nil {
		for _, ended := range h.ends {
			ended(h.session.Name)
		}
	}
	return err
}

// modelDelivery is a job that a worker has received. Acknowledgements have no answer.
type modelDelivery struct {
	hub    modelHub
	job    *modelJob
	number int
}

func (d modelDelivery) Data() []byte { return d.job.text }

func (d modelDelivery) Metadata() (*jetstream.MsgMetadata, error) {
	return &jetstream.MsgMetadata{NumDelivered: uint64(d.number)}, nil
}

// signal calls do if the server hears it and still has the job.
func (d modelDelivery) signal(do func(s *modelSession)) error {
	d.hub.mutex.Lock()
	defer d.hub.mutex.Unlock()
	s := d.hub.sessions[d.hub.session.Name]
	if id := hub.Hash(d.job.text); s.jobs[id] == d.job && !d.hub.isDown && !*d.hub.isDead && d.hub.random.Float64() >= d.hub.unlucky {
		do(s)
	}
	return nil
}

func (d modelDelivery) Ack() error {
	return d.signal(func(s *modelSession) { delete(s.jobs, hub.Hash(d.job.text)) })
}

func (d modelDelivery) InProgress() error {
	return d.signal(func(s *modelSession) { d.job.free = time.Now().Add(s.Lease) })
}

func (d modelDelivery) NakWithDelay(delay time.Duration) error {
	return d.signal(func(*modelSession) { d.job.free = time.Now().Add(delay) })
}
