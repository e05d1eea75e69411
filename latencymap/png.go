package latencymap

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
)

// MaxPNGBytes is the maximum size of a PNG file. The pixels need only 65 kB even if they are not
// compressed. The rest allows for colour profiles and comments.
const MaxPNGBytes = 1 << 20

// pngDepthAt is the offset of the bit depth in a PNG file, whose first chunk is always the header.
// The next byte is the colour type. The decoder reports neither, and scales shades of 1, 2 and 4
// bits to 8 bits.
const pngDepthAt = 24

// greyscale8 is the only kind of picture that can be read.
const greyscale8 = "8-bit greyscale"

// pngKind returns the name of a kind of picture, such as "8-bit greyscale". The parameters are
// fields of the PNG header.
func pngKind(depth, colourType byte) string {
	kind := "colour"
	switch colourType {
	case 0:
		kind = "greyscale"
	case 3:
		kind = "palette"
	case 4:
		kind = "greyscale with transparency"
	case 6:
		kind = "colour with transparency"
	}
	return fmt.Sprintf("%d-bit %s", depth, kind)
}

// ReadPNG reads a map from an 8-bit greyscale picture of 360x180 pixels. A pixel is the RTT in
// milliseconds: 0 means no sample, and 255 means 255 ms or more and is read as 255 ms. Any other
// size or kind of picture is an error, because a palette or another bit depth would silently change
// the RTTs. ReadPNG checks this before it decodes the pixels, so that a small file cannot allocate
// a lot of memory.
func ReadPNG(r io.Reader, name string) (*Grid, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MaxPNGBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(raw) > MaxPNGBytes {
		return nil, fmt.Errorf("%s: larger than %d MiB (limit MaxPNGBytes), expected a picture of %dx%d", name, MaxPNGBytes>>20, Cols, Rows)
	}
	header, err := png.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: not a PNG picture: %w", name, err)
	}
	if header.Width != Cols || header.Height != Rows {
		return nil, fmt.Errorf("%s: %dx%d pixels, expected %dx%d", name, header.Width, header.Height, Cols, Rows)
	}
	if kind := pngKind(raw[pngDepthAt], raw[pngDepthAt+1]); kind != greyscale8 {
		return nil, fmt.Errorf("%s: %s, expected %s", name, kind, greyscale8)
	}
	picture, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: damaged PNG picture: %w", name, err)
	}
	grey, ok := picture.(*image.Gray)
	if !ok {
		return nil, fmt.Errorf("%s: %s with a transparent shade, expected none", name, greyscale8)
	}
	grid := &Grid{shades: true}
	for row := range Rows {
		for col, shade := range grey.Pix[row*grey.Stride:][:Cols] {
			grid.put(row*Cols+col, float32(shade)) // cannot fail, because a shade is below SampleMaxMS
		}
	}
	return grid, nil
}

// shadeMax is the largest value of a PNG pixel, in ms. A pixel with this value means an RTT of 255
// ms or more.
const shadeMax = math.MaxUint8

// WritePNG writes a map in the format of ReadPNG, rounded to whole milliseconds. A sample below 0.5
// ms becomes 1, because 0 means no sample.
func WritePNG(w io.Writer, grid *Grid) error {
	return writeShades(w, func(cell int) uint8 {
		ms, ok := grid.At(cell)
		if !ok {
			return 0
		}
		return uint8(min(max(math.Round(float64(ms)), 1), shadeMax))
	})
}

// writeShades writes an 8-bit greyscale picture with one pixel per cell.
func writeShades(w io.Writer, shade func(cell int) uint8) error {
	picture := image.NewGray(image.Rect(0, 0, Cols, Rows))
	for cell := range Cells {
		picture.Pix[cell] = shade(cell) // rows of a new picture are adjacent
	}
	return png.Encode(w, picture)
}
