package theory_test

import (
	"fmt"
	"math"
	"testing"
)

// Players who accept with chance a, in matches of k single players, without a time to give up. A proposal
// starts with chance a^k. Of the searches, (1-a)/(1-a+a^k) are declined. In an article's queue without
// states to move to, and with an own matchmaker, which is told about each proposal.
func TestTheoryAcceptance(t *testing.T) {
	heavy(t)
	external := []string{"matcher.external=exec:matcher-asked", "players.give_up_after=24h", "clock.duration=4h", "clock.warmup=30m"}
	for _, test := range []struct {
		k                        int
		accept, starts, declined float64
		settings                 []string
	}{
		{4, 0.95, 0.814506, 0.057836, []string{"states.ideal.for=24h", "clock.duration=6h"}},
		{4, 0.95, 0.814506, 0.057836, external},
		{10, 0.95, 0.598737, 0.077073, external},
		{10, 0.9, 0.348678, 0.222877, external},
		{10, 0.99, 0.904382, 0.010936, external},
	} {
		t.Run(fmt.Sprintf("%d players, %g, %s", test.k, test.accept, test.settings[0]), func(t *testing.T) {
			t.Parallel()
			f := theoryRun{day: poisson(5, atOnePlace), settings: append(test.settings,
				fmt.Sprintf("match={size: %d, acceptance: {required: true, accept: %g, refuse: 0, delay: 5s, timeout: 30s}}", test.k, test.accept),
			)}.simulate(t)
			s := summaryIn(t, f.dir)
			a, proposals := s.Acceptance, int(s.Acceptance.Proposals)
			starts := math.Pow(test.accept, float64(test.k))
			near(t, "formula of starts", starts, test.starts, 2e-6)
			shareAbout(t, "starts", float64(a.ShareStarted), starts, proposals)
			near(t, "proposals a start", float64(a.PerStart), 1/starts, 4*math.Sqrt((1-starts)/starts/float64(proposals)))
			lost := math.Pow(test.accept, float64(1-test.k)) - 1
			near(t, "lost per player", float64(a.LostPerMatch), 30*lost, 4*math.Sqrt(2/(lost*float64(a.Started)))+0.01)
			near(t, "formula of declined", (1-test.accept)/(1-test.accept+starts), test.declined, 1e-4)
			ended := int(s.Players.Matched + *s.Players.Declined)
			shareAbout(t, "declined", float64(*s.Players.Declined)/float64(ended), test.declined, ended)
		})
	}
}

// If all who decline search again, every player is matched in the end, after 1 + (1-a)/a^k searches.
func TestTheoryDeclinedSearchAgain(t *testing.T) {
	heavy(t)
	const k, accept = 10, 0.95
	f := theoryRun{day: poisson(5, atOnePlace), settings: []string{
		"matcher.external=exec:matcher-asked", "players={give_up_after: 24h, between_matches: 0s}", "clock.duration=4h", "clock.warmup=30m",
		fmt.Sprintf("match={size: %d, acceptance: {required: true, accept: %g, refuse: 0, delay: 5s, timeout: 30s, again: 1}}", k, accept),
	}}.simulate(t)
	p := summaryIn(t, f.dir).Players
	want := 1 + (1-accept)/math.Pow(accept, k)
	near(t, "formula", want, 1.083509, 1e-6)
	near(t, "searches a matched player", float64(p.Matched+*p.Declined)/float64(p.Matched), want, 4*math.Sqrt((want-1)/float64(p.Matched)))
}
