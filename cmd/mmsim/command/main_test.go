package command

import (
	"os"
	"testing"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/commandtest"
)

func TestMain(m *testing.M) {
	commandtest.Main(m, func() { cli.Exit(Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) })
}

// The scripts specify what users see: exit codes, messages and files.
func TestScripts(t *testing.T) { commandtest.Scripts(t) }
