package hub

import (
	"context"
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

// workersMax is the maximum number of workers that are connected to the built-in server.
const workersMax = 500

// Inside is the built-in server. It keeps everything in memory, because its data is useless
// once the coordinator has ended.
type Inside struct {
	server *server.Server
	door   *door
	token  string
	Host   string // HOST:PORT for workers
	opened time.Time
}

// Connect connects this process to the server.
func (i *Inside) Connect() (Server, error) {
	j, err := connect("", jetstream.MemoryStorage, nats.InProcessServer(i.server))
	if err != nil {
		return j, fmt.Errorf("the built-in server: %w", err)
	}
	return j, nil
}

// Command returns the command that starts a worker of the server.
func (i *Inside) Command() string {
	return fmt.Sprintf("%s=%s mmsim worker %s://%s", TokenVariable, i.token, scheme, i.Host)
}

// Serve starts a server at the given HOST:PORT. Workers need the token to connect.
// memory limits the server's data in bytes, and 0 means three quarters of the machine's memory.
func Serve(at, token string, memory int64) (*Inside, error) {
	host, _, err := net.SplitHostPort(at)
	if err != nil {
		return nil, err
	}
	secure, err := mutual(token)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", at)
	if err != nil {
		return nil, input.Badf("--serve %s: %w", at, err)
	}
	ns, err := start(memory)
	if err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("the built-in server cannot start: %w", err)
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		if host, err = os.Hostname(); err != nil {
			host = "localhost"
		}
	}
	d := &door{Listener: l, mutual: secure, server: ns}
	go d.open()
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	return &Inside{ns, d, token, net.JoinHostPort(host, port), time.Now()}, nil
}

// start starts a server that this process alone can connect to.
func start(memory int64) (*server.Server, error) {
	folder, remove, err := resultdir.Scratch("mmsim-server")
	if err != nil {
		return nil, err
	}
	defer remove() // streams in memory need the folder only at the start
	ns, err := server.NewServer(&server.Options{
		ServerName: "mmsim", DontListen: true, NoSigs: true, NoLog: true,
		MaxConn: workersMax + 1, MaxPayload: EntryBytesMax, MaxPending: 64 << 20,
		JetStream: true, StoreDir: folder, JetStreamMaxMemory: memory, DisableJetStreamBanner: true,
	})
	if err != nil {
		return nil, err
	}
	ns.Start()
	if !ns.ReadyForConnections(serverStart) || !ns.JetStreamEnabled() {
		ns.Shutdown()
		ns.WaitForShutdown()
		return nil, fmt.Errorf("it is not ready after %v", serverStart)
	}
	return ns, nil
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
	i.door.shut()
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
