//go:build unix

package matchmaker

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a process group.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = processAttributes() }

// killGroup kills all processes in a program's process group. The group keeps its number while
// any of its processes exists, even if the program itself has ended.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
