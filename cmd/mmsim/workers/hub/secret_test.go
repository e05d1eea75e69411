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
	if host, err := hostOf("mmsim://host:4222"); host != "host:4222" || err != nil {
		t.Errorf("got host %s (error %v), want host:4222", host, err)
	}
	for _, text := range []string{"mmsim://", "mmsim://host", "mmsim://host:4222/x", "mmsim://SECRET@host:4222", "mmsim://SECRET@host:4222/%zz", "mmsim://SECRET@ho st:4222"} {
		if _, err := hostOf(text); !input.IsBad(err) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: got error %v, want bad input without the secret", text, err)
		}
	}
}

// Only its owner can read the file with the token. A file that is broken or that others can
// read is not used.
func TestTokenFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "token")
	first, _, err := TokenIn(name)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v (error %v), want 0600", info.Mode(), err)
	}
	if again, isOld, err := TokenIn(name); err != nil || !isOld || again != first {
		t.Errorf("got another token (error %v), want that of the file", err)
	}
	if err := os.Chmod(name, 0o644); err != nil {
		t.Fatal(err)
	}
	second, _, err := TokenIn(name)
	if err != nil || second == first {
		t.Errorf("got a token from a file that others may read (error %v), want a new one", err)
	}
	if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if third, isOld, err := TokenIn(name); err != nil || isOld || third == "x" || third == second {
		t.Errorf("got a token from a damaged file (error %v), want a new one", err)
	}
}
