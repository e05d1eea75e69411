package matchmaker

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"mmsim/cmd/mmsim/input"
	"mmsim/matcher/external/exchange"
	"mmsim/reports/words"
)

// headOf returns the text with which the recorded lines of an exchange begin.
func headOf(h *exchange.Hello) []byte {
	name, _ := jsontext.AppendQuote([]byte(`{"queue":`), h.Queue) // invalid UTF-8 in a name becomes U+FFFD
	return strconv.AppendUint(append(name, `,"run":`...), h.Run, 10)
}

// replayed is a matchmaker that answers from a recording.
type replayed struct {
	lines
	name   string
	file   *os.File
	from   *bufio.Reader
	number int    // of the last line read
	head   []byte // text with which this exchange's lines begin
}

func openRecording(_ context.Context, o Options) (exchange.Matcher, error) {
	if err := input.CheckFixed(o.Target); err != nil {
		return nil, err
	}
	f, err := os.Open(o.Target)
	if err != nil {
		return nil, input.Error(input.Shown(o.Target), err)
	}
	m := &replayed{name: input.Shown(o.Target), file: f, from: bufio.NewReaderSize(f, 1<<16)}
	m.lines = lines{ask: m.answer, unreadable: func(_ []byte, err error) error { return m.errorf("%w", err) }}
	return m, nil
}

// Close implements exchange.Matcher.
func (m *replayed) Close(string) error { return m.file.Close() }

// Hello implements exchange.Matcher.
func (m *replayed) Hello(ctx context.Context, h *exchange.Hello) (*exchange.HelloAnswer, error) {
	m.head = append(headOf(h), ',')
	answer, err := m.lines.Hello(ctx, h)
	if err == nil { // the recording contains only changes
		answer.Full = false
		m.writer.Full(false)
	}
	return answer, err
}

// errorf returns an error about the line that was read last.
func (m *replayed) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", m.name, m.number, fmt.Errorf(format, args...))
}

// answer returns the recorded answer to a message. The message must be the next one in the
// recording.
func (m *replayed) answer(_ context.Context, line []byte, _ exchange.LineLimit) ([]byte, error) {
	sent, err := m.next()
	if err != nil {
		return nil, err
	}
	line = line[:len(line)-1]
	if !bytes.Equal(sent.To, line) {
		return nil, m.errorf("the recording is of another day or other settings: %s", difference(sent.To, line))
	}
	got, err := m.next()
	if err != nil {
		return nil, err
	}
	if got.From == nil {
		return nil, m.errorf("expected the answer to the message before")
	}
	return got.From, nil
}

// next reads the next line of this exchange. It skips those of other exchanges.
func (m *replayed) next() (*entry, error) {
	for {
		line, err := m.from.ReadBytes('\n')
		m.number++
		switch {
		case len(line) > exchange.MaxLine:
			return nil, m.errorf("a line of more than %d MB (MaxLine)", exchange.MaxLine>>20)
		case err == io.EOF && len(line) == 0:
			return nil, m.errorf("the recording ends here, before the day does; expected one of the same length, queue and replication")
		case err != nil && err != io.EOF:
			return nil, m.errorf("%w", err)
		case !bytes.HasPrefix(line, m.head):
			if !bytes.HasPrefix(line, []byte(`{"queue":`)) {
				return nil, m.errorf("not a line of a recording: %s", shown(line))
			}
			continue
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, m.errorf("not a line of a recording: %w", err)
		}
		return &e, nil
	}
}

// aroundBytes is the number of bytes to show before and after the first difference between two
// texts.
const aroundBytes = 40

// difference shows the first difference between two texts.
func difference(recorded, now []byte) string {
	at := 0
	for at < min(len(recorded), len(now)) && recorded[at] == now[at] {
		at++
	}
	return fmt.Sprintf("recorded %s, now %s", around(recorded, at), around(now, at))
}

func around(text []byte, at int) string {
	from, to := max(0, at-aroundBytes), min(len(text), at+aroundBytes)
	cut := shown(text[min(from, to):to])
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(text) {
		cut += "…"
	}
	return cut
}

// shown formats a text for a message.
func shown(text []byte) string {
	return words.Printable(string(text[:min(len(text), 4*aroundBytes)]))
}
