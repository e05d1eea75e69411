package results

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/input"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// ArchiveBytesMax limits the size of an archive and of the files in it.
const ArchiveBytesMax = 1 << 30

// Pack encodes the summary of a result as an archive of its files; if brief, also the distributions and
// the map.
func Pack(r *result.Result, brief bool) ([]byte, error) {
	return archive(func(z *zip.Writer) error {
		create := result.Create(func(name string) (io.WriteCloser, error) {
			w, err := z.Create(name)
			return unclosed{w}, err
		})
		if brief {
			return r.WriteBrief(create)
		}
		return create.File(outcome.SummaryFile, r.Summary.Write)
	})
}

// archive returns the archive of the files that write adds.
func archive(write func(z *zip.Writer) error) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := cmp.Or(write(z), z.Close())
	return b.Bytes(), err
}

// unclosed is a writer that does nothing when it is closed.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// Unpack decodes what Pack encoded. It returns an error unless the result belongs to the job with the
// given hash.
func Unpack(payload []byte, hash string, brief bool) (*result.Result, error) {
	z, err := zip.NewReader(bytes.NewReader(payload), int64(len(payload)))
	if err != nil {
		return nil, err
	}
	return load(z, hash, brief)
}

// load reads a result in an archive.
func load(files fs.FS, hash string, brief bool) (r *result.Result, err error) {
	if brief {
		r, err = result.LoadBrief(files)
	} else if summary, fault := outcome.LoadSummary(files); fault != nil {
		err = fault
	} else {
		r = &result.Result{Summary: *summary}
	}
	missing, isMissing := errors.AsType[*fs.PathError](err)
	switch {
	case isMissing && errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("contains no %s", missing.Path)
	case err != nil:
		return nil, err
	case r.Summary.Run.ConfigSHA256 != hash:
		return nil, fmt.Errorf("is about configuration %.12s, expected %.12s", r.Summary.Run.ConfigSHA256, hash)
	}
	return r, nil
}

// PackFolder encodes the files below a folder as an archive. Equal files give equal bytes.
func PackFolder(dir string) ([]byte, error) {
	return pack(dir, 0, func(string, fs.DirEntry) (bool, error) { return true, nil })
}

// pack is PackFolder of the files and folders that keep says are part of the archive. modes are the bits of
// their modes that the archive has.
func pack(dir string, modes fs.FileMode, keep func(name string, entry fs.DirEntry) (bool, error)) ([]byte, error) {
	below := os.DirFS(dir)
	return archive(func(z *zip.Writer) error {
		return fs.WalkDir(below, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || name == "." {
				return err
			}
			switch isKept, err := keep(name, entry); {
			case err != nil:
				return err
			case !isKept && entry.IsDir():
				return fs.SkipDir
			case !isKept || entry.IsDir():
				return nil
			}
			return packFile(z, below, name, modes)
		})
	})
}

// packFile adds a file to an archive.
func packFile(z *zip.Writer, below fs.FS, name string, modes fs.FileMode) error {
	from, err := below.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	h := &zip.FileHeader{Name: name, Method: zip.Deflate}
	if mode := info.Mode() & modes; mode != 0 {
		h.SetMode(0o666 | mode)
	}
	to, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return err
}

// UnpackInto writes the files in the archive of a result to a folder, and returns the result as Unpack
// does.
func UnpackInto(dir string, payload []byte, hash string, brief bool) (*result.Result, error) {
	if err := unpack(payload, dir, input.Limit{Name: "ArchiveBytesMax", Bytes: ArchiveBytesMax}, 0); err != nil {
		return nil, err
	}
	return load(input.Folder(dir), hash, brief)
}

// unpack writes the files in an archive to a folder. No file name in the archive can lead outside
// of the folder. limit is for all files together. modes are the bits of their modes that are kept.
func unpack(payload []byte, dir string, limit input.Limit, modes fs.FileMode) error {
	z, err := zip.NewReader(bytes.NewReader(payload), int64(len(payload)))
	if err != nil {
		return err
	}
	if err := disk.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	left := uint64(limit.Bytes)
	for _, f := range z.File {
		if !fs.ValidPath(f.Name) || !filepath.IsLocal(filepath.FromSlash(f.Name)) || !f.Mode().IsRegular() {
			return fmt.Errorf("contains the file %q, expected only files inside the folder", f.Name)
		}
		if f.UncompressedSize64 > left {
			return fmt.Errorf("its files have more than %d bytes (limit %s)", limit.Bytes, limit.Name)
		}
		left -= f.UncompressedSize64
		if err := unpackFile(f, root, f.Mode()&modes); err != nil {
			return err
		}
	}
	return nil
}

// unpackFile writes one file of an archive below root. The zip library checks that the content
// has the declared size. mode adds to the mode of the file.
func unpackFile(f *zip.File, root *os.Root, mode fs.FileMode) error {
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	if above := path.Dir(f.Name); above != "." {
		if err := root.MkdirAll(filepath.FromSlash(above), 0o777); err != nil {
			return err
		}
	}
	to, err := root.OpenFile(filepath.FromSlash(f.Name), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666|mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return cmp.Or(err, to.Close())
}
