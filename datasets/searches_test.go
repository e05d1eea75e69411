package datasets_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mmsim/datasets"
	"mmsim/datasets/joinfile"
)

func TestPlayerRows(t *testing.T) {
	for _, test := range []struct {
		name, file string
		merged     int
		want       datasets.PlayerRows
		repeat     bool
		mean       string
	}{
		{"no column", "time,latitude,longitude\n0,1,1\n1,1,1\n", 1, datasets.PlayerRows{Days: 1}, false, ""},
		{"no values", "time,latitude,longitude,player_id\n0,1,1,\n1,1,1,\n", 1, datasets.PlayerRows{Days: 1}, false, ""},
		{"once each", "time,latitude,longitude,player_id\n0,1,1,a\n1,1,1,b\n", 1, datasets.PlayerRows{Rows: 2, Players: 2, Days: 1}, false, "1"},
		{"at the limit", "time,latitude,longitude,player_id\n0,1,1,a\n1,1,1,b\n2,1,1,a\n", 1, datasets.PlayerRows{Rows: 3, Players: 2, Days: 1}, true, "1.5"},
		{"one player with many rows", "time,latitude,longitude,player_id\n" + strings.Repeat("0,1,1,a\n", 100) + ids(200, 267), 1,
			datasets.PlayerRows{Rows: 100 + 67, Players: 1 + 67, Days: 1}, true, "2.45"},
		{"rounded down", "time,latitude,longitude,player_id\n" + ids(0, 1000) + ids(0, 499), 1,
			datasets.PlayerRows{Rows: 1499, Players: 1000, Days: 1}, false, "1.49"},
		{"rows without a player", "time,latitude,longitude,player_id\n0,1,1,a\n1,1,1,\n2,1,1,a\n3,1,1,\n", 1,
			datasets.PlayerRows{Rows: 2, Players: 1, Days: 1}, true, "2"},
		{"two days", "time,latitude,longitude,player_id\n2026-03-14T00:00:00Z,1,1,a\n2026-03-15T00:00:00Z,1,1,a\n", 1,
			datasets.PlayerRows{Rows: 2, Players: 1, Days: 2}, false, "1"},
		{"three days as one", "time,latitude,longitude,player_id\n0,1,1,a\n1,1,1,a\n2,1,1,a\n3,1,1,a\n", 3,
			datasets.PlayerRows{Rows: 4, Players: 1, Days: 3}, false, "1.33"},
	} {
		got := read(t, test.file).PlayerRows(test.merged)
		if got != test.want || got.Repeat() != test.repeat || got.PerPlayerAndDay() != test.mean {
			t.Errorf("%s: got %+v, repeat %v, mean %q; want %+v, %v, %q", test.name, got, got.Repeat(), got.PerPlayerAndDay(), test.want, test.repeat, test.mean)
		}
	}
}

// ids returns rows of the players numbered from first to last-1.
func ids(first, last int) string {
	var b strings.Builder
	for i := first; i < last; i++ {
		fmt.Fprintf(&b, "%d,1,1,%d\n", i, i)
	}
	return b.String()
}

// The counts agree with a set of texts, also if malformed rows were skipped: a player who is only in
// such rows is in the dictionary of the column, but in no row.
func TestPlayerRowsAgainstTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		players := 1 + random.IntN(200)
		var file strings.Builder
		file.WriteString("time,latitude,longitude,player_id,mmr\n")
		want, seen := datasets.PlayerRows{Days: 1}, map[string]bool{}
		bad := 0
		for range 1 + random.IntN(500) {
			id, mmr := fmt.Sprintf("player %d", random.IntN(players)), "1"
			switch random.IntN(10) {
			case 0:
				id = ""
			case 1:
				mmr = "not a number"
			}
			if file.Len() < 60 { // the first row decides that mmr is a number
				mmr = "1"
			}
			fmt.Fprintf(&file, "%d,1,1,%s,%s\n", random.IntN(86_400), id, mmr)
			if mmr != "1" {
				bad++
			} else if id != "" {
				want.Rows++
				seen[id] = true
			}
		}
		want.Players = len(seen)
		day, err := joinfile.Read(strings.NewReader(file.String()), "day.csv", joinfile.Options{MaxBadRows: bad})
		if err != nil {
			t.Fatal(err)
		}
		if got := day.PlayerRows(1); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}
