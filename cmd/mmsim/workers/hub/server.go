package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
)

// serverStart is the maximum time that the built-in server may take to start.
const serverStart = 30 * time.Second

// ConnectionsMax is the maximum number of workers and strangers that are connected to the built-in
// server, so that they leave file descriptors for the results. The server closes the connections of
// strangers after TLSTimeout or AuthTimeout, which are in seconds.
const ConnectionsMax = 500

// Inside is the built-in server. It keeps everything in memory, because its data is useless
// once the coordinator has ended.
type Inside struct {
	server *server.Server
	secret *Secret
	shown  string // HOST:PORT for workers
	opened time.Time
}

// Connect connects this process to the server.
func (i *Inside) Connect() (Server, error) {
	j, err := connect("", jetstream.MemoryStorage, nats.InProcessServer(i.server), nats.Token(i.secret.Token))
	if err != nil {
		return j, fmt.Errorf("the built-in server: %w", err)
	}
	return j, nil
}

// Trusted returns the address of the server and a configuration that accepts only its certificate.
func (i *Inside) Trusted() (host string, c *tls.Config) {
	return i.shown, address{i.shown, fingerprintOf(i.secret.Certificate)}.tls()
}

// Command returns the command that starts a worker of the server.
func (i *Inside) Command() string {
	return TokenVariable + "=" + i.secret.Token + " mmsim worker " + address{i.shown, fingerprintOf(i.secret.Certificate)}.String()
}

// Serve starts a server at the given HOST:PORT. Workers need the secret to connect.
// memory limits the server's data in bytes, and 0 means three quarters of the machine's memory.
func Serve(at string, s *Secret, memory int64) (*Inside, error) {
	host, port, err := CheckServe(at)
	if err != nil {
		return nil, err
	}
	number, err := net.LookupPort("tcp", port)
	if err != nil {
		return nil, input.Badf("--serve %s: %w", at, err)
	}
	if number == 0 {
		number = server.RANDOM_PORT
	}
	if err := free(host, port); err != nil {
		return nil, input.Badf("--serve %s: %w", at, err)
	}
	secure, err := s.tls()
	if err != nil {
		return nil, err
	}
	folder, remove, err := resultdir.Scratch("mmsim-server")
	if err != nil {
		return nil, fmt.Errorf("the built-in server cannot start: %w", err)
	}
	defer remove() // streams in memory need the folder only at the start
	ns, err := server.NewServer(&server.Options{
		ServerName: "mmsim", Host: host, Port: number, NoSigs: true, NoLog: true,
		Authorization: s.Token, TLSConfig: secure, TLS: true, TLSHandshakeFirst: true, TLSTimeout: 10, AuthTimeout: 20,
		MaxConn: ConnectionsMax, MaxPayload: EntryBytesMax, MaxPending: 64 << 20,
		JetStream: true, StoreDir: folder, JetStreamMaxMemory: memory, DisableJetStreamBanner: true,
	})
	if err != nil {
		return nil, fmt.Errorf("the built-in server cannot start: %w", err)
	}
	ns.Start()
	if !ns.ReadyForConnections(serverStart) || !ns.JetStreamEnabled() {
		ns.Shutdown()
		ns.WaitForShutdown()
		return nil, errors.New("the built-in server does not start")
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		if host, err = os.Hostname(); err != nil {
			host = "localhost"
		}
	}
	bound := ns.Addr().(*net.TCPAddr).Port
	return &Inside{ns, s, net.JoinHostPort(host, strconv.Itoa(bound)), time.Now()}, nil
}

// free returns an error if the address cannot be listened on. The server itself reports such
// an error only in its log.
func free(host, port string) error {
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return err
	}
	return l.Close()
}

// workers returns the number of connections, except that of this process.
func (i *Inside) workers() int { return i.server.NumClients() - 1 }

// hadWorkers reports whether a worker has ever connected.
func (i *Inside) hadWorkers() bool {
	v, err := i.server.Varz(nil)
	return err == nil && v.TotalConnections > 1
}

// Stop stops the server.
func (i *Inside) Stop() {
	i.server.Shutdown()
	i.server.WaitForShutdown()
}

// Durations of dismissing workers.
const (
	leaving      = 3 * time.Second // how long workers may take to leave
	returningGap = 2 * time.Second // maximum time between two workers that reconnect, because each tries every second
)

// Dismiss waits until the workers have left. Workers of a killed coordinator may reconnect until
// returning has passed since the start of the server; otherwise they would try for minutes. A worker
// that has just reconnected has missed the end of the session, so Dismiss repeats it.
func (i *Inside) Dismiss(interrupted context.Context, returning time.Duration, end func(context.Context) error) {
	now := time.Now()
	seen, deadline := now, now.Add(leaving) // seen is when a worker was last connected
	for ; ; now = time.Now() {
		hasWorkers := i.workers() > 0
		if hasWorkers {
			seen = now
		}
		mayReturn := now.Sub(i.opened) <= returning && (!i.hadWorkers() || now.Sub(seen) < returningGap)
		if mayReturn && interrupted.Err() == nil {
			deadline = now.Add(leaving)
		} else if !hasWorkers || now.After(deadline) {
			return
		}
		_ = end(interrupted) // an error does not matter, because this is repeated
		time.Sleep(20 * time.Millisecond)
	}
}
