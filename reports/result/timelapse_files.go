package result

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"github.com/klauspost/compress/gzip"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

type loadRow struct {
	T          int    `csv:"t_s"`
	Datacenter string `csv:"datacenter"`
	Players    int    `csv:"players"`
}

// loadTable has a row for every frame and datacenter, even if it has no players, because its rows
// define the frames.
var loadTable = tableOf(loadFile, "", func(r *loadRow, _ int) string {
	if r.Players < 0 {
		return fmt.Sprintf("players is %d, want 0 or more", r.Players)
	}
	return ""
})

func writeLoad(w io.Writer, r *Result) error {
	rows := make([]loadRow, 0, len(r.Timelapse)*len(r.Summary.ByDatacenter))
	for _, f := range r.Timelapse {
		for dc, players := range f.Load {
			rows = append(rows, loadRow{f.T, r.Summary.ByDatacenter[dc].Name, players})
		}
	}
	return loadTable.write(w, rows)
}

type lapseRow struct {
	T         int `csv:"t_s"`
	FrameCell `csv:"*"`
}

// before reports whether r must come before other in the file.
func (r *lapseRow) before(other *lapseRow) bool {
	return cmp.Or(cmp.Compare(r.T, other.T), cmp.Compare(r.Latitude, other.Latitude), cmp.Compare(r.Longitude, other.Longitude)) < 0
}

var lapseTable = tableOf(lapseFile, "", func(r *lapseRow, _ int) string {
	if r.Latitude < -90 || r.Latitude > 89 || r.Longitude < -180 || r.Longitude > 179 || r.Players < 1 {
		return fmt.Sprintf("%d players at %d,%d, want 1 or more players, a latitude from -90 to 89 and a longitude from -180 to 179",
			r.Players, r.Latitude, r.Longitude)
	}
	if r.RTTMean < 0 || r.RTTMean >= rttMax {
		return fmt.Sprintf("rtt_mean_ms is %d, want 0 or more and below %d", r.RTTMean, rttMax)
	}
	return ""
})

// rttMax is a whole number of ms above any RTT that a run can store.
const rttMax = 4097

// writeLapse writes the rows that lapseTable reads. For hundreds of thousands of rows,
// table.write would take longer than counting the players.
func writeLapse(w io.Writer, r *Result) error {
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	b := append([]byte(head(lapseTable.columns)), '\n')
	for i := range r.Timelapse {
		f := &r.Timelapse[i]
		for _, c := range f.Cells {
			for _, n := range [...]int{f.T, int(c.Latitude), int(c.Longitude), int(c.Players)} {
				b = append(strconv.AppendInt(b, int64(n), 10), ',')
			}
			b = append(strconv.AppendInt(b, int64(c.RTTMean), 10), '\n')
		}
		if _, err := zip.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	if _, err := zip.Write(b); err != nil { // b still contains the header if there are no frames
		return err
	}
	return zip.Close()
}

// readLapse reads the frames of a run from their two files.
func readLapse(dir fs.FS, r *Result) error {
	loads, err := readTable(dir, loadTable)
	if err != nil {
		return err
	}
	frames, err := framesOf(loads, &r.Summary)
	if err != nil {
		return err
	}
	file, err := dir.Open(lapseFile)
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s:1:1: %w", lapseFile, err)
	}
	rows, err := lapseTable.read(text)
	if err != nil {
		return err
	}
	next := 0
	for i, row := range rows {
		if i > 0 && !rows[i-1].before(&row) {
			return fmt.Errorf("%s:%d:1: %d,%d at %d s comes after %d,%d at %d s, want rows by time, then from the south, then from the west",
				lapseFile, i+2, row.Latitude, row.Longitude, row.T, rows[i-1].Latitude, rows[i-1].Longitude, rows[i-1].T)
		}
		for next < len(frames) && frames[next].T < row.T {
			next++
		}
		if next == len(frames) || frames[next].T != row.T {
			return fmt.Errorf("%s:%d:1: t_s is %d, want one of those of %s", lapseFile, i+2, row.T, loadFile)
		}
		frames[next].Cells = append(frames[next].Cells, row.FrameCell)
	}
	r.Timelapse = frames
	return nil
}

// framesOf returns the frames of a run, without cells. Every frame must have a row for every
// datacenter, and the frames must be at equal intervals.
func framesOf(rows []loadRow, s *outcome.Summary) ([]Frame, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	n := len(s.ByDatacenter)
	if n == 0 || rows[0].T <= 0 || rows[0].T%MinuteLength != 0 {
		return nil, fmt.Errorf("%s:2:1: t_s is %d and %s has %s, want whole minutes above 0 and at least 1 datacenter",
			loadFile, rows[0].T, outcome.SummaryFile, words.Plural(n, "datacenter"))
	}
	var frames []Frame
	for i, row := range rows {
		dc := i % n
		if dc == 0 && len(frames) == FramesMax {
			return nil, fmt.Errorf("%s:%d:1: more than %d instants, expected at most that", loadFile, i+2, FramesMax)
		}
		if dc == 0 {
			frames = append(frames, Frame{T: row.T})
		}
		f, step := &frames[len(frames)-1], rows[0].T
		if row.Datacenter != s.ByDatacenter[dc].Name || row.T != len(frames)*step || outcome.Seconds(row.T) >= s.Run.Reached {
			return nil, fmt.Errorf("%s:%d:1: %s at %d s, want %s at %d s: a row for every datacenter of %s at equal steps before %g s",
				loadFile, i+2, outcome.Quoted(row.Datacenter), row.T, outcome.Quoted(s.ByDatacenter[dc].Name), len(frames)*step, outcome.SummaryFile, float64(s.Run.Reached))
		}
		f.Load = append(f.Load, row.Players)
	}
	if len(rows)%n != 0 {
		return nil, fmt.Errorf("%s:%d:1: the file ends, want %s for %d s", loadFile, len(rows)+1, outcome.Quoted(s.ByDatacenter[len(rows)%n].Name), frames[len(frames)-1].T)
	}
	return frames, nil
}
