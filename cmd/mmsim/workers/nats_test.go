package workers

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/workers/hub"
)

// studio starts a server like that of a studio, with accounts and credentials. It returns its
// URL and a file with credentials.
func studio(t *testing.T) (url, creds string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	operator, err := nkeys.CreateOperator()
	must(err)
	account, err := nkeys.CreateAccount()
	must(err)
	user, err := nkeys.CreateUser()
	must(err)
	system, err := nkeys.CreateAccount()
	must(err)
	systemName, err := system.PublicKey()
	must(err)
	operatorName, err := operator.PublicKey()
	must(err)
	accountName, err := account.PublicKey()
	must(err)
	userName, err := user.PublicKey()
	must(err)
	claims := jwt.NewAccountClaims(accountName)
	claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	text, err := claims.Encode(operator)
	must(err)
	accounts := &server.MemAccResolver{}
	must(accounts.Store(accountName, text))
	text, err = jwt.NewAccountClaims(systemName).Encode(operator)
	must(err)
	must(accounts.Store(systemName, text))
	token, err := jwt.NewUserClaims(userName).Encode(account)
	must(err)
	seed, err := user.Seed()
	must(err)
	file, err := jwt.FormatUserConfig(token, seed)
	must(err)
	creds = filepath.Join(t.TempDir(), "mmsim.creds")
	must(os.WriteFile(creds, file, 0o600))
	ns, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
		TrustedKeys: []string{operatorName}, AccountResolver: accounts, SystemAccount: systemName,
	})
	must(err)
	ns.Start()
	t.Cleanup(func() { ns.Shutdown(); ns.WaitForShutdown() })
	if !ns.ReadyForConnections(time.Minute) {
		t.Fatal("the server did not start in time")
	}
	// The first connection creates the account's folder on the server. A second connection at
	// the same time would fail.
	j, err := hub.ConnectNATS(ns.ClientURL(), creds)
	must(err)
	defer j.Conn.Close()
	_, err = j.JS.AccountInfo(t.Context())
	must(err)
	return ns.ClientURL(), creds
}

// A worker on a studio's server does the jobs of successive commands, and of two concurrent
// commands. The commands leave nothing on the server.
func TestExistingNATSServer(t *testing.T) {
	t.Parallel()
	url, creds := studio(t)
	if _, err := Open(t.Context(), Options{NATS: url, Err: new(log)}); err == nil {
		t.Fatal("connected without credentials, want an error")
	}
	w := worker1(url)
	w.Creds = creds
	within(t, w)
	var last *Coordinator
	for _, dirs := range [][]string{{"", t.TempDir()}, {t.TempDir()}} {
		var group sync.WaitGroup
		for i, dir := range dirs {
			p, start := open(t, Options{NATS: url, Creds: creds, Dir: dir})
			if want := "mmsim worker " + url + " --creds FILE"; start != want {
				t.Errorf("got start line %q, want %q", start, want)
			}
			c := small(t, []string{"match.size=3", "match.size=2"}[i])
			group.Go(func() {
				same(t, p, 2, c)
				if i == 0 {
					last = p
				} else if err := p.close(context.Background(), true); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		last.end(nil) // its comparison with the server would make again what is missing there
		last.watching.Wait()
		if err := last.hub.Remove(t.Context()); err != nil {
			t.Error(err)
		}
		for name := range hubOf(last).JS.StreamNames(t.Context()).Name() {
			t.Errorf("the server still has the stream or bucket %s, want it deleted", name)
		}
		last.stop()
	}
	if output := w.Err.(*log).String(); strings.Count(output, "\n") != 1 {
		t.Errorf("got worker output %s, want one line", output)
	}
}

// A wrong password, and one in the URL, are errors of the user. The right password is accepted.
func TestPasswords(t *testing.T) {
	ns, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true,
		JetStream: true, StoreDir: t.TempDir(), Username: "studio", Password: "right"})
	if err != nil {
		t.Fatal(err)
	}
	ns.Start()
	t.Cleanup(func() { ns.Shutdown(); ns.WaitForShutdown() })
	if !ns.ReadyForConnections(time.Minute) {
		t.Fatal("the server did not start in time")
	}
	host := strings.TrimPrefix(ns.ClientURL(), "nats://")
	for _, test := range []struct{ url, user, password, want string }{
		{"nats://" + host, "", "", "expected --creds FILE or the right NATS_USER and NATS_PASSWORD"},
		{"nats://" + host, "studio", "wrong", "expected --creds FILE or the right NATS_USER and NATS_PASSWORD"},
		{"nats://studio:right@" + host, "", "", "expected the password in NATS_PASSWORD"},
		{"nats://token@" + host, "", "", "expected the password in NATS_PASSWORD"},
		{"studio:right@" + host, "", "", "expected the password in NATS_PASSWORD"},
		{"nats://x," + "studio:right@" + host, "", "", "expected the password in NATS_PASSWORD"},
	} {
		t.Setenv("NATS_USER", test.user)
		t.Setenv("NATS_PASSWORD", test.password)
		_, coordinator := Open(t.Context(), Options{NATS: test.url, Err: new(log)})
		for _, err := range []error{coordinator, worker1(test.url).Run(t.Context())} {
			if !input.IsBad(err) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "right@") || strings.Contains(err.Error(), "token@") {
				t.Errorf("%+v: got error %v, want bad input without the password", test, err)
			}
		}
	}
	t.Setenv("NATS_USER", "studio")
	t.Setenv("NATS_PASSWORD", "right")
	p, start := open(t, Options{NATS: "nats://" + host})
	within(t, worker1(start))
	same(t, p, 1, small(t))
}

