package matchmaker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero/sys"

	"mmsim/matcher/external/exchange"
)

const wasmHelp = `WASM:FILE. The file is a program for wasip1 with the function _start, such as the output of
"GOOS=wasip1 GOARCH=wasm go build" or "cargo build --target wasm32-wasip1". It reads and writes
the same lines as a program of exec:, and must answer a line before it reads the next one. It has
no files, network, arguments or environment, and at most matcher.memory (1GiB). mmsim shows what
the program writes to standard error.

The program's clocks show the virtual time, which begins at 2000-01-01 and stands still while the
program computes. A sleep advances the clocks, but takes no real time. The random numbers depend
only on seed, run and queue. Therefore the same module and seed give the same result on any
machine, and sweep and tune reuse finished jobs.`

// wasmMatchmaker is a matchmaker that is a WebAssembly module (--matcher wasm:FILE): a program for
// wasip1, with the function _start. Like the programs of exec:, it exchanges lines of JSON over its
// standard input and output, but it runs inside mmsim's process.
//
// The module has no access to files or the network. Its clocks show the virtual time and do not
// advance while it computes. A sleep advances them without taking real time. Its random numbers
// depend on seed, run and queue. The same module and seed therefore make the same matches on
// every machine.
type wasmMatchmaker struct {
	*conn
	ctx     context.Context // of the exchange
	module  *module
	options Options
	stderr  *tail
	guest   *guest // nil before Hello
}

// openModule compiles the module. It does not start the module, because the module's random numbers
// depend on seed, run and queue, which are in the hello message.
func openModule(ctx context.Context, o Options) (exchange.Matcher, error) {
	p, err := loadModule(o.Target, cmp.Or(o.Memory, DefaultMemory))
	if err != nil {
		return nil, err
	}
	return &wasmMatchmaker{ctx: ctx, module: p, options: o, stderr: newTail(o.Stderr, o.Label)}, nil
}

// Hello implements exchange.Matcher.
func (m *wasmMatchmaker) Hello(ctx context.Context, h *exchange.Hello) (*exchange.HelloAnswer, error) {
	m.guest = start(m.ctx, m.module, m.stderr, h)
	m.conn = newConn(m.guest, m.guest, m.guest.cancel, m.explained)
	return m.conn.Hello(ctx, h)
}

// Pass implements exchange.Matcher.
func (m *wasmMatchmaker) Pass(ctx context.Context, p *exchange.Pass) (*exchange.Answer, error) {
	m.guest.outMax = exchange.MaxLine + spareBytes
	m.guest.setClocks(p.NowMS)
	return m.conn.Pass(ctx, p)
}

// explained ends the module after an error. It adds to the error how the module ended, and the
// last lines of its standard error.
func (m *wasmMatchmaker) explained(err error) error {
	if errors.Is(err, errEnded) {
		err = m.guest.silence(err)
	}
	m.guest.cancel()
	<-m.guest.ended
	return m.stderr.Explain(err)
}

// silence returns the reason why the module did not answer.
func (g *guest) silence(err error) error {
	exit := (*sys.ExitError)(nil)
	switch {
	case !g.hasEnded() && g.out.Len() > 0:
		return fmt.Errorf("it answered more than once; the rest is: %s", shownLine(g.out.Bytes()))
	case !g.hasEnded():
		return errors.New("it reads more input before it answers, expected a line that ends with a newline")
	case errors.As(g.err, &exit):
		return fmt.Errorf("%w: exit status %d", err, exit.ExitCode())
	case g.err != nil:
		return fmt.Errorf("%w: %s", err, firstLine(g.err))
	}
	return fmt.Errorf("%w: exit status 0", err)
}

// Close implements exchange.Matcher.
func (m *wasmMatchmaker) Close(why string) error {
	g := m.guest
	if g == nil {
		return nil
	}
	if !g.hasEnded() && g.out.Len() == 0 {
		_ = m.Bye(why) // fails if the module has already ended, which is no error
		g.closed, g.waits = true, false
		late := time.AfterFunc(endTime, g.cancel)
		g.turn()
		late.Stop()
	}
	g.cancel()
	<-g.ended
	return nil
}
