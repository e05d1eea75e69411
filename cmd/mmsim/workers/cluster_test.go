package workers

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/workers/hub"
)

// The test binary is also a node of a cluster of NATS servers, so that a node can be killed.
const asNode = "MMSIM_TEST_NODE" // its name, folder, client address, cluster address and routes

// serveNode serves until the test that started the node ends, which closes standard input.
func serveNode(about string) {
	ns, err := func() (*server.Server, error) {
		field := strings.Split(about, " ")
		client, err := net.ResolveTCPAddr("tcp", field[2])
		if err != nil {
			return nil, err
		}
		cluster, err := net.ResolveTCPAddr("tcp", field[3])
		if err != nil {
			return nil, err
		}
		return server.NewServer(&server.Options{
			ServerName: field[0], StoreDir: field[1], Host: "127.0.0.1", Port: client.Port, NoSigs: true, NoLog: true, JetStream: true,
			Cluster: server.ClusterOpts{Name: "studio", Host: "127.0.0.1", Port: cluster.Port}, Routes: server.RoutesFromStr(field[4]),
		})
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ns.Start()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// A node is a process of a cluster.
type node struct {
	*exec.Cmd
	url string
}

// cluster starts three servers that are a cluster.
func cluster(t *testing.T) (nodes []*node) {
	t.Helper()
	var clients, peers, routes []string
	for range 3 {
		clients, peers = append(clients, freeAddress()), append(peers, freeAddress())
		routes = append(routes, "nats-route://"+peers[len(peers)-1])
	}
	for i := range 3 {
		n := &node{exec.Command(os.Args[0]), "nats://" + clients[i]}
		n.Env = append(os.Environ(), asNode+"="+strings.Join([]string{fmt.Sprint("node", i), t.TempDir(), clients[i], peers[i], strings.Join(routes, ",")}, " "))
		n.Stderr = os.Stderr
		if _, err := n.StdinPipe(); err != nil { // the end of this process closes it
			t.Fatal(err)
		}
		if err := n.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(n.kill)
		nodes = append(nodes, n)
	}
	until(t, "the cluster keeps three copies", func() bool {
		j, err := hub.ConnectNATS(nodes[0].url, "")
		if err != nil {
			return false
		}
		defer j.Conn.Close()
		ctx, cancel := context.WithTimeout(t.Context(), hub.Answer)
		defer cancel()
		_, err = j.JS.CreateStream(ctx, jetstream.StreamConfig{Name: "ready", Replicas: 3})
		return err == nil && j.JS.DeleteStream(ctx, "ready") == nil
	})
	return nodes
}

// kill kills a node, unless it is dead.
func (n *node) kill() {
	if n.ProcessState == nil {
		_ = n.Process.Kill()
		_ = n.Wait() // it was killed
	}
}

// freeAddress returns an address that nothing listens on. It is outside of the range of ports that
// systems give to connections, so it is still free a moment later.
func freeAddress() string {
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))
		if l, err := net.Listen("tcp", address); err == nil {
			_ = l.Close()
			return address
		}
	}
}

// A node of a cluster is killed to which the coordinator and the worker are connected. The session
// has three copies, so the results are those of this process. If a second node is killed, nothing
// can go on: this is said, and the next command ends with an internal error.
func TestCluster(t *testing.T) {
	t.Parallel()
	nodes := cluster(t)
	p, start := open(t, Options{NATS: nodes[0].url, lease: 2 * time.Second})
	for _, name := range []string{hub.JobsPrefix, "KV_" + hub.RecordsPrefix, "OBJ_" + hub.ObjectsPrefix} {
		stream, err := hubOf(p).JS.Stream(t.Context(), name+hubOf(p).Name)
		if err != nil {
			t.Fatal(err)
		}
		if n := stream.CachedInfo().Config.Replicas; n != 3 {
			t.Errorf("got %d replicas of %s, want 3", n, name)
		}
	}
	var next atomic.Pointer[node] // to be killed when a job begins
	next.Store(nodes[0])
	w := worker1(start)
	w.begin = func(context.Context, *job) {
		if n := next.Swap(nil); n != nil {
			n.kill()
		}
	}
	within(t, w)
	same(t, p, 6, small(t))

	o := Options{NATS: nodes[1].url, lease: 2 * time.Second, patience: 8 * time.Second, Err: new(log)}
	var last *Coordinator
	until(t, "a session on two of three nodes", func() (ok bool) {
		var err error
		last, err = Open(t.Context(), o)
		return err == nil
	})
	next.Store(nodes[2])
	_, err := simulate(t, t.Context(), last, 6, small(t, "match.size=3"))
	if err == nil || input.IsBad(err) {
		t.Errorf("got error %v, want an internal one", err)
	}
	if output := o.Err.(*log).String(); !strings.Contains(output, "the server does not answer") {
		t.Errorf("got output %s, want that the server does not answer", output)
	}
	last.stop()
	p.stop()
}
