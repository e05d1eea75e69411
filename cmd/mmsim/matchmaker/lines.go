package matchmaker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"mmsim/matcher/external/exchange"
	"mmsim/reports/words"
)

// lines is an exchange in lines of JSON. It implements exchange.Matcher except Close.
type lines struct {
	// ask sends a message and returns the answer, a line of limited length without its end, which is
	// valid until the next call.
	ask        func(ctx context.Context, line []byte, limit exchange.LineLimit) ([]byte, error)
	unreadable func(answer []byte, err error) error // adds to an error about the content of an answer
	explain    func(error) error                    // ends the matchmaker after an error, and adds to it; nil to do neither
	writer     *exchange.Writer
}

// Hello implements exchange.Matcher.
func (l *lines) Hello(ctx context.Context, h *exchange.Hello) (*exchange.HelloAnswer, error) {
	l.writer = exchange.NewWriter(h)
	line, err := l.writer.Hello(h)
	if err != nil {
		return nil, err
	}
	answer, _, err := answered(ctx, l, line, exchange.HelloLimit, exchange.ReadHello)
	if err == nil {
		l.writer.Full(answer.Full)
	}
	return answer, err
}

// Pass implements exchange.Matcher.
func (l *lines) Pass(ctx context.Context, p *exchange.Pass) (*exchange.Answer, error) {
	line := l.writer.Pass(p)
	answer, bytes, err := answered(ctx, l, line, exchange.AnswerLimit, exchange.ReadAnswer)
	if err == nil {
		answer.Cost.Add(len(line))
		answer.Cost.Add(bytes + 1) // with the newline
	}
	return answer, err
}

// answered sends a message, and returns the answer and the length of its line.
func answered[A any](ctx context.Context, l *lines, line []byte, limit exchange.LineLimit, read func([]byte) (*A, error)) (answer *A, bytes int, err error) {
	from, err := l.ask(ctx, line, limit)
	if err == nil {
		if answer, err = read(from); err != nil {
			err = l.unreadable(from, err)
		}
	}
	if err != nil && l.explain != nil {
		err = l.explain(err)
	}
	if err != nil {
		return nil, 0, err
	}
	return answer, len(from), nil
}

// A conn exchanges lines with a matchmaker: it sends messages to a writer and reads answers from a
// reader.
type conn struct {
	lines
	to    io.Writer
	from  *bufio.Reader
	abort func()
	line  []byte // the last line read
}

// newConn returns a conn. abort must make all current and later reads and writes return at once.
// It may be called at any time, by any goroutine and more than once. explain is that of lines.
func newConn(from io.Reader, to io.Writer, abort func(), explain func(error) error) *conn {
	c := &conn{to: to, from: bufio.NewReaderSize(from, 1<<16), abort: abort}
	c.lines = lines{ask: c.exchange, unreadable: quoting, explain: explain}
	return c
}

// Bye tells the matchmaker why the exchange ends. The matchmaker does not answer.
func (c *conn) Bye(why string) error {
	_, err := c.to.Write(new(exchange.Writer).Bye(why))
	return err
}

// quoting adds an answer to an error about its content.
func quoting(answer []byte, err error) error {
	if reported := (*exchange.ReportedError)(nil); errors.As(err, &reported) {
		return err
	}
	return fmt.Errorf("%w, got: %s", err, shownLine(answer))
}

// shownBytes is the maximum number of bytes of a line that a message shows.
const shownBytes = 200

// shownLine formats a line for a message.
func shownLine(line []byte) string {
	if len(line) > shownBytes {
		return words.Printable(string(line[:shownBytes])) + "…"
	}
	return words.Printable(string(line))
}

// errEnded is the error for a matchmaker that closes its output.
var errEnded = errors.New("it ended without an answer")

// exchange sends a line and reads the answer.
func (c *conn) exchange(ctx context.Context, line []byte, limit exchange.LineLimit) ([]byte, error) {
	if c.from.Buffered() > 0 {
		more, _ := c.from.Peek(min(c.from.Buffered(), shownBytes))
		return nil, fmt.Errorf("it answered more than once; the rest is: %s", shownLine(more))
	}
	if len(line) > exchange.MaxLine {
		return nil, fmt.Errorf("its next message would be longer than %d MB (MaxLine): too many tickets wait", exchange.MaxLine>>20)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	stop := context.AfterFunc(ctx, c.abort)
	defer stop()
	_, err := c.to.Write(line)
	if err == nil {
		err = c.read(limit)
	}
	switch {
	case err == nil:
		return c.line, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, limit.Err):
		return nil, err
	}
	return nil, errEnded
}

// read reads a line to c.line.
func (c *conn) read(limit exchange.LineLimit) error {
	c.line = c.line[:0]
	for {
		part, err := c.from.ReadSlice('\n')
		c.line = append(c.line, part...)
		switch {
		case len(c.line) > limit.Bytes:
			return limit.Err
		case err == nil:
			c.line = c.line[:len(c.line)-1]
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}
