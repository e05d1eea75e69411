package theory_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"mmsim/cmd/mmsim/config"
)

// These theory tests use vendors' rulesets without rules, except for sizes.

// anyPlayers returns a PlayFab queue for matches of k players, in two teams if teams is true.
func anyPlayers(k int, teams bool) string {
	sides := ""
	if teams {
		side := func(name string) string {
			return fmt.Sprintf(`{"Name": %q, "MinTeamSize": %d, "MaxTeamSize": %[2]d}`, name, k/2)
		}
		sides = `, "Teams": [` + side("red") + ", " + side("blue") + "]"
	}
	return fmt.Sprintf(`{"Name": "anybody", "MinMatchSize": %d, "MaxMatchSize": %[1]d%s}`, k, sides)
}

// anyAlliance returns an AccelByte ruleset for matches of k players in one team.
func anyAlliance(k int) string {
	return fmt.Sprintf(`{"alliance": {"min_number": 1, "max_number": 1, "player_min_number": %d, "player_max_number": %[1]d}}`, k)
}

// patience returns the share of players who leave, and the mean wait of all players, for T9
// with ticks. Matches have two players. A player leaves at the first tick at which the player
// has waited for x, a whole number of ticks. Players who join between two ticks enter at the
// later tick. After a tick, an average of r new players wait. Each of them remains unmatched
// for another tick with probability q, the probability that no player joins.
func patience(rate, x, tick float64) (leaving, wait float64) {
	q, ticks := math.Exp(-rate*tick), x/tick
	odd := (1 - q*q) / 2 // the probability of an odd number of arrivals in a tick
	unmet := math.Pow(q, ticks-1)
	r := odd / (1 + q*(1-unmet))
	return r * unmet / (rate * tick), tick/2 + r*(1-unmet*q)/(1-q)/rate
}

// T2 and T9 in a pool, with both vendors. Each tick matches waiting players, and the remainder
// continues to wait. A player who is not matched in time gives up.
func TestTheoryPool(t *testing.T) {
	t.Parallel()
	const k, rate, tick, days = 4, 1.0, 1.0, 2
	leaving, wait := patience(0.1, 10, 1e-5)
	e := math.Exp(-0.1 * 10)
	near(t, "patience without ticks, share leaving", leaving, e/(2-e), 1e-4)
	near(t, "patience without ticks, mean wait", wait, (1-e)/(0.1*(2-e)), 1e-4)
	near(t, "of the specification", leaving, 0.2254, 1e-3)
	near(t, "of the specification", wait, 3.873, 1e-3)

	for vendor, rules := range map[string]func(k int) string{
		"playfab":   func(k int) string { return anyPlayers(k, false) },
		"accelbyte": anyAlliance,
	} {
		t.Run(vendor, func(t *testing.T) {
			t.Parallel()
			f := theoryRun{rules: rules(k), days: days, day: poisson(rate*days, atOnePlace),
				settings: []string{"placement=pool", "players.give_up_after=1h"}}.simulate(t)
			near(t, "mean", f.Wait.Mean, poolWait(k, rate, tick), ofMean)

			const joins, x, longTick, longDays = 0.1, 10.0, 1.0, 10
			leaving, wait := patience(joins, x, longTick)
			f = theoryRun{rules: rules(2), days: longDays, day: poisson(joins*longDays, atOnePlace),
				settings: []string{"placement=pool", fmt.Sprintf("players.give_up_after=%gs", x)}}.simulate(t)
			matched, left := float64(f.Wait.Count), float64(f.FailedWait.Count)
			if f.Players.Expired != f.FailedWait.Count || f.Players.Failed != 0 {
				t.Errorf("got players %+v, want none failed and a wait for every expired ticket", f.Players)
			}
			near(t, "share leaving", left/(matched+left), leaving, ofMean)
			near(t, "mean wait of all", (matched*f.Wait.Mean+left*f.FailedWait.Mean)/(matched+left), wait, ofMean)
			near(t, "wait of those leaving", f.FailedWait.Mean, x+longTick/2, 0.001)
		})
	}
}

// T12t: if a ruleset sets only sizes, players are assigned to the two teams at random, so the gap
// between the team averages is that of random draws.
func TestTheoryTeams(t *testing.T) {
	t.Parallel()
	const sd = 300.0
	for n, want := range map[int]float64{1: 1.1284, 4: 0.5642, 5: 0.5046, 6: 0.4607} {
		gap := 2 / math.Sqrt(math.Pi*float64(n))
		near(t, "formula", gap, want, 0.0002)
		if n != 5 && testing.Short() {
			continue
		}
		placements := []string{config.PlacementPool}
		if n == 5 {
			placements = append(placements, config.PlacementDatacenters)
		}
		for _, placement := range placements {
			t.Run(fmt.Sprint(n, " in ", placement), func(t *testing.T) {
				f := theoryRun{rules: anyPlayers(2*n, true), columns: ",mmr", day: poisson(0.5, func(r *rand.Rand) string {
					return home + "," + strconv.FormatFloat(1500+sd*r.NormFloat64(), 'f', 2, 64)
				}), settings: []string{"placement=" + placement, "players.give_up_after=1h"}}.simulate(t)
				near(t, "gap between teams", f.Attributes["mmr"].TeamGap, gap*sd, 2*ofMean)
				near(t, "spread", f.Attributes["mmr"].Spread, normalRange(2*n)*sd, ofMean)
			})
		}
	}
}

// T14 with a ruleset, and solos and duos: parties fill matches as they do without a ruleset,
// oldest first.
func TestTheoryPartiesUnderRules(t *testing.T) {
	t.Parallel()
	const k, m, parties, tick, days = 4, 2, 0.5, 1.0, 2
	for _, placement := range []string{config.PlacementPool, config.PlacementDatacenters} {
		t.Run(placement, func(t *testing.T) {
			t.Parallel()
			settings := []string{"placement=" + placement, "players.give_up_after=1h", "players.parties={2: 1}"}
			f := theoryRun{rules: anyPlayers(k, false), days: days, day: poisson(m*parties*days, atOnePlace), settings: settings}.simulate(t)
			near(t, "duos alone", f.Wait.Mean, poolWait(k/m, parties, tick), ofMean)

			settings[2] = "players.parties={1: 0.75, 2: 0.25}"
			f = theoryRun{rules: anyPlayers(k, false), days: 3, day: poisson(3, atOnePlace), settings: settings}.simulate(t)
			near(t, "solos", f.ByPartySize["1"].WaitMean, 2.34, ofMean)
			near(t, "duos", f.ByPartySize["2"].WaitMean, 1.51, ofMean+0.01)
		})
	}
}
