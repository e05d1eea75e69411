package theory_test

import (
	"os"
	"testing"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
)

func TestMain(m *testing.M) {
	commandtest.Main(m, func() { cli.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) })
}
