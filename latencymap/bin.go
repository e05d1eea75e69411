package latencymap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// binBytes is the size of a .bin map in bytes.
const binBytes = Cells * 4

// ReadBin reads a map in the .bin format: Cells little-endian float32 values in milliseconds, row
// by row from the north-west corner. A cell with a NaN, infinite, negative or zero value has no
// sample. It is an error if the length is not exactly 259,200 bytes or if a value exceeds
// SampleMaxMS. name is used only in messages.
func ReadBin(r io.Reader, name string) (*Grid, error) {
	raw := make([]byte, binBytes+1)
	n, err := io.ReadFull(r, raw)
	switch {
	case err == nil:
		return nil, fmt.Errorf("%s: more than %d bytes, expected exactly %d (%dx%d float32)", name, binBytes, binBytes, Cols, Rows)
	case !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: %w", name, err)
	case n != binBytes:
		return nil, fmt.Errorf("%s: %d bytes, expected exactly %d (%dx%d float32)", name, n, binBytes, Cols, Rows)
	}
	grid := new(Grid)
	for cell := range Cells {
		ms := math.Float32frombits(binary.LittleEndian.Uint32(raw[cell*4:]))
		if !grid.put(cell, ms) {
			return nil, fmt.Errorf("%s: row %d, column %d (counted from 0): %g ms, expected at most %d ms",
				name, cell/Cols, cell%Cols, ms, SampleMaxMS)
		}
	}
	return grid, nil
}

// WriteBin writes a map in the format of ReadBin.
func WriteBin(w io.Writer, grid *Grid) error {
	raw := make([]byte, binBytes)
	for cell, ms := range grid.ms {
		binary.LittleEndian.PutUint32(raw[cell*4:], math.Float32bits(ms))
	}
	_, err := w.Write(raw)
	return err
}
