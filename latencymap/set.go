package latencymap

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
)

// MaxDatacenters is the maximum number of datacenters in a Set. It is 64 because a set of
// datacenters is a 64-bit mask.
const MaxDatacenters = 64

// Datacenter is a hosting location. Its name identifies its latency map, so names in a Set must be
// distinct.
type Datacenter struct {
	Name     string
	Lat, Lon float64
}

// Options select the samples to use and a fallback for missing ones.
type Options struct {
	Clean    bool     // drop impossible samples, see Cleaned
	Fallback Fallback // used where there is no sample
	// Fudge multiplies the estimates of the fallback. It is from FudgeMin to FudgeMax, or 0 for no
	// change, which is the same as 1. It does not affect samples and measured RTTs.
	Fudge float64
}

// Set provides the RTTs between positions and datacenters. It does not change after Open and is
// safe for concurrent use.
type Set struct {
	options     Options
	datacenters []Datacenter
	// samples is indexed by cell and then by datacenter, so that all samples for a place are in one
	// or two cache lines. 0 means no sample. A negative value is a sample that cleaning dropped.
	// samples is nil if there are no maps.
	samples []float32
	// filled has the set of datacenters with a sample in each cell.
	filled         []uint64
	cleaned        []Cleaned
	missing, stray []string
	files          []string
	empty          []string // see Empty
	// model and destinations are set only if the fallback is Model.
	model        *cableModel
	destinations []destination
	positions    []vector
}

// Open reads the maps of the datacenters, latency_<name>.bin or latency_<name>.png, from the top
// level of fsys. dir is its name for messages. If fsys is nil, there are no maps. A datacenter may
// lack a map (see Missing), but two maps for one datacenter are an error.
func Open(fsys fs.FS, dir string, datacenters []Datacenter, options Options) (*Set, error) {
	if n := len(datacenters); n == 0 || n > MaxDatacenters {
		return nil, fmt.Errorf("%d datacenters, expected 1 to %d (MaxDatacenters)", n, MaxDatacenters)
	}
	if options.Fudge == 0 {
		options.Fudge = 1
	}
	if !(options.Fudge >= FudgeMin && options.Fudge <= FudgeMax) {
		return nil, fmt.Errorf("fudge %v, expected a factor from %v to %v", options.Fudge, FudgeMin, FudgeMax)
	}
	s := &Set{
		options:     options,
		datacenters: slices.Clone(datacenters),
		cleaned:     make([]Cleaned, len(datacenters)),
	}
	for _, d := range datacenters {
		s.positions = append(s.positions, Position{Lat: d.Lat, Lon: d.Lon}.vector())
	}
	if options.Fallback == Model {
		s.model = builtinModel()
		for _, d := range datacenters {
			s.destinations = append(s.destinations, s.model.destination(Position{Lat: d.Lat, Lon: d.Lon}))
		}
	}
	if fsys == nil {
		return s, nil
	}
	if err := s.readMaps(fsys, dir); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Set) readMaps(fsys fs.FS, dir string) error {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return fmt.Errorf("%s: cannot list the folder of latency maps: %w", dir, err)
	}
	unclaimed := make(map[string]bool)
	for _, entry := range entries {
		unclaimed[entry.Name()] = true
	}
	s.samples = make([]float32, Cells*len(s.datacenters))
	s.filled = make([]uint64, Cells)
	for dc, d := range s.datacenters {
		grid, file, err := readMap(fsys, dir, d.Name, unclaimed)
		if err != nil {
			return err
		}
		if grid == nil {
			s.missing = append(s.missing, d.Name)
			continue
		}
		s.cleaned[dc].NaN = grid.Invalid()
		s.files = append(s.files, file)
		for cell, ms := range grid.ms {
			if ms > 0 {
				s.samples[cell*len(s.datacenters)+dc] = ms
				s.filled[cell] |= 1 << dc
			}
		}
	}
	slices.Sort(s.files)
	if s.options.Clean {
		s.clean()
	}
	s.findEmpty()
	for _, entry := range entries {
		if name := entry.Name(); unclaimed[name] && isMapName(name) {
			s.stray = append(s.stray, name)
		}
	}
	return nil
}

