package matchmaker

import "syscall"

// processAttributes makes the kernel kill the program when mmsim ends, even if mmsim is killed and
// the program does not read its input.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
