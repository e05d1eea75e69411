package outcome

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnmatched(t *testing.T) {
	declined := Count(16)
	p := Players{Joins: 999, Matched: 969, Losses: Losses{Failed: 1, Expired: 2, Bots: 4, Rejected: 8, Declined: &declined}, SearchingAtStart: 7, SearchingAtEnd: 5}
	SetEnds(&p)
	if p.Ended != 1000 || p.UnmatchedShare != 0.031 {
		t.Errorf("got %v ended searches and the share %v, want 1000 and 0.031", p.Ended, p.UnmatchedShare)
	}
	want := Loss{31, 1000, 0.031, []Part{{Name: "failed", Count: 1}, {Name: "expired", Count: 2}, {Name: "bots", Count: 4}, {Name: "rejected", Count: 8}, {Name: "declined", Count: 16}}}
	if diff := cmp.Diff(want, Unmatched(&p)); diff != "" {
		t.Errorf("loss (-want +got):\n%s", diff)
	}
	p.Entries = 998
	if p.Balance() != 0 { // 998 entries + 7 at the start = 1000 ended + 5 at the end
		t.Errorf("got balance %d, want 0", p.Balance())
	}
	p.UnmatchedShare = 0.04 // the mean over runs
	if got := Unmatched(&p).Share; got != 0.04 {
		t.Errorf("in an aggregate: got share %v, want the metric's 0.04", float64(got))
	}
	few := Group{Served: Served{Players: 9_999_999}, Losses: Losses{Failed: 1}}
	SetEnds(&few)
	if got := Unmatched(&few).Share; few.UnmatchedShare != 0 || got != 1e-7 {
		t.Errorf("1 of 10 million: got metric %v and share %v, want 0 and 1e-7", few.UnmatchedShare, float64(got))
	}
	none := QueuePlayers{Entries: 3}
	SetEnds(&none)
	if none.Ended != 0 || none.UnmatchedShare != 0 || Unmatched(&none).Share != 0 {
		t.Errorf("no search ended: got %+v, want zeros", none)
	}
}

// unmatchedOf returns the value of players.unmatched_share, and whether the summary has it.
func unmatchedOf(s *Summary) (float64, bool) {
	for _, v := range s.MetricValues() {
		if v.Name == "players.unmatched_share" {
			return v.Value, true
		}
	}
	return 0, false
}

// A run in which no search ended has no share, and the mean over runs leaves it out.
func TestUnmatchedShareIsNotMeasuredWithoutEnds(t *testing.T) {
	run := func(matched, failed Count) *Summary {
		s := &Summary{Players: Players{Matched: matched, Losses: Losses{Failed: failed}}, ByHour: make([]Group, 24)}
		SetEnds(&s.Players)
		s.MarkUnmeasured()
		return s
	}
	for _, test := range []struct {
		s    *Summary
		want float64
	}{{run(0, 0), math.NaN()}, {run(5, 0), 0}, {run(0, 5), 1}, {run(3, 1), 0.25}} {
		if got, has := unmatchedOf(test.s); !has || got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("%+v: got share %v (metric: %t), want %v", test.s.Players, got, has, test.want)
		}
	}
	if got, _ := unmatchedOf(Aggregate([]*Summary{run(0, 0), run(5, 0), run(300, 100)})); got != 0.125 {
		t.Errorf("aggregate: got share %v, want 0.125, the mean of the two runs that have one", got)
	}
}

// min_players of a gate counts ended searches, so that a group in which nobody is matched is not
// skipped.
func TestUnmatchedShareDescribesEndedSearches(t *testing.T) {
	for name, want := range map[string]string{
		"players.unmatched_share": "players.ended", "by_continent.EU.unmatched_share": "by_continent.EU.ended",
		"queues.duel.players.unmatched_share": "queues.duel.players.ended", "by_attribute_decile.mmr.3.unmatched_share": "by_attribute_decile.mmr.3.ended",
	} {
		if got := PlayersOf(name); got != want {
			t.Errorf("%s: got the players of %s, want %s", name, got, want)
		}
	}
}

