package store_test

import (
	"fmt"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// everyTenSeconds returns a function that computes the stage of a rule. The rule's bound
// increases by 1 every ten seconds. The function counts its calls in computed.
func everyTenSeconds(computed *int) func(waitMS int64) store.Stage {
	return func(waitMS int64) store.Stage {
		*computed++
		stage := waitMS / 10_000
		return store.Stage{UntilMS: (stage + 1) * 10_000, Limits: []store.Limit{{Bound: float64(stage)}}}
	}
}

func TestFreeRowsAreReused(t *testing.T) {
	rows := store.New(everyTenSeconds(new(int)))
	a := rows.Add(store.Ticket, 0, matcher.Never, 1)
	b := rows.Add(store.Session, 0, matcher.Never, 3)
	if a == b || rows.Kind[a] != store.Ticket || rows.Kind[b] != store.Session || rows.Players[b] != 3 {
		t.Errorf("got rows %d and %d of kinds %v with players %v, want a ticket and a session with 3 players", a, b, rows.Kind, rows.Players)
	}
	rows.Remove(a)
	if rows.Kind[a] != store.Free {
		t.Errorf("row %d after Remove: got kind %d, want Free", a, rows.Kind[a])
	}
	before := rows.Changes
	c := rows.Add(store.Ticket, 5, matcher.Never, 2)
	if c != a || rows.Len() != 2 || rows.CreatedMS[c] != 5 || rows.Players[c] != 2 {
		t.Errorf("got row %d of %d, created at %d ms, with %d players; want the free row %d of 2, created at 5 ms, with 2 players", c, rows.Len(), rows.CreatedMS[c], rows.Players[c], a)
	}
	if rows.BornAt[c] <= before || rows.BornAt[c] > rows.Changes {
		t.Errorf("got BornAt %d, want above %d and at most Changes", rows.BornAt[c], before)
	}
	defer func() {
		if recover() == nil {
			t.Error("Remove of a free row: want a panic")
		}
	}()
	rows.Remove(c)
	rows.Remove(c)
}

// Age depends on the creation time and then on the order of Add, but not on the row number.
func TestAge(t *testing.T) {
	rows := store.New(everyTenSeconds(new(int)))
	gone := rows.Add(store.Ticket, 0, matcher.Never, 1)
	second := rows.Add(store.Ticket, 10, matcher.Never, 1)
	first := rows.Add(store.Ticket, 5, matcher.Never, 1)
	rows.Remove(gone)
	third := rows.Add(store.Ticket, 10, matcher.Never, 1) // reuses the lowest row
	order := []store.Row{third, second, first}
	slices.SortFunc(order, rows.Compare)
	if want := []store.Row{first, second, third}; !slices.Equal(order, want) {
		t.Errorf("Compare: got order %v, want %v", order, want)
	}
	if old, young := rows.ByWait(third, second); old != third || young != second {
		t.Errorf("ByWait: got %d, %d for equal waits, want the order of the arguments", third, second)
	}
	if old, young := rows.ByWait(second, first); old != first || young != second {
		t.Errorf("ByWait: got %d, %d, want %d first", old, young, first)
	}
}

func TestAdvance(t *testing.T) {
	computed := 0
	rows := store.New(everyTenSeconds(&computed))
	early := rows.Add(store.Ticket, 0, matcher.Never, 1)
	late := rows.Add(store.Ticket, 4000, matcher.Never, 1)
	future := rows.Add(store.Ticket, 1_000_000, matcher.Never, 1)
	for _, c := range []struct {
		nowMS int64
		want  [3]float64 // bound of the stage of each row
	}{
		{0, [3]float64{0, 0, 0}}, {9999, [3]float64{0, 0, 0}}, {10_000, [3]float64{1, 0, 0}}, {13_999, [3]float64{1, 0, 0}},
		{14_000, [3]float64{1, 1, 0}}, {55_000, [3]float64{5, 5, 0}}, {12_000, [3]float64{1, 0, 0}}, {20_000, [3]float64{2, 1, 0}},
	} {
		var before, changedAt [3]any
		for i, row := range []store.Row{early, late, future} {
			before[i], changedAt[i] = rows.Stage[row], rows.ChangedAt[row]
		}
		rows.Advance(c.nowMS)
		for i, row := range []store.Row{early, late, future} {
			if got := rows.Stage[row].Limits[0].Bound; got != c.want[i] {
				t.Errorf("at %d ms, row %d: got stage with bound %v, want %v", c.nowMS, row, got, c.want[i])
			}
			if moved := before[i] != any(rows.Stage[row]); moved != (changedAt[i] != any(rows.ChangedAt[row])) {
				t.Errorf("at %d ms, row %d: got another stage: %v, want ChangedAt to change with it", c.nowMS, row, moved)
			}
		}
	}
	if computed > 6 { // waits of up to 55 s have six stages
		t.Errorf("got %d computed stages, want at most 6", computed)
	}
	if rows.WaitMS(late) != 16_000 || rows.WaitMS(future) != 0 {
		t.Errorf("got waits of %d and %d ms, want 16000 and 0", rows.WaitMS(late), rows.WaitMS(future))
	}
}

// If there are more stages than the store keeps, the others are computed for each row.
func TestMoreStagesThanKept(t *testing.T) {
	rows := store.New(func(waitMS int64) store.Stage {
		return store.Stage{UntilMS: waitMS + 1, Limits: []store.Limit{{Bound: float64(waitMS)}}}
	})
	row := rows.Add(store.Ticket, 0, matcher.Never, 1)
	for _, nowMS := range []int64{0, 511, 512, 513, 5000, 4000} {
		if rows.Advance(nowMS); rows.Stage[row].Limits[0].Bound != float64(nowMS) {
			t.Errorf("after %d ms: got the stage of %v ms", nowMS, rows.Stage[row].Limits[0].Bound)
		}
	}
}

func TestExpired(t *testing.T) {
	rows := store.New(everyTenSeconds(new(int)))
	rows.Add(store.Session, 0, 1000, 1)
	young := rows.Add(store.Ticket, 500, 2000, 1)
	old := rows.Add(store.Ticket, 0, 2000, 1)
	gone := rows.Add(store.Ticket, 0, 2000, 1)
	later := rows.Add(store.Ticket, 0, 2001, 1)
	rows.Add(store.Ticket, 0, matcher.Never, 1)
	take := func(nowMS int64) string {
		rows.Advance(nowMS)
		list := rows.TakeExpired(nil)
		for _, row := range list {
			rows.Remove(row)
		}
		return fmt.Sprint(list)
	}
	if got := take(1999); got != "[]" {
		t.Errorf("at 1999 ms: got expired rows %s, want none", got)
	}
	rows.Remove(gone)
	if got, want := take(2000), fmt.Sprint([]store.Row{old, young}); got != want {
		t.Errorf("at 2000 ms: got expired rows %s, want %s, the oldest first", got, want)
	}
	again := rows.Add(store.Ticket, 2000, 3000, 1) // reuses the row of a ticket that expired
	if got, want := take(2500), fmt.Sprint([]store.Row{later}); got != want {
		t.Errorf("at 2500 ms: got expired rows %s, want %s", got, want)
	}
	if got, want := take(3000), fmt.Sprint([]store.Row{again}); got != want {
		t.Errorf("at 3000 ms: got expired rows %s, want %s", got, want)
	}
}
