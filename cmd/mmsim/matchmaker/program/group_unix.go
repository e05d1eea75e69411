//go:build unix

package program

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a process group.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = attributes() }

// killGroup ends all processes of the group of a program. The group has its number as long
// as one of them is there, even if the program itself has ended.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
