package tables

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// parquetMagic is at the start and the end of every Parquet file.
const parquetMagic = "PAR1"

// MaxPipedParquetBytes is the maximum size of a Parquet file that comes from a pipe, because it
// must be in memory as a whole.
const MaxPipedParquetBytes = 1 << 30

// ParquetFile is a file that can be read at any position.
type ParquetFile struct {
	io.ReaderAt
	size int64
}

// OpenParquet opens r as a Parquet file. If r is not a Parquet file, the caller must read text
// instead of r, because the first bytes of r may have been consumed.
func OpenParquet(r io.Reader) (file *ParquetFile, text io.Reader, err error) {
	head := make([]byte, len(parquetMagic))
	if at, size, ok := sized(r); ok {
		if n, _ := at.ReadAt(head, 0); n == len(head) && string(head) == parquetMagic {
			return &ParquetFile{at, size}, nil, nil
		}
		return nil, r, nil
	}
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil, err
	}
	text = io.MultiReader(bytes.NewReader(head[:n]), r)
	if string(head[:n]) != parquetMagic {
		return nil, text, nil
	}
	content, err := io.ReadAll(io.LimitReader(text, MaxPipedParquetBytes+1))
	switch {
	case err != nil:
		return nil, nil, err
	case len(content) > MaxPipedParquetBytes:
		return nil, nil, Damage(fmt.Sprintf("more than %d bytes of Parquet from a pipe (MaxPipedParquetBytes): expected a file", MaxPipedParquetBytes))
	}
	return &ParquetFile{bytes.NewReader(content), int64(len(content))}, nil, nil
}

// sized returns r as a file that can be read at any position, with its size. It returns false if r
// is not such a file.
func sized(r io.Reader) (io.ReaderAt, int64, bool) {
	at, ok := r.(io.ReaderAt)
	if !ok {
		return nil, 0, false
	}
	switch file := r.(type) {
	case interface{ Stat() (fs.FileInfo, error) }:
		info, err := file.Stat()
		if err == nil && info.Mode().IsRegular() {
			return at, info.Size(), true
		}
	case interface{ Size() int64 }:
		return at, file.Size(), true
	}
	return nil, 0, false
}

// SHA256 returns the hash of the file.
func (r *ParquetFile) SHA256(progress func(bytes int64)) (sum [sha256.Size]byte, err error) {
	hash, read, buffer := sha256.New(), int64(0), make([]byte, 1<<16)
	content := io.NewSectionReader(r, 0, r.size)
	for {
		n, err := content.Read(buffer)
		hash.Write(buffer[:n])
		read += int64(n)
		if progress != nil && n > 0 {
			progress(read)
		}
		if err == io.EOF {
			return [sha256.Size]byte(hash.Sum(nil)), nil
		} else if err != nil {
			return sum, err
		}
	}
}

// Parquet is a Parquet file as a table. Row numbers take the place of line numbers. The name
// of a column inside a group is prefixed with the name of the group and a dot.
type Parquet struct {
	file    *ParquetFile
	groups  []parquet.RowGroup // unread groups
	chunks  []format.RowGroup  // metadata of the unread groups
	rows    parquet.Rows       // rows of the current group, or nil
	batch   []parquet.Row
	left    []parquet.Row // unread rows of batch
	row     Row
	names   []string
	columns []parquetColumn // in the order of the file
	text    []byte          // text of the cells in the current row
	read    int             // number of rows read
	err     error
}

// parquetColumn is a leaf of the schema.
type parquetColumn struct {
	write cellWriter
	list  bool
}

// parquetBatch is the number of rows to decode at a time.
const parquetBatch = 512

// NewParquet reads the metadata of the file. It returns an error if the Parquet library
// panics, as it does on some damaged files.
func NewParquet(file *ParquetFile) (t *Parquet, err error) {
	defer recoverDamage(&err)
	var end [8]byte
	if file.size < int64(len(parquetMagic)+len(end)) {
		return nil, Damage("the Parquet file ends too early: expected a complete file, this one is truncated")
	}
	if _, err := file.ReadAt(end[:], file.size-int64(len(end))); err != nil {
		return nil, err
	}
	if string(end[4:]) != parquetMagic || int64(binary.LittleEndian.Uint32(end[:4])) > file.size-int64(len(parquetMagic)+len(end)) {
		return nil, Damage("the Parquet file does not end with its description: expected a complete file, this one is truncated or damaged")
	}
	f, err := parquet.OpenFile(file, file.size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, damaged(err)
	}
	t = &Parquet{file: file, groups: f.RowGroups(), chunks: f.Metadata().RowGroups, batch: make([]parquet.Row, parquetBatch)}
	schema := f.Schema()
	paths := schema.Columns()
	if len(paths) > MaxColumns {
		return nil, Damage(TooManyColumns(len(paths)))
	}
	t.columns = make([]parquetColumn, len(paths))
	t.names = make([]string, len(paths))
	for _, path := range paths {
		leaf, ok := schema.Lookup(path...)
		if !ok || leaf.ColumnIndex >= len(paths) {
			return nil, damaged(fmt.Errorf("no column %q", path))
		}
		t.names[leaf.ColumnIndex] = columnName(path, leaf.MaxRepetitionLevel > 0)
		t.columns[leaf.ColumnIndex] = parquetColumn{writerOf(leaf.Node), leaf.MaxRepetitionLevel > 0}
		t.row.Lists = append(t.row.Lists, false)
		t.row.Columns = append(t.row.Columns, 0)
	}
	for i, column := range t.columns {
		t.row.Lists[i] = column.list
	}
	return t, nil
}

