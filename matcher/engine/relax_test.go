package engine

import (
	"fmt"
	"math"
	"mmsim/matcher"
	"slices"
	"testing"
)

// Under a star the seed's wait alone counts.
func TestStarRelaxation(t *testing.T) {
	rules := flexing()
	rules.Pivot.Region.Name = "near"
	rules.Pivot.Region.OneWayAfterMS = 20_000
	rules.Pivot.Options = []matcher.PivotOption{{Name: "mode", Column: 2, Own: matcher.NoColumn}}
	rules.Pivot.Sizes = append(rules.Pivot.Sizes, matcher.TeamSizes{AfterMS: 30_000, MinTeams: 2, MaxTeams: 2, MinPlayers: 3, MaxPlayers: 5})
	if got := fmt.Sprint(rules.RuleNames()); got != "[skill mode near other attributes same player blocked player team sizes]" {
		t.Errorf("names %s", got)
	}
	for wait, want := range map[int64]string{
		0:       "0 0 0 0 0 0 0",
		15_000:  "1 0 1 0 0 0 0",
		20_001:  "1 0 2o 0 0 0 0",
		30_000:  "2 0 3o 0 0 0 1",
		200_000: "3 0 6o 0 0 0 1", // 350 ms is the limit: 50 and six times 50 more
	} {
		if got := relaxedWords(rules.Relaxation(nil, []int64{wait, 90_000})); got != want {
			t.Errorf("after %d: %s, want %s", wait, got, want)
		}
	}
}

// Without its region rule a ruleset forgets round-trip times and nothing else.
func TestWithoutRegion(t *testing.T) {
	for name, rules := range map[string]*matcher.Ruleset{"rules": skillAndRegion(), "star": flexing()} {
		free := rules.WithoutRegion()
		if !rules.HasRegion() || free.HasRegion() {
			t.Errorf("%s: a region rule: %v, and without: %v", name, rules.HasRegion(), free.HasRegion())
		}
		for _, apart := range []bool{true, false} {
			schema := new(matcher.Schema)
			schema.Column("skill")
			schema.Region("west")
			schema.Region("east")
			if !apart {
				rules = free
			}
			pool, err := NewPool(rules, schema)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 10 {
				rtt := []float64{math.NaN(), math.NaN()}
				rtt[i%2] = 20
				if _, err := pool.Add(matcher.Ticket{Players: []matcher.Player{{Values: []matcher.Value{matcher.NumberValue(1500)}, RTTMS: rtt}}}); err != nil {
					t.Fatal(err)
				}
			}
			out := pool.Pass(0)
			if apart && len(out.Matches) > 0 || !apart && (len(out.Matches) != 1 || out.Matches[0].Region != matcher.NoRegion) {
				t.Errorf("%s: %+v", name, out.Matches)
			}
		}
	}
}

// KeptApart counts the obstacles that Explain lists.
func TestKeptApartIsExplained(t *testing.T) {
	seen := 0
	for seed := range uint64(300) {
		w := newWorld(seed)
		pool, err := NewPool(w.ruleset(), w.schema)
		if err != nil {
			t.Fatal(err)
		}
		var rows []Row
		for range 6 {
			if row, err := pool.Add(w.ticket(20_000, 3)); err == nil {
				rows = append(rows, row)
			}
		}
		for _, row := range rows {
			seen += checkApart(t, pool, 20_000, row)
		}
	}
	pool, _ := crowdedPool(t, flexing(), 200)
	if seen += checkApart(t, pool, 60_000, 0); seen < 1000 {
		t.Errorf("only %d obstacles", seen)
	}
}

func checkApart(t *testing.T, pool *Pool, nowMS int64, row Row) (seen int) {
	t.Helper()
	var got Apart
	pool.KeptApart(nowMS, row, &got)
	want := Apart{ByRule: make([]int, len(pool.names))}
	for _, o := range pool.Explain(nowMS, row) {
		switch seen++; o.Why {
		case MayMeet:
			want.MayMeet++
		case TooMany:
			want.TooMany++
		default:
			want.ByRule[o.Rule]++
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("row %d: %+v, want %+v", row, got, want)
	}
	return seen
}

// Who expires is known before the pass that takes them out.
func TestExpiring(t *testing.T) {
	for seed := range uint64(200) {
		b := newBoth(t, seed)
		for range 8 {
			b.addTicket(b.w.ticket(20_000, 3))
		}
		for now := int64(15_000); now < 45_000; now += 2500 {
			told := b.pool.Expiring(nil, now)
			waiting := b.pool.AppendWaiting(nil)
			if !slices.IsSortedFunc(waiting, b.pool.rows.Compare) || len(waiting) != b.pool.Waiting() {
				t.Fatalf("seed %d: %v wait in order of age", seed, waiting)
			}
			if out := b.pool.Pass(now); !slices.Equal(told, out.Expired) {
				t.Fatalf("seed %d at %d: %v expired, told were %v", seed, now, out.Expired, told)
			}
		}
	}
}

func relaxedWords(list []matcher.Relaxed) (text string) {
	for i, r := range list {
		if i > 0 {
			text += " "
		}
		text += fmt.Sprint(r.Stage)
		if r.Inactive {
			text += "i"
		}
		if r.Optional {
			text += "o"
		}
	}
	return text
}
