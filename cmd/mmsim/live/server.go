// Package live shows a run on a web page while it is simulated.
package live

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports/figure"
	"mmsim/reports/present/page"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Limits of --live.
const (
	SpeedMin       = 0.01
	SpeedMax       = 1_000_000
	viewersMax     = 32
	connectionsMax = 2 * viewersMax // a browser opens one for the page and one for the steps; without a limit, clients could use up the files that mmsim may open
	backlog        = 4              // number of steps that a slow viewer may be behind before it misses some
	headerBytes    = 8 << 10        // limit for the headers of a request
)

// timeouts limits how long a client can keep a connection that it does not use. There are
// limits for an incomplete request (request), for the time between requests (idle), and for a
// client that does not read (write). The limit end is for viewers who have not disconnected
// after the run.
type timeouts struct{ request, idle, write, end time.Duration }

var defaultTimeouts = timeouts{request: 10 * time.Second, idle: 30 * time.Second, write: 10 * time.Second, end: 3 * time.Second}

// stepEvery is the approximate interval between steps in real time. At a low speed, it is
// longer, because a step is at least one simulated minute.
const stepEvery = 100 * time.Millisecond

// Server shows a run on a web page while it is simulated at a given speed. To keep this speed,
// the simulation waits for the clock, but it never waits for a viewer.
//
// The page has no password. Server accepts connections only from this machine, and no requests
// from pages of another origin. Otherwise, a web site could read the page through the user's
// browser.
type Server struct {
	host     string // as the user wrote it, for the address of the page
	speed    float64
	coast    func() figure.Coast
	ctx      context.Context // of the run; cancelling it stops all waiting
	listener net.Listener
	server   *http.Server
	page     []byte
	step     time.Duration // length of a step in simulated time
	started  time.Time
	steps    int
	ended    chan struct{}
	end      ending
	timeouts timeouts

	mutex   sync.Mutex
	viewers map[chan []byte]bool
	last    []byte // events of the last step that was shown
}

// checkSpeed rejects a speed at which a run would end at once or take forever.
func checkSpeed(speed float64) error {
	if !(speed >= SpeedMin && speed <= SpeedMax) {
		return input.Badf("--live-speed %g: expected %g to %d simulated seconds per second", speed, SpeedMin, SpeedMax)
	}
	return nil
}

// loopback splits an address into host and port. It returns an error if other machines can
// reach the address. The default host is 127.0.0.1.
func loopback(address string) (host, port string, err error) {
	if _, err := strconv.ParseUint(address, 10, 16); err == nil {
		address = ":" + address
	}
	host, port, err = net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]") // there is no port
	}
	ip := net.ParseIP(host)
	local := host == "" || host == "localhost" || ip != nil && ip.IsLoopback()
	switch {
	case !local && (err == nil || ip != nil):
		return "", "", notLoopback(address, port)
	case err != nil:
		return "", "", input.Badf("--live %s: expected a port of this machine, such as 8080 or localhost:8080", address)
	}
	return cmp.Or(host, "127.0.0.1"), port, nil
}

// notLoopback returns the error for an address that other machines can reach.
func notLoopback(address, port string) error {
	port = cmp.Or(port, "8080")
	return terminal.Hinted(input.Badf("--live %s: expected an address of this machine only, such as %s, localhost:%[2]s or [::1]:%[2]s: the page has no password", address, port),
		"To watch from another machine, use --live %[1]s here and open an SSH tunnel there:\n  ssh -L %[1]s:127.0.0.1:%[1]s HOST", port)
}

// Listen starts to listen on an address of this machine. coast returns the coastlines for the
// map.
func Listen(ctx context.Context, address string, speed float64, coast func() figure.Coast) (*Server, error) {
	if err := checkSpeed(speed); err != nil {
		return nil, err
	}
	host, port, err := loopback(address)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, input.Badf("--live %s: %w; expected a port that is free, such as 8080 or localhost:8080", address, err)
	}
	if !listener.Addr().(*net.TCPAddr).IP.IsLoopback() { // a hosts file may map localhost to another address
		_ = listener.Close() // no client knows the address yet
		return nil, notLoopback(address, port)
	}
	l := &Server{
		host: host, speed: speed, coast: coast, ctx: ctx, listener: netutil.LimitListener(listener, connectionsMax),
		ended: make(chan struct{}), viewers: map[chan []byte]bool{}, timeouts: defaultTimeouts,
	}
	l.step = max(1, time.Duration(float64(speed*stepEvery.Minutes())+0.5)) * time.Minute
	return l, nil
}

// Address returns the address of the page.
func (l *Server) Address() string {
	port := l.listener.Addr().(*net.TCPAddr).Port
	return fmt.Sprintf("http://%s/", net.JoinHostPort(l.host, fmt.Sprint(port)))
}

// Watch starts to serve the page and returns the observer that feeds it.
func (l *Server) Watch(run setup.Run) sim.Observer {
	waits := newWaits()
	live := page.NewLive(run, l.coast(), config.SimSpan(l.step), func(step []byte) {
		l.show(fmt.Appendf(waits.event(), "data: %s\n\n", step))
	})
	var text bytes.Buffer
	if err := live.WritePage(&text); err != nil {
		panic("the live page cannot be written: " + err.Error())
	}
	l.serve(text.Bytes())
	return &watcher{live, waits}
}

