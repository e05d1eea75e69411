package main

import (
	"fmt"
	"testing"
)

// recheckSeeds is how many random rulesets are tried of each vendor in each placement.
const recheckSeeds = 16

// Random queues on small days: no match breaks a rule, nobody who could play is
// left over, and scenes of the day replay as they were.
func TestRecheckPlayFab(t *testing.T) {
	for _, placement := range []string{placementPool, placementDatacenters} {
		t.Run(placement, func(t *testing.T) {
			t.Parallel()
			total := recheck{t: t}
			for seed := range uint64(recheckSeeds) {
				d := rollsOf(seed)
				day := smallDay(d, seed, placement)
				day.rules = written(t, d.playFab())
				day.settings = append(day.settings, "matcher.expansion_basis="+expansionBases[d.IntN(2)], "matcher.optional_basis="+optionalBases[d.IntN(2)])
				if d.one(0.5) {
					day.settings = append(day.settings, someParties)
				}
				total.add(day.hold(t, "playfab", playFabJudge(t, day.rules)))
			}
			total.enough()
		})
	}
}

// The same of random rulesets of AccelByte.
func TestRecheckAccelByte(t *testing.T) {
	for _, placement := range []string{placementPool, placementDatacenters} {
		t.Run(placement, func(t *testing.T) {
			t.Parallel()
			total := recheck{t: t}
			for seed := range uint64(recheckSeeds) {
				d := rollsOf(seed)
				day := smallDay(d, seed, placement)
				duels := d.one(0.4)
				day.rules = written(t, d.accelByte(duels))
				if !duels && d.one(0.5) {
					day.settings = append(day.settings, someParties)
				}
				total.add(day.hold(t, "accelbyte", accelByteJudge(t, day.rules)))
			}
			total.enough()
			if placement == placementPool && total.backfills < 100 {
				t.Error("too few joined a session to tell")
			}
		})
	}
}

const someParties = "players.parties={1: 0.7, 2: 0.2, 3: 0.1}"

// smallDay is half an hour with few players.
func smallDay(d dice, seed uint64, placement string) *recheckDay {
	day := &recheckDay{seed: seed, rate: 0.2 + 0.6*d.Float64(), hours: 0.5, settings: []string{
		"placement=" + placement, fmt.Sprintf("players.give_up_after=%ds", 20+d.IntN(60)),
		"states={ideal: {rtt: 8ms, for: 12s}, expand: {rtt: 15ms, for: 12s}, warmbody: {for: 12s}}",
	}}
	if d.one(0.3) && placement == placementPool {
		day.settings = append(day.settings, "regions={west: [madrid, london]}")
	}
	return day
}

func playFabJudge(t *testing.T, rules string) func(*courtroom) judge {
	q, err := readPlayFab(rules)
	if err != nil {
		t.Fatal(err)
	}
	return func(c *courtroom) judge {
		q.courtroom = c
		return q
	}
}

func accelByteJudge(t *testing.T, rules string) func(*courtroom) judge {
	s, err := readAccelByte(rules)
	if err != nil {
		t.Fatal(err)
	}
	return func(c *courtroom) judge {
		s.courtroom = c
		return s
	}
}

// add adds up what was checked.
func (r *recheck) add(other *recheck) {
	r.matches += other.matches
	r.backfills += other.backfills
	r.looked += other.looked
	r.expired += other.expired
	r.scenes += other.scenes
	r.replayed += other.replayed
}

// enough makes sure that the test tests something.
func (r *recheck) enough() {
	r.t.Logf("%d matches, %d backfills, %d groups left over, %d tickets gave up, %d scenes with %d outcomes",
		r.matches, r.backfills, r.looked, r.expired, r.scenes, r.replayed)
	if r.matches < 1000 || r.looked < 1000 || r.replayed < 40 {
		r.t.Error("the days are too quiet to tell")
	}
}
