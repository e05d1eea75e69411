package workers

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/workers/hub"
)

// Clients without the token are rejected and do not disturb workers.
func TestConnectionsWithoutCredentials(t *testing.T) {
	t.Parallel()
	p, url := open(t, Options{})
	token, host := worker1(url).Token, strings.TrimPrefix(worker1(url).URL, "mmsim://")
	for _, garbage := range []string{
		"", "GET / HTTP/1.1\r\n\r\n", strings.Repeat("\x00", 1<<20), "\x16\x03\x01\xff\xff" + strings.Repeat("\xff", 70000),
		"CONNECT {}\r\nPUB mmsim.jobs.x 99999999999\r\n", `CONNECT {"auth_token":"` + token + "\"}\r\nPING\r\n",
	} {
		for _, encrypted := range []bool{false, true} {
			if answer := send(t, host, garbage, encrypted); strings.Contains(answer, "PONG") || strings.Contains(answer, "INFO") {
				t.Errorf("%.40q (encrypted %t): got an answer of the server, want none: %q", garbage, encrypted, answer)
			}
		}
	}
	stranger := worker1(url)
	stranger.Token = base64.RawURLEncoding.EncodeToString(make([]byte, ed25519.SeedSize)) // of another coordinator
	if err := stranger.Run(t.Context()); !input.IsBad(err) || !strings.Contains(err.Error(), "belongs to another coordinator") {
		t.Errorf("with another token: got error %v, want that it belongs to another coordinator", err)
	}
	for _, text := range []string{"", token[1:], token + "A", "no token"} {
		stranger.Token = text
		if err := stranger.Run(t.Context()); !input.IsBad(err) || !strings.Contains(err.Error(), hub.TokenVariable) {
			t.Errorf("token %q: got error %v, want one that names %s", text, err, hub.TokenVariable)
		}
	}
	for name, secure := range map[string]*tls.Config{
		"without a certificate": {InsecureSkipVerify: true},
		"another certificate":   {InsecureSkipVerify: true, Certificates: []tls.Certificate{certificate(t)}},
	} {
		conn, err := nats.Connect("nats://"+host, nats.Token(token), nats.SetCustomDialer(&tls.Dialer{Config: secure}))
		if err == nil {
			conn.Close()
			t.Errorf("%s: connected, want an error", name)
		}
	}
	if _, err := nats.Connect("nats://"+host, nats.Token(token), nats.Timeout(time.Second)); err == nil {
		t.Error("connected without encryption, want an error")
	}
	j, err := hub.Join(worker1(url).URL, token, "")
	if err != nil {
		t.Fatal(err)
	}
	defer j.Conn.Close()
	if err := j.Conn.Publish(hubOf(p).Subject(hub.Pure, "x"), make([]byte, hub.EntryBytesMax+1)); !errors.Is(err, nats.ErrMaxPayload) {
		t.Errorf("a payload above the limit: got error %v, want ErrMaxPayload", err)
	}
	within(t, worker1(url))
	same(t, p, 2, small(t))
}

// certificate returns a certificate with a key that nobody knows.
func certificate(t *testing.T) tls.Certificate {
	t.Helper()
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	text, err := x509.CreateCertificate(nil, template, template, public, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{text}, PrivateKey: key}
}

// Strangers that connect and stay silent do not keep a worker out, which has the same address. The
// server holds only 16 of their connections: it closes the oldest ones.
func TestSilentStrangers(t *testing.T) {
	t.Parallel()
	p, url := open(t, Options{})
	const n, held = 300, 16
	host := strings.TrimPrefix(worker1(url).URL, "mmsim://")
	closed := make(chan int, n)
	for i := range n {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		go func() {
			_, err := c.Read(make([]byte, 1)) // nothing is sent
			if err == nil {
				t.Error("got an answer, want none")
			}
			closed <- i
		}()
	}
	for range n - held {
		<-closed
	}
	within(t, worker1(url))
	same(t, p, 1, small(t))
	for range 2 * held {
		if c, err := net.Dial("tcp", host); err == nil {
			t.Cleanup(func() { _ = c.Close() })
		}
	}
	same(t, p, 2, small(t, "match.size=3")) // the worker that is connected goes on
}

// send sends text to an address and returns the beginning of the answer.
func send(t *testing.T, host, text string, encrypted bool) string {
	t.Helper()
	c, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if encrypted {
		c = tls.Client(c, &tls.Config{InsecureSkipVerify: true})
	}
	_ = c.SetDeadline(time.Now().Add(300 * time.Millisecond))
	_, _ = c.Write([]byte(text)) // the connection may be closed already
	answer := make([]byte, 4096)
	n, _ := c.Read(answer)
	return string(answer[:n])
}

