package commandtest

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Start runs a service of this package in a separate process until the test ends, and returns
// its address. command is a name under which TestMain runs the service.
func Start(t testing.TB, command string, args ...string) string {
	t.Helper()
	c := exec.Command(command, args...)
	in, err := c.StdinPipe() // the service ends with its input, even if this process is killed
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = c.Wait() // some faults make the service end with an error
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return strings.TrimSpace(address)
}
