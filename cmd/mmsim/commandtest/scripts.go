package commandtest

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Scripts runs the scripts in testdata/script. MMSIM_UPDATE=1 rewrites their expectations. Review the
// difference.
func Scripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("MMSIM_UPDATE") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":    exits,
			"bytes":    writeBytes,
			"truncate": truncate,
		},
	})
}

// exits runs a command and checks its exit code, as in `exits 2 mmsim run --scale x`. The
// script commands stdout and stderr then check its output.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGUMENT...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if exit, is := errors.AsType[*exec.ExitError](err); is {
		code = strconv.Itoa(exit.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// writeBytes writes a binary file, as in `bytes FILE 'a\x00b'`.
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes FILE ESCAPED")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// truncate copies the first bytes of a file, as in `truncate FROM TO N`.
func truncate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: truncate FROM TO N")
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	content := ts.ReadFile(args[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(content[:n]), 0o666))
}
