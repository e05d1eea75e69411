package workers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"mmsim/cmd/mmsim/config/filenames"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
)

// describe creates the job of a replication and uploads its inputs. The job's configuration
// refers to inputs by number.
func (p *Pool) describe(in *experiment.Inputs, run uint64) (*job, error) {
	hash, err := in.JobHash(run)
	if err != nil {
		return nil, err
	}
	j := &job{Build: p.build, Hash: hash, Run: run, Impure: !in.IsPure()}
	if in.Unrepeatable {
		j.Start = p.start
	}
	c := filenames.Clone(in.ConfigOf(run))
	numbers := map[string]int{}
	err = filenames.Rename(c, func(name string) (string, error) {
		number, isKnown := numbers[name]
		if !isKnown {
			f, err := p.inputs.send(name, in)
			if err != nil {
				return "", err
			}
			number = len(j.Inputs)
			numbers[name] = number
			j.Inputs = append(j.Inputs, f)
		}
		return inputName(number), nil
	})
	if err != nil {
		return nil, err
	}
	filenames.RunProgramsIn(c, "") // folders of this machine do not exist on others
	text, err := c.Resolved("")
	j.Config = string(text)
	return j, err
}

// A sender uploads inputs to the server. It uploads files with the same content only once.
type sender struct {
	session *session
	mutex   sync.Mutex
	sent    map[string]file // uploaded files, by name, size and modification time
}

// send uploads a file, or a folder of latency maps.
func (s *sender) send(name string, in *experiment.Inputs) (file, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	info, err := os.Stat(name)
	if err != nil {
		return file{}, input.Bad(input.Error(input.Shown(name), err))
	}
	if !info.IsDir() {
		return s.sendFile(name, info)
	}
	f := file{Name: filepath.Base(name), Shown: input.Shown(name), Folder: true}
	if len(in.Latency.Files())+len(in.Latency.Stray()) > inputsMax {
		return f, input.Badf("%s: more than %d latency maps (limit inputsMax)", f.Shown, inputsMax)
	}
	for _, inner := range in.Latency.Files() {
		path := filepath.Join(name, inner)
		info, err := os.Stat(path)
		if err != nil {
			return f, input.Bad(input.Error(input.Shown(path), err))
		}
		m, err := s.sendFile(path, info)
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
func (s *sender) sendFile(name string, info os.FileInfo) (file, error) {
	f := file{Name: filepath.Base(name), Shown: input.Shown(name), Bytes: info.Size()}
	switch {
	case !info.Mode().IsRegular():
		return f, input.Badf("%s: cannot be sent to workers, expected a regular file", f.Shown)
	case info.Size() > inputBytesMax:
		return f, input.Badf("%s: larger than %d MiB (limit inputBytesMax), expected an input that can be sent to workers", f.Shown, inputBytesMax>>20)
	}
	key := fmt.Sprintf("%s\x00%d\x00%d", name, info.Size(), info.ModTime().UnixNano())
	if known, isKnown := s.sent[key]; isKnown {
		return known, nil
	}
	var err error
	if f.SHA256, err = hashOf(name); err != nil {
		return f, input.Bad(input.Error(f.Shown, err))
	}
	if err := s.upload(name, f.SHA256); err != nil {
		return f, fmt.Errorf("%s: cannot be put on the server: %w", f.Shown, err)
	}
	s.sent[key] = f
	return f, nil
}

// upload uploads a file's content unless the server already has it. sum is the hash of the
// content.
func (s *sender) upload(name, sum string) error {
	ctx := context.Background()
	if _, err := s.session.objects.GetInfo(ctx, sum); !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	content, err := os.Open(name)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = s.session.objects.Put(ctx, jetstream.ObjectMeta{Name: sum}, content)
	return err
}

func hashOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