// serve starts to serve the page and the steps. text is the page.
func (l *Server) serve(text []byte) {
	l.page = text
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", l.servePage)
	mux.HandleFunc("GET /"+page.EventsPath, l.serveEvents)
	l.server = &http.Server{
		Handler:     l.sameOrigin(mux),
		ReadTimeout: l.timeouts.request, WriteTimeout: l.timeouts.write, IdleTimeout: l.timeouts.idle,
		MaxHeaderBytes: headerBytes,
		ErrorLog:       log.New(io.Discard, "", 0), // the log would print text from clients on the user's terminal
	}
	go func() {
		// Serve returns when Stop is called. Its errors must not fail the run.
		_ = l.server.Serve(l.listener)
	}()
}

// ending is the last event, which is sent after the run.
type ending struct {
	Complete bool   `json:"complete"`
	Folder   string `json:"folder"`           // "" if there are no results
	Report   []byte `json:"report,omitempty"` // page about the result, compressed with gzip
}

// Conclude sets the result's folder and page, which viewers get at the end. They get the
// content of the page because the server ends with the run, and a page from the network cannot
// open files.
func (l *Server) Conclude(folder string, complete bool) error {
	l.end = ending{Complete: complete, Folder: input.Shown(folder)}
	page, err := os.ReadFile(filepath.Join(folder, results.PageFile))
	switch {
	case errors.Is(err, fs.ErrNotExist): // output.html is off
		return nil
	case err != nil:
		return err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(page); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	l.end.Report = packed.Bytes()
	return nil
}

// show waits until the next step is due and sends its events to all viewers.
func (l *Server) show(text []byte) {
	if l.steps == 0 {
		l.started = time.Now()
	}
	due := time.Duration(float64(l.steps) * float64(l.step) / l.speed)
	l.steps++
	select {
	case <-time.After(time.Until(l.started.Add(due))):
	case <-l.ctx.Done():
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.last = text
	for viewer := range l.viewers {
		select {
		case viewer <- text:
		default: // the viewer is too slow and misses this step
		}
	}
}

// Stop tells viewers that the run has ended, and frees the address.
func (l *Server) Stop() {
	close(l.ended)
	if l.server == nil {
		_ = l.listener.Close() // Watch was not called, so there are no clients
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), l.timeouts.end)
	defer cancel()
	if l.server.Shutdown(ctx) != nil {
		_ = l.server.Close()
	}
}

// sameOrigin rejects requests from pages of another origin, and requests that use another host
// name for this address.
func (l *Server) sameOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		own := host == l.host || host == "localhost" || net.ParseIP(host) != nil
		if origin := r.Header.Get("Origin"); !own || origin != "" && origin != "http://"+r.Host {
			http.Error(w, "another origin", http.StatusForbidden)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("X-Frame-Options", "DENY")
		h.Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

func (l *Server) servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(l.page) // an error means that the viewer has disconnected
}

// serveEvents streams steps to a viewer until the run ends. It begins with the step that was
// shown last. A viewer that does not read for the write timeout is disconnected.
func (l *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	steps := make(chan []byte, backlog)
	if !l.admit(steps) {
		http.Error(w, fmt.Sprintf("too many viewers, at most %d can watch at once", viewersMax), http.StatusServiceUnavailable)
		return
	}
	defer l.dismiss(steps)
	w.Header().Set("Content-Type", "text/event-stream")
	connection := http.NewResponseController(w)
	send := func(event string) error {
		err := connection.SetWriteDeadline(time.Now().Add(l.timeouts.write))
		if err == nil {
			_, err = w.Write([]byte(event))
		}
		return errors.Join(err, connection.Flush())
	}
	// The request has been read. The read timeout must not end the stream.
	err := connection.SetReadDeadline(time.Time{})
	if err == nil {
		err = send(": here the steps begin\n\n")
	}
	var sent []byte
	for err == nil {
		select {
		case step := <-steps:
			sent, err = step, send(string(step))
		case <-l.ended:
			if last := l.lastStep(); !bytes.Equal(last, sent) { // skips steps that have not been sent yet
				err = send(string(last))
			}
			err = errors.Join(err, send("event: end\ndata: "+string(l.endText())+"\n\n"), http.ErrServerClosed)
		case <-r.Context().Done():
			return
		}
	}
}

func (l *Server) lastStep() []byte {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.last
}

func (l *Server) endText() []byte {
	text, err := json.Marshal(l.end)
	if err != nil {
		panic("live: the end has no JSON: " + err.Error())
	}
	return text
}

func (l *Server) admit(viewer chan []byte) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.viewers) >= viewersMax {
		return false
	}
	l.viewers[viewer] = true
	if l.last != nil {
		viewer <- l.last
	}
	return true
}

func (l *Server) dismiss(viewer chan []byte) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	delete(l.viewers, viewer)
}
