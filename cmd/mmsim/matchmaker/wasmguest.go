package matchmaker

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/sys"

	"mmsim/matcher/external/exchange"
	"mmsim/sim"
)

// A guest is a running WebAssembly module. The guest and mmsim take turns. The guest's turn
// begins when it gets input and ends when it needs more. During a turn, its input, clocks and
// random numbers do not change, so its output is deterministic. The field in and all fields
// below it may be used only by the side whose turn it is.
type guest struct {
	ctx    context.Context // cancelling it ends the module
	cancel context.CancelFunc
	resume chan struct{} // starts the guest's turn
	parked chan struct{} // ends the guest's turn
	ended  chan struct{} // closed when the module has ended, after err is set
	err    error

	in, out  bytes.Buffer // input that the guest has not read, and output that mmsim has not read
	outMax   int          // limit of out, which is more than the longest line
	closed   bool         // whether in gets no more input
	waits    bool         // whether the guest needs more input
	now      int64        // time on the guest's clocks in ns since 1970
	streamOf sim.Stream
	entity   uint64
	draws    uint64
}

// spareBytes is how much more output a turn may have than the longest line.
const spareBytes = 1 << 16

// epochNS is the time on the guest's clocks at virtual time 0, in ns since 1970: 2000-01-01.
// It is not 1970 because the warm-up has negative virtual times, and some programs do not
// support times before 1970.
const epochNS = 946684800 * int64(1e9)

var errStopped = errors.New("the module was ended")

// start creates a guest, which waits for its first turn.
func start(ctx context.Context, p *module, stderr io.Writer, h *exchange.Hello) *guest {
	g := &guest{
		outMax: exchange.MaxHello + spareBytes,
		resume: make(chan struct{}), parked: make(chan struct{}), ended: make(chan struct{}),
		now: epochNS + h.StartMS*1e6, streamOf: sim.NewStream(h.Seed, h.Run, sim.PurposeMatchmaker),
	}
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, h.Queue) // cannot fail
	g.entity = sum.Sum64()
	g.ctx, g.cancel = context.WithCancel(ctx)
	config := wazero.NewModuleConfig().WithName("").WithArgs("matchmaker.wasm").
		WithStdin(stdin{g}).WithStdout(stdout{g}).WithStderr(stderr).
		WithWalltime(func() (int64, int32) { return g.now / 1e9, int32(g.now % 1e9) }, sys.ClockResolution(1)).
		WithNanotime(func() int64 { return g.now }, sys.ClockResolution(1)).
		WithNanosleep(func(ns int64) { g.now += max(0, ns) }).
		WithRandSource(random{g})
	go func() {
		defer close(g.ended)
		if !g.await() {
			g.err = errStopped
			return
		}
		m, err := p.runtime.InstantiateModule(g.ctx, p.code, config)
		if m != nil {
			_ = m.Close(context.Background()) // frees its memory
		}
		g.err = err
	}()
	return g
}

// await waits for the guest's turn. It returns false if the guest must end.
func (g *guest) await() bool {
	select {
	case <-g.resume:
		return g.ctx.Err() == nil
	case <-g.ctx.Done():
		return false
	}
}

// park ends the guest's turn and waits for the next one. It returns false if the guest must
// end.
func (g *guest) park() bool {
	select {
	case g.parked <- struct{}{}:
		return g.await()
	case <-g.ctx.Done():
		return false
	}
}

// turn runs the guest for one turn.
func (g *guest) turn() {
	select {
	case g.resume <- struct{}{}:
	case <-g.ended:
		return
	}
	select {
	case <-g.parked:
	case <-g.ended:
	}
}

// hasEnded reports whether the module has ended.
func (g *guest) hasEnded() bool {
	select {
	case <-g.ended:
		return true
	default:
		return false
	}
}

// setClocks sets the clocks to a virtual time. It never sets them back: they may be ahead
// because the module slept.
func (g *guest) setClocks(nowMS int64) { g.now = max(g.now, epochNS+nowMS*1e6) }

// Write adds to the guest's input.
func (g *guest) Write(line []byte) (int, error) {
	if g.out.Len() > 0 || g.hasEnded() {
		return 0, io.ErrClosedPipe
	}
	g.waits = false
	return g.in.Write(line)
}

// Read reads the guest's output. If there is none, it first runs the guest for a turn.
func (g *guest) Read(p []byte) (int, error) {
	if g.out.Len() == 0 && !g.waits {
		g.turn()
	}
	if g.ctx.Err() != nil {
		return 0, io.EOF
	}
	return g.out.Read(p)
}

// stdin is the guest's standard input.
type stdin struct{ *guest }

// Read is called by the guest.
func (i stdin) Read(p []byte) (int, error) {
	for i.in.Len() == 0 && !i.closed {
		if i.waits = true; !i.park() {
			return 0, errStopped
		}
	}
	return i.in.Read(p)
}

// stdout is the guest's standard output.
type stdout struct{ *guest }

// Write is called by the guest.
func (o stdout) Write(p []byte) (int, error) {
	for o.out.Len() > o.outMax {
		if !o.park() {
			return 0, errStopped
		}
	}
	if o.ctx.Err() != nil {
		return 0, errStopped
	}
	return o.out.Write(p)
}

// random is the source of the guest's random numbers, which depend on seed, run and queue.
type random struct{ *guest }

// Read is called by the guest.
func (r random) Read(p []byte) (int, error) {
	for at := 0; at < len(p); at += 8 {
		r.draws++
		var bits [8]byte
		binary.LittleEndian.PutUint64(bits[:], r.streamOf.Bits(r.entity, r.draws))
		copy(p[at:], bits[:])
	}
	return len(p), nil
}
