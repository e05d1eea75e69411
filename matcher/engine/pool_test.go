package engine

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher"
)

// scene is a pool for tests written by hand. Its tickets are solos with a skill and round-trip
// times to three regions.
type scene struct {
	*Pool
	schema *matcher.Schema
}

func newScene(t *testing.T, rules *matcher.Ruleset) *scene {
	t.Helper()
	schema := new(matcher.Schema)
	schema.Column("skill")
	for _, name := range []string{"west", "east", "north"} {
		schema.Region(name)
	}
	pool, err := NewPool(rules, schema)
	if err != nil {
		t.Fatal(err)
	}
	return &scene{pool, schema}
}

func (s *scene) solo(createdMS int64, skill float64, rtt ...float64) Row {
	row, err := s.Add(matcher.Ticket{CreatedMS: createdMS, Players: []matcher.Player{{Values: []matcher.Value{matcher.NumberValue(skill)}, RTTMS: rtt}}})
	if err != nil {
		panic(err)
	}
	return row
}

func skillRule(max matcher.Schedule) *matcher.NumberDistance {
	return &matcher.NumberDistance{Common: matcher.Common{Name: "skill", Weight: 1, OptionalAfterMS: matcher.Never}, Max: max, MissingAny: true}
}

func TestRefusals(t *testing.T) {
	rules := &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 8, MaxTicket: 6, Teams: []matcher.Team{{Name: "red", Min: 1, Max: 3}, {Name: "blue", Min: 1, Max: 4}}}
	s := newScene(t, rules)
	for players, want := range map[int]string{0: "without players", 8: "match size of 8", 7: "at most 6", 5: "no team holds more than 4", 4: ""} {
		_, err := s.Add(matcher.Ticket{Players: make([]matcher.Player, players)})
		var refusal matcher.Refusal
		if want == "" && err != nil || want != "" && (!errors.As(err, &refusal) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d players: got error %v, want one that contains %q", players, err, want)
		}
	}
	for want, player := range map[string]matcher.Player{
		"the number +Inf": {Values: []matcher.Value{matcher.NumberValue(math.Inf(1))}},
		"the number NaN":  {Values: []matcher.Value{matcher.NumberValue(math.NaN())}},
		"time of -1 ms":   {RTTMS: []float64{math.NaN(), -1}},
		"time of +Inf ms": {RTTMS: []float64{math.Inf(1)}},
	} {
		_, err := s.Add(matcher.Ticket{Players: []matcher.Player{player}})
		_, errSession := s.AddSession(matcher.Session{Members: []matcher.Member{{Player: player, Team: matcher.NoTeam}}})
		if err == nil || errSession == nil || !strings.Contains(err.Error(), want) || err.Error() != errSession.Error() {
			t.Errorf("got error %v of the ticket and %v of the session, want equal ones that contain %q", err, errSession, want)
		}
	}
	if _, err := s.AddSession(matcher.Session{Members: []matcher.Member{{Team: 2}}}); err == nil || !strings.Contains(err.Error(), "team 2 of 2") {
		t.Errorf("a member of a team that does not exist: got error %v, want it refused", err)
	}
	if _, err := s.AddSession(matcher.Session{Capacity: 1, Members: make([]matcher.Member, 2)}); err == nil || !strings.Contains(err.Error(), "at most 1") {
		t.Errorf("more members than seats: got error %v, want it refused", err)
	}
}

// Pass may be called with an earlier instant than before. It then makes the same decisions as a new
// pool.
func TestPassMayGoBackInTime(t *testing.T) {
	s := newScene(t, &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []matcher.Rule{skillRule(matcher.Custom(1, 10_000, []matcher.Override{{Value: 9}, {Value: 1}}))}})
	s.solo(0, 0)
	s.solo(0, 5)
	if n := len(s.Pass(10_000).Matches); n != 0 {
		t.Fatalf("got %d matches at 10 s, want none", n)
	}
	if n := len(s.Pass(5000).Matches); n != 1 {
		t.Errorf("got %d matches in a later pass at 5 s, want 1", n)
	}
}

// A threshold below 0 keeps all tickets with a number apart from each other. It does not keep them
// apart from tickets without a number.
func TestNegativeThreshold(t *testing.T) {
	s := newScene(t, &matcher.Ruleset{MinPlayers: 4, MaxPlayers: 4, Rules: []matcher.Rule{skillRule(matcher.Fixed(-1))}})
	for i, players := range [][]matcher.Player{make([]matcher.Player, 1), make([]matcher.Player, 2), make([]matcher.Player, 3)} {
		if i == 2 {
			players[0].Values = []matcher.Value{matcher.NumberValue(5)}
		}
		if _, err := s.Add(matcher.Ticket{CreatedMS: int64(i), Players: players}); err != nil {
			t.Fatal(err)
		}
	}
	if out := s.Pass(1000); len(out.Matches) != 1 {
		t.Errorf("got matches %v, want one", out.Matches)
	}
}

// A pass must remove exactly the tickets that have given up, in order of age.
func TestExpired(t *testing.T) {
	for seed := range uint64(200) {
		b := newBoth(t, seed)
		for range 8 {
			b.addTicket(b.w.ticket(20_000, 3))
		}
		for now := int64(15_000); now < 45_000; now += 2500 {
			waiting := b.pool.AppendWaiting(nil)
			if !slices.IsSortedFunc(waiting, b.pool.rows.Compare) || len(waiting) != b.pool.Waiting() {
				t.Fatalf("seed %d: got waiting rows %v, want all, the oldest first", seed, waiting)
			}
			want := slices.DeleteFunc(waiting, func(row Row) bool {
				return !slices.ContainsFunc(b.twin.all, func(w *twinEntry) bool { return w.row == row && w.giveUpMS > 0 && w.createdMS+w.giveUpMS <= now })
			})
			if out := b.pool.Pass(now); !slices.Equal(want, out.Expired) {
				t.Fatalf("seed %d at %d ms: got expired rows %v, want %v", seed, now, out.Expired, want)
			}
		}
	}
}
