package workers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"mmsim/cmd/mmsim/build"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker"
	"mmsim/cmd/mmsim/results"
)

// describe creates the job of a replication and uploads its inputs. The job's configuration
// refers to inputs by number.
func (p *Coordinator) describe(in *experiment.Inputs, run uint64) (*job, error) {
	hash, err := in.JobHash(run)
	if err != nil {
		return nil, err
	}
	j := &job{Hash: hash, Run: run, Version: build.Version(), Impure: !in.IsPure(), Around: in.Around}
	if in.Unrepeatable {
		j.Start = p.start
	}
	c := config.Clone(in.ConfigOf(run))
	numbers := map[string]int{}
	number := func(key string, find func() (sent, error)) (string, error) {
		if _, isKnown := numbers[key]; !isKnown {
			f, err := p.send(key, find)
			if err != nil {
				return "", err
			}
			numbers[key] = len(j.Inputs)
			j.Inputs = append(j.Inputs, f)
		}
		return inputName(numbers[key]), nil
	}
	err = config.RenameFiles(c, func(name string) (string, error) {
		return number(name, func() (sent, error) { return find(name, in) })
	})
	if err != nil {
		return nil, err
	}
	err = config.RunProgramsIn(c, func(e *matchmaker.External) (string, error) {
		programs, folder := e.Programs(), e.RunFolder()
		if len(programs) == 0 {
			return "", nil // folders of this machine do not exist on others
		}
		j.Programs = append(j.Programs, programs...)
		pack, _ := p.inputs.programs.LoadOrStore(folder, sync.OnceValues(func() ([]byte, error) { return results.PackProgram(folder) }))
		archive, err := pack.(func() ([]byte, error))()
		if err != nil {
			j.Unsent = err.Error()
			p.once("%s is not sent to workers: %v", input.Shown(folder), err)
			return "", nil
		}
		return number("program "+folder, func() (sent, error) {
			return inMemory(filepath.Base(folder), filepath.Base(folder), archive, true), nil
		})
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(j.Programs)
	j.Programs = slices.Compact(j.Programs)
	text, err := c.Resolved("")
	j.Config = string(text)
	return j, err
}

// A sender knows the inputs that a coordinator has put on the server.
type sender struct {
	mutex    sync.Mutex
	sent     map[string]sent // by name; a command reads the same content each time
	programs sync.Map        // archives of the folders of programs, which may write to them: func() ([]byte, error)
}

// sent is an input, which can be put on the server again.
type sent struct {
	file
	open func() (io.ReadCloser, error)
}

// inMemory returns an input whose content is in memory.
func inMemory(name, shown string, content []byte, isFolder bool) sent {
	return sent{file{Name: name, Shown: shown, Bytes: int64(len(content)), Folder: isFolder},
		func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}
}

// find finds the file or the folder of latency maps that a configuration names.
func find(name string, in *experiment.Inputs) (sent, error) {
	shown := input.Shown(name)
	if name == input.Stdin {
		content, err := input.StdinContent()
		return inMemory(shown, shown, content, false), input.Bad(err)
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return sent{}, input.Bad(input.Error(shown, err))
	case info.IsDir():
		archive, err := results.PackMaps(name, in.Latency.Files(), in.Latency.Stray())
		return inMemory(filepath.Base(name), shown, archive, true), input.Bad(err)
	case !info.Mode().IsRegular():
		return sent{}, input.Badf("%s: cannot be sent to workers, expected a regular file", shown)
	case info.Size() > inputBytesMax:
		return sent{}, input.Badf("%s: larger than %d MiB (limit inputBytesMax), expected an input that can be sent to workers", shown, inputBytesMax>>20)
	}
	return sent{file{Name: filepath.Base(name), Shown: shown, Bytes: info.Size()}, func() (io.ReadCloser, error) { return os.Open(name) }}, nil
}

// send puts an input on the server, unless it has done so before.
func (p *Coordinator) send(key string, find func() (sent, error)) (file, error) {
	p.inputs.mutex.Lock()
	defer p.inputs.mutex.Unlock()
	if known, isKnown := p.inputs.sent[key]; isKnown {
		return known.file, nil
	}
	f, err := find()
	if err != nil {
		return f.file, err
	}
	sum := sha256.New()
	if err := f.read(func(content io.Reader) error { _, err := io.Copy(sum, content); return err }); err != nil {
		return f.file, input.Bad(input.Error(f.Shown, err))
	}
	f.SHA256 = hex.EncodeToString(sum.Sum(nil))
	err = p.insist("put "+f.Shown+" on the server", func(ctx context.Context) error { return p.put(ctx, &f) })
	if err == nil {
		p.inputs.sent[key] = f
	}
	return f.file, err
}

// read reads the content of an input.
func (f *sent) read(read func(io.Reader) error) error {
	content, err := f.open()
	if err == nil {
		err = errors.Join(read(content), content.Close())
	}
	return err
}

// put puts the content of an input on the server.
func (p *Coordinator) put(ctx context.Context, f *sent) error {
	return f.read(func(content io.Reader) error { return p.hub.Upload(ctx, f.SHA256, content) })
}

// restore puts the inputs on the server that it has lost.
func (p *Coordinator) restore(objects map[string]bool) error {
	p.inputs.mutex.Lock()
	defer p.inputs.mutex.Unlock()
	for _, f := range p.inputs.sent {
		if !objects[f.SHA256] {
			if err := p.put(p.ctx, &f); err != nil {
				return err
			}
		}
	}
	return nil
}
