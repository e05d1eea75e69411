package datasets_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mmsim/datasets"
	"mmsim/datasets/joinfile"
)

func TestMatchLife(t *testing.T) {
	for _, test := range []struct {
		name, file string
		want       datasets.MatchLife // only the fields that are not 0
	}{
		{"times of day", "time,lat,lon,ended_at\n12:00:00,1,1,12:05:00\n12:00:10,1,1,12:03:10\n",
			datasets.MatchLife{Column: "ended_at", Matches: 2, Mean: 240, Median: 240}},
		{"over midnight", "time,lat,lon,end_time\n23:59:00,1,1,00:04:00\n", datasets.MatchLife{Column: "end_time", Matches: 1, Mean: 300, Median: 300}},
		{"dates", "time,lat,lon,match_end\n2026-03-14T23:59:00Z,1,1,2026-03-15T01:04:00+01:00\n", datasets.MatchLife{Column: "match_end", Matches: 1, Mean: 300, Median: 300}},
		{"epoch", "time,lat,lon,left_at\n1773500000,1,1,1773500300\n", datasets.MatchLife{Column: "left_at", Matches: 1, Mean: 300, Median: 300}},
		{"lengths", "time,lat,lon,duration\n10,1,1,100\n20,1,1,\n30,1,1,300.5\n", datasets.MatchLife{Column: "duration", Matches: 2, Mean: 200.25, Median: 200.25}},
		{"odd ends", "time,lat,lon,duration\n10,1,1,100\n20,1,1,-5\n30,1,1,90000\n", datasets.MatchLife{Column: "duration", Matches: 1, Odd: 2, Mean: 100, Median: 100}},
		{"again", "time,lat,lon,player_id,duration\n0,1,1,a,100\n160,1,1,a,100\n900,1,1,a,100\n5000,1,1,b,100\n",
			datasets.MatchLife{Column: "duration", Matches: 4, Mean: 100, Median: 100, Asked: 3, Again: 1, PauseMean: 60}}, // 160 + 100 to 900 is over 10 minutes
		{"no column", "time,lat,lon,mmr\n0,1,1,5\n", datasets.MatchLife{}},
		{"texts", "time,lat,lon,ended_at\n0,1,1,later\n", datasets.MatchLife{}},
	} {
		life, found := joinfile.MatchLife(read(t, test.file), nil)
		if !found {
			life = datasets.MatchLife{}
		}
		if life != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, life, test.want)
		}
	}
}

// A twin that looks for the next row of each player among all rows.
func TestMatchLifeAgainstTwin(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		type match struct{ player, start, length int }
		var matches []match
		var file strings.Builder
		file.WriteString("time,lat,lon,player_id,duration\n")
		start := 0
		for range rapid.IntRange(1, 60).Draw(t, "rows") {
			start += rapid.IntRange(1, 400).Draw(t, "gap")
			m := match{rapid.IntRange(0, 5).Draw(t, "player"), start, rapid.IntRange(0, 900).Draw(t, "length")}
			matches = append(matches, m)
			fmt.Fprintf(&file, "%d,1,1,p%d,%d\n", m.start, m.player, m.length)
		}
		asked, again, pauses, sum := 0, 0, 0, 0
		for _, m := range matches {
			sum += m.length
			end := m.start + m.length
			next := math.MaxInt
			for _, other := range matches {
				if other.player == m.player && other.start > m.start {
					next = min(next, other.start)
				}
			}
			if end+600 > start || next < end {
				continue
			}
			asked++
			if next-end <= 600 {
				again++
				pauses += next - end
			}
		}
		life, _ := joinfile.MatchLife(read(outer, file.String()), nil)
		mean := float64(pauses) / float64(max(again, 1))
		if life.Asked != asked || life.Again != again || math.Abs(life.PauseMean-mean) > 1e-9 || math.Abs(life.Mean-float64(sum)/float64(len(matches))) > 1e-9 {
			t.Fatalf("got %+v, want asked %d, again %d, pause %v", life, asked, again, mean)
		}
	})
}

func TestDescribeFile(t *testing.T) {
	day := read(t, "\xef\xbb\xbftime;lat;lng;player_id;country;mmr\n01:00:00;52,5;13,4;a;DE;1,5\n04:30:00.250;48;2;a;;\n")
	d := datasets.Describe(day, nil)
	if d.Form.Format != "CSV" || d.Form.Separator != "semicolon" || !d.Form.Header || len(d.Form.Columns) != 6 || d.Form.Columns[2] != (datasets.FormColumn{Name: "lng", Taken: "longitude"}) {
		t.Errorf("got form %+v", d.Form)
	}
	want := []datasets.Value{{"time", "01:00:00"}, {"latitude", "52.50"}, {"longitude", "13.40"}, {"country", "DE"}, {"player_id", "a"}, {"mmr", "1.5"}}
	if fmt.Sprint(d.FirstRow) != fmt.Sprint(want) {
		t.Errorf("got first row %v, want %v", d.FirstRow, want)
	}
	if want := []datasets.HourSpan{{0, 1}, {2, 4}, {5, 24}}; fmt.Sprint(d.Empty) != fmt.Sprint(want) {
		t.Errorf("got empty hours %v, want %v", d.Empty, want)
	}
}
