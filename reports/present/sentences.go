package present

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// Answer is one of the numbers at the top of a page, with a mark if there are limits for it.
type Answer struct {
	Name, Value, Note string
	Mark              string // "good", "fair" or "poor"; "" without limits
	Limits            string // explains the marks
}

// Partial says what the result of an interrupted run lacks. It returns "" if the run is complete.
func Partial(s *outcome.Summary) string {
	switch {
	case s.Complete:
		return ""
	case s.Unmeasured():
		return "This run was interrupted before the measured window began: nothing was measured, and all numbers below are 0."
	}
	return "This run was interrupted: the numbers cover only the part of the window that was reached."
}

// Answers returns how long players wait, which RTT they get, how many leave without a match, and
// how many are online.
func Answers(s *outcome.Summary) []Answer {
	if s.Servers != nil {
		return UnbrokenAnswers(serversAnswers(s))
	}
	wait, rtt := waitAnswer(s), rttAnswer(s)
	if len(s.Queues) > 0 {
		wait, rtt = queuesAnswers(s)
	}
	return UnbrokenAnswers([]Answer{
		wait,
		rtt,
		unmatchedAnswer(s),
		onlineAnswer(s),
	})
}

func waitAnswer(s *outcome.Summary) Answer {
	const name = "Wait, first searches"
	if s.WaitFirst.Count == 0 {
		return Answer{Name: name, Value: "–", Note: "No first search ended in a match."}
	}
	a := Answer{
		Name: name, Value: words.Seconds(s.WaitFirst.P90),
		Note: fmt.Sprintf("or less for 90 %% of first searches that find a match; the mean is %s.", words.Seconds(s.WaitFirst.Mean)),
	}
	if s.WaitRepeat.Count > 0 {
		a.Note += fmt.Sprintf(" The mean is %s after a match and %s over all searches.", words.Seconds(s.WaitRepeat.Mean), words.Seconds(s.Wait.Mean))
	}
	a.Mark, a.Limits = waitMark(s, s.WaitFirst.P90)
	if s.Limits != nil && s.Limits.Wait != nil {
		a.Note += " " + grade.ClassWords(&s.Limits.Wait.Classes) + "."
	}
	return a
}

// queuesAnswers returns the answers about wait and RTT for several queues. Each shows the value of
// the worst queue, and its note lists the values of all queues.
func queuesAnswers(s *outcome.Summary) (wait, rtt Answer) {
	wait, rtt = Answer{Name: "Wait, slowest queue", Value: "–", Note: "No first search ended in a match."}, Answer{Name: "RTT, worst queue", Value: "–", Note: "No player was matched."}
	var slowest outcome.WaitStats
	var worst outcome.RTTStats
	for i := range s.Queues {
		q := &s.Queues[i]
		if first := &q.WaitFirst; first.Count > 0 && first.P90 >= slowest.P90 {
			slowest = *first
		}
		if q.RTT.P90 > worst.P90 {
			worst = q.RTT
		}
	}
	if slowest.Count > 0 {
		wait.Value, wait.Note = words.Seconds(slowest.P90), words.QueueWaits(s.Queues)+"."
		wait.Mark, wait.Limits = waitMark(s, slowest.P90)
	}
	if worst.Count > 0 {
		rtt.Value, rtt.Note = words.Millis(worst.P90), words.QueueRTTs(s.Queues)+"."
		rtt.Mark, rtt.Limits = rttMark(s, worst.P90)
	}
	return wait, rtt
}

func rttAnswer(s *outcome.Summary) Answer {
	limits, within, _ := grade.Within(s)
	a := Answer{
		Name: "RTT", Value: words.Millis(s.RTT.P90),
		Note: fmt.Sprintf("or better for 90 %% of players; the mean is %s. %s get %s or better.", words.Millis(s.RTT.Mean), words.Percent(within), words.Threshold(limits.Good)),
	}
	if s.RTT.Count == 0 {
		a.Value, a.Note = "–", "No player was matched."
	} else {
		a.Mark, a.Limits = rttMark(s, s.RTT.P90)
		if limits.Own {
			a.Note += " " + grade.ClassWords(&s.Limits.RTT.Classes) + "."
		}
	}
	return a
}

func unmatchedAnswer(s *outcome.Summary) Answer {
	l := outcome.Unmatched(&s.Players)
	if l.Ended == 0 {
		return Answer{Name: "Without a match", Value: "–", Note: "No search ended."}
	}
	a := Answer{
		Name: "Without a match", Value: words.Percent(l.Share),
		Note: fmt.Sprintf("%s of %s ended searches: %s.", words.Thousands(l.Count), words.Thousands(l.Ended), unmatchedWords(&l)),
	}
	a.Mark, a.Limits = unmatchedMark(s, &l)
	if s.Limits != nil && s.Limits.Unmatched != nil {
		a.Note += " By the hour in which they began, " + grade.ClassWords(&s.Limits.Unmatched.Classes) + "."
	}
	return a
}

func onlineAnswer(s *outcome.Summary) Answer {
	return Answer{
		Name: "Players online", Value: words.Thousands(s.CCU.Peak),
		Note: fmt.Sprintf("at the peak, %s; %s on average.", words.Clock(s.CCU.PeakAt), words.MeanCount(float64(s.CCU.Mean))),
	}
}

