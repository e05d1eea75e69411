package chart

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"io"
	"math"

	"github.com/klauspost/compress/zlib"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// DPI makes a PNG 4/3 as wide as its canvas: 1280 pixels.
const DPI = 96

// WritePNG draws the picture as PNG. Equal plots give equal bytes.
func (p *Plot) WritePNG(w io.Writer) error {
	raster := vgimg.NewWith(vgimg.UseWH(Width, vg.Length(p.Height)), vgimg.UseDPI(DPI), vgimg.UseBackgroundColor(Paper))
	canvas := &pngCanvas{
		Canvas: raster,
		pixels: raster.Image().(*image.RGBA),
		source: image.NewUniform(color.Black),
		faces:  map[font.Font]xfont.Face{},
	}
	p.DrawOn(canvas)
	return encodePNG(w, canvas.pixels)
}

// pngCanvas writes text directly into the pixels. The embedded canvas would create a font face
// for every string and draw every glyph through a general image transformation, which takes
// longer than all other drawing together.
type pngCanvas struct {
	*vgimg.Canvas
	pixels *image.RGBA
	source *image.Uniform
	faces  map[font.Font]xfont.Face
}

func (c *pngCanvas) SetColor(clr color.Color) {
	c.source.C = clr
	c.Canvas.SetColor(clr)
}

func (c *pngCanvas) FillString(f font.Face, at vg.Point, text string) {
	face, ok := c.faces[f.Font]
	if !ok {
		face = f.FontFace(DPI)
		c.faces[f.Font] = face
	}
	_, height := c.Size()
	d := xfont.Drawer{Dst: c.pixels, Src: c.source, Face: face}
	d.Dot = fixed.Point26_6{X: fixed26(at.X.Dots(DPI)), Y: fixed26((height - at.Y).Dots(DPI))}
	d.DrawString(text)
}

// Fill fills a path.
func (c *pngCanvas) Fill(path vg.Path) {
	mustBeFinite(path)
	c.Canvas.Fill(path)
}

// Stroke draws a line along a path.
func (c *pngCanvas) Stroke(path vg.Path) {
	mustBeFinite(path)
	c.Canvas.Stroke(path)
}

// mustBeFinite panics if a path has a NaN or infinite point. With such a point the rasteriser
// would never return.
func mustBeFinite(path vg.Path) {
	for i := range path {
		c := &path[i]
		sum := float64(c.Pos.X+c.Pos.Y+c.Radius) + c.Start + c.Angle
		if math.IsNaN(sum) || math.IsInf(sum, 0) {
			panic(fmt.Sprintf("chart: a picture has a point at %v", *c))
		}
	}
}

func fixed26(x float64) fixed.Int26_6 { return fixed.Int26_6(x*64 + 0.5) }

// encodePNG writes an opaque image as an 8-bit RGB PNG. It does not filter rows, because filters
// do not make flat colours smaller. Its fast compressor takes a quarter of the time of image/png,
// which does not accept another compressor.
func encodePNG(w io.Writer, m *image.RGBA) error {
	width, height := m.Rect.Dx(), m.Rect.Dy()
	header := binary.BigEndian.AppendUint32(nil, uint32(width))
	header = binary.BigEndian.AppendUint32(header, uint32(height))
	header = append(header, 8, 2, 0, 0, 0) // bits, RGB, deflate, filters, not interlaced

	var data bytes.Buffer
	z, err := zlib.NewWriterLevel(&data, zlib.BestSpeed)
	if err != nil {
		return err
	}
	row := make([]byte, 1+3*width) // the first byte, 0, means no filter
	for y := range height {
		pixels := m.Pix[y*m.Stride:][:4*width]
		for x := range width {
			copy(row[1+3*x:4+3*x], pixels[4*x:4*x+3])
		}
		if _, err := z.Write(row); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}

	file := append([]byte(nil), "\x89PNG\r\n\x1a\n"...)
	file = appendChunk(file, "IHDR", header)
	file = appendChunk(file, "IDAT", data.Bytes())
	file = appendChunk(file, "IEND", nil)
	_, err = w.Write(file)
	return err
}

func appendChunk(file []byte, kind string, data []byte) []byte {
	file = binary.BigEndian.AppendUint32(file, uint32(len(data)))
	start := len(file)
	file = append(append(file, kind...), data...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[start:]))
}
