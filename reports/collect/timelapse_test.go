package collect

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/gzip"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/sim"
)

// twinFrames checks every player of every match against the time of every frame.
func twinFrames(f facts) (frames []result.Frame) {
	inhabited := map[[2]int]bool{}
	for _, p := range f.Setup.Places {
		row, column := p.Cell()
		inhabited[[2]int{row, column}] = true
	}
	step := frameStep(f.Setup.Duration, len(inhabited))
	for at := sim.Instant(step); at < f.Totals.Reached; at = at.Add(step) {
		frame := result.Frame{T: int(at) / 1000, Load: make([]int, len(f.Setup.Datacenters))}
		players, total := map[[2]int]int{}, map[[2]int]int{}
		for _, m := range f.Matches {
			for i, p := range m.Players {
				ends := m.Ends
				if m.Seats != nil {
					ends = m.Seats[i].Left
				}
				if m.At > at || ends <= at {
					continue
				}
				frame.Load[m.Datacenter]++
				row, column := f.Setup.Places[p.Place].Cell()
				players[[2]int{row, column}]++
				total[[2]int{row, column}] += int(p.RTT)
			}
		}
		for at, n := range players {
			rtt := math.Round(float64(total[at]) / float64(16*n))
			frame.Cells = append(frame.Cells, result.FrameCell{Latitude: int16(at[0] - 90), Longitude: int16(at[1] - 180), Players: int32(n), RTTMean: int32(rtt)})
		}
		slices.SortFunc(frame.Cells, func(a, b result.FrameCell) int {
			return cmp.Or(cmp.Compare(a.Latitude, b.Latitude), cmp.Compare(a.Longitude, b.Longitude))
		})
		frames = append(frames, frame)
	}
	return frames
}

func TestTimelapseAgainstTwin(t *testing.T) {
	seen := 0
	for seed := range uint64(60) {
		f := randomFacts(seed)
		if seed%3 == 0 { // interrupted: later matches were never made
			f.Totals.Reached /= 2
			for len(f.Matches) > 0 && f.Matches[len(f.Matches)-1].At >= f.Totals.Reached {
				f.Matches = f.Matches[:len(f.Matches)-1]
			}
			f.Entered, f.Ended, f.Census = nil, nil, nil
		}
		got, want := resultOf(f).Timelapse, twinFrames(f)
		seen += len(want)
		if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
	if seen < 1000 {
		t.Errorf("%d frames were compared, want at least 1000", seen)
	}
}

func TestFrameStep(t *testing.T) {
	for _, test := range []struct {
		duration sim.Duration
		cells    int
		want     sim.Duration
	}{
		{sim.Millisecond, 0, sim.Minute},
		{sim.Hour, 100, sim.Minute},
		{sim.Day, 100, 10 * sim.Minute},
		{sim.Day, 6_000, 10 * sim.Minute},
		{sim.Day, 12_000, 20 * sim.Minute},
		{sim.Day, 64_800, 120 * sim.Minute},
		{7 * sim.Day, 2_000, 120 * sim.Minute},
		{366 * sim.Day, 64_800, 32 * sim.Day},
	} {
		if got := frameStep(test.duration, test.cells); got != test.want {
			t.Errorf("%d ms, %d cells: got a step of %d min, want %d", test.duration, test.cells, got/sim.Minute, test.want/sim.Minute)
		}
	}
}

func zipped(text string) *fstest.MapFile {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return &fstest.MapFile{Data: b.Bytes()}
}

func TestLoadRefusesBadTimelapse(t *testing.T) {
	r := resulttest.Synthetic(1, 2, 40_000)
	r.Summary.Thresholds = outcome.Thresholds{Ideal: 50, Expand: 100}
	r.Timelapse = nil
	for at := 60; at < 240; at += 60 {
		r.Timelapse = append(r.Timelapse, result.Frame{T: at, Load: []int{3, 1}, Cells: []result.FrameCell{{Latitude: 40, Longitude: -74, Players: 4, RTTMean: 18}}})
	}
	good := resulttest.Written(t, r).FS()
	if _, err := result.Load(good); err != nil {
		t.Fatal(err)
	}
	const head, load = "t_s,latitude,longitude,players,rtt_mean_ms\n", "t_s,datacenter,players\n"
	for _, test := range []struct{ text, want string }{
		{head + "60,90,0,1,1\n", "timelapse.csv.gz:2:1: 1 players at 90,0, want"},
		{head + "60,0,0,0,1\n", "timelapse.csv.gz:2:1: 0 players at 0,0, want"},
		{head + "60,0,0,1,5000\n", "timelapse.csv.gz:2:1: rtt_mean_ms is 5000, want"},
		{head + "90,0,0,1,1\n", "timelapse.csv.gz:2:1: t_s is 90, want one of those of load.csv"},
		{head + "120,0,0,1,1\n60,0,0,1,1\n", "timelapse.csv.gz:3:1: 0,0 at 60 s comes after 0,0 at 120 s, want"},
		{head + "60,0,0,1,1\n60,0,0,1,1\n", "timelapse.csv.gz:3:1: 0,0 at 60 s comes after 0,0 at 60 s, want"},
		{head + "60,x,0,1,1\n", `timelapse.csv.gz:2:4: latitude is "x", want a whole number`},
		{"", "timelapse.csv.gz:1:1: the file is empty"},
	} {
		files := copyOf(good)
		files["timelapse.csv.gz"] = zipped(test.text)
		wantError(t, files, test.text, test.want)
	}
	for _, test := range []struct{ text, want string }{
		{load + "60,newyork,3\n60,losangeles,-1\n", `load.csv:3:15: players is "-1", want`},
		{load + "60,newyork,3\n", `load.csv:2:1: the file ends, want "losangeles" for 60 s`},
		{load + "60,newyork,3\n60,miami,1\n", `load.csv:3:1: "miami" at 60 s, want "losangeles" at 60 s`},
		{load + "60,newyork,3\n120,losangeles,1\n", `load.csv:3:1: "losangeles" at 120 s, want "losangeles" at 60 s`},
		{load + "0,newyork,3\n", "load.csv:2:1: t_s is 0 and summary.json has 2 datacenters, want"},
		{load + "3600,newyork,3\n", `load.csv:2:1: "newyork" at 3600 s, want`},
	} {
		files := copyOf(good)
		files["load.csv"] = &fstest.MapFile{Data: []byte(test.text)}
		wantError(t, files, test.text, test.want)
	}
	files := copyOf(good)
	files["timelapse.csv.gz"] = &fstest.MapFile{Data: []byte(head)}
	wantError(t, files, "not compressed", "timelapse.csv.gz:1:1: ")
	for _, name := range []string{"timelapse.csv.gz", "load.csv"} {
		files := copyOf(good)
		delete(files, name)
		if _, err := result.Load(files); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: got error %v, want one that names the file", name, err)
		}
	}
}

func copyOf(files fstest.MapFS) fstest.MapFS {
	c := fstest.MapFS{}
	for name, file := range files {
		c[name] = file
	}
	return c
}

func wantError(t *testing.T, files fstest.MapFS, text, want string) {
	t.Helper()
	if _, err := result.Load(files); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%q: got error %v, want prefix %s", text, err, want)
	}
}
