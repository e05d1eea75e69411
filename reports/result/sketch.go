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
		k.addCell(c.Latitude, c.Longitude, c.Players, c.RTTMean)
	}
}

func (k *Sketch) addCell(latitude, longitude, players int, rttMean outcome.Millis) {
	if k.cells == nil {
		k.cells = map[[2]int]sketchCell{}
	}
	at := [2]int{latitude, longitude}
	sum := k.cells[at]
	k.cells[at] = sketchCell{sum.players + players, sum.thousandths + players*int(math.Round(1000*float64(rttMean)))}
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

// sketchPlace is the row of a cell.
type sketchPlace struct {
	Latitude  int            `csv:"latitude"`
	Longitude int            `csv:"longitude"`
	Players   int            `csv:"players"`
	RTTMean   outcome.Millis `csv:"rtt_mean_ms"`
}

var sideNames = [...]string{"A", "B"}

// sidesTable returns the table of a file with the rows of both sides. fault is that of a row.
func sidesTable[T any](file string, fault func(row *T, index int) string) *table[sided[T]] {
	return tableOf(file, "", func(s *sided[T], i int) string {
		if !slices.Contains(sideNames[:], s.Side) {
			return fmt.Sprintf("side is %s, want A or B", outcome.Quoted(s.Side))
		}
		return fault(&s.Row, i)
	})
}

var (
	sideBinsTable = sidesTable(SketchBinsFile, binsTable.fault)
	sideMapTable  = sidesTable(SketchMapFile, func(c *sketchPlace, _ int) string {
		cell := Cell{Latitude: c.Latitude, Longitude: c.Longitude, Players: c.Players}
		return cell.fault()
	})
	sideRatingsTable     = sidesTable(RatingsFile, ratingsTable.fault)
	sidePredictionsTable = sidesTable(PredictionsFile, predictionsTable.fault)
)

// WriteSketches writes the sketches of both sides of a comparison. Without seasons, there are no files of
// ratings and predictions, and without events none of events and minutes.
func WriteSketches(sides *[2]Sketch, create Create) error {
	err := writeSides(sides, create, sideBinsTable, true, func(k *Sketch) (rows []binRow) {
		for _, d := range [...]Distribution{{Measure: MeasureWaitFirst, Bins: k.Waits}, {Measure: MeasureRTT, Bins: k.RTTs}} {
			for _, b := range d.Bins {
				rows = append(rows, binRow{d.Name(), b})
			}
		}
		return rows
	})
	if err == nil {
		err = writeSides(sides, create, sideMapTable, true, func(k *Sketch) (rows []sketchPlace) {
			for _, c := range k.Map() {
				rows = append(rows, sketchPlace{c.Latitude, c.Longitude, c.Players, c.RTTMean})
			}
			return rows
		})
	}
	if err == nil {
		err = writeSides(sides, create, sideRatingsTable, false, func(k *Sketch) []RatingCell { return k.Ratings })
	}
	if err == nil {
		err = writeSides(sides, create, sidePredictionsTable, false, func(k *Sketch) []PredictionBin { return k.Predictions })
	}
	if err == nil {
		err = writeAround(sides, create)
	}
	return err
}

// writeSides writes a file of both sides. Unless always is set, there is no file without rows.
func writeSides[T any](sides *[2]Sketch, create Create, t *table[sided[T]], always bool, of func(k *Sketch) []T) error {
	var rows []sided[T]
	for i, name := range sideNames {
		for _, row := range of(&sides[i]) {
			rows = append(rows, sided[T]{name, row})
		}
	}
	if len(rows) == 0 && !always {
		return nil
	}
	return create.File(t.file, func(w io.Writer) error { return t.write(w, rows) })
}

// LoadSketches reads what WriteSketches wrote. It returns nil if there are no such files, because results
// without distributions were compared. An error begins with the name of the file.
func LoadSketches(dir fs.FS) (*[2]Sketch, error) {
	var sides [2]Sketch
	err := readSides(&sides, dir, sideBinsTable, func(k *Sketch, row binRow) {
		if row.Measure == MeasureRTT.String() {
			k.RTTs = append(k.RTTs, row.Bin)
		} else {
			k.Waits = append(k.Waits, row.Bin)
		}
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = readSides(&sides, dir, sideMapTable, func(k *Sketch, c sketchPlace) { k.addCell(c.Latitude, c.Longitude, c.Players, c.RTTMean) })
	}
	if err == nil {
		err = readSides(&sides, dir, sideRatingsTable, func(k *Sketch, c RatingCell) { k.Ratings = append(k.Ratings, c) })
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = readSides(&sides, dir, sidePredictionsTable, func(k *Sketch, b PredictionBin) { k.Predictions = append(k.Predictions, b) })
		}
		if errors.Is(err, fs.ErrNotExist) { // no season
			err = nil
		}
	}
	if err == nil {
		err = readAround(&sides, dir)
	}
	if err != nil {
		return nil, err
	}
	return &sides, nil
}

// readSides reads a file of both sides and adds its rows to them.
func readSides[T any](sides *[2]Sketch, dir fs.FS, t *table[sided[T]], add func(k *Sketch, row T)) error {
	rows, err := readTable(dir, t)
	for _, row := range rows {
		add(&sides[slices.Index(sideNames[:], row.Side)], row.Row)
	}
	return err
}
