package theory_test

import (
	"fmt"
	"iter"
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

// requeued yields groups of three players. Two with skill 0 meet at once. The third has skill 5 and joins
// half a minute later, at the instant at which the others are told that they have not all accepted.
func requeued() iter.Seq2[float64, string] {
	return func(yield func(float64, string) bool) {
		for at := 60.0; at < secondsPerDay-720; at += 720 {
			for i, skill := range []string{",0", ",0", ",5"} {
				if !yield(at+float64(i/2*30), home+skill) {
					return
				}
			}
		}
	}
}

// A player who accepted in vain meets the one with skill 5 once five steps of PlayFab's ladder have
// passed, of 5 s each. With requeue: age they have passed already, because the wait counts from the begin
// of the search 30 s earlier. With requeue: new they count from the return. Each proposal takes 30 s, and
// the wait that is reported begins with the search.
func TestTheoryRequeue(t *testing.T) {
	t.Parallel()
	const ladder = `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "DifferenceRules": [{"Name": "s", "Attribute": {"Path": "skill", "Source": "User"},
		"Difference": 0, "Weight": 1, "LinearExpansion": {"Delta": 1, "Limit": 9, "SecondsBetweenExpansions": 5}}]}`
	const asked, steps = 30, 5 * 5
	for requeue, relaxing := range map[string]int{"age": 0, "new": steps} {
		f := theoryRun{rules: ladder, columns: ",skill", day: requeued(), settings: []string{
			"placement=pool", "players.give_up_after=10m", "clock.warmup=0s", "output.records=csv",
			"match.acceptance={required: true, accept: 0.7, refuse: 1, delay: 30s, timeout: 1m, requeue: " + requeue + "}",
		}}.simulate(t)
		matches := map[string][]searched{}
		for _, s := range ended(f.searches(t), "matched") {
			matches[s.match] = append(matches[s.match], s)
		}
		atOnce, later := 0, 0
		for _, players := range matches {
			a, b := players[0], players[1]
			if a.cells["skill"] != "0" {
				a, b = b, a
			}
			wants := [2]int{asked, asked}
			if b.cells["skill"] == "0" {
				atOnce++
			} else {
				later++
				wants = [2]int{asked + relaxing + asked, relaxing + asked}
			}
			if got := [2]int{a.wait, b.wait}; got != [2]int{1000 * wants[0], 1000 * wants[1]} {
				t.Errorf("requeue %s: skills %s and %s waited %v ms, want %v s", requeue, a.cells["skill"], b.cells["skill"], got, wants)
			}
		}
		// Of 119 groups, .49 start at once. One of two accepts in .42, and they match in .49 of these.
		if atOnce < 30 || later < 10 {
			t.Errorf("requeue %s: got %d matches at once and %d after a return, want about 58 and 24", requeue, atOnce, later)
		}
	}
}
