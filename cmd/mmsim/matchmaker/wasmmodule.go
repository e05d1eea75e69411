package matchmaker

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"mmsim/cmd/mmsim/input"
)

// moduleLimit limits the size of a module.
var moduleLimit = input.Limit{Name: "MaxModuleBytes", Bytes: 256 << 20, Expected: "a WebAssembly module"}

// A program is a compiled module. Several instances can run at a time.
type module struct {
	runtime wazero.Runtime
	code    wazero.CompiledModule
}

// modules has the modules that this process has compiled, by content and memory limit.
// Compiling a module of 3 MB takes about 1.2 s of CPU time, and starting an instance takes a
// few ms.
var modules struct {
	mutex sync.Mutex
	list  map[moduleKey]func() (*module, error)
}

type moduleKey struct {
	sum    [sha256.Size]byte
	memory int64
}

// loadModule returns the compiled module in file. It compiles each module only once.
func loadModule(file string, memory int64) (*module, error) {
	text, err := input.ReadFile(file, moduleLimit)
	if err != nil {
		return nil, input.Bad(err)
	}
	key := moduleKey{sha256.Sum256(text), memory}
	modules.mutex.Lock()
	compiled := modules.list[key]
	if compiled == nil {
		compiled = sync.OnceValues(func() (*module, error) { return compileModule(text, memory) })
		if modules.list == nil {
			modules.list = map[moduleKey]func() (*module, error){}
		}
		modules.list[key] = compiled
	}
	modules.mutex.Unlock()
	p, err := compiled()
	if err != nil {
		return nil, input.Badf("%s: %v", input.Shown(file), err)
	}
	return p, nil
}

// pageBytes is the unit of a module's memory.
const pageBytes = 1 << 16

// compileModule compiles a module and checks that it can run. The compiled module can be interrupted,
// because otherwise an endless loop in it would keep mmsim from ending. For this, wazero adds a
// call to every iteration of every loop. It has no cheaper way. In BenchmarkPass/json, these
// calls take three quarters of the time: a pass takes 1.3 ms of CPU time with them and 0.35 ms
// without. Only 0.03 ms of that is mmsim's own work.
func compileModule(text []byte, memory int64) (*module, error) {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig().WithCloseOnContextDone(true).WithMemoryLimitPages(uint32(memory / pageBytes))
	p := &module{runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	var err error
	if _, err = wasi_snapshot_preview1.Instantiate(ctx, p.runtime); err == nil {
		p.code, err = p.runtime.CompileModule(ctx, text)
	}
	if err == nil {
		err = p.check()
	} else {
		err = fmt.Errorf("not a WebAssembly module that can be run: %w", err)
	}
	if err != nil {
		_ = p.runtime.Close(ctx) // no instance is running
		return nil, err
	}
	return p, nil
}

// check checks that the module is a program for wasip1.
func (p *module) check() error {
	for _, f := range p.code.ImportedFunctions() {
		if module, name, _ := f.Import(); module != wasi_snapshot_preview1.ModuleName {
			return fmt.Errorf("it needs the function %s of %s, expected only functions of wasip1 (%s)", name, module, wasi_snapshot_preview1.ModuleName)
		}
	}
	if _, is := p.code.ExportedFunctions()["_start"]; !is {
		return errors.New("it has no function _start, expected a program for wasip1, not a library")
	}
	if len(p.code.ExportedMemories()) == 0 {
		return errors.New("it exports no memory, expected a program for wasip1")
	}
	return nil
}

// firstLine returns the error of a module that ended, without the stack trace.
func firstLine(err error) string {
	lines := slices.Collect(strings.Lines(err.Error()))
	return strings.TrimSpace(strings.TrimPrefix(lines[0], "module[] function[_start] failed: "))
}
