package matchmaker

import "syscall"

// attributes makes the kernel kill the program when mmsim ends, even if mmsim is killed and
// the program does not read its input.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
