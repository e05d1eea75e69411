package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"mmsim/reports"
)

// creator makes files in a folder.
func creator(folder string) reports.Create {
	return func(name string) (io.WriteCloser, error) {
		return createFile(filepath.Join(folder, name))
	}
}

// replacing makes files in a folder that take the place of those of their name
// when they are closed.
func replacing(folder string) reports.Create {
	return func(name string) (io.WriteCloser, error) {
		return replaceFile(filepath.Join(folder, name))
	}
}

// removeAll removes what earlier results in a folder may have that new ones do not: all
// names that match a pattern.
func removeAll(folder string, patterns ...string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		for _, pattern := range patterns {
			if matches, err := filepath.Match(pattern, entry.Name()); err != nil {
				return err
			} else if !matches {
				continue
			}
			if err := os.RemoveAll(filepath.Join(folder, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// bufferedFile is a file written in large pieces. Close reports what any write
// missed, so that a full disk does not go unnoticed.
type bufferedFile struct {
	*bufio.Writer
	file *os.File
}

func createFile(name string) (*bufferedFile, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	return &bufferedFile{bufio.NewWriterSize(f, 1<<16), f}, nil
}

func (b *bufferedFile) Close() error {
	err := b.Flush()
	if closing := b.file.Close(); err == nil {
		err = closing
	}
	return err
}

// replacement is a file under another name until it is closed well. Until then
// an interruption removes it.
type replacement struct {
	*bufferedFile
	name string
}

// replaceFile begins a file. The process number keeps those apart that write the same
// name at once, as the parts of a sweep do that share a folder.
func replaceFile(name string) (*replacement, error) {
	folder, base := filepath.Split(name)
	if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
		return nil, badInputf("expected a file in a folder that is there")
	}
	temp := folder + "." + base + ".tmp-" + strconv.Itoa(os.Getpid())
	r := &replacement{name: name}
	err := unfinished.change(temp, true, func() (err error) {
		r.bufferedFile, err = createFile(temp)
		return err
	})
	return r, err
}

func (r *replacement) Close() error {
	if err := r.bufferedFile.Close(); err != nil {
		r.remove()
		return err
	}
	temp := r.file.Name()
	return unfinished.change(temp, false, func() error {
		err := os.Rename(temp, r.name)
		if err != nil {
			_ = os.Remove(temp) // the first error is the message
		}
		return err
	})
}

// abandon leaves what stands under the name as it was.
func (r *replacement) abandon() {
	_ = r.file.Close() // what is removed need not be whole
	r.remove()
}

func (r *replacement) remove() {
	temp := r.file.Name()
	// The caller has an error already, which is the message.
	_ = unfinished.change(temp, false, func() error { return os.Remove(temp) })
}
