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

// serverStart is how long the server inside may take to start.
const serverStart = 30 * time.Second

// An inside is a server inside this process. It keeps everything in memory: what it holds is
// worth nothing without its coordinator, and nothing is left of it when that is killed.
type inside struct {
	server *server.Server
	shown  string // HOST:PORT for workers
}

// startServer starts a server at HOST:PORT that only those who know the secret may use.
// memory bounds what it holds, in bytes; 0: three quarters of what the machine has.
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
	defer remove() // streams in memory need it only to start
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
	return &inside{ns, net.JoinHostPort(host, strconv.Itoa(bound))}, nil
}

// free finds out whether the address can be listened at: the server would only say so in its
// log.
func free(host, port string) error {
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return err
	}
	return l.Close()
}

// stop stops the server, after its workers have left or a time is over.
func (i *inside) stop(patience time.Duration) {
	for end := time.Now().Add(patience); i.server.NumClients() > 0 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	i.server.Shutdown()
	i.server.WaitForShutdown()
}
