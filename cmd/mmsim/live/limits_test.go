package live

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/input"
	"mmsim/reports/figure"
)

// Only addresses of this machine are allowed, and the speed must be within its limits.
func TestLiveAddressesAndSpeeds(t *testing.T) {
	for _, address := range []string{"0", ":0", "127.0.0.1:0", "127.8.9.10:0", "localhost:0", "[::1]:0"} {
		l, err := Listen(t.Context(), address, 3600, noCoast)
		if err != nil {
			if address == "[::1]:0" && !strings.Contains(err.Error(), "expected an address of this machine") {
				continue // some machines do not have IPv6
			}
			t.Errorf("%s: %v", address, err)
			continue
		}
		l.Stop()
	}
	for _, address := range []string{"0.0.0.0", "0.0.0.0:0", "0.0.0.0:8080", "::", "[::]", "192.0.2.1", "[::]:0", "192.0.2.1:0", "10.0.0.1:0", "example.org:0", "[fe80::1]:0",
		"127.0.0.1.example.org:0", "localhost.:0", "2130706433:0"} {
		_, err := Listen(t.Context(), address, 3600, noCoast)
		if !input.IsBad(err) || !strings.Contains(err.Error(), "expected an address of this machine only") ||
			!strings.Contains(err.Error(), "ssh -L ") {
			t.Errorf("%s: got error %v, want one that suggests an SSH tunnel", address, err)
		}
	}
	for _, address := range []string{"", "abc", "localhost", "127.0.0.1", "99999", "localhost:99999", "a:b:c"} {
		if _, err := Listen(t.Context(), address, 3600, noCoast); !input.IsBad(err) || !strings.Contains(err.Error(), "such as 8080 or localhost:8080") {
			t.Errorf("%s: got error %v, want one with an example address", address, err)
		}
	}
	for _, speed := range []float64{SpeedMin, SpeedMax} {
		l, err := Listen(t.Context(), "0", speed, noCoast)
		if err != nil {
			t.Fatal(err)
		}
		l.Stop()
	}
}

func noCoast() figure.Coast { return nil }

// serveLive starts a server with the given timeouts that shows steps at once.
func serveLive(t *testing.T, timeouts timeouts) *Server {
	t.Helper()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	l, err := Listen(over, "0", 3600, noCoast)
	if err != nil {
		t.Fatal(err)
	}
	l.timeouts = timeouts
	l.serve([]byte("the page"))
	t.Cleanup(l.Stop)
	return l
}

// dialLive connects and sends the beginning of a request.
func dialLive(t *testing.T, l *Server, request string) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", l.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, strings.ReplaceAll(request, "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	return conn.(*net.TCPConn)
}

// A client is disconnected if it sends no request, an incomplete request, a header without the
// body, or no second request.
func TestLiveClosesIdleConnections(t *testing.T) {
	l := serveLive(t, timeouts{request: 50 * time.Millisecond, idle: 50 * time.Millisecond, write: 50 * time.Millisecond})
	for _, request := range []string{
		"",
		"GET / HTTP/1.1\nHost: localhost\n",
		"POST / HTTP/1.1\nHost: localhost\nContent-Length: 10\n\n",
		"GET / HTTP/1.1\nHost: localhost\n\n",
	} {
		conn := dialLive(t, l, request)
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second)) // cannot fail: the connection is open
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%q: want the server to close the connection, got %v", request, err)
		}
	}
	l = serveLive(t, defaultTimeouts)
	conn := dialLive(t, l, "GET / HTTP/1.1\nHost: localhost\nX-Long: "+strings.Repeat("x", 4*headerBytes)+"\n\n")
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("%d bytes of headers: got response %v (error %v), want status 431", 4*headerBytes, response, err)
	}
}

