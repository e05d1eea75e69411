package matchmaker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/google/shlex"

	"mmsim/cmd/mmsim/input"
	"mmsim/matcher/external/exchange"
)

// filesIn lists the words of a command that name files, such as the script of an interpreter. A word may
// also end in "=" and such a name.
func filesIn(command, folder string) (list []string) {
	words, _ := splitCommand(command) // checked with the configuration
	for _, word := range words {
		_, value, _ := strings.Cut(word, "=")
		for _, name := range []string{word, value} {
			if !filepath.IsAbs(name) {
				name = filepath.Join(folder, name)
			}
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				list = append(list, name)
			}
		}
	}
	return list
}

// A program or module has endTime to end after mmsim closes its input, and a program has exitTime to
// end after it closes its output.
const (
	endTime  = 2 * time.Second
	exitTime = time.Second
)

// splitCommand divides a command into words. There is no shell, so it does not support variables,
// patterns or redirections.
func splitCommand(command string) ([]string, error) {
	words, err := shlex.Split(command)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q: %w", command, err)
	case len(words) == 0:
		return nil, fmt.Errorf("%q: expected the name of a program", command)
	}
	return words, nil
}

// program is a matchmaker that runs as a program (--matcher exec:COMMAND) and exchanges lines of JSON
// over its standard input and output.
type program struct {
	*conn
	command  *exec.Cmd
	in, out  *os.File      // mmsim's ends of the pipes
	exited   chan struct{} // closed when the program has ended
	stderr   *tail
	listened chan struct{} // closed when mmsim no longer reads the program's standard error
	abort    func()
	close    func()
}

// openProgram starts the program in a process group of its own. Ctrl-C on the terminal then ends only
// mmsim, which ends the program together with the program's children.
func openProgram(ctx context.Context, o Options) (exchange.Matcher, error) {
	words, err := splitCommand(o.Target)
	if err != nil {
		return nil, err
	}
	m := &program{exited: make(chan struct{}), listened: make(chan struct{}), stderr: newTail(o.Stderr, o.Label)}
	m.command = exec.Command(words[0], words[1:]...)
	m.command.Dir = o.Folder
	if strings.ContainsRune(words[0], filepath.Separator) && !filepath.IsAbs(words[0]) {
		m.command.Path = filepath.Join(o.Folder, words[0]) // os/exec would look it up in mmsim's working directory
		m.command.Err = nil
		if _, err := exec.LookPath(m.command.Path); err != nil {
			return nil, startError(words[0], err)
		}
	}
	ownGroup(m.command)
	if err := m.start(); err != nil {
		return nil, startError(words[0], err)
	}
	m.abort = sync.OnceFunc(func() {
		select {
		case <-m.exited: // its group has been killed, and another group may now have its number
		default:
			killGroup(m.command.Process)
		}
		m.in.Close()
		m.out.Close()
	})
	stop := context.AfterFunc(ctx, m.abort)
	m.close = sync.OnceFunc(func() { stop(); m.end() })
	m.conn = newConn(m.out, m.in, m.abort, m.explained)
	return m, nil
}

// running has the programs that have not ended yet.
var running struct {
	mutex sync.Mutex
	list  map[*os.Process]bool
}

// KillAll kills all programs that are running, and their children. Only the end of the process may
// call it: it is for exchanges that nothing closes any more, for example after Ctrl-C.
func KillAll() {
	running.mutex.Lock()
	defer running.mutex.Unlock()
	for p := range running.list {
		killGroup(p)
	}
}

// note adds a program to the running ones, or removes it.
func note(p *os.Process, runs bool) {
	running.mutex.Lock()
	defer running.mutex.Unlock()
	if running.list == nil {
		running.list = map[*os.Process]bool{}
	}
	if delete(running.list, p); runs {
		running.list[p] = true
	}
}

// start starts the program and the goroutines that wait for it and read its standard error.
func (m *program) start() error {
	var ends [6]*os.File // read end and write end of standard input, output and error
	for i := 0; i < len(ends); i += 2 {
		var err error
		if ends[i], ends[i+1], err = os.Pipe(); err != nil {
			closeAll(ends[:])
			return err
		}
	}
	m.command.Stdin, m.command.Stdout, m.command.Stderr = ends[0], ends[3], ends[5]
	if err := m.command.Start(); err != nil {
		closeAll(ends[:])
		return err
	}
	note(m.command.Process, true)
	closeAll([]*os.File{ends[0], ends[3], ends[5]})
	m.in, m.out = ends[1], ends[2]
	go func() {
		defer close(m.exited)
		_ = m.command.Wait() // ProcessState has the result
		killGroup(m.command.Process)
		note(m.command.Process, false)
	}()
	go func() {
		defer close(m.listened)
		defer ends[4].Close()
		go func() { // a child of the program may keep its standard error open
			<-m.exited
			time.Sleep(exitTime)
			ends[4].Close()
		}()
		_, _ = io.Copy(m.stderr, ends[4]) // until all writers have closed it
	}()
	return nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// startError returns the error for a program that cannot be started.
func startError(name string, err error) error {
	for _, inner := range []error{exec.ErrNotFound, os.ErrNotExist, os.ErrPermission} {
		if errors.Is(err, inner) {
			err = inner
		}
	}
	return input.Badf("%s: cannot be started: %v", name, err)
}

// explained stops the program's process after err. It returns err with how the process ended and the
// last lines that the process wrote to standard error.
func (m *program) explained(err error) error {
	if errors.Is(err, errEnded) {
		if m.waitExit(exitTime) {
			err = fmt.Errorf("%w: %s", err, m.command.ProcessState)
		} else {
			err = fmt.Errorf("%w: it closed its standard output", err)
		}
	}
	m.abort()
	m.close()
	return m.stderr.Explain(err)
}

// waitExit waits at most the given time for the program to end. It reports whether the program
// has ended.
func (m *program) waitExit(most time.Duration) bool {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-m.exited:
		return true
	case <-timer.C:
		return false
	}
}

// Close implements exchange.Matcher.
func (m *program) Close(why string) error {
	late := time.AfterFunc(endTime, m.abort) // the program may not read its input
	_ = m.Bye(why)                           // fails if the program has already ended, which is no error
	late.Stop()
	m.close()
	return nil
}

// end closes the program's input, waits for the program to end, and kills the rest of its
// process group.
func (m *program) end() {
	m.in.Close()
	m.waitExit(endTime)
	m.abort()
	<-m.exited
	<-m.listened
}
