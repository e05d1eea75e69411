package workers

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
)

// serverStart is how long the built-in server may take to start.
const serverStart = 30 * time.Second

// An inside is the built-in server. It keeps everything in memory: its data is useless
// without its coordinator, and disappears when the coordinator is killed.
type inside struct {
	server *server.Server
	shown  string // HOST:PORT for workers
	opened time.Time
}

// startServer starts a server at HOST:PORT that requires the secret. memory limits its data,
// in bytes; 0: three quarters of the machine's memory.
func startServer(at string, s *secret, memory int64) (*inside, error) {
	host, port, err := checkServe(at)
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
	tls, err := s.tls()
	if err != nil {
		return nil, err
	}
	folder, remove, err := resultdir.Scratch("mmsim-server")
	if err != nil {
		return nil, fmt.Errorf("the server inside cannot start: %w", err)
	}
	defer remove() // streams in memory need the folder only at the start
	ns, err := server.NewServer(&server.Options{
		ServerName: "mmsim", Host: host, Port: number, NoSigs: true, NoLog: true,
		Authorization: s.Token, TLSConfig: tls, TLS: true, TLSHandshakeFirst: true, TLSTimeout: 10, AuthTimeout: 20,
		MaxPayload: entryBytesMax, MaxPending: 64 << 20,
		JetStream: true, StoreDir: folder, JetStreamMaxMemory: memory, DisableJetStreamBanner: true,
	})
	if err != nil {
		return nil, fmt.Errorf("the server inside cannot start: %w", err)
	}
	ns.Start()
	if !ns.ReadyForConnections(serverStart) || !ns.JetStreamEnabled() {
		ns.Shutdown()
		ns.WaitForShutdown()
		return nil, errors.New("the server inside does not start")
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		if host, err = os.Hostname(); err != nil {
			host = "localhost"
		}
	}
	bound := ns.Addr().(*net.TCPAddr).Port
	return &inside{ns, net.JoinHostPort(host, strconv.Itoa(bound)), time.Now()}, nil
}

// free checks whether the address can be listened on: the server would report it only in its
// log.
func free(host, port string) error {
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return err
	}
	return l.Close()
}

// workers counts the connections, except that of this process.
func (i *inside) workers() int { return i.server.NumClients() - 1 }

// hadWorkers reports whether a worker has ever connected.
func (i *inside) hadWorkers() bool {
	v, err := i.server.Varz(nil)
	return err == nil && v.TotalConnections > 1
}

// stop stops the server.
func (i *inside) stop() {
	i.server.Shutdown()
	i.server.WaitForShutdown()
}