// A stream lasts as long as its client reads, even if steps are rare.
func TestLiveStreamOutlivesTimeouts(t *testing.T) {
	timeouts := timeouts{request: 500 * time.Millisecond, idle: 500 * time.Millisecond, write: 500 * time.Millisecond}
	l := serveLive(t, timeouts)
	events := bufio.NewScanner(fetch(t, "http://"+l.listener.Addr().String()+"/events", "", "").Body)
	time.Sleep(timeouts.request + 10*time.Millisecond) // the server's own deadlines have passed
	for i := range 2 {
		l.show(fmt.Appendf(nil, "data: %d\n\n", i))
		want := fmt.Sprintf("data: %d", i)
		for events.Scan() && !strings.HasPrefix(events.Text(), "data") {
		}
		if events.Text() != want {
			t.Fatalf("got %q, want %q: %v", events.Text(), want, events.Err())
		}
	}
}

// A client that does not read is disconnected, and its backlog is freed.
func TestLiveDropsStalledReaders(t *testing.T) {
	l := serveLive(t, timeouts{request: 10 * time.Second, idle: 10 * time.Second, write: 50 * time.Millisecond})
	conn := dialLive(t, l, "GET /events HTTP/1.1\nHost: localhost\n\n")
	_ = conn.SetReadBuffer(4096) // a smaller buffer fills sooner
	watching := func() int {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		return len(l.viewers)
	}
	for watching() == 0 {
		time.Sleep(time.Millisecond)
	}
	step := bytes.Repeat([]byte("x"), 1<<20)
	for deadline := time.Now().Add(10 * time.Second); watching() > 0; time.Sleep(time.Millisecond) {
		l.show(step)
		if time.Now().After(deadline) {
			t.Fatal("the slow reader is still connected at the deadline, want it disconnected")
		}
	}
}

// Requests from pages of another origin are rejected.
func TestLiveRefusesOtherPages(t *testing.T) {
	l := serveLive(t, defaultTimeouts)
	url := l.Address()
	for _, c := range []struct {
		path, host, origin string
		want               int
	}{
		{"", "", "", http.StatusOK},
		{"", "", "http://elsewhere.example", http.StatusForbidden},
		{"events", "", "null", http.StatusForbidden},
		{"", "elsewhere.example", "", http.StatusForbidden},
		{"secret", "", "", http.StatusNotFound},
		{"", "", strings.TrimSuffix(url, "/"), http.StatusOK},
	} {
		if got := fetch(t, url+c.path, c.host, c.origin).StatusCode; got != c.want {
			t.Errorf("%+v: got status %d, want %d", c, got, c.want)
		}
	}
}

// The numbers of viewers and connections are limited.
func TestLiveIsBounded(t *testing.T) {
	l := serveLive(t, defaultTimeouts)
	for range viewersMax {
		fetch(t, "http://"+l.listener.Addr().String()+"/events", "", "")
	}
	if got := fetch(t, "http://"+l.listener.Addr().String()+"/events", "", "").StatusCode; got != http.StatusServiceUnavailable {
		t.Errorf("viewer %d: got status %d, want 503", viewersMax+1, got)
	}

	// Further connections up to the limit, and one more, which is answered only when another one ends.
	var open []net.Conn
	for range connectionsMax - viewersMax { // the refused viewer has a connection, too
		c, err := net.Dial("tcp", l.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		open = append(open, c)
	}
	last, answer := open[len(open)-1], make([]byte, len("HTTP/1.1 200"))
	fmt.Fprint(last, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	_ = last.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	if n, err := last.Read(answer); err == nil {
		t.Errorf("connection %d: got the answer %q, want none before another one ends", connectionsMax+1, answer[:n])
	}
	open[0].Close()
	_ = last.SetReadDeadline(time.Now().Add(30 * time.Second))
	if _, err := io.ReadFull(last, answer); err != nil || string(answer) != "HTTP/1.1 200" {
		t.Errorf("got the answer %q (error %v), want status 200 after another connection ended", answer, err)
	}
}

// fetch requests a page, with another Host or Origin if they are given.
func fetch(t *testing.T, url, host, origin string) *http.Response {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		request.Host = host
	}
	if origin != "" {
		request.Header.Set("Origin", origin)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}
