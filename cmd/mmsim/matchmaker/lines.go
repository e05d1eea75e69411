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

// A conn exchanges lines of JSON with a matchmaker: it sends messages to a writer and reads answers
// from a reader. It implements exchange.Matcher except Close.
type conn struct {
	to     io.Writer
	from   *bufio.Reader
	abort  func()
	writer *exchange.Writer
	line   []byte // the last line read
}

// newConn returns a conn. abort must make all current and later reads and writes return at once.
// It may be called at any time, by any goroutine and more than once.
func newConn(from io.Reader, to io.Writer, abort func()) *conn {
	return &conn{to: to, from: bufio.NewReaderSize(from, 1<<16), abort: abort}
}

// Hello implements exchange.Matcher.
func (c *conn) Hello(ctx context.Context, h *exchange.Hello) (*exchange.HelloAnswer, error) {
	c.writer = exchange.NewWriter(h)
	line, err := c.writer.Hello(h)
	if err != nil {
		return nil, err
	}
	if err := c.ask(ctx, line, exchange.HelloLimit); err != nil {
		return nil, err
	}
	answer, err := exchange.ReadHello(c.line)
	if err != nil {
		return nil, c.unreadable(err)
	}
	c.writer.Full(answer.Full)
	return answer, nil
}

// Pass implements exchange.Matcher.
func (c *conn) Pass(ctx context.Context, p *exchange.Pass) (*exchange.Answer, error) {
	line := c.writer.Pass(p)
	if err := c.ask(ctx, line, exchange.AnswerLimit); err != nil {
		return nil, err
	}
	answer, err := exchange.ReadAnswer(c.line)
	if err != nil {
		return nil, c.unreadable(err)
	}
	answer.Cost.Add(len(line))
	answer.Cost.Add(len(c.line) + 1) // with the newline
	return answer, nil
}

// Bye tells the matchmaker why the exchange ends. The matchmaker does not answer.
func (c *conn) Bye(why string) error {
	_, err := c.to.Write(new(exchange.Writer).Bye(why))
	return err
}

// unreadable adds the last line that was read to an error about the content of that line.
func (c *conn) unreadable(err error) error {
	if reported := (*exchange.ReportedError)(nil); errors.As(err, &reported) {
		return err
	}
	return fmt.Errorf("%w, got: %s", err, shownLine(c.line))
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

// ask sends a line and reads the answer, of limited length, to c.line.
func (c *conn) ask(ctx context.Context, line []byte, limit exchange.LineLimit) error {
	if c.from.Buffered() > 0 {
		more, _ := c.from.Peek(min(c.from.Buffered(), shownBytes))
		return fmt.Errorf("it answered more than once; the rest is: %s", shownLine(more))
	}
	if len(line) > exchange.MaxLine {
		return fmt.Errorf("its next message would be longer than %d MB (MaxLine): too many tickets wait", exchange.MaxLine>>20)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	stop := context.AfterFunc(ctx, c.abort)
	defer stop()
	_, err := c.to.Write(line)
	if err == nil {
		err = c.read(limit)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, limit.Err):
		return err
	}
	return errEnded
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
