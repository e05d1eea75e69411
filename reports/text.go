package reports

import (
	"fmt"
	"regexp"
	"strings"
)

// Text returns the summary for a terminal: a dozen lines that say how long players
// wait and what RTT they get, and then what qualifies that answer. First searches
// lead: they are what a new player meets, while most players come back from a match
// and step straight into the next pass. Colour sets labels and alarms apart.
func (s *Summary) Text(colour bool) string {
	t := &text{colour: colour}
	t.interrupted(s)
	switch {
	case s.unmeasured(): // no figure would say anything
	case s.Servers != nil:
		t.serversText(s)
	default:
		t.matchesText(s)
	}
	if s.Replications != nil && !s.unmeasured() {
		t.trust(s.Replications)
	}
	for _, warning := range s.Warnings {
		t.line("Warning", "%s", Printable(warning))
	}
	return t.String()
}

// matchesText writes the summary of players who are matched.
func (t *text) matchesText(s *Summary) {
	t.headline(s)
	if s.Players.Matched > 0 {
		t.statistics(s)
		t.quality(s)
	}
	t.line("Players online", "%s on average, %s at the peak, %s", thousands(int(s.CCU.Mean+0.5)),
		thousands(s.CCU.Peak), clock(s.CCU.PeakAt))
	t.line("Without a match", "%s", t.unmatched(s))
	t.expiry(s.Rules)
	t.unusual(s)
	t.queues(s)
	t.worst(s)
}

// text is the summary as it grows.
type text struct {
	strings.Builder
	colour bool
}

// Widths of the columns.
const (
	labelWidth  = 20
	figureWidth = 10
)

// ANSI styles.
const (
	bold  = "1"
	alarm = "1;31" // bold red
)