func UnbrokenAnswers(answers []Answer) []Answer {
	for i := range answers {
		a := &answers[i]
		a.Value, a.Note, a.Limits = Unbroken(a.Value), Unbroken(a.Note), Unbroken(a.Limits)
	}
	return answers
}

// Sentences describes the result in sentences.
func Sentences(s *outcome.Summary) []string {
	if s.Servers != nil {
		return serversWords(s)
	}
	p, loss := &s.Players, outcome.Unmatched(&s.Players)
	sentences := []string{fmt.Sprintf("%s joined and %s returned after a match, a total of %s entries. "+
		"%s were matched, %s, and %s were still searching at the end.",
		words.Plural(p.Joins, "player"), words.Thousands(p.Returns), words.Thousands(p.Entries), words.Thousands(p.Matched),
		unmatchedWords(&loss), words.Thousands(p.SearchingAtEnd))}
	if s.RTT.Count == 0 {
		return sentences
	}
	if s.Rules != nil {
		sentences = append(sentences, rulesWords(s.Rules)...)
	}
	withWarmBody := ""
	if s.HasStates() {
		sentences = append(sentences, statesWords(s))
		withWarmBody = fmt.Sprintf(", %s of them with a warm body", words.Thousands(s.Matches.WithWarmBody))
	}
	delta := ""
	if len(s.Queues) == 0 {
		delta = fmt.Sprintf("On average, a player's RTT is %s above the RTT to the best datacenter. ", words.Millis(s.DeltaRTT.Mean))
	}
	return append(sentences, fmt.Sprintf("%s%s were played%s; %s of the returning players met someone from their previous match again.",
		delta, words.Plural(s.Matches.Count, "match"), withWarmBody, words.Percent(s.Matches.RepeatShare)))
}

// unmatchedWords says how the searches without a match ended.
func unmatchedWords(l *outcome.Loss) string {
	var phrases []string
	for _, kind := range l.Kinds {
		if kind.Count > 0 {
			phrases = append(phrases, words.Thousands(kind.Count)+" "+cmp.Or(endPhrases[kind.Name], kind.Name))
		}
	}
	if len(phrases) == 0 {
		return "0 failed"
	}
	return strings.Join(phrases, ", ")
}

// endPhrases has the words for ends of searches that differ from the key of their count.
var endPhrases = map[string]string{"bots": "played against bots", "rejected": "were rejected"}

func statesWords(s *outcome.Summary) string {
	pooled := ""
	if share := s.Pooled(); share >= 0.0005 {
		pooled = fmt.Sprintf("; the other %s were matched out of a pool", words.Percent(share))
	}
	return fmt.Sprintf("Of the matched players, %s found a match within %s%s, %s after they accepted %s%s, and %s as warm bodies at any RTT%s%s.",
		words.Percent(s.States.Ideal.Share), words.Threshold(s.Thresholds.Ideal), words.RTTInBrackets(s, &s.States.Ideal, " (mean %s)"),
		words.Percent(s.States.Expand.Share), words.Threshold(s.Thresholds.Expand), words.RTTInBrackets(s, &s.States.Expand, " (%s)"),
		words.Percent(s.States.WarmBody.Share), words.RTTInBrackets(s, &s.States.WarmBody, " (%s)"), pooled)
}

// Title says in one sentence how long players wait and which RTT they get.
func Title(s *outcome.Summary) string {
	if s.Servers != nil {
		return serversTitle(s)
	}
	if s.RTT.Count == 0 {
		return "No match was made"
	}
	if len(s.Queues) > 0 {
		return cmp.Or(words.QueueWaits(s.Queues), words.QueueRTTs(s.Queues))
	}
	limits, within, _ := grade.Within(s)
	rtt := fmt.Sprintf("%s of players get %s or better", words.Percent(within), words.Threshold(limits.Good))
	if s.WaitFirst.Count == 0 {
		return rtt
	}
	return fmt.Sprintf("90 %% of first searches that find a match take at most %s, and %s", words.Seconds(s.WaitFirst.P90), rtt)
}

// Facts identifies the run by its seed, run number, duration, warm-up, version and hashes.
func Facts(s *outcome.Summary) []string {
	facts := []string{
		fmt.Sprint("seed ", s.Run.Seed), fmt.Sprint("run ", s.Run.Run),
		words.Span(s.Run.Reached) + " simulated", words.Span(s.Run.Warmup) + " warm-up",
		"mmsim " + s.Run.Version,
	}
	for _, hash := range [...]struct{ name, sum string }{{"configuration", s.Run.ConfigSHA256}, {"dataset", s.Run.DatasetSHA256}} {
		if hash.sum != "" {
			facts = append(facts, hash.name+" "+hash.sum[:min(12, len(hash.sum))])
		}
	}
	return facts
}

// Unbroken replaces the space between a number and its unit by a no-break space.
func Unbroken(text string) string { return numberAndUnit.ReplaceAllString(text, "$1\u00a0$2") }

// numberAndUnit matches the end of a number, a space and a unit.
var numberAndUnit = regexp.MustCompile(`(\d) (%|ms\b|s\b|h\b)`)
