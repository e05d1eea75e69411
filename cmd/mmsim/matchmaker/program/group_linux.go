package program

import "syscall"

// attributes let the program end with mmsim even if that is killed and the program does not
// look at its input.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
