package matchmaker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"mmsim/matcher/external/exchange"
)

// answering returns a conn to a matchmaker that always writes the same text, and what the
// matchmaker receives.
func answering(text string) (*conn, *strings.Builder) {
	written := &strings.Builder{}
	return newConn(strings.NewReader(text), written, func() {}, nil), written
}

// mmsim sends a line and reads the answer in turn. The last line announces the end of the
// exchange.
func TestLines(t *testing.T) {
	c, written := answering("{\"hello\":1,\"name\":\"n\",\"full\":true}\n")
	h := &exchange.Hello{Datacenters: []string{"a"}, Match: exchange.Match{Min: 2, Max: 2}}
	hello, err := c.Hello(t.Context(), h)
	if err != nil || hello.Name != "n" || !hello.Full {
		t.Fatalf("hello: got %+v (error %v), want name n and full", hello, err)
	}
	c.from.Reset(strings.NewReader("{\"matches\":[{\"tickets\":[\"t1\"]}]}\n"))
	ticket := &exchange.Ticket{ID: "t1", Players: []exchange.Player{{ID: "p1"}}}
	answer, err := c.Pass(t.Context(), &exchange.Pass{Number: 1, Datacenter: exchange.AllDatacenters, Waiting: []*exchange.Ticket{ticket}})
	if err != nil || len(answer.Matches) != 1 {
		t.Fatalf("pass: got %+v (error %v), want one match", answer, err)
	}
	if want := (exchange.Cost{Messages: 2, Bytes: len(strings.SplitAfter(written.String(), "\n")[1]) + len("{\"matches\":[{\"tickets\":[\"t1\"]}]}\n")}); answer.Cost != want {
		t.Errorf("got cost %+v, want the two lines, %+v", answer.Cost, want)
	}
	if err := c.Bye("done"); err != nil {
		t.Fatal(err)
	}
	list := strings.Split(strings.TrimSuffix(written.String(), "\n"), "\n")
	if len(list) != 3 || !strings.HasPrefix(list[0], `{"hello":1,`) || !strings.Contains(list[1], `"add":[{"id":"t1"`) || list[2] != `{"bye":"done"}` {
		t.Errorf("got messages %q, want hello, a pass with all waiting tickets, and bye", list)
	}
}

// The error about an answer quotes the beginning of its line. Unprintable characters are
// escaped.
func TestFaultyLines(t *testing.T) {
	long := strings.Repeat("x", 300)
	for name, test := range map[string]struct{ input, want string }{
		"an end":                   {"", "it ended without an answer"},
		"half a line":              {`{"matches":[]}`, "it ended without an answer"},
		"twice":                    {"{}\n{\"a\":\"\x1b\"}\n", `it answered more than once; the rest is: {"a":"\u001b"}\n`},
		"words":                    {"hello\x1b[2J\n", `expected a JSON object in one line, got: hello\u001b[2J`},
		"a long line":              {long + "\n", "got: " + long[:200] + "…"},
		"an error in its own text": {"{\"error\":\"no map\"}\n", `it reported an error: "no map"`},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := answering(test.input)
			c.writer = exchange.NewWriter(&exchange.Hello{})
			pass := func() error {
				_, err := c.Pass(t.Context(), &exchange.Pass{Datacenter: exchange.AllDatacenters})
				return err
			}
			err := pass()
			if name == "twice" && err == nil { // the second answer is noticed before the next pass
				err = pass()
			}
			if test.want == "" != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), test.want) && !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("got error %v, want %s", err, test.want)
			}
		})
	}
}

// An exchange that is cancelled or exceeds its time limit reports the cause.
func TestLinesUntilCancelled(t *testing.T) {
	late := errors.New("no answer within 1s")
	ctx, cancel := context.WithCancelCause(t.Context())
	from, to := io.Pipe()
	c := newConn(from, io.Discard, func() { to.Close() }, nil) // ending the program ends its output
	c.writer = exchange.NewWriter(&exchange.Hello{})
	go cancel(late)
	for range 2 { // during a read, and before a write
		if _, err := c.Pass(ctx, &exchange.Pass{Datacenter: exchange.AllDatacenters}); !errors.Is(err, late) {
			t.Errorf("got error %v, want %v", err, late)
		}
	}
}

// The limit also applies to lines that mmsim sends.
func TestSentLinesAreLimited(t *testing.T) {
	c, written := answering("{}\n")
	c.writer = exchange.NewWriter(&exchange.Hello{})
	p := &exchange.Pass{Datacenter: exchange.AllDatacenters}
	name := strings.Repeat("x", 1<<20)
	for n := range 65 {
		p.Added = append(p.Added, &exchange.Ticket{ID: fmt.Sprint(name, n)})
	}
	_, err := c.Pass(t.Context(), p)
	if err == nil || err.Error() != "its next message would be longer than 64 MB (MaxLine): too many tickets wait" || written.Len() > 0 {
		t.Errorf("got error %v and %d bytes written, want the limit of 64 MB and none written", err, written.Len())
	}
}

// endless is a matchmaker that writes a line without an end.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.read += len(p)
	return len(p), nil
}

// A hello that is too long is refused when the limit is reached, not when the line ends.
func TestHelloIsReadUpToItsLimit(t *testing.T) {
	from := &endless{}
	_, err := newConn(from, io.Discard, func() {}, nil).Hello(t.Context(), &exchange.Hello{})
	if !errors.Is(err, exchange.HelloLimit.Err) || from.read > exchange.MaxHello+1<<17 {
		t.Errorf("got error %v after %d bytes, want %v after little more than the limit", err, from.read, exchange.HelloLimit.Err)
	}
}
