package matcher

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// Who had waited longest sets the stage, and all must have waited for a rule to be
// optional, unless the bases say otherwise.
func TestRelaxation(t *testing.T) {
	rules := &Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []Rule{
		&NumberDistance{Common: Common{"linear", 1, 30_000}, Max: Linear(10, 4, 20, 5000)}, // 10 14 18 20
		&NumberDistance{Common: Common{"never", 1, Never}, Max: Linear(10, 4, 5, 5000)},
		&EqualText{Common: Common{"list", 1, Never}, Enabled: Custom(0, 5000, []Override{{}, {Inactive: true}, {}})},
		&ReachRegion{Common{"region", 1, Never}, Fixed(50)},
		&MatchTotal{Common{"total", 1, 0}, 0, Linear(5, -1, 0, 10_000), Linear(5, 1, math.Inf(1), 5000)},
	}}
	if got := fmt.Sprint(rules.RuleNames()); got != "[linear never list region total]" {
		t.Errorf("names %s", got)
	}
	for _, c := range []struct {
		stage    ExpansionBasis
		optional OptionalBasis
		waitsMS  []int64
		want     string // stage, i for inactive, o for optional
	}{
		{LongestWait, AllWaited, []int64{4999, 0}, "0 0 0 0 0o"},
		{LongestWait, AllWaited, []int64{0, 5000}, "1 0 1i 0 1o"},
		{LongestWait, AllWaited, []int64{40_000, 29_999}, "3 0 2 0 8o"},
		{LongestWait, AllWaited, []int64{40_000, 30_000}, "3o 0 2 0 8o"},
		{ShortestWait, AnyWaited, []int64{40_000, 9000}, "1o 0 1i 0 1o"},
	} {
		rules.ExpansionBasis, rules.OptionalBasis = c.stage, c.optional
		if got := wordsOf(rules.Relaxation(nil, c.waitsMS)); got != c.want {
			t.Errorf("after %v: %s, want %s", c.waitsMS, got, c.want)
		}
	}
}

// A stage of a list that leaves the threshold as it is is no step.
func TestRelaxationOfRepeats(t *testing.T) {
	list := []Override{{Value: 2}, {Value: 2}, {Value: 1}, {Value: 1}, {Value: 2}, {Inactive: true}, {Inactive: true}}
	rules := &Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []Rule{
		&SetOverlap{Common: Common{"maps", 1, Never}, MinShared: Custom(2, 5000, list)},
	}}
	for stage, want := range []string{"0", "0", "2", "2", "4", "5i", "5i", "5i"} {
		if got := wordsOf(rules.Relaxation(nil, []int64{int64(stage) * 5000, 0})); got != want {
			t.Errorf("stage %d: %s, want %s", stage, got, want)
		}
	}
}

func wordsOf(list []Relaxed) (text string) {
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

// Under a star the seed's wait alone counts.
func TestStarRelaxation(t *testing.T) {
	rules := arena()
	rules.Star.Region.Name = "near"
	rules.Star.Region.OneWayAfterMS = 20_000
	rules.Star.Options = []StarOption{{Name: "mode", Column: 2, Own: NoColumn}}
	rules.Star.Sizes = append(rules.Star.Sizes, TeamSizes{30_000, 2, 2, 3, 5})
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
		if got := wordsOf(rules.Relaxation(nil, []int64{wait, 90_000})); got != want {
			t.Errorf("after %d: %s, want %s", wait, got, want)
		}
	}
}

// Without its region rule a ruleset forgets round-trip times and nothing else.
func TestWithoutRegion(t *testing.T) {
	for name, rules := range map[string]*Ruleset{"rules": daySkillAndRegion(), "star": dayArena()} {
		free := rules.WithoutRegion()
		if !rules.HasRegion() || free.HasRegion() {
			t.Errorf("%s: a region rule: %v, and without: %v", name, rules.HasRegion(), free.HasRegion())
		}
		for _, apart := range []bool{true, false} {
			schema := new(Schema)
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
				if _, err := pool.Add(Ticket{Players: []Player{{[]Value{NumberValue(1500)}, rtt}}}); err != nil {
					t.Fatal(err)
				}
			}
			out := pool.Pass(0)
			if apart && len(out.Matches) > 0 || !apart && (len(out.Matches) != 1 || out.Matches[0].Region != NoRegion) {
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
	schema := new(Schema)
	pool, err := NewPool(arena(), schema)
	if err != nil {
		t.Fatal(err)
	}
	for _, ticket := range arenaTickets(schema, 200) {
		if _, err := pool.Add(ticket); err != nil {
			t.Fatal(err)
		}
	}
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
			if !slices.IsSortedFunc(waiting, b.pool.order) || len(waiting) != b.pool.Waiting() {
				t.Fatalf("seed %d: %v wait in order of age", seed, waiting)
			}
			if out := b.pool.Pass(now); !slices.Equal(told, out.Expired) {
				t.Fatalf("seed %d at %d: %v expired, told were %v", seed, now, out.Expired, told)
			}
		}
	}
}
