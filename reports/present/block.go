package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// A block describes a queue: one of several queues, or without a name the only one. What a summary has
// only over all queues is nil for one of several.
type block struct {
	name    string
	of      *outcome.Summary
	players outcome.Searches
	waits   []namedWait
	rtt     *outcome.RTTStats
	matches *outcome.Count
	fill    *outcome.Share
	common  *outcome.Common
	makes   *outcome.Matchmaking
	asks    *outcome.Acceptance
	whole   *outcome.Summary // nil for one of several queues
}

// namedWait has the statistics of the waits of one kind of search.
type namedWait struct {
	name   string
	stats  *outcome.WaitStats
	graded bool // whether the limits of waits apply
	wide   bool // whether only a page has room for it
}

// blocksOf returns the queues of a run. Waits of first searches precede other waits, because most
// other players return from a match and are matched in the next pass.
func blocksOf(s *outcome.Summary) (blocks []block) {
	if len(s.Queues) == 0 {
		return []block{{
			of: s, players: &s.Players, rtt: &s.RTT, matches: &s.Matches.Count, fill: &s.Matches.Fill, common: &s.Common, makes: &s.Matchmaking, asks: s.Acceptance, whole: s,
			waits: []namedWait{
				{name: "first searches", stats: &s.WaitFirst, graded: true}, {name: "after a match", stats: &s.WaitRepeat}, {name: "all searches", stats: &s.Wait},
				{name: "failed or expired", stats: &s.FailedWait, wide: true}, {name: "sent to bots", stats: &s.BotsWait, wide: true},
			},
		}}
	}
	for i := range s.Queues {
		q := &s.Queues[i]
		blocks = append(blocks, block{
			name: q.Name, of: s, players: &q.Players, rtt: &q.RTT, matches: &q.Matches.Count, fill: &q.Matches.Fill, common: &q.Common, makes: &q.Matchmaking, asks: q.Acceptance,
			waits: []namedWait{{name: "first searches", stats: &q.WaitFirst, graded: true}, {name: "all searches", stats: &q.Wait}},
		})
	}
	return blocks
}

// items returns what a reader needs first about the queue, and the tables behind it.
func (b *block) items() (brief, more []Item) {
	if b.rtt.Count > 0 {
		brief = append(brief, Show(b.statisticsTable()), thresholdsItem(b))
		if b.whole != nil {
			brief = append(brief, waitLimitsItem(b.of), statesItem(b.of))
		}
		brief = append(brief, matchesItem(b.of, b.matches, b.fill))
		brief = append(brief, alike(b.common.Attributes, b.common.Overlaps)...)
		brief = append(brief, rulesItems(b.makes.Rules)...)
	}
	brief = append(brief, acceptanceItem(b.asks, b.players))
	brief = append(brief, unmatchedItem(b.of, b.players), expiryItem(b.makes.Rules))
	if b.makes.External != nil {
		brief = append(brief, Say("Matchmaker", matchmakerLine(b.makes.External)))
	}
	tables := []Table{playersTable(b.players)}
	if b.whole != nil && b.of.HasStates() {
		tables = append(tables, statesTable(b.of))
	}
	if len(b.common.Attributes) > 0 {
		tables = append(tables, attributesTable(b.common.Attributes))
	}
	if len(b.common.Overlaps) > 0 {
		tables = append(tables, overlapsTable(b.common.Overlaps))
	}
	if b.asks != nil {
		tables = append(tables, acceptanceTable(b.asks))
	}
	return filled(brief), Tables(slices.Concat(tables, externalTables(b.makes.External), rulesetTables(b.makes.Rules, b.makes.QueueStatistics))...)
}

// Columns of the table of waits and RTTs that only a page has room for.
var statisticsWide = []int{1, 3, 9}

// statisticsTable returns the table of waits and RTTs. The last column has the marks of the rows that
// are graded.
func (b *block) statisticsTable() Table {
	name := ""
	if b.name != "" {
		name = "Queue " + words.Name(b.name)
	}
	t := Table{
		Note: "RTTs are to the datacenter where the players play.",
		Head: []string{fmt.Sprintf("%-*s", labelWidth, name), "players", "mean", "sd", "p50", "p90", "p95", "p99", "max", "no wait at all", "p90 is"},
		Left: []int{10}, Wide: statisticsWide, Verdicts: []int{10},
	}
	if len(b.waits) > 0 {
		t.Note = "Waits are from the start of the search to the start of the match, or to its end without one. " + t.Note
	}
	for _, w := range b.waits {
		v, mark := w.stats, ""
		if v.Count == 0 {
			continue
		}
		if w.graded {
			mark, _ = waitMark(b.of, v.P90)
		}
		if w.wide {
			t.WideRows = append(t.WideRows, len(t.Rows))
		}
		t.Rows = append(t.Rows, append(spread("Wait, "+w.name, v.Count, words.Seconds, v.Mean, v.SD, v.P50, v.P90, v.P95, v.P99, v.Max), words.Percent(v.ShareZero), mark))
	}
	add := func(name string, v *outcome.RTTStats, mark string) {
		t.Rows = append(t.Rows, append(spread(name, v.Count, words.Millis, v.Mean, v.SD, v.P50, v.P90, v.P95, v.P99, v.Max), "", mark))
	}
	mark, _ := rttMark(b.of, b.rtt.P90)
	add("RTT", b.rtt, mark)
	if b.whole != nil {
		if e := b.whole.RTTEstimate; e != nil {
			add("RTT, estimated", e, "")
		}
		d := &b.whole.DeltaRTT
		row := spread("RTT above own best", 0, words.Millis, d.Mean, 0, d.P50, d.P90, d.P95, d.P99, 0)
		row[1], row[3], row[8] = "", "", ""
		t.Rows = append(t.Rows, append(row, "", ""))
	}
	if len(b.waits) == 0 {
		t.LeaveOut([]string{"no wait at all"})
	}
	return t
}

