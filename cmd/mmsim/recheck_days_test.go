package main

import (
	"fmt"
	"testing"
)

// Random queues on small days: no match breaks a rule, nobody who could play is
// left over.
func TestRecheckPlayFab(t *testing.T) {
	t.Parallel()
	total := recheck{}
	for seed := range uint64(25) {
		d := rollsOf(seed)
		day := recheckDay{seed: seed, rate: 0.2 + 0.6*d.Float64(), hours: 0.5, rules: written(t, d.playFab()), settings: []string{
			"placement=pool", fmt.Sprintf("players.give_up_after=%ds", 20+d.IntN(60)),
			"matcher.expansion_basis=" + expansionBases[d.IntN(2)], "matcher.optional_basis=" + optionalBases[d.IntN(2)],
		}}
		if d.one(0.5) {
			day.settings = append(day.settings, "players.parties={1: 0.7, 2: 0.2, 3: 0.1}")
		}
		if d.one(0.3) {
			day.settings = append(day.settings, "regions={west: [madrid, london]}")
		}
		r := day.hold(t, "playfab", func(c *courtroom) judge {
			q, err := readPlayFab(day.rules)
			if err != nil {
				t.Fatal(err)
			}
			q.courtroom = c
			return q
		})
		total.add(r)
	}
	total.enough(t)
}

// The same of random rulesets of AccelByte.
func TestRecheckAccelByte(t *testing.T) {
	t.Parallel()
	total := recheck{}
	for seed := range uint64(25) {
		d := rollsOf(seed)
		duels := d.one(0.4)
		day := recheckDay{seed: seed, rate: 0.2 + 0.6*d.Float64(), hours: 0.5, rules: written(t, d.accelByte(duels)), settings: []string{
			"placement=pool", fmt.Sprintf("players.give_up_after=%ds", 20+d.IntN(60)),
		}}
		if !duels && d.one(0.5) {
			day.settings = append(day.settings, "players.parties={1: 0.7, 2: 0.2, 3: 0.1}")
		}
		r := day.hold(t, "accelbyte", func(c *courtroom) judge {
			s, err := readAccelByte(day.rules)
			if err != nil {
				t.Fatal(err)
			}
			s.courtroom = c
			return s
		})
		total.add(r)
	}
	total.enough(t)
}

// add adds up what was checked.
func (r *recheck) add(other *recheck) {
	r.matches += other.matches
	r.backfills += other.backfills
	r.looked += other.looked
	r.expired += other.expired
}

// enough makes sure that the test tests something.
func (r *recheck) enough(t *testing.T) {
	t.Logf("%d matches, %d backfills, %d groups left over, %d tickets gave up", r.matches, r.backfills, r.looked, r.expired)
	if r.matches < 1000 || r.looked < 1000 || r.expired < 100 {
		t.Error("the days are too quiet to tell")
	}
}
