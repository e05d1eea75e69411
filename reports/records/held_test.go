package records

import (
	"bytes"
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"mmsim/reports/setup"
	"mmsim/sim"
)

// seasonEvents reports a short season to a Writer. Person n has number n, and rating 1000 + n until its
// match ends. Match 0 is the last one to end, match 3 is cut short, and match 4 is unfinished.
func seasonEvents(w *Writer, ratings []float64) {
	match := func(id uint64, at sim.Instant, persons ...uint32) {
		m := sim.Match{ID: id, At: at, Ends: at + 300_000, Cut: id == 3}
		for _, n := range persons {
			m.Players = append(m.Players, sim.Matched{Player: sim.Player{ID: uint64(n), Person: sim.Person{Number: n}}, PartySize: 1, State: sim.StateIdeal})
			m.Seats = append(m.Seats, sim.Seat{})
		}
		w.Matched(&m)
		clear(m.Players) // the simulator reuses the memory
	}
	finished := func(id uint64, decided bool, chance float64, persons ...uint32) {
		f := sim.Finished{Match: id, Decided: decided}
		for i, n := range persons {
			f.Players = append(f.Players, sim.Finisher{Person: sim.Person{Number: n}, Won: i == 0, Chance: math.Abs(float64(i) - chance)})
			ratings[n]++
		}
		w.Finished(&f)
		clear(f.Players)
	}
	match(0, 1000, 1, 0)
	match(1, 2000, 2, 3)
	w.Ended(&sim.Ended{Search: sim.Search{PartySize: 1, Players: []sim.Player{{ID: 4, Person: sim.Person{Number: 4}}}}, At: 2500, Into: sim.StateFailed})
	match(2, 3000, 5, 6, 7)
	match(3, 4000, 8, 9)
	finished(1, true, 1.0/3, 3, 2)
	finished(2, true, math.NaN(), 6, 5, 7)
	finished(9, true, 0.5, 4) // started in the warm-up period
	match(0, 5000, 10)        // joins the running match
	finished(0, true, 0.25, 0, 1, 10)
	match(4, 6000, 0, 1)
	match(5, 6000, 2)
	finished(5, false, 0, 2)
	w.Unfinished(&sim.Search{PartySize: 1, Players: []sim.Player{{ID: 3, Person: sim.Person{Number: 3}}}}, 9000)
}

// Rows of a season are in the order in which searches ended, and have the results of their matches and
// the ratings at the start of the search.
func TestRecordsOfSeason(t *testing.T) {
	run := setup.Run{
		Datacenters: []setup.Datacenter{{Name: "frankfurt"}}, Continents: []string{"EU"}, Countries: []string{"DE"}, Places: []setup.Place{{}},
		Duration: sim.Day, Queues: []setup.Queue{{MatchSize: 2}}, Season: true,
	}
	run.Missing = true
	var ratings []float64
	rating := Attribute{
		Name: "mmr", Rating: true,
		Append: func(to []byte, p *sim.Player) []byte { return strconv.AppendFloat(to, ratings[p.Number], 'f', -1, 64) },
		Number: func(p *sim.Player) float64 { return ratings[p.Number] },
	}
	written := func(w *Writer) {
		ratings = nil
		for n := range 11 {
			ratings = append(ratings, 1000.1+float64(n))
		}
		seasonEvents(w, ratings)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if len(w.held.running) != 1 {
			t.Errorf("%d matches without a result, want only match 4", len(w.held.running))
		}
	}
	var text, file bytes.Buffer
	written(NewCSV(&text, run, []Attribute{rating}))
	written(NewParquet(&file, run, []Attribute{rating}))
	zip, err := gzip.NewReader(&text)
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(unzipped))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	var got []string
	for _, row := range rows {
		got = append(got, strings.Join([]string{row[column["match_id"]], row[column["person"]], row[column["won"]], row[column["chance"]], row[column["mmr"]]}, ","))
	}
	if diff := cmp.Diff(strings.Fields(`
		match_id,person,won,chance,mmr
		0,1,0,0.75,1001.1
		0,0,1,0.25,1000.1
		1,2,0,0.6666666666666667,1002.1
		1,3,1,0.3333333333333333,1003.1
		,4,,,1004.1
		2,5,0,,1005.1
		2,6,1,,1006.1
		2,7,0,,1007.1
		3,8,,,1008.1
		3,9,,,1009.1
		0,10,0,1.75,1010.1
		4,0,,,1001.1
		4,1,,,1002.1
		5,2,,,1003.1
		,3,,,1004.1`), got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(rows, parquetRows(t, file.Bytes())); diff != "" {
		t.Errorf("Parquet (-CSV +Parquet):\n%s", diff)
	}
}

// The queue of rows gives back its memory when rows are written.
func TestHeldRowsAreReused(t *testing.T) {
	h := heldRows{rating: func(*sim.Player) float64 { return 0 }}
	player := new(sim.Player)
	for n := range 10_000 {
		h.add(recordRow{player: player, number: n})
		if n < 10 {
			continue // keeps ten rows in the queue
		}
		if !h.complete() {
			t.Fatal("a search without a match is not complete")
		}
		if got := h.take().number; got != n-10 {
			t.Fatalf("got row %d, want %d", got, n-10)
		}
	}
	if n := cap(h.rows); n > 64 {
		t.Errorf("memory of %d rows, want few", n)
	}
}