// A job cannot name other files than its inputs, and inputs are written only inside their
// folder.
func TestHostileJobs(t *testing.T) {
	t.Parallel()
	p, url := open(t, Options{})
	temp := t.TempDir()
	w := worker1(url)
	within(t, w)
	publish := func(j job) (id string) {
		id, text, err := j.encode()
		if err == nil {
			_, err = p.hub.Publish(t.Context(), j.kind(), id, text)
		}
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	for _, name := range []string{"/etc/passwd", "../../../../etc/passwd", "input-0", "input-0/../../x", "../input-0"} {
		for _, key := range []string{"dataset: {file: %}", "rules: %", "rules: {file: %, set: {a: 1}}", "datacenters: {file: %}", "latency: {maps: %}", "dataset: {builtin: {countries: %}}", "queues: [{name: a, share: 1, rules: %}]",
			"matcher: {external: 'wasm:%'}", "matcher: {external: 'replay:%'}", "queues: [{name: a, share: 1, matcher: {external: 'wasm:%'}}]",
			"matcher: {external: 'openmatch2:localhost:1', profiles: %}"} {
			id := publish(job{Config: "{" + strings.ReplaceAll(key, "%", name) + "}"})
			until(t, "a result", func() bool { return recordOf(t, p, id) != nil })
			if r := recordOf(t, p, id); !strings.Contains(r.Error, "expected one of its inputs") {
				t.Errorf("%s: %s: got result %+v, want the error that the key is not an input", key, name, r)
			}
		}
	}
	false64 := strings.Repeat("0", 64) // not the hash of the content
	if err := p.hub.Upload(t.Context(), false64, strings.NewReader("content")); err != nil {
		t.Fatal(err)
	}
	for _, f := range []file{
		{Name: "../escaped"}, {Name: "/escaped"}, {Name: ".."}, {Name: "."}, {Name: ""}, {Name: `a\escaped`}, {Name: "a/../../escaped"},
		{Name: "fine", SHA256: "../escaped"},
		{Name: "fine", SHA256: false64, Bytes: 7}, {Name: "fine", SHA256: false64, Bytes: 1 << 50},
	} {
		d := newWorkerSession(t.Context(), newWorker(*w, nil, true), hubOf(p).Session, p.hub, filepath.Join(temp, "session", "scratch"))
		if _, err := d.inputs(t.Context(), &job{Inputs: []file{f}}); err == nil {
			t.Errorf("file %+v was fetched, want an error", f)
		}
		d.end(nil)
	}
	err := filepath.WalkDir(temp, func(path string, entry fs.DirEntry, err error) error {
		if strings.Contains(path, "escaped") {
			t.Errorf("got file %s outside the folder, want none", path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := p.hub.Publish(t.Context(), hub.Pure, "x", []byte("no job")); err != nil {
		t.Fatal(err)
	}
	until(t, "a refusal", func() bool { return strings.Contains(w.Err.(*log).String(), "a message is not a job") })
	if err := p.hub.Withdraw(t.Context(), "", ""); err != nil {
		t.Fatal(err)
	}
	same(t, p, 1, small(t))
}

// Results must match their hash, and their files remain in the folder.
func TestHostileResults(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "runs")
	archive := func(name string, mode fs.FileMode, text string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for name, payload := range map[string][]byte{
		"a name with ..":        archive("../escaped", 0o666, "x"),
		"a name from the root":  archive("/escaped", 0o666, "x"),
		"a name with .. inside": archive("a/../../escaped", 0o666, "x"),
		"a link":                archive("link", fs.ModeSymlink|0o777, ".."),
		"no summary":            archive("fine", 0o666, "x"),
		"a broken summary":      archive("summary.json", 0o666, "{}"),
		"garbage":               []byte("garbage"),
	} {
		if _, err := results.UnpackInto(dir, payload, strings.Repeat("0", 64), false); err == nil {
			t.Errorf("UnpackInto accepted %s, want an error", name)
		}
		if _, err := results.Unpack(payload, strings.Repeat("0", 64), false); err == nil {
			t.Errorf("Unpack accepted %s, want an error", name)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
		t.Errorf("got entries %v (error %v), want only the folder", entries, err)
	}
	p, _ := open(t, Options{})
	for _, r := range []record{
		{Payload: []byte("x"), SHA256: hub.Hash(nil)}, {Bytes: 5, SHA256: "../escaped"}, {Bytes: 1 << 60, SHA256: strings.Repeat("0", 64)},
		{Bytes: 5, SHA256: strings.Repeat("0", 64)}, {},
	} {
		if payload, err := fetchPayload(t.Context(), p.hub, &r); err == nil {
			t.Errorf("record %+v: got payload %q, want an error", r, payload)
		}
	}
	// Such a result ends the command with an error that names the worker.
	found, err := func() ([]string, error) {
		go func() {
			id := jobOf(t, p, small(t), 0)
			until(t, "a job", func() bool { s, err := p.hub.Stock(context.Background()); return err == nil && s.Jobs[id] })
			_ = p.hub.Create(context.Background(), id, []byte(`{"worker": "liar", "payload": "eA==", "sha256": "y"}`))
			p.lookFor(id)
		}()
		return simulate(t, t.Context(), p, 1, small(t))
	}()
	if err == nil || !strings.Contains(err.Error(), "worker liar") || len(found) > 0 {
		t.Errorf("got %d outcomes kept and error %v, want none and an error that names the worker", len(found), err)
	}
	if err := p.close(context.Background(), false); err != nil {
		t.Error(err)
	}
}
