package datasets_test

import (
	"math"
	"testing"

	"mmsim/datasets"
	"mmsim/sim"
)

// burst returns the sizes of the parties of a burst, and how often it copies each row.
func burst(t *testing.T, d *datasets.Day, o datasets.BurstOptions) (sizes []int, rows map[uint32]int) {
	t.Helper()
	o.Draws = datasets.Draws{Burst: sim.NewStream(1, 0, sim.PurposeBurst).Bits}
	b, ok := d.Burst(o)
	if !ok {
		t.Fatal("no row to copy")
	}
	rows = map[uint32]int{}
	next := 0
	for first, members, ok := b.Next(); ok; first, members, ok = b.Next() {
		if first != next {
			t.Fatalf("the next party begins with player %d, want %d", first, next)
		}
		next += len(members)
		sizes = append(sizes, len(members))
		for _, m := range members {
			if m.Copy != uint32(first) {
				t.Fatalf("member %+v, want copy %d", m, first)
			}
			rows[m.Row]++
		}
	}
	if next != o.Joins {
		t.Fatalf("%d players, want %d", next, o.Joins)
	}
	return sizes, rows
}

// Each row is equally likely. With n draws, the number of copies of a row is binomial.
func TestBurstDrawsRows(t *testing.T) {
	const n = 30_000
	d := read(t, "time,latitude,longitude\n01:00:00,1,1\n02:00:00,2,2\n03:00:00,3,3\n")
	_, rows := burst(t, d, datasets.BurstOptions{Joins: n})
	for row := range uint32(3) {
		if got, want, sd := float64(rows[row]), n/3.0, math.Sqrt(n*2/9.0); math.Abs(got-want) > 4*sd {
			t.Errorf("row %d has %v copies, want %v ± %.0f", row, got, want, 4*sd)
		}
	}
	_, rows = burst(t, d, datasets.BurstOptions{Joins: 100, From: []bool{false, true, false}})
	if rows[1] != 100 {
		t.Errorf("copies %v, want 100 of row 1", rows)
	}
	if _, ok := d.Burst(datasets.BurstOptions{Joins: 1, From: make([]bool, 3)}); ok {
		t.Error("a burst from nowhere has rows")
	}
}

// A party of three and a solo are drawn equally often. The last party is cut.
func TestBurstOfParties(t *testing.T) {
	d := read(t, "time,latitude,longitude,party_id\n01:00:00,1,1,a\n02:00:00,2,2,\n03:00:00,3,3,a\n04:00:00,4,4,a\n")
	const n = 20_000
	sizes, rows := burst(t, d, datasets.BurstOptions{Joins: n})
	if got, want := float64(rows[1]), n/4.0; math.Abs(got-want) > 0.05*want {
		t.Errorf("%v solos among %d players, want %v", got, n, want)
	}
	for i, size := range sizes[:len(sizes)-1] {
		if size != 1 && size != 3 {
			t.Fatalf("party %d has %d players", i, size)
		}
	}
	for joins := range 12 {
		burst(t, d, datasets.BurstOptions{Joins: joins + 1}) // checks the number of players
	}
}

// Generated parties have the configured sizes.
func TestBurstGeneratesParties(t *testing.T) {
	d := read(t, "time,latitude,longitude\n01:00:00,1,1\n")
	const n = 40_000
	sizes, _ := burst(t, d, datasets.BurstOptions{Joins: n, Parties: []float64{0.5, 0, 0.5}})
	count := map[int]int{}
	for _, size := range sizes {
		count[size]++
	}
	if solos, threes := float64(count[1]), float64(count[3]); math.Abs(solos/(solos+threes)-0.5) > 0.02 || count[2] > 1 {
		t.Errorf("parties by size: %v, want as many of 3 as of 1", count)
	}
}
