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

// replacement is a file under another name until it is closed well.
type replacement struct {
	*bufferedFile
	name string
}

func replaceFile(name string) (*replacement, error) {
	folder, base := filepath.Split(name)
	f, err := createFile(folder + "." + base + ".tmp")
	if err != nil {
		return nil, err
	}
	return &replacement{f, name}, nil
}

func (r *replacement) Close() error {
	err := r.bufferedFile.Close()
	if err == nil {
		err = os.Rename(r.file.Name(), r.name)
	}
	if err != nil {
		r.remove()
	}
	return err
}

// abandon leaves what stands under the name as it was.
func (r *replacement) abandon() {
	_ = r.file.Close() // what is removed need not be whole
	r.remove()
}

func (r *replacement) remove() { _ = os.Remove(r.file.Name()) }

// writeFile makes one file; it is closed whatever happens.
func writeFile(create reports.Create, name string, write func(io.Writer) error) error {
	f, err := create(name)
	if err != nil {
		return err
	}
	err = write(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
