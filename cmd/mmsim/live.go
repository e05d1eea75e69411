package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"mmsim/reports"
	"mmsim/sim"
)

// Limits of --live.
const (
	liveSpeedMax   = 1_000_000
	liveViewersMax = 32
	liveBacklog    = 4 // steps that a slow viewer may be behind before it misses some
)

// liveStepEvery is about how often a step is shown, in wall time.
const liveStepEvery = 100 * time.Millisecond

// A watcher makes an observer for a run of which it is told what there is to know
// before.
type watcher func(reports.Setup) sim.Observer

// liveServer shows a run on a page while it is simulated, at a speed of its own: the
// simulation waits for the clock, and for nobody else. Pages of another origin are
// refused, so that no web site can look on through its visitors' browsers.
type liveServer struct {
	host     string // as told, for the address of the page
	speed    float64
	ctx      context.Context // of the run: when it is cancelled nothing waits any more
	listener net.Listener
	server   *http.Server
	page     []byte
	step     time.Duration // simulated
	started  time.Time
	steps    int
	ended    chan struct{}

	mutex   sync.Mutex
	viewers map[chan []byte]bool
	last    []byte // the step shown last
}

// listenLive reserves an address. Without a host it is the loopback.
func listenLive(ctx context.Context, address string, speed float64) (*liveServer, error) {
	if !(speed > 0 && speed <= liveSpeedMax) {
		return nil, badInputf("--live-speed %g: expected more than 0 and at most %d simulated seconds in a second", speed, liveSpeedMax)
	}
	if !strings.Contains(address, ":") {
		address = ":" + address
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, badInputf("--live %s: expected an address such as 8080 or 127.0.0.1:8080", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, badInputf("--live %s: %w; expected an address that is free, such as 8080 or 127.0.0.1:8080", strings.TrimPrefix(address, ":"), err)
	}
	l := &liveServer{
		host: host, speed: speed, ctx: ctx, listener: listener,
		ended: make(chan struct{}), viewers: map[chan []byte]bool{},
	}
	l.step = max(1, time.Duration(speed*liveStepEvery.Minutes()+0.5)) * time.Minute
	return l, nil
}

// address is where the page is.
func (l *liveServer) address() string {
	port := l.listener.Addr().(*net.TCPAddr).Port
	return fmt.Sprintf("http://%s/", net.JoinHostPort(l.host, fmt.Sprint(port)))
}

// watch begins to serve the page. It is a watcher.
func (l *liveServer) watch(setup reports.Setup) sim.Observer {
	live := reports.NewLive(setup, coast(), simSpan(l.step), l.show)
	var page bytes.Buffer
	if err := live.WritePage(&page); err != nil {
		panic("the live page cannot be written: " + err.Error())
	}
	l.page = page.Bytes()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", l.servePage)
	mux.HandleFunc("GET /"+reports.EventsPath, l.serveEvents)
	l.server = &http.Server{Handler: l.sameOrigin(mux), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		// It ends when stop is called. A run does not fail with its spectators.
		_ = l.server.Serve(l.listener)
	}()
	return live
}

// show waits until it is time for the next step and shows it to everybody.
func (l *liveServer) show(text []byte) {
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
		default: // too slow: the next step is as good
		}
	}
}

// stop tells the viewers that the run has ended, and frees the address.
func (l *liveServer) stop() {
	close(l.ended)
	if l.server == nil {
		_ = l.listener.Close() // nobody ever connected
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if l.server.Shutdown(ctx) != nil {
		_ = l.server.Close()
	}
}

// sameOrigin refuses requests that a page of another origin makes, or one that reached
// this address by a name of its own.
func (l *liveServer) sameOrigin(next http.Handler) http.Handler {
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

func (l *liveServer) servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(l.page) // a viewer who has gone misses nothing
}

// serveEvents streams the steps to one viewer: the last one at once, then as they come.
func (l *liveServer) serveEvents(w http.ResponseWriter, r *http.Request) {
	steps := make(chan []byte, liveBacklog)
	if !l.admit(steps) {
		http.Error(w, "too many viewers", http.StatusServiceUnavailable)
		return
	}
	defer l.dismiss(steps)
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(event string) error {
		_, err := w.Write([]byte(event))
		return errors.Join(err, http.NewResponseController(w).Flush())
	}
	err := send(": here the steps begin\n\n")
	for err == nil {
		select {
		case step := <-steps:
			err = send("data: " + string(step) + "\n\n")
		case <-l.ended:
			err = errors.Join(send("event: end\ndata: end\n\n"), http.ErrServerClosed)
		case <-r.Context().Done():
			return
		}
	}
}

func (l *liveServer) admit(viewer chan []byte) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.viewers) >= liveViewersMax {
		return false
	}
	l.viewers[viewer] = true
	if l.last != nil {
		viewer <- l.last
	}
	return true
}

func (l *liveServer) dismiss(viewer chan []byte) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	delete(l.viewers, viewer)
}
