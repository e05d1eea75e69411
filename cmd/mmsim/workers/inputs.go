package workers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"mmsim/cmd/mmsim/config/filenames"
	"mmsim/cmd/mmsim/config/outside"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/workers/hub"
)

// describe creates the job of a replication and uploads its inputs. The job's configuration
// refers to inputs by number.
func (p *Pool) describe(in *experiment.Inputs, run uint64) (*job, error) {
	hash, err := in.JobHash(run)
	if err != nil {
		return nil, err
	}
	j := &job{Hash: hash, Run: run, Version: experiment.Version(), Impure: !in.IsPure()}
	if in.Unrepeatable {
		j.Start = p.start
	}
	c := filenames.Clone(in.ConfigOf(run))
	numbers := map[string]int{}
	number := func(key string, send func() (file, error)) (string, error) {
		if _, isKnown := numbers[key]; !isKnown {
			f, err := send()
			if err != nil {
				return "", err
			}
			numbers[key] = len(j.Inputs)
			j.Inputs = append(j.Inputs, f)
		}
		return inputName(numbers[key]), nil
	}
	err = filenames.Rename(c, func(name string) (string, error) {
		return number(name, func() (file, error) { return p.inputs.send(name, in) })
	})
	if err != nil {
		return nil, err
	}
	err = filenames.RunProgramsIn(c, func(e *outside.External) (string, error) {
		programs, folder := e.Programs(), e.RunFolder()
		if len(programs) == 0 {
			return "", nil // folders of this machine do not exist on others
		}
		j.Programs = slices.Compact(append(j.Programs, programs...))
		archive, err := p.inputs.pack(folder)
		if err != nil {
			j.Unsent = err.Error()
			p.say("%s is not sent to workers: %v", input.Shown(folder), err)
			return "", nil
		}
		return number("program "+folder, func() (file, error) { return p.inputs.sendProgram(folder, archive) })
	})
	if err != nil {
		return nil, err
	}
	text, err := c.Resolved("")
	j.Config = string(text)
	return j, err
}

// A sender uploads inputs to the server. It uploads files with the same content only once.
type sender struct {
	hub   hub.Hub
	mutex sync.Mutex
	sent  map[string]sent // uploaded files, by name, size and modification time
	packs sync.Map        // archives of the folders of programs
}

// sent is an uploaded file.
type sent struct {
	file
	open func() (io.ReadCloser, error)
}

// send uploads a file, or a folder of latency maps.
func (s *sender) send(name string, in *experiment.Inputs) (file, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if name == input.Stdin {
		return s.sendStdin()
	}
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return s.sendFile(name)
	}
	f := file{Name: filepath.Base(name), Shown: input.Shown(name), Folder: true}
	if len(in.Latency.Files())+len(in.Latency.Stray()) > inputsMax {
		return f, input.Badf("%s: more than %d latency maps (limit inputsMax)", f.Shown, inputsMax)
	}
	for _, inner := range in.Latency.Files() {
		m, err := s.sendFile(filepath.Join(name, inner))
		if err != nil {
			return f, err
		}
		f.Maps = append(f.Maps, m)
	}
	// Workers do not read stray maps, but need their names for a warning.
	for _, inner := range in.Latency.Stray() {
		f.Maps = append(f.Maps, file{Name: inner})
	}
	return f, nil
}

// sendFile uploads a file.
func (s *sender) sendFile(name string) (file, error) {
	info, err := os.Stat(name)
	if err != nil {
		return file{}, input.Bad(input.Error(input.Shown(name), err))
	}
	f := file{Name: filepath.Base(name), Shown: input.Shown(name), Bytes: info.Size()}
	if !info.Mode().IsRegular() {
		return f, input.Badf("%s: cannot be sent to workers, expected a regular file", f.Shown)
	}
	key := fmt.Sprintf("%s\x00%d\x00%d", name, info.Size(), info.ModTime().UnixNano())
	return s.upload(key, f, func() (io.ReadCloser, error) { return os.Open(name) })
}

// sendStdin uploads the content of standard input.
func (s *sender) sendStdin() (file, error) {
	content, err := input.StdinContent()
	if err != nil {
		return file{}, input.Bad(err)
	}
	f := file{Name: input.StdinShown, Shown: input.StdinShown, Bytes: int64(len(content))}
	return s.upload(input.Stdin, f, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil })
}

// upload uploads the content of a file and records the file under key, unless it has done so
// before.
func (s *sender) upload(key string, f file, open func() (io.ReadCloser, error)) (file, error) {
	if known, isKnown := s.sent[key]; isKnown {
		return known.file, nil
	}
	if f.Bytes > inputBytesMax {
		return f, input.Badf("%s: larger than %d MiB (limit inputBytesMax), expected an input that can be sent to workers", f.Shown, inputBytesMax>>20)
	}
	content, err := open()
	if err != nil {
		return f, input.Bad(input.Error(f.Shown, err))
	}
	defer content.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return f, input.Bad(input.Error(f.Shown, err))
	}
	f.SHA256 = hex.EncodeToString(sum.Sum(nil))
	if err := s.put(context.Background(), sent{f, open}); err != nil {
		return f, err
	}
	s.sent[key] = sent{f, open}
	return f, nil
}

// put puts the content of a file on the server.
func (s *sender) put(ctx context.Context, f sent) error {
	ctx, cancel := context.WithTimeout(ctx, transfer)
	defer cancel()
	content, err := f.open()
	if err != nil {
		return input.Bad(input.Error(f.Shown, err))
	}
	defer content.Close()
	if err := s.hub.Upload(ctx, f.SHA256, content); err != nil {
		return fmt.Errorf("%s: cannot be put on the server: %w", f.Shown, err)
	}
	return nil
}

// restore uploads the inputs that the server has lost.
func (s *sender) restore(ctx context.Context, stock map[string]bool) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, f := range s.sent {
		if !stock[f.SHA256] {
			if err := s.put(ctx, f); err != nil {
				return err
			}
		}
	}
	return nil
}
