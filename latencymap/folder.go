package latencymap

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// mapForms are the two file formats of a latency map. It is a slice rather than a Go map so that
// messages come out in a fixed order.
var mapForms = []struct {
	extension string
	read      func(io.Reader, string) (*Grid, error)
	write     func(io.Writer, *Grid) error
}{
	{".bin", ReadBin, WriteBin},
	{".png", ReadPNG, WritePNG},
}

// ReadMap reads a map. The extension of name, .bin or .png, selects the format.
func ReadMap(r io.Reader, name string) (*Grid, error) {
	for _, form := range mapForms {
		if path.Ext(name) == form.extension {
			return form.read(r, name)
		}
	}
	return nil, unknownForm(name)
}

// WriteMap writes a map. The extension of name, .bin or .png, selects the format.
func WriteMap(w io.Writer, name string, grid *Grid) error {
	for _, form := range mapForms {
		if path.Ext(name) == form.extension {
			return form.write(w, grid)
		}
	}
	return unknownForm(name)
}

func unknownForm(name string) error {
	return fmt.Errorf("%s: unknown map format, expected a name that ends in .bin or .png", name)
}

// NamedGrid is a latency map and its name.
type NamedGrid struct {
	Datacenter string
	Grid       *Grid
}

// MaxMaps is the maximum number of maps that ReadMaps reads. 1024 maps take 265 MB of memory. A run
// uses at most MaxDatacenters maps.
const MaxMaps = 1024

// ReadMaps reads all latency maps at the top level of fsys, sorted by datacenter and without
// cleaning. dir is the folder's name for messages.
func ReadMaps(fsys fs.FS, dir string) ([]NamedGrid, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("%s: cannot list the folder of latency maps: %w", dir, err)
	}
	unclaimed := make(map[string]bool)
	var names []string
	for _, entry := range entries {
		unclaimed[entry.Name()] = true
		if name, ok := datacenterOf(entry.Name()); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > MaxMaps {
		return nil, fmt.Errorf("%s: %d latency maps, expected at most %d (MaxMaps)", dir, len(names), MaxMaps)
	}
	var maps []NamedGrid
	for _, name := range names {
		grid, _, err := readMap(fsys, dir, name, unclaimed)
		if err != nil {
			return nil, err
		}
		maps = append(maps, NamedGrid{name, grid})
	}
	return maps, nil
}

// datacenterOf returns the name of the datacenter in a file name. It returns false if the file name
// is not that of a map.
func datacenterOf(file string) (name string, ok bool) {
	for _, form := range mapForms {
		if base, ok := strings.CutSuffix(file, form.extension); ok {
			return strings.CutPrefix(base, "latency_")
		}
	}
	return "", false
}