// An interruption ends a coordinator, and a worker, while a server accepts them and stays silent.
func TestInterruptedConnecting(t *testing.T) {
	t.Parallel()
	for _, connect := range []func(ctx context.Context, url string) error{
		func(ctx context.Context, url string) error {
			_, err := Open(ctx, Options{NATS: url, Err: new(log)})
			return err
		},
		func(ctx context.Context, url string) error { return worker1(url).Run(ctx) },
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, interrupt := context.WithCancel(t.Context())
		go func() {
			c, err := l.Accept()
			if err == nil {
				t.Cleanup(func() { _ = c.Close() })
			}
			interrupt()
		}()
		if err := connect(ctx, "nats://"+l.Addr().String()); !errors.Is(err, context.Canceled) {
			t.Errorf("got error %v, want that of an interruption", err)
		}
		_ = l.Close()
	}
}

// A session can start while the server removes the streams of another. Without repeated tries,
// about one session in 600 fails.
func TestSessionsComeAndGo(t *testing.T) {
	t.Parallel()
	url, creds := studio(t)
	var group sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		j, err := hub.ConnectNATS(url, creds)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(j.Conn.Close)
		h := j.Hub(hub.Session{Name: name, Build: "v1", Lease: time.Second})
		p := newCoordinator(Options{Err: new(log)})
		group.Go(func() {
			for i := range 100 {
				err := p.insist("create a session", h.Ensure)
				if err == nil {
					err = h.Remove(t.Context())
				}
				if err != nil {
					t.Errorf("session %d of %s: %v", i, name, err)
				}
			}
		})
	}
	group.Wait()
}

// A closed coordinator leaves no goroutines behind.
func TestPoolLeavesNoGoroutines(t *testing.T) {
	round := func() {
		p, url := open(t, Options{Dir: filepath.Join(t.TempDir(), "out")})
		end := make(chan error, 1)
		go func() { end <- worker1(url).Run(context.Background()) }()
		same(t, p, 1, small(t))
		if err := p.close(context.Background(), true); err != nil {
			t.Error(err)
		}
		if err := <-end; err != nil {
			t.Error(err)
		}
	}
	round() // start the goroutines that libraries start only once
	before := runtime.NumGoroutine()
	round()
	var now int
	for range 1000 {
		if now = runtime.NumGoroutine(); now <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("got %d goroutines, want %d as before: %s", now, before, stacks[:runtime.Stack(stacks, true)])
}