func (t *text) styled(style, s string) string {
	if !t.colour {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// line writes a label and what is to be said under it.
func (t *text) line(label, format string, values ...any) {
	t.WriteString(t.styled(bold, fmt.Sprintf("%-*s", labelWidth, label)))
	t.WriteString(t.oneLine(fmt.Sprintf(format, values...)))
	t.WriteByte('\n')
}

// oneLine is Printable for a text with styles in it.
func (t *text) oneLine(s string) string {
	if !t.colour {
		return Printable(s)
	}
	var b strings.Builder
	for {
		at := styles.FindStringIndex(s)
		if at == nil {
			return b.String() + Printable(s)
		}
		b.WriteString(Printable(s[:at[0]]) + s[at[0]:at[1]])
		s = s[at[1]:]
	}
}

// styles are the codes that styled writes.
var styles = regexp.MustCompile(`\x1b\[(0|1|1;31|32)m`)

// figures writes a label and a row of figures.
func (t *text) figures(label string, figures ...string) {
	var row strings.Builder
	for _, figure := range figures {
		fmt.Fprintf(&row, "%*s", figureWidth, figure)
	}
	t.line(label, "%s", row.String())
}

func (t *text) interrupted(s *Summary) {
	says := ""
	switch {
	case s.Complete:
		return
	case s.unmeasured():
		says = "Interrupted before the measured window began: nothing was measured."
	case s.Run.Reached == s.Run.Duration: // an aggregate of those replications that were finished
		says = "Interrupted before all replications were finished: a partial result."
	default:
		says = fmt.Sprintf("Interrupted after %s of %s: a partial result.", span(s.Run.Reached), span(s.Run.Duration))
	}
	fmt.Fprintln(t, t.styled(alarm, says))
}

func (t *text) headline(s *Summary) {
	fmt.Fprintf(t, "%s and %s in %s: %s matched.\n\n", plural(s.Players.Joins, "join"),
		plural(s.Players.Returns, "return"), span(s.Run.Reached), plural(s.Players.Matched, "player"))
}

// statistics writes the table of waits and RTTs.
func (t *text) statistics(s *Summary) {
	t.figures("", "mean", "p50", "p90", "p95", "p99", "max")
	t.waits("Wait, first search", &s.WaitFirst)
	t.waits("Wait, repeat", &s.WaitRepeat)
	t.rtts(s)
}

// rtts writes the rows of RTTs.
func (t *text) rtts(s *Summary) {
	r, d := &s.RTT, &s.DeltaRTT
	t.figures("RTT", inMillis(r.Mean), inMillis(r.P50), inMillis(r.P90), inMillis(r.P95), inMillis(r.P99), inMillis(r.Max))
	t.figures("RTT above own best", inMillis(d.Mean), inMillis(d.P50), inMillis(d.P90), inMillis(d.P95), inMillis(d.P99))
}

// waits writes the row of one kind of search, unless nobody made one.
func (t *text) waits(label string, w *WaitStats) {
	if w.Count > 0 {
		t.figures(label, inSeconds(w.Mean), inSeconds(w.P50), inSeconds(w.P90), inSeconds(w.P95), inSeconds(w.P99), inSeconds(w.Max))
	}
}

// quality says how good the matches are.
func (t *text) quality(s *Summary) {
	t.thresholds(s)
	withWarmBody := ""
	if s.States.used() {
		t.states(s)
		withWarmBody = fmt.Sprintf(", %s with a warm body", percent(ShareOf(s.Matches.WithWarmBody, s.Matches.Count)))
	}
	m := &s.Matches
	t.line("Matches", "%s, %s full%s; %s of repeats meet a partner again",
		thousands(m.Count), percent(m.Fill), withWarmBody, percent(m.RepeatShare))
	if len(s.Queues) == 0 { // else each tells of its own matches
		t.alike(s.Attributes, s.Overlaps)
	}
	t.rules(s.Rules)
}

// thresholds says how many get the RTTs that are asked for.
func (t *text) thresholds(s *Summary) {
	t.line("RTT thresholds", "%s of players get %s or better, %s get %s or better",
		percent(s.RTT.ShareLEIdeal), threshold(s.Thresholds.Ideal),
		percent(s.RTT.ShareLEExpand), threshold(s.Thresholds.Expand))
}

// states says in which states players were matched.
func (t *text) states(s *Summary) {
	state := func(name string, st *StateStats) string {
		return fmt.Sprintf("%s %s%s", percent(st.Share), name, st.inBrackets(" (RTT %s)"))
	}
	pooled := ""
	if share := s.pooled(); share >= 0.0005 {
		pooled = fmt.Sprintf(", %s in a pool", percent(share))
	}
	t.line("State when matched", "%s, %s, %s%s", state("ideal", &s.States.Ideal),
		state("expand", &s.States.Expand), state("warm body", &s.States.WarmBody), pooled)
}

// unmatched says what became of players who did not get a match. More than one in
// a thousand who failed, or expired where nobody fails, is an alarm.
func (t *text) unmatched(s *Summary) string {
	p := &s.Players
	lost, what, expired := p.Failed, "failed", p.Expired
	if lost == 0 && expired > 0 { // a pool has no failures
		lost, what, expired = expired, "expired", 0
	}
	share := ratio(float64(lost), float64(p.Entries+p.SearchingAtStart))
	say := thousands(lost) + " " + what
	switch {
	case share > 0.001:
		say = t.styled(alarm, say+fmt.Sprintf(" (%.1f %%)", 100*share))
	case share >= 0.00001:
		say += fmt.Sprintf(" (%.3f %%)", 100*share)
	case share > 0:
		say += " (less than 0.001 %)"
	}
	for _, other := range []struct {
		count Count
		what  string
	}{{expired, "expired"}, {p.Bots, "sent to bots"}, {p.Rejected, "rejected"}} {
		if other.count > 0 {
			say += fmt.Sprintf(", %s %s", thousands(other.count), other.what)
		}
	}
	return say
}

// worst names the hour with the longest mean wait and the continent with the
// highest mean RTT.
func (t *text) worst(s *Summary) {
	if hour := worst(s.ByHour, s.Players.Matched, (*Group).waitMean); hour >= 0 {
		g := &s.ByHour[hour]
		t.line("Longest waits at", "%02d:00 UTC: wait %s on average, p95 %s (%s)", hour,
			inSeconds(g.WaitMean), inSeconds(g.WaitP95), plural(g.Players, "player"))
	}
	t.highestRTT(s)
}

func (t *text) highestRTT(s *Summary) {
	if continent := worst(s.ByContinent, s.Players.Matched, (*Group).rttMean); continent >= 0 {
		g := &s.ByContinent[continent]
		t.line("Highest RTTs in", "%s: RTT %s on average, p95 %s (%s)", continentName(g.Name),
			inMillis(g.RTTMean), inMillis(g.RTTP95), plural(g.Players, "player"))
	}
}

// trust says how far the means of replications are to be trusted.
func (t *text) trust(r *Replications) {
	if r.Runs < 2 {
		t.line("Means of", "%s: a second one would tell how far they are to be trusted", plural(r.Runs, "replication"))
		return
	}
	margins := make([]string, 0, 2)
	for _, of := range []struct{ metric, name, unit string }{
		{"wait_first_s.mean", "mean wait of first searches", "s"},
		{"rtt_ms.mean", "mean RTT", "ms"},
	} {
		for _, m := range r.Metrics {
			if m.Name == of.metric && m.High > 0 { // on servers nobody waits
				margins = append(margins, fmt.Sprintf("%s %.3g to %.3g %s", of.name, float64(m.Low), float64(m.High), of.unit))
			}
		}
	}
	t.line("Means of", "%s; 95 %% confidence: %s", plural(r.Runs, "replication"), strings.Join(margins, ", "))
}

// continentName returns the English name of a continent's code, and the code
// itself if it is none.
func continentName(code string) string {
	switch code {
	case "AF":
		return "Africa"
	case "AN":
		return "Antarctica"
	case "AS":
		return "Asia"
	case "EU":
		return "Europe"
	case "NA":
		return "North America"
	case "OC":
		return "Oceania"
	case "SA":
		return "South America"
	}
	return code
}

// clock writes an instant as a time of day: 19:42 UTC, and from the second day on
// the day too.
func clock(s Seconds) string {
	minutes := int(s) / 60
	at := fmt.Sprintf("%02d:%02d UTC", minutes/60%24, minutes%60)
	if day := minutes / (24 * 60); day > 0 {
		at += fmt.Sprintf(" on day %d", day+1)
	}
	return at
}

// span writes a length of time: 24 h, 1 h 30 min, 45 s.
func span(s Seconds) string {
	whole := int(s)
	if whole < 60 {
		return fmt.Sprintf("%g s", float64(s))
	}
	var parts []string
	for _, unit := range []struct {
		seconds int
		name    string
	}{{3600, "h"}, {60, "min"}, {1, "s"}} {
		if n := whole / unit.seconds; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, unit.name))
			whole %= unit.seconds
		}
	}
	return strings.Join(parts, " ")
}
