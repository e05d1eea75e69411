package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"

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

func replaceFile(name string) (*replacement, error) {
	folder, base := filepath.Split(name)
	temp := folder + "." + base + ".tmp"
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
