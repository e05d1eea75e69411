package reports

import (
	"fmt"
	"strings"
)

// answer is one of the figures to see first, with a mark where there is a limit to
// measure it by.
type answer struct {
	Name, Value, Note string
	Mark              string // good, fair or poor; "" without limits
	Limits            string // what the marks mean
}

// Limits of the marks. Those of waits and failures are conventions, as good for one
// game as for another; those of RTTs are the thresholds of the run.
const (
	goodWait Seconds = 10 // p90 of first searches
	fairWait Seconds = 30
	goodLoss Share   = 0.001 // share of searches without a match
	fairLoss Share   = 0.01
)

// grade marks a value of which less is better.
func grade[N Seconds | Millis | Share](v, good, fair N) string {
	switch {
	case v <= good:
		return "good"
	case v <= fair:
		return "fair"
	}
	return "poor"
}

// pagePartial says what the result of an interrupted run lacks; "" if it is complete.
func pagePartial(s *Summary) string {
	switch {
	case s.Complete:
		return ""
	case s.unmeasured():
		return "This run was interrupted before the measured window began: nothing was measured, and all figures below are 0."
	}
	return "This run was interrupted: the figures cover only the part of the window that was reached."
}

// pageAnswers say how long players wait, what RTT they get, how many leave without
// a match and how many there are.
func pageAnswers(s *Summary) []answer {
	if s.Servers != nil {
		return unbrokenAnswers(serversAnswers(s))
	}
	lost := s.Players.Failed + s.Players.Expired
	loss := ShareOf(lost, s.Players.Entries)
	answers := []answer{
		{
			Name: "Wait", Value: inSeconds(s.WaitFirst.P90),
			Note: fmt.Sprintf("is enough for 90 %% of first searches; the mean is %s. After a match the mean is %s.", inSeconds(s.WaitFirst.Mean), inSeconds(s.WaitRepeat.Mean)),
		},
		rttAnswer(s),
		{
			Name: "Without a match", Value: percent(loss),
			Note:   fmt.Sprintf("%s of %s searches failed or expired.", thousands(lost), thousands(s.Players.Entries)),
			Mark:   grade(loss, goodLoss, fairLoss),
			Limits: fmt.Sprintf("good up to %s, fair up to %s of searches", percent(goodLoss), percent(fairLoss)),
		},
		onlineAnswer(s),
	}
	if s.WaitFirst.Count > 0 {
		answers[0].Mark = grade(s.WaitFirst.P90, goodWait, fairWait)
		answers[0].Limits = fmt.Sprintf("good up to %g s, fair up to %g s for 90 %% of first searches", float64(goodWait), float64(fairWait))
	}
	return unbrokenAnswers(answers)
}

func rttAnswer(s *Summary) answer {
	a := answer{
		Name: "RTT", Value: inMillis(s.RTT.P90),
		Note: fmt.Sprintf("or better for 90 %% of players; the mean is %s. %s get %s or better.", inMillis(s.RTT.Mean), percent(s.RTT.ShareLEIdeal), threshold(s.Thresholds.Ideal)),
	}
	if s.RTT.Count > 0 {
		a.Mark = grade(s.RTT.P90, s.Thresholds.Ideal, s.Thresholds.Expand)
		a.Limits = fmt.Sprintf("good up to %s, fair up to %s for 90 %% of players", threshold(s.Thresholds.Ideal), threshold(s.Thresholds.Expand))
	}
	return a
}

func onlineAnswer(s *Summary) answer {
	return answer{
		Name: "Players online", Value: thousands(s.CCU.Peak),
		Note: fmt.Sprintf("at the peak, %s; %s on average.", clock(s.CCU.PeakAt), thousands(int(s.CCU.Mean+0.5))),
	}
}

func unbrokenAnswers(answers []answer) []answer {
	for i := range answers {
		a := &answers[i]
		a.Value, a.Note, a.Limits = unbroken(a.Value), unbroken(a.Note), unbroken(a.Limits)
	}
	return answers
}

// pageWords tell the result in sentences.
func pageWords(s *Summary) []string {
	if s.Servers != nil {
		return serversWords(s)
	}
	p := &s.Players
	words := []string{fmt.Sprintf("%s joined and %s came back after a match, which makes %s entries. "+
		"%s were matched, %s; %s were still searching at the end.",
		plural(p.Joins, "player"), thousands(p.Returns), thousands(p.Entries), thousands(p.Matched),
		p.unmatchedWords(), thousands(p.SearchingAtEnd))}
	if s.RTT.Count == 0 {
		return words
	}
	if s.Rules != nil {
		words = append(words, rulesWords(s.Rules)...)
	}
	withWarmBody := ""
	if s.hasStates() {
		words = append(words, statesWords(s))
		withWarmBody = fmt.Sprintf(", %s of them with a warm body", thousands(s.Matches.WithWarmBody))
	}
	return append(words, fmt.Sprintf("A player gets %s more than the best datacenter would give, on average. "+
		"%s were played%s; %s of the returning players met a partner of their match before.",
		inMillis(s.DeltaRTT.Mean), plural(s.Matches.Count, "match"), withWarmBody, percent(s.Matches.RepeatShare)))
}

// unmatchedWords tell what became of those who were not matched.
func (p *Players) unmatchedWords() string {
	var words []string
	for _, other := range []struct {
		count Count
		what  string
	}{{p.Failed, "failed"}, {p.Expired, "expired"}, {p.Bots, "played against bots"}, {p.Rejected, "were rejected"}} {
		if other.count > 0 {
			words = append(words, thousands(other.count)+" "+other.what)
		}
	}
	if len(words) == 0 {
		return "0 failed"
	}
	return strings.Join(words, ", ")
}

func statesWords(s *Summary) string {
	pooled := ""
	if share := s.pooled(); share >= 0.0005 {
		pooled = fmt.Sprintf("; the other %s were matched out of a pool", percent(share))
	}
	return fmt.Sprintf("Of the matched, %s found a match within %s%s, %s after accepting %s%s, and %s as warm bodies at any RTT%s%s.",
		percent(s.States.Ideal.Share), threshold(s.Thresholds.Ideal), s.States.Ideal.inBrackets(" (mean %s)"),
		percent(s.States.Expand.Share), threshold(s.Thresholds.Expand), s.States.Expand.inBrackets(" (%s)"),
		percent(s.States.WarmBody.Share), s.States.WarmBody.inBrackets(" (%s)"), pooled)
}
