package hub

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/input"
)

// An invalid URL is rejected. The message does not contain the URL, which may contain a token.
func TestURLs(t *testing.T) {
	t.Parallel()
	if host, ours, err := parseURL("mmsim://host:4222"); host != "host:4222" || !ours || err != nil {
		t.Errorf("got host %s, of this command %t (error %v), want host:4222", host, ours, err)
	}
	if _, ours, err := parseURL("nats://user:word@host:4222"); ours || err != nil {
		t.Errorf("the URL of a NATS server: got of this command %t (error %v), want false", ours, err)
	}
	for _, text := range []string{"mmsim://", "mmsim://host", "mmsim://host:4222/x", "mmsim://SECRET@host:4222", "mmsim://SECRET@host:4222/%zz", "mmsim://SECRET@ho st:4222"} {
		if _, _, err := parseURL(text); !input.IsBad(err) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: got error %v, want bad input without the secret", text, err)
		}
	}
}

// Only its owner can read the file with the secret. A file that is broken or that others can
// read is not used.
func TestSecretFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "secret")
	first, _, err := SecretIn(name)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v (error %v), want 0600", info.Mode(), err)
	}
	if again, isOld, err := SecretIn(name); err != nil || !isOld || again.Token != first.Token {
		t.Errorf("got another secret (error %v), want that of the file", err)
	}
	if err := os.Chmod(name, 0o644); err != nil {
		t.Fatal(err)
	}
	second, _, err := SecretIn(name)
	if err != nil || second.Token == first.Token {
		t.Errorf("got a secret from a file that others may read (error %v), want a new one", err)
	}
	if err := os.WriteFile(name, []byte(`{"session": "s", "token": "x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if third, isOld, err := SecretIn(name); err != nil || isOld || third.Token == "x" || third.Token == second.Token {
		t.Errorf("got a secret from a damaged file (error %v), want a new one", err)
	}
}
