package program

import "syscall"

// attributes makes the program end with mmsim, even if mmsim is killed and the program does
// not read its input.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
