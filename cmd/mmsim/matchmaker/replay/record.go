// Package replay records the exchange with a matchmaker, and answers from a recording in
// place of the matchmaker: replay:FILE.
//
// A recording has a line of JSON for each message: the queue and the replication that it
// is about, and the message itself, under "to" for the matchmaker's side and under "from"
// for its answer.
package replay

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

// A Recorder writes exchanges down, of several queues and replications at once.
type Recorder struct {
	mutex sync.Mutex
	to    io.Writer
	err   error // the first
}

// NewRecorder returns a recorder that writes to a file.
func NewRecorder(to io.Writer) *Recorder { return &Recorder{to: to} }

// Err returns the first error of writing.
func (r *Recorder) Err() error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.err
}

// Wrap records what a matchmaker is told and what it answers.
func (r *Recorder) Wrap(m exchange.Matcher) exchange.Matcher {
	return &recorded{Matcher: m, recorder: r}
}

// recorded is a matchmaker whose exchange is written down.
type recorded struct {
	exchange.Matcher
	recorder *Recorder
	head     []byte // of its entries
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

// write writes a message.
func (m *recorded) write(side string, line []byte) {
	r := m.recorder
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.err != nil {
		return
	}
	text := append(append(append([]byte(nil), m.head...), `,"`+side+`":`...), line[:len(line)-1]...)
	_, r.err = r.to.Write(append(text, "}\n"...))
}
