package engine

import (
	"math"
	"math/rand/v2"
	"testing"

	"mmsim/matcher"
)

// A ticket's stored stage must have, after any wait, the thresholds of each rule and the regions
// that the ticket reaches.
func TestPivotStagesAgainstRules(t *testing.T) {
	for seed := range uint64(200) {
		w := drawPivotCase(rand.New(rand.NewPCG(seed, 21)), false)
		if seed%5 == 0 { // there are more distinct limits than stages that can be stored
			w.rules.Pivot.Region.ReachMS, w.rules.Pivot.Region.MaxMS = matcher.Linear(0, 0.25, math.Inf(1), 50), math.Inf(1)
		}
		pool, err := NewPool(w.rules, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		rows := make(map[Row]*matcher.Ticket)
		for i := range w.tickets {
			w.tickets[i].CreatedMS = 0
			if row, err := pool.Add(w.tickets[i]); err == nil {
				rows[row] = &w.tickets[i]
			}
		}
		for nowMS := int64(0); nowMS < 30_000; nowMS += 50 {
			pool.rows.Advance(nowMS)
			for row, ticket := range rows {
				checkPivotStage(t, pool, row, ticket, nowMS)
			}
			if t.Failed() {
				t.Fatalf("failed for seed %d after %d ms", seed, nowMS)
			}
		}
	}
}

// checkPivotStage compares the stored stage of a row, which was created at 0 ms, with the rules.
func checkPivotStage(t *testing.T, pool *Pool, row Row, ticket *matcher.Ticket, waitMS int64) {
	t.Helper()
	set := pool.rules.Pivot
	limits := pool.rows.Stage[row].Limits
	for i := range set.Distances {
		want := stageAt(set.Distances[i].Max, waitMS)
		if limits[i].Bound != want {
			t.Errorf("distance %d: got threshold %v, want %v", i, limits[i].Bound, want)
		}
	}
	twin := &pivotTwin{pivotCase: &pivotCase{rules: pool.rules, schema: pool.schema, nowMS: waitMS}}
	rules := pool.method.(*accelPage).rules
	if got, want := *rules.Sizes(row), twin.sizes(0); got != want {
		t.Errorf("got sizes %v, want %v", got, want)
	}
	region := len(set.Distances) + 1
	if got, want := limits[region].Optional, waitMS > set.Region.OneWayAfterMS; got != want {
		t.Errorf("got one-way %v, want %v", got, want)
	}
	reachMS, _ := set.Region.ReachMS.At(waitMS)
	rtts, measured := twin.rtts(ticket.Players)
	if !measured {
		return
	}
	if best := min(rtts[0], rtts[1], rtts[2]); set.Region.Relative {
		reachMS += best
	}
	want := uint64(0)
	for i, rtt := range rtts {
		if rtt <= min(reachMS, set.Region.MaxMS)+1e-9 && rtt < math.Inf(1) {
			want |= rules.Regions.Only(matcher.Region(i))
		}
	}
	if got := rules.Regions.Mask(&limits[region], row); got != want {
		t.Errorf("got regions %b, want %b", got, want)
	}
}