// findEmpty finds the maps whose samples were all dropped.
func (s *Set) findEmpty() {
	var any uint64
	for _, filled := range s.filled {
		any |= filled
	}
	for dc, d := range s.datacenters {
		if any>>dc&1 != 0 || s.cleaned[dc] == (Cleaned{}) {
			continue
		}
		c := s.cleaned[dc]
		s.empty = append(s.empty, fmt.Sprintf("the map of %s has no sample that can be used: of %d cells %d are NaN, infinite or negative, %d at null island, %d faster than light",
			d.Name, Cells, c.NaN, c.NullIsland, c.FasterThanLight))
	}
}

// Empty returns one sentence for each map whose samples were all dropped, which says why.
func (s *Set) Empty() []string { return s.empty }

// isMapName reports whether a file is meant to be a map, judging by its name. Its format need not
// be supported, as for latency_paris.jpg.
func isMapName(name string) bool {
	return strings.HasPrefix(strings.ToLower(name), "latency_")
}

// MapName returns the part of a map's file name that stands for a datacenter. It is the name of the
// datacenter, with _ for the slash of aws/us-east-1.
func MapName(datacenter string) string { return strings.ReplaceAll(datacenter, "/", "_") }

// readMap reads the map of a datacenter and removes it from unclaimed. It returns nil if there is
// none.
func readMap(fsys fs.FS, dir, datacenter string, unclaimed map[string]bool) (grid *Grid, file string, err error) {
	for _, form := range mapForms {
		name := "latency_" + MapName(datacenter) + form.extension
		if !unclaimed[name] {
			continue
		}
		delete(unclaimed, name)
		shown := path.Join(dir, name)
		if grid != nil {
			return nil, "", fmt.Errorf("%s: datacenter %.40q has a .bin map too, expected one of the two", shown, datacenter)
		}
		in, err := fsys.Open(name)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", shown, cause(err))
		}
		if info, err := in.Stat(); err == nil && info.IsDir() {
			in.Close()
			return nil, "", fmt.Errorf("%s: a folder, expected a map", shown)
		}
		grid, err = form.read(in, shown)
		in.Close()
		if err != nil {
			return nil, "", err
		}
		file = name
	}
	return grid, file, nil
}

// cause returns the underlying error of a file operation without the file name. Our messages
// already begin with the name.
func cause(err error) error {
	if detail := (*fs.PathError)(nil); errors.As(err, &detail) {
		return detail.Err
	}
	return err
}

// Lookup returns the RTT between a position and a datacenter in milliseconds, without rounding. It
// is the sample in the map's cell at that position, or the fallback's estimate if there is none.
// For many positions, use Table, because Lookup tries every hub of the model.
func (s *Set) Lookup(dc int, lat, lon float64) (ms float64, source Source) {
	if s.samples != nil {
		if sample := s.samples[CellOf(lat, lon)*len(s.datacenters)+dc]; sample > 0 {
			return float64(sample), SourceMap
		}
	}
	place := Position{Lat: lat, Lon: lon}
	source = s.options.Fallback.source()
	if s.options.Fallback == Model {
		return s.model.estimate(place, &s.destinations[dc]) * s.options.Fudge, source
	}
	return s.straight(place.vector().kilometres(s.positions[dc])), source
}

// straight returns the estimate of a fallback that depends only on distance.
func (s *Set) straight(kilometres float64) float64 {
	if s.options.Fallback == Fibre {
		return fibreMS(kilometres) * s.options.Fudge
	}
	return lineMS(kilometres) * s.options.Fudge
}

// Raw returns the sample in the cell of the map, even if cleaning dropped it. It returns false if
// the cell has none.
func (s *Set) Raw(dc int, lat, lon float64) (ms float64, ok bool) {
	if s.samples == nil {
		return 0, false
	}
	ms = math.Abs(float64(s.samples[CellOf(lat, lon)*len(s.datacenters)+dc]))
	return ms, ms > 0
}

// Cleaned returns the number of samples that were dropped from a datacenter's map.
func (s *Set) Cleaned(dc int) Cleaned { return s.cleaned[dc] }

// Missing returns the names of the datacenters without a map in the order of the Set. It returns
// none if Open was called without maps.
func (s *Set) Missing() []string { return s.missing }

// Files returns the sorted names of the maps that were read.
func (s *Set) Files() []string { return s.files }

// Stray returns the sorted names of files that look like maps but belong to no datacenter in the
// Set.
func (s *Set) Stray() []string { return s.stray }