// spread returns the cells of a row of statistics.
func spread[V outcome.Seconds | outcome.Millis](name string, players outcome.Count, format func(V) string, values ...V) []string {
	return append([]string{name, words.Thousands(players)}, words.Each(values, format)...)
}

// thresholdsItem says how many players are within the limits of RTTs. The shares of players within
// report.limits are not counted by queue.
func thresholdsItem(b *block) Item {
	limits := grade.RTTsOf(b.of.Thresholds, b.of.Limits)
	label, good, fair := "RTT thresholds", b.rtt.ShareLEIdeal, b.rtt.ShareLEExpand
	switch {
	case limits.Own && b.whole == nil:
		return Say("", "")
	case limits.Own:
		label = "RTT limits"
		_, good, fair = grade.Within(b.whole)
	}
	return Say(label, fmt.Sprintf("%s of players get %s or better, %s get %s or better",
		words.Percent(good), words.Threshold(limits.Good), words.Percent(fair), words.Threshold(limits.Fair)))
}

// waitLimitsItem says how many first searches are within the limits of waits.
func waitLimitsItem(s *outcome.Summary) Item {
	if s.Limits == nil || s.Limits.Wait == nil || s.WaitFirst.Count == 0 {
		return Say("", "")
	}
	w := s.Limits.Wait
	return Say("Wait limits", fmt.Sprintf("%s of first searches take %g s or less, %s take %g s or less",
		words.Percent(w.ShareGood), float64(w.Good), words.Percent(w.WithinFair()), float64(w.Fair)))
}

// statesItem says in which states players were matched. It omits RTTs if there are several queues.
func statesItem(s *outcome.Summary) Item {
	if !s.States.Used() {
		return Say("", "")
	}
	state := func(name string, st *outcome.StateStats) string {
		return fmt.Sprintf("%s %s%s", words.Percent(st.Share), name, words.RTTInBrackets(s, st, " (RTT %s)"))
	}
	pooled := ""
	if share := s.Pooled(); share >= 0.0005 {
		pooled = fmt.Sprintf(", %s in a pool", words.Percent(share))
	}
	return Say("State when matched", fmt.Sprintf("%s, %s, %s%s", state("ideal", &s.States.Ideal),
		state("expand", &s.States.Expand), state("warm body", &s.States.WarmBody), pooled))
}

// matchesItem says how many matches were made, and how full they were. fill is nil over several queues,
// and of has what is known only about all matches of a run.
func matchesItem(s *outcome.Summary, count *outcome.Count, fill *outcome.Share) Item {
	text := words.Thousands(*count)
	if fill != nil {
		text += fmt.Sprintf(", %s full", words.Percent(*fill))
	}
	if count != &s.Matches.Count {
		return Say("Matches", text)
	}
	if s.States.Used() && fill != nil {
		text += fmt.Sprintf(", %s with a warm body", words.Percent(outcome.ShareOf(s.Matches.WithWarmBody, s.Matches.Count)))
	}
	if s.Players.Returns > 0 {
		text += fmt.Sprintf("; %s of returning players meet someone again", words.Percent(s.Matches.RepeatShare))
	}
	return Say("Matches", text)
}

// unmatchedItem says which share of the searches ended without a match, and how.
func unmatchedItem(s *outcome.Summary, of outcome.Searches) Item {
	l := outcome.Unmatched(of)
	if l.Ended == 0 {
		return Say("Without a match", "no search ended")
	}
	text := words.Percent(l.Share) + " of searches"
	if l.Count > 0 {
		text += " (" + unmatchedWords(&l) + ")"
	}
	mark, _ := unmatchedMark(s, &l)
	return Item{Brief: true, Sentence: &Sentence{"Without a match", text, mark}}
}

// unmatchedWords says how the searches without a match ended.
func unmatchedWords(l *outcome.Loss) string {
	var phrases []string
	for _, kind := range l.Kinds {
		if kind.Count > 0 {
			phrases = append(phrases, words.Thousands(kind.Count)+" "+cmp.Or(endPhrases[kind.Name], kind.Name))
		}
	}
	return strings.Join(phrases, ", ")
}

// endPhrases has the words for ends of searches that differ from the key of their count.
var endPhrases = map[string]string{"bots": "played against bots", "rejected": "were rejected"}

// waitMark grades the wait that 90 % of first searches do not exceed.
func waitMark(s *outcome.Summary, p90 outcome.Seconds) (mark, limits string) {
	good, fair := grade.Waits(s.Limits)
	return grade.Mark(p90, good, fair), fmt.Sprintf("good up to %g s, fair up to %g s for 90 %% of first searches", float64(good), float64(fair))
}

// rttMark grades the RTT that 90 % of players do not exceed.
func rttMark(s *outcome.Summary, p90 outcome.Millis) (mark, limits string) {
	r := grade.RTTsOf(s.Thresholds, s.Limits)
	return grade.Mark(p90, r.Good, r.Fair), fmt.Sprintf("good up to %s, fair up to %s for 90 %% of players", words.Threshold(r.Good), words.Threshold(r.Fair))
}

// unmatchedMark grades the share of searches that ended without a match.
func unmatchedMark(s *outcome.Summary, l *outcome.Loss) (mark, limits string) {
	good, fair := grade.Unmatched(s.Limits)
	return grade.Mark(l.Share, good, fair), fmt.Sprintf("good up to %s, fair up to %s of searches", grade.Share(good), grade.Share(fair))
}
