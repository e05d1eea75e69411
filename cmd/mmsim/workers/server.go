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

// serverStart is the maximum time that the built-in server may take to start.
const serverStart = 30 * time.Second

// inside is the built-in server. It keeps everything in memory, because its data is useless
// once the coordinator has ended.
type inside struct {
	server *server.Server
	shown  string // HOST:PORT for workers
	opened time.Time
}

// startServer starts a server at the given HOST:PORT. Workers need the secret to connect.
// memory limits the server's data in bytes, and 0 means three quarters of the machine's memory.
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
		return nil, fmt.Errorf("the built-in server cannot start: %w", err)
	}
	defer remove() // streams in memory need the folder only at the start
	ns, err := server.NewServer(&server.Options{
		ServerName: "mmsim", Host: host, Port: number, NoSigs: true, NoLog: true,
		Authorization: s.Token, TLSConfig: tls, TLS: true, TLSHandshakeFirst: true, TLSTimeout: 10, AuthTimeout: 20,
		MaxPayload: entryBytesMax, MaxPending: 64 << 20,
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
	return &inside{ns, net.JoinHostPort(host, strconv.Itoa(bound)), time.Now()}, nil
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
