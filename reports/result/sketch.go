package result

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"

	"mmsim/reports/outcome"
)

// A Sketch has what the pictures of a comparison need of one side, over all its runs: the distributions
// of first waits and of RTTs, the map, the ratings and predictions of a season, and the minutes around
// events.
type Sketch struct {
	Waits, RTTs []Bin
	Ratings     []RatingCell
	Predictions []PredictionBin
	Events      []SideEvent
	minutes     map[int]sketchMinute  // by the time at which they begin
	cells       map[[2]int]sketchCell // by latitude and longitude
}

// sketchCell adds RTTs as whole thousandths, so that the sum does not depend on the order of the runs.
type sketchCell struct{ players, thousandths int }

// AddRun adds a run, with all its queues.
func (k *Sketch) AddRun(r *Result) {
	k.Waits = Pooled(k.Waits, r.Distribution(MeasureWaitFirst).Bins)
	k.RTTs = Pooled(k.RTTs, r.Distribution(MeasureRTT).Bins)
	k.Ratings = pooledRatings(k.Ratings, r.Ratings)
	k.Predictions = pooledPredictions(k.Predictions, r.Predictions)
	k.addAround(r)
	for i := range r.Map {
		c := &r.Map[i]
		k.addCell(*c)
	}
}

func (k *Sketch) addCell(c Cell) {
	if k.cells == nil {
		k.cells = map[[2]int]sketchCell{}
	}
	at := [2]int{c.Latitude, c.Longitude}
	sum := k.cells[at]
	k.cells[at] = sketchCell{sum.players + c.Players, sum.thousandths + c.Players*int(math.Round(1000*float64(c.RTTMean)))}
}

// Map returns the matched players by the cell in which they live, from the south-west, without their
// waits.
func (k *Sketch) Map() (list []Cell) {
	for at, c := range k.cells {
		list = append(list, Cell{Latitude: at[0], Longitude: at[1], Players: c.players, RTTMean: outcome.RoundMillis(float64(c.thousandths) / float64(c.players) / 1000)})
	}
	slices.SortFunc(list, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(a.Latitude, b.Latitude), cmp.Compare(a.Longitude, b.Longitude))
	})
	return list
}

// Files of WriteSketches. Those of a run with the same names have no column for the side.
const (
	SketchBinsFile = binsFile
	SketchMapFile  = MapFile
)

// sided is a row of these files.
type sided[T any] struct {
	Side string `csv:"side"`
	Row  T      `csv:"*"`
}

var sideNames = [...]string{"A", "B"}

// A sidePart is a file with the rows of both sides.
type sidePart struct {
	file   string
	sparse bool // whether the file is left out if it has no rows
	write  func(sides *[2]Sketch, create Create) error
	read   func(sides *[2]Sketch, dir fs.FS) error
}

// sideOf describes a file. It has no column with the name without. rows returns the rows of a side, and add
// adds one that was read. fault is that of a row; see tableOf.
func sideOf[T any](file string, sparse bool, without string, fault func(row *T, index int) string, rows func(k *Sketch, sides *[2]Sketch) []T, add func(k *Sketch, row T)) sidePart {
	t := tableOf(file, "", func(s *sided[T], i int) string {
		if !slices.Contains(sideNames[:], s.Side) {
			return fmt.Sprintf("side is %s, want A or B", outcome.Quoted(s.Side))
		}
		return fault(&s.Row, i)
	})
	t.columns = slices.DeleteFunc(t.columns, func(c column) bool { return c.name == without })
	return sidePart{file, sparse, func(sides *[2]Sketch, create Create) error {
		var all []sided[T]
		for i, name := range sideNames {
			for _, row := range rows(&sides[i], sides) {
				all = append(all, sided[T]{name, row})
			}
		}
		if len(all) == 0 && sparse {
			return nil
		}
		return create.File(file, func(w io.Writer) error { return t.write(w, all) })
	}, func(sides *[2]Sketch, dir fs.FS) error {
		all, err := readTable(dir, t)
		for _, row := range all {
			add(&sides[slices.Index(sideNames[:], row.Side)], row.Row)
		}
		return err
	}}
}

// sideParts are the files of WriteSketches. Without seasons, there are none of ratings and predictions, and
// without events none of events and minutes.
var sideParts = []sidePart{
	sideOf(SketchBinsFile, false, "", binsTable.fault, (*Sketch).bins, (*Sketch).addBin),
	sideOf(SketchMapFile, false, "wait_mean_s", mapTable.fault,
		func(k *Sketch, _ *[2]Sketch) []Cell { return k.Map() }, (*Sketch).addCell),
	sideOf(RatingsFile, true, "", ratingsTable.fault,
		func(k *Sketch, _ *[2]Sketch) []RatingCell { return k.Ratings }, func(k *Sketch, c RatingCell) { k.Ratings = append(k.Ratings, c) }),
	sideOf(PredictionsFile, true, "", predictionsTable.fault,
		func(k *Sketch, _ *[2]Sketch) []PredictionBin { return k.Predictions }, func(k *Sketch, b PredictionBin) { k.Predictions = append(k.Predictions, b) }),
	sideOf(SketchEventsFile, true, "", (*SideEvent).fault,
		func(k *Sketch, _ *[2]Sketch) []SideEvent { return k.Events }, func(k *Sketch, e SideEvent) { k.Events = append(k.Events, e) }),
	sideOf(SketchMinutesFile, true, "", (*SideMinute).fault, (*Sketch).minutesAround, (*Sketch).addMinute),
}

func (k *Sketch) bins(*[2]Sketch) (rows []binRow) {
	for _, d := range [...]Distribution{{Measure: MeasureWaitFirst, Bins: k.Waits}, {Measure: MeasureRTT, Bins: k.RTTs}} {
		for _, b := range d.Bins {
			rows = append(rows, binRow{d.Name(), b})
		}
	}
	return rows
}

func (k *Sketch) addBin(row binRow) {
	if row.Measure == MeasureRTT.String() {
		k.RTTs = append(k.RTTs, row.Bin)
	} else {
		k.Waits = append(k.Waits, row.Bin)
	}
}

// WriteSketches writes the sketches of both sides of a comparison.
func WriteSketches(sides *[2]Sketch, create Create) error {
	for _, p := range sideParts {
		if err := p.write(sides, create); err != nil {
			return err
		}
	}
	return nil
}

// LoadSketches reads what WriteSketches wrote. It returns nil if there are no such files, because results
// without distributions were compared. An error begins with the name of the file.
func LoadSketches(dir fs.FS) (*[2]Sketch, error) {
	var sides [2]Sketch
	for _, p := range sideParts {
		switch err := p.read(&sides, dir); {
		case err == nil, p.sparse && errors.Is(err, fs.ErrNotExist):
		case p.file == SketchBinsFile && errors.Is(err, fs.ErrNotExist):
			return nil, nil
		default:
			return nil, err
		}
	}
	return &sides, nil
}
