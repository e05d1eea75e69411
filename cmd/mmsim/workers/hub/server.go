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

// Server is a connection to a NATS server with JetStream.
type Server struct {
	Conn    *nats.Conn
	JS      jetstream.JetStream
	Start   string // command that starts a worker; only in a coordinator
	Single  bool   // whether the server is built into a coordinator, and ends with it
	storage jetstream.StorageType
	inside  *server.Server // the built-in server; only in its coordinator
	door    *door
	opened  time.Time
}

// Serve starts a server at the given HOST:PORT, and connects this process to it. Workers need the
// token to connect. The server keeps everything in memory, because its data is useless once the
// coordinator has ended. memory limits the data in bytes, and 0 means three quarters of the machine's
// memory.
func Serve(at, token string, memory int64) (*Server, error) {
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
	var s *Server
	ns, err := start(memory)
	if err == nil {
		s, err = connect("", jetstream.MemoryStorage, nats.InProcessServer(ns))
	}
	if err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("the built-in server cannot start: %w", err)
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		if host, err = os.Hostname(); err != nil {
			host = "localhost"
		}
	}
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	s.Start = fmt.Sprintf("%s=%s mmsim worker %s%s", TokenVariable, token, scheme, net.JoinHostPort(host, port))
	s.Single, s.inside, s.opened, s.door = true, ns, time.Now(), &door{Listener: l, mutual: secure, server: ns}
	go s.door.open()
	return s, nil
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

// Close closes the connection, and stops a built-in server.
func (j *Server) Close() {
	j.Conn.Close()
	if j.inside != nil {
		_ = j.door.Close()
		j.inside.Shutdown()
		j.inside.WaitForShutdown()
	}
}

// Durations of dismissing workers.
const (
	leaving      = 3 * time.Second // how long workers may take to leave
	returningGap = 2 * time.Second // maximum time between two workers that reconnect, because each tries every second
)

// Dismiss ends a session on a built-in server, and waits until the workers have left. Workers of a
// killed coordinator may reconnect until returning has passed since the start of the server;
// otherwise they would try for minutes. A worker that has just reconnected has missed the end of the
// session, so Dismiss repeats it.
func (j *Server) Dismiss(interrupted context.Context, returning time.Duration, end func() error) {
	until := j.opened.Add(returning)
	for called := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		now := time.Now()
		isHere := j.inside.NumClients() > 1 // beside this process
		mayCome := now.Before(until) && interrupted.Err() == nil
		switch {
		case mayCome && isHere && until.Sub(now) > returningGap:
			until = now.Add(returningGap)
		case !mayCome && (!isHere || now.Sub(called) > leaving):
			return
		}
		_ = end() // an error does not matter, because this is repeated
	}
}
