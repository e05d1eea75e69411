//go:build unix

package program

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a process group.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = attributes() }

// killGroup kills all processes in the group of a program. The group keeps its number as long
// as one of them exists, even after the program itself has ended.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
