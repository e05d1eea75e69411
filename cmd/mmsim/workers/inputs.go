package workers

import (
	"bytes"
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
	if name == input.Stdin {
		return s.sendStdin()
	}
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
	content, err := os.Open(name)
	if err != nil {
		return f, input.Bad(input.Error(f.Shown, err))
	}
	defer content.Close()
	return f, s.upload(key, f, content)
}

// sendStdin uploads the content of standard input.
func (s *sender) sendStdin() (file, error) {
	if known, isKnown := s.sent[input.Stdin]; isKnown {
		return known, nil
	}
	content, err := input.StdinContent()
	sum := sha256.Sum256(content)
	f := file{Name: input.StdinShown, Shown: input.StdinShown, Bytes: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}
	switch {
	case err != nil:
		return f, input.Bad(err)
	case f.Bytes > inputBytesMax:
		return f, input.Badf("%s: larger than %d MiB (limit inputBytesMax), expected an input that can be sent to workers", f.Shown, inputBytesMax>>20)
	}
	return f, s.upload(input.Stdin, f, bytes.NewReader(content))
}

// upload uploads the content of a file unless the server already has it, and records the file under
// key.
func (s *sender) upload(key string, f file, content io.Reader) error {
	ctx := context.Background()
	_, err := s.session.objects.GetInfo(ctx, f.SHA256)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		_, err = s.session.objects.Put(ctx, jetstream.ObjectMeta{Name: f.SHA256}, content)
	}
	if err != nil {
		return fmt.Errorf("%s: cannot be put on the server: %w", f.Shown, err)
	}
	s.sent[key] = f
	return nil
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
