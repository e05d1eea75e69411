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

// A Sketch has what the pictures of a comparison need of one side: the distributions of the waits of
// first searches and of RTTs, the map and, of a season, the ratings and the predictions, over all runs of
// the side.
type Sketch struct {
	Waits, RTTs []Bin
	Ratings     []RatingCell
	Predictions []PredictionBin
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
	for i := range r.Map {
		c := &r.Map[i]
		k.addCell([2]int{c.Latitude, c.Longitude}, sketchCell{c.Players, c.Players * int(math.Round(1000*float64(c.RTTMean)))})
	}
}

func (k *Sketch) addCell(at [2]int, c sketchCell) {
	if k.cells == nil {
		k.cells = map[[2]int]sketchCell{}
	}
	sum := k.cells[at]
	k.cells[at] = sketchCell{sum.players + c.players, sum.thousandths + c.thousandths}
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

// Rows of the files of WriteSketches.
type (
	sideBin struct {
		Side string `csv:"side"`
		binRow
	}
	sideCell struct {
		Side      string         `csv:"side"`
		Latitude  int            `csv:"latitude"`
		Longitude int            `csv:"longitude"`
		Players   int            `csv:"players"`
		RTTMean   outcome.Millis `csv:"rtt_mean_ms"`
	}
	sideRating struct {
		Side string `csv:"side"`
		RatingCell
	}
	sidePrediction struct {
		Side string `csv:"side"`
		PredictionBin
	}
)

var sideNames = [...]string{"A", "B"}

// sideFault describes what is wrong with the name of a side. It returns "" if nothing is wrong.
func sideFault(name string) string {
	if !slices.Contains(sideNames[:], name) {
		return fmt.Sprintf("side is %s, want A or B", outcome.Quoted(name))
	}
	return ""
}

var (
	sideBinsTable = tableOf(SketchBinsFile, "", func(b *sideBin, i int) string { return cmp.Or(sideFault(b.Side), binsTable.fault(&b.binRow, i)) })
	sideMapTable  = tableOf(SketchMapFile, "", func(c *sideCell, _ int) string { return cmp.Or(sideFault(c.Side), c.cell().fault()) })

	sideRatingsTable     = tableOf(RatingsFile, "", func(c *sideRating, _ int) string { return cmp.Or(sideFault(c.Side), c.fault()) })
	sidePredictionsTable = tableOf(PredictionsFile, "", func(b *sidePrediction, _ int) string { return cmp.Or(sideFault(b.Side), b.fault()) })
)

func (c *sideCell) cell() *Cell {
	return &Cell{Latitude: c.Latitude, Longitude: c.Longitude, Players: c.Players, RTTMean: c.RTTMean}
}

// WriteSketches writes the sketches of both sides of a comparison.
func WriteSketches(sides *[2]Sketch, create Create) error {
	var bins []sideBin
	var cells []sideCell
	for i, name := range sideNames {
		for _, d := range [...]Distribution{{Measure: MeasureWaitFirst, Bins: sides[i].Waits}, {Measure: MeasureRTT, Bins: sides[i].RTTs}} {
			for _, b := range d.Bins {
				bins = append(bins, sideBin{name, binRow{d.Name(), b}})
			}
		}
		for _, c := range sides[i].Map() {
			cells = append(cells, sideCell{name, c.Latitude, c.Longitude, c.Players, c.RTTMean})
		}
	}
	err := create.File(SketchBinsFile, func(w io.Writer) error { return sideBinsTable.write(w, bins) })
	if err == nil {
		err = create.File(SketchMapFile, func(w io.Writer) error { return sideMapTable.write(w, cells) })
	}
	if err == nil {
		err = writeSeasons(sides, create)
	}
	return err
}

// writeSeasons writes the ratings and the predictions of both sides, if they have seasons.
func writeSeasons(sides *[2]Sketch, create Create) (err error) {
	var ratings []sideRating
	var predictions []sidePrediction
	for i, name := range sideNames {
		for _, c := range sides[i].Ratings {
			ratings = append(ratings, sideRating{name, c})
		}
		for _, b := range sides[i].Predictions {
			predictions = append(predictions, sidePrediction{name, b})
		}
	}
	if len(ratings) > 0 {
		err = create.File(RatingsFile, func(w io.Writer) error { return sideRatingsTable.write(w, ratings) })
	}
	if err == nil && len(predictions) > 0 {
		err = create.File(PredictionsFile, func(w io.Writer) error { return sidePredictionsTable.write(w, predictions) })
	}
	return err
}

// LoadSketches reads what WriteSketches wrote. It returns nil if there are no such files, because results
// without distributions were compared. An error begins with the name of the file.
func LoadSketches(dir fs.FS) (*[2]Sketch, error) {
	bins, err := readTable(dir, sideBinsTable)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	cells, err := readTable(dir, sideMapTable)
	if err != nil {
		return nil, err
	}
	ratings, err := readOptional(dir, sideRatingsTable)
	if err != nil {
		return nil, err
	}
	predictions, err := readOptional(dir, sidePredictionsTable)
	if err != nil {
		return nil, err
	}
	var sides [2]Sketch
	side := func(name string) *Sketch { return &sides[slices.Index(sideNames[:], name)] }
	for i := range ratings {
		k := side(ratings[i].Side)
		k.Ratings = append(k.Ratings, ratings[i].RatingCell)
	}
	for i := range predictions {
		k := side(predictions[i].Side)
		k.Predictions = append(k.Predictions, predictions[i].PredictionBin)
	}
	for _, row := range bins {
		k := side(row.Side)
		if row.Measure == MeasureRTT.String() {
			k.RTTs = append(k.RTTs, row.Bin)
		} else {
			k.Waits = append(k.Waits, row.Bin)
		}
	}
	for i := range cells {
		c := &cells[i]
		k := side(c.Side)
		k.addCell([2]int{c.Latitude, c.Longitude}, sketchCell{c.Players, c.Players * int(math.Round(1000*float64(c.RTTMean)))})
	}
	return &sides, nil
}
