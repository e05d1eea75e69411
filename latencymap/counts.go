package latencymap

import (
	"encoding/binary"
	"io"
	"math"
)

// Counts contains the number of measurements in each cell of a map.
type Counts [Cells]uint64

// WriteBin writes the counts in the .bin format of maps: little-endian float32, row by row from the
// north-west corner. Counts up to 16,777,216 are exact.
func (c *Counts) WriteBin(w io.Writer) error {
	raw := make([]byte, 0, binBytes)
	for _, n := range c {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(n)))
	}
	_, err := w.Write(raw)
	return err
}

// WritePNG writes the counts as an 8-bit greyscale picture of 360x180 pixels. 255 means 255 or
// more.
func (c *Counts) WritePNG(w io.Writer) error {
	return writeShades(w, func(cell int) uint8 { return uint8(min(c[cell], math.MaxUint8)) })
}
