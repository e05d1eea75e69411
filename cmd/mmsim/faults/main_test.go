package faults_test

import (
	"os"
	"testing"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
)

func TestMain(m *testing.M) {
	commandtest.Main(m, func() {
		finish := faultyDisk()
		code := command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
		finish()
		cli.Exit(code)
	})
}

// pairsQueue is a PlayFab queue that matches any two players.
const pairsQueue = `{"Name": "anybody", "MinMatchSize": 2, "MaxMatchSize": 2}`
