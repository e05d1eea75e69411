package matchmaker

import (
	"context"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"mmsim/matcher/external/exchange"
)

// entry is a line of a recording.
type entry struct {
	Queue string         `json:"queue"`
	Run   uint64         `json:"run"`
	To    jsontext.Value `json:"to,omitzero"`
	From  jsontext.Value `json:"from,omitzero"`
}

// A Recorder records one or more exchanges, which may run concurrently. mmsim can later answer from
// the recording instead of the matchmaker (--matcher replay:FILE).
//
// A recording has one line of JSON for each message. It has the message's queue and run, and
// the message itself: under "to" if it was sent to the matchmaker, and under "from" if it was
// the answer.
type Recorder struct {
	mutex sync.Mutex
	to    io.Writer
	err   error // the first error
	begun bool  // it has recorded a message
}

// NewRecorder returns a Recorder that writes to the given writer.
func NewRecorder(to io.Writer) *Recorder { return &Recorder{to: to} }

// Err returns the first error that occurred in writing.
func (r *Recorder) Err() error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.err
}

// HasBegun reports whether the Recorder has recorded a message.
func (r *Recorder) HasBegun() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.begun
}

// Wrap returns a Matcher that calls m and records the exchange.
func (r *Recorder) Wrap(m exchange.Matcher) exchange.Matcher {
	return &recorded{Matcher: m, recorder: r}
}

// recorded is a matchmaker whose exchange is recorded.
type recorded struct {
	exchange.Matcher
	recorder *Recorder
	head     []byte // text with which this exchange's lines begin
	writer   *exchange.Writer
}

// Hello implements exchange.Matcher.
func (m *recorded) Hello(ctx context.Context, h *exchange.Hello) (*exchange.HelloAnswer, error) {
	m.head, m.writer = headOf(h), exchange.NewWriter(h)
	line, err := m.writer.Hello(h)
	if err != nil {
		return nil, err
	}
	m.write("to", line)
	answer, err := m.Matcher.Hello(ctx, h)
	if err == nil {
		m.write("from", answer.Line())
	}
	return answer, err
}

// Pass implements exchange.Matcher.
func (m *recorded) Pass(ctx context.Context, p *exchange.Pass) (*exchange.Answer, error) {
	m.write("to", m.writer.Pass(p))
	answer, err := m.Matcher.Pass(ctx, p)
	if err == nil {
		m.write("from", answer.Line())
	}
	return answer, err
}

// write records a message. side is "to" or "from".
func (m *recorded) write(side string, line []byte) {
	r := m.recorder
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.err != nil {
		return
	}
	r.begun = true
	text := append(append(append([]byte(nil), m.head...), `,"`+side+`":`...), line[:len(line)-1]...)
	_, r.err = r.to.Write(append(text, "}\n"...))
}