// columnName returns the name of a column. That is its path, without the names that Parquet uses
// for the inner levels of a list.
func columnName(path []string, list bool) string {
	if list && len(path) > 2 {
		switch path[len(path)-2] {
		case "list", "bag", "array":
			path = path[:len(path)-2]
		}
	}
	return strings.Join(path, ".")
}

// damaged converts an error of the Parquet library to an error about the file.
func damaged(err error) error {
	return Damage(fmt.Sprintf("the Parquet file is damaged (%v): expected one that can be read", err))
}

// recoverDamage converts a panic of the Parquet library to an error about the file.
func recoverDamage(err *error) {
	if fault := recover(); fault != nil {
		*err = damaged(fmt.Errorf("%v", fault))
	}
}

func (t *Parquet) Current() *Row                 { return &t.row }
func (t *Parquet) State() (lines int, err error) { return t.read, t.err }
func (t *Parquet) Names() []string               { return t.names }

// Next reads the next row.
func (t *Parquet) Next() (bool, *Fault) {
	if len(t.left) == 0 {
		if t.err = t.fill(); t.err != nil {
			return false, nil
		}
	}
	row := t.left[0]
	t.left = t.left[1:]
	t.read++
	t.row.Line = t.read
	t.row.Cells = t.row.Cells[:0]
	for range t.columns {
		t.row.Cells = append(t.row.Cells, nil)
	}
	t.text = t.text[:0]
	for len(row) > 0 { // the values of a column are adjacent
		column := row[0].Column()
		if column < 0 || column >= len(t.columns) {
			return true, &Fault{Message: "a value of no column: expected a Parquet file that is not damaged"}
		}
		end := 1
		for end < len(row) && row[end].Column() == column {
			end++
		}
		if message := t.cell(column, row[:end]); message != "" {
			return true, &Fault{Message: fmt.Sprintf("column %s: %s", Quoted(t.names[column]), message)}
		}
		row = row[end:]
	}
	return true, nil
}

// cell adds the values of a column as a cell.
func (t *Parquet) cell(column int, values []parquet.Value) (message string) {
	c := &t.columns[column]
	from := len(t.text)
	for _, value := range values {
		if value.IsNull() {
			continue
		}
		if len(t.text) > from {
			t.text = append(t.text, ';')
		}
		begin := len(t.text)
		if t.text = c.write(t.text, value); c.list && bytes.IndexByte(t.text[begin:], ';') >= 0 {
			return fmt.Sprintf("item %s: expected one without a semicolon", Quoted(t.text[begin:]))
		}
	}
	if len(t.text)-from > MaxRecordBytes {
		return fmt.Sprintf("a cell of more than %d bytes (MaxRecordBytes): expected less", MaxRecordBytes)
	}
	t.row.Cells[column] = t.text[from:len(t.text):len(t.text)]
	return ""
}

// fill decodes the next rows. It returns io.EOF after the last row.
func (t *Parquet) fill() (err error) {
	defer recoverDamage(&err)
	for {
		if t.rows == nil {
			if len(t.groups) == 0 {
				return io.EOF
			}
			if err := checkLZ4(t.file, &t.chunks[0]); err != nil {
				return err
			}
			t.rows = t.groups[0].Rows()
			t.groups, t.chunks = t.groups[1:], t.chunks[1:]
		}
		n, err := t.rows.ReadRows(t.batch)
		if n > 0 {
			t.left = t.batch[:n] // the next call returns the error again
			return nil
		}
		if err != nil && err != io.EOF {
			return damaged(err)
		}
		if err := t.rows.Close(); err != nil {
			return damaged(err)
		}
		t.rows = nil
	}
}

// Close frees the resources of the Parquet library.
func (t *Parquet) Close() {
	if t.rows != nil {
		t.rows.Close() // the file is only read, so an error does not matter
	}
}
