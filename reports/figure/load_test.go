package figure

import (
	"slices"
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// loadedDay returns two datacenters with players and one without, in four frames of 6 hours.
func loadedDay() *result.Result {
	r := resulttest.Synthetic(24, 3, 100_000)
	r.Timelapse = nil
	for i, players := range [][]int{{10, 0, 40}, {20, 0, 20}, {30, 0, 20}} {
		r.Timelapse = append(r.Timelapse, result.Frame{T: (i + 1) * 21600, Load: players})
	}
	return r
}

// The picture of loads has the busiest datacenter first. The peaks 40 and 30 need room for 70
// players, and the means 80/3 and 20 use 46.67, two thirds of it.
func TestLoad(t *testing.T) {
	r := loadedDay()
	r.Summary.ByDatacenter[2].Name = "third"
	loads := loadsOf(r)
	if len(loads) != 2 || loads[0].name != "third" || loads[0].peak != 0 || loads[1].most() != 30 {
		t.Errorf("got loads %+v, want those of third and newyork, with peaks of 40 in the first and 30 in the last frame", loads)
	}
	plots := plotLoad(r, nil)
	want := "The highest peak is 40 players in third (06:00 UTC); room for the peaks of all datacenters, 70 players, would be 66.7 % full on average"
	if len(plots) != 1 || plots[0].Title != want {
		t.Fatalf("got pictures %+v, want one with the title %q", plots, want)
	}
	for i := range r.Timelapse {
		r.Timelapse[i].Load[2] = 0
	}
	if title := plotLoad(r, nil)[0].Title; !strings.HasSuffix(title, "; its mean is 66.7 % of that") {
		t.Errorf("one datacenter: got title %q, want a mean of 20 of 30 players", title)
	}
	for i := range r.Timelapse {
		clear(r.Timelapse[i].Load)
	}
	if plots := plotLoad(r, nil); len(plots) != 0 {
		t.Errorf("no players in any frame: got %d pictures, want none", len(plots))
	}
}

// The areas have few points, but always the peak, the first and the last frame.
func TestLoadPoints(t *testing.T) {
	for _, n := range []int{1, 2, 3, 75, 76, 150} {
		for peak := range n {
			l := load{players: make([]int, n), peak: peak}
			l.players[peak] = 7
			frames := l.drawn()
			if len(frames) > loadPoints+2 || frames[0] != 0 || frames[len(frames)-1] != n-1 || !slices.Contains(frames, peak) || !slices.IsSorted(frames) {
				t.Fatalf("%d frames with the peak in %d: got points %v, want at most %d with the peak, in order", n, peak, frames, loadPoints+2)
			}
		}
	}
}

// The picture of loads can be drawn for long names, many datacenters, and every kind of result.
func TestLoadPictures(t *testing.T) {
	long := loadedDay()
	long.Summary.ByDatacenter[0].Name = strings.Repeat("Ländliche Gegend <&> ", 10)
	many := resulttest.Synthetic(24, 64, 1_000_000)
	many.Timelapse = resulttest.Frames(24, 64, 20_000)
	servers := loadedDay()
	servers.Summary.Servers = &outcome.Servers{}
	for _, r := range []*result.Result{resulttest.Moving(), long, many, servers} {
		plots := plotLoad(r, nil)
		if len(plots) != 1 {
			t.Fatalf("got %d pictures, want one", len(plots))
		}
		checkTexts(t, plots)
	}
}
