package population

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/datasets"
)

// twoContinents returns a day in which every fifth row is in Asia and the others are in Europe.
func twoContinents(t testing.TB, rows int) *datasets.Day {
	var b strings.Builder
	b.WriteString("time,latitude,longitude,continent\n")
	for i := range rows {
		if i%5 == 0 {
			fmt.Fprintf(&b, "%d,35,139,AS\n", i%86400)
		} else {
			fmt.Fprintf(&b, "%d,50,8,EU\n", i%86400)
		}
	}
	return read(t, b.String())
}

// friendsOfAll returns, for every row, the rows that it lists as friends.
func friendsOfAll(day *datasets.Day, p *Population) [][]uint32 {
	lists := make([][]uint32, day.Rows())
	for join := range day.Joins() {
		of := &Person{Entity: uint64(join.Row) + 1_000_000, Row: join.Row, Place: join.Place}
		lists[join.Row] = p.Friends(of, nil)
	}
	return lists
}

// Two players are friends if either lists the other. The number of friends has the configured mean
// and the variance of a Poisson distribution.
func TestFriends(t *testing.T) {
	for _, test := range []struct {
		rows int
		g    Graph
	}{
		{20_000, Graph{6, 0.9}},
		{20_000, Graph{0.5, 0}},
		{5_000, Graph{60, 1}},
		{100, Graph{20, 0}},
	} {
		day := twoContinents(t, test.rows)
		lists := friendsOfAll(day, population(t, day, Generated{Name: "friends", Generator: test.g}))
		friends := make([]map[uint32]bool, test.rows)
		for row := range friends {
			friends[row] = map[uint32]bool{}
		}
		nearby, listed := 0.0, 0.0
		for row, list := range lists {
			for _, friend := range list {
				friends[row][friend], friends[friend][uint32(row)] = true, true
				listed++
				if (friend%5 == 0) == (row%5 == 0) {
					nearby++
				}
			}
			sorted := slices.Sorted(slices.Values(list))
			if len(slices.Compact(sorted)) != len(list) || slices.Contains(list, uint32(row)) {
				t.Fatalf("row %d: got friends %v, want distinct rows without its own", row, list)
			}
		}
		degrees := make([]float64, test.rows)
		for row := range friends {
			degrees[row] = float64(len(friends[row]))
		}
		margin := 5 * math.Sqrt(2*test.g.Mean/float64(test.rows))
		near(t, fmt.Sprint(test, " friends"), average(degrees), test.g.Mean, margin)
		if test.rows > 1000 {
			sd := math.Sqrt(test.g.Mean)
			near(t, fmt.Sprint(test, " sd"), deviation(degrees), sd, 0.05*sd)
			anywhere := 0.8*0.8 + 0.2*0.2 // share of rows on the own continent when friends are drawn from the whole world
			near(t, fmt.Sprint(test, " share nearby"), nearby/listed, test.g.SameContinent+(1-test.g.SameContinent)*anywhere, 0.02)
		}
	}
}

// All players on a continent are equally likely to be friends, and draws are repeatable.
func TestFriendsAreUniform(t *testing.T) {
	day := twoContinents(t, 50)
	p := population(t, day, Generated{Name: "friends", Generator: Graph{4, 1}})
	var counts [50]float64
	total := 0.0
	for i := range uint64(persons / 4) {
		of := &Person{Entity: i, Row: 1, Place: 1}
		list := p.Friends(of, []uint32{7})
		if !slices.Equal(list[1:], p.Friends(of, nil)) {
			t.Fatal("a second call of Friends returned other friends, want equal ones")
		}
		for _, row := range list[1:] {
			counts[row]++
			total++
		}
	}
	for row, n := range counts {
		want := total / 39
		if row%5 == 0 || row == 1 {
			want = 0
		}
		near(t, fmt.Sprint("row ", row), n, want, 5*math.Sqrt(want))
	}
}

// With few players, no row lists itself, every row lists fewer rows than there are, and a warning
// says that the mean was reduced.
func TestFriendsInSmallDatasets(t *testing.T) {
	for rows := 1; rows <= 7; rows++ {
		day := twoContinents(t, rows)
		day.Places = append(day.Places, datasets.Place{Continent: datasets.Africa}) // place of a malformed row
		p := population(t, day, Generated{Name: "friends", Generator: Graph{6, 0.9}})
		for row, list := range friendsOfAll(day, p) {
			if slices.Contains(list, uint32(row)) || len(list) >= rows {
				t.Errorf("%d rows: row %d: got friends %v, want fewer than the rows and not itself", rows, row, list)
			}
		}
		p.Friends(&Person{Place: uint32(len(day.Places) - 1)}, nil)
		if len(p.Warnings) != 1 || !strings.HasPrefix(p.Warnings[0], "friends: a mean of 6 friends among ") {
			t.Errorf("%d rows: got warnings %q, want one that the mean cannot be reached", rows, p.Warnings)
		}
	}
}

func TestFriendsFromColumn(t *testing.T) {
	day := read(t, `player_id,time,latitude,longitude,friends
ann,1,50,8,bob;cid;ann
bob,2,50,8,
cid,3,50,8,ann;zoe;yan
bob,4,50,8,ann;ann
`)
	p := population(t, day, Generated{Name: "friends", Generator: Graph{6, 0.9}})
	want := [][]uint32{{1, 2, 3}, nil, {0}, {0}}
	for row, list := range friendsOfAll(day, p) {
		if !slices.Equal(list, want[row]) {
			t.Errorf("row %d: got friends %v, want %v", row, list, want[row])
		}
	}
	warnings := []string{
		`friends: 2 names of no player_id, such as "zoe": not used`,
		"the data has a column friends: players.attributes.friends is not used",
	}
	if !slices.Equal(p.Warnings, warnings) {
		t.Errorf("got warnings %q, want %q", p.Warnings, warnings)
	}
	if !p.HasFriends() || p.Attribute("friends").Kind != datasets.List {
		t.Error("got no friends attribute of kind list, want one")
	}

	p = population(t, read(t, "time,latitude,longitude,friends\n1,50,8,bob\n"))
	if len(p.Warnings) != 1 || p.HasFriends() || p.Friends(&Person{}, nil) != nil {
		t.Errorf("friends without player_id: got warnings %q, want one and no friends", p.Warnings)
	}
}

func BenchmarkFriends(b *testing.B) {
	day := twoContinents(b, 100_000)
	p := population(b, day, Generated{Name: "friends", Generator: Graph{6, 0.9}})
	var list []uint32
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		list = p.Friends(&Person{Entity: i, Row: uint32(i % 100_000), Place: 1}, list[:0])
	}
}