// Each search has the class of the hour in which it began.
func TestClassesOfUnmatchedSearches(t *testing.T) {
	hours := make([]Group, 24)
	hours[0] = Group{Served: Served{Players: 99}, Losses: Losses{Failed: 1}}           // 1 %: good, at the limit
	hours[1] = Group{Served: Served{Players: 190}, Losses: Losses{Bots: 10}}           // 5 %: fair, at the limit
	hours[2] = Group{Served: Served{Players: 94}, Losses: Losses{Expired: 5, Bots: 1}} // 6 %: poor
	hours[3] = Group{Served: Served{Players: 600}, Entries: 10_000_000}                // 0 %: good
	for i := range hours {
		SetEnds(&hours[i])
	}
	l := &Limits{Unmatched: &UnmatchedLimits{Good: 0.01, Fair: 0.05}}
	before := l.Unmatched
	l.SetUnmatched(hours)
	if want := (Classes{0.7, 0.2, 0.1}); l.Unmatched.Classes != want || before.Classes != (Classes{}) {
		t.Errorf("got %+v, want %+v; and %+v unchanged", l.Unmatched.Classes, want, before)
	}
	(&Limits{}).SetUnmatched(hours)
	(*Limits)(nil).SetUnmatched(hours)
	if l.SetUnmatched(make([]Group, 24)); l.Unmatched.Classes != (Classes{}) {
		t.Errorf("no search ended: got %+v, want zeros", l.Unmatched.Classes)
	}
}

// A statistic may be null, and a number must be possible.
func TestReadEnds(t *testing.T) {
	s := &Summary{Schema: Schema, Complete: true, Warnings: []string{}, ByHour: make([]Group, 24)}
	s.Limits = &Limits{Unmatched: &UnmatchedLimits{Good: 0.01, Fair: 0.05}}
	s.MarkUnmeasured()
	var text strings.Builder
	if err := s.Write(&text); err != nil {
		t.Fatal(err)
	}
	got, err := ParseSummary([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(float64(got.Players.UnmatchedShare)) || !math.IsNaN(float64(got.Limits.Unmatched.ShareGood)) || got.Limits.Unmatched.Fair != 0.05 {
		t.Errorf("got %+v and %+v, want shares that were not measured", got.Players, got.Limits.Unmatched)
	}
	for value, want := range map[string]string{
		"1.5":  "limits.unmatched.share_good is 1.5, expected a share from 0 to 1",
		`"no"`: `limits.unmatched.share_good is "no", expected a share from 0 to 1`,
	} {
		with := strings.Replace(text.String(), `"share_good": null`, `"share_good": `+value, 1)
		if _, err := ParseSummary([]byte(with)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a share of %s: got error %v, want %q", value, err, want)
		}
	}
}

// A datacenter whose machines host no match has no share of matches that waited.
func TestReadIdleMachines(t *testing.T) {
	hours, cost, peak, none := Average(2), Value(1.5), Count(1), Share(math.NaN())
	s := &Summary{Schema: Schema, Complete: true, Warnings: []string{}, ByHour: make([]Group, 24)}
	s.ByDatacenter = []Datacenter{{Name: "idle", SiteFleet: SiteFleet{MachineHours: &hours, CostPerDay: &cost, MachinesPeak: &peak, ShareWaited: &none}}}
	s.MarkUnmeasured()
	var text strings.Builder
	if err := s.Write(&text); err != nil {
		t.Fatal(err)
	}
	got, err := ParseSummary([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	d := got.ByDatacenter[0]
	if d.ShareWaited == nil || !math.IsNaN(float64(*d.ShareWaited)) || *d.MachineHours != 2 || *d.CostPerDay != 1.5 || *d.MachinesPeak != 1 {
		t.Errorf("got %+v, want 2 h, a cost of 1.5, 1 machine, and a share that was not measured", d.SiteFleet)
	}
}
