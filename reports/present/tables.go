package present

import (
	"fmt"
	"slices"

	"mmsim/reports/figure"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Sections returns the tables of a result. It omits tables that only repeat the totals, such as
// the party sizes of a run without parties, and sections without tables.
func Sections(r *result.Result) []Section {
	s := &r.Summary
	if s.Servers != nil {
		return withTables(append(serversSections(r), metricsSection(s)))
	}
	sections := []Section{
		{figure.PlacesSection, "By datacenter and region", []Table{datacentersTable(r), continentsTable(s)}},
		{figure.RulesSection, "Rules", rulesTables(s)},
		{figure.SearchesSection, "Searches", append(searchesTables(s), partiesTables(s)...)},
		{figure.HoursSection, "By hour", []Table{hoursTable(s)}},
		{figure.AttributesSection, "Differences within matches", attributesTables(s)},
		{figure.SourcesSection, "Sources", []Table{latencyTable(s)}},
		metricsSection(s),
	}
	if len(s.Queues) > 0 {
		sections = ofQueues(s, sections)
	}
	return withTables(sections)
}

func withTables(sections []Section) []Section {
	return slices.DeleteFunc(sections, func(section Section) bool { return len(section.Tables) == 0 })
}

func searchesTables(s *outcome.Summary) []Table {
	tables := []Table{playersTable(s), waitTable(s)}
	if len(s.Queues) == 0 {
		tables = append(tables, rttTable(s))
	}
	if s.HasStates() {
		tables = append(tables, statesTable(s))
	}
	return tables
}

func continentsTable(s *outcome.Summary) Table {
	return groupsTable("Regions", "Where players live, by continent.", "continent", s.ByContinent,
		func(i int) string { return outcome.Continent(s.ByContinent[i].Name) })
}

// hoursTable returns the table of the hours of the day. In a run shorter than a day, hours in which
// no search began are omitted.
func hoursTable(s *outcome.Summary) Table {
	var hours []outcome.Group
	var names []string
	for i := range s.ByHour {
		if g := &s.ByHour[i]; s.Run.Duration >= 24*3600 || g.Entries > 0 || g.Players > 0 {
			hours, names = append(hours, *g), append(names, fmt.Sprintf("%02d:00", i))
		}
	}
	return groupsTable("Hours", "By the UTC hour in which the search began, even if that was in the warm-up period.", "hour", hours,
		func(i int) string { return names[i] })
}

func partiesTables(s *outcome.Summary) []Table {
	if len(s.ByPartySize) < 2 {
		return nil
	}
	return []Table{groupsTable("Party sizes", "By the number of players who search together.", "players", s.ByPartySize,
		func(i int) string { return s.ByPartySize[i].Name })}
}

// attributesTables returns tables of how similar the players of a match are, and tables of the waits
// and RTTs of each tenth of the players.
func attributesTables(s *outcome.Summary) (tables []Table) {
	if len(s.Queues) > 0 { // each queue's own section shows how similar its players are
		return decilesTables(s)
	}
	if len(s.Attributes) > 0 {
		tables = append(tables, attributesTable(s.Attributes))
	}
	if len(s.Overlaps) > 0 {
		tables = append(tables, overlapsTable(s.Overlaps))
	}
	return append(tables, decilesTables(s)...)
}

func decilesTables(s *outcome.Summary) (tables []Table) {
	for _, a := range s.ByAttributeDecile {
		tables = append(tables, decilesTable(a))
	}
	return tables
}

func playersTable(s *outcome.Summary) Table {
	p := &s.Players
	t := Table{
		Title: "Players",
		Note:  "The first three counts say how searches began, and the others say how they ended. Both have the same total.",
		Head:  []string{"", "entries"},
		Rows: [][]string{
			{"joins", words.Thousands(p.Joins)},
			{"returns after a match", words.Thousands(p.Returns)},
			{"searching at the start", words.Thousands(p.SearchingAtStart)},
			{"matched", words.Thousands(p.Matched)},
			{"failed", words.Thousands(p.Failed)},
			{"expired", words.Thousands(p.Expired)},
			{"bots", words.Thousands(p.Bots)},
			{"rejected", words.Thousands(p.Rejected)},
			{"searching at the end", words.Thousands(p.SearchingAtEnd)},
		},
	}
	if p.Declined != nil {
		t.Rows = slices.Insert(t.Rows, len(t.Rows)-1, []string{"declined", words.Thousands(*p.Declined)})
	}
	return t
}

func waitTable(s *outcome.Summary) Table {
	t := Table{
		Title: "Wait",
		Note:  "Seconds from the start of the search to the start of the match, or to its end without one.",
		Head:  waitHead,
	}
	for _, w := range append(searchWaits(s), namedWait{name: "failed or expired", stats: &s.FailedWait}, namedWait{name: "sent to bots", stats: &s.BotsWait}) {
		t.Rows = append(t.Rows, waitCells(w.stats, w.name))
	}
	return t
}

var rttHead = []string{"", "players", "mean", "sd", "p50", "p90", "p95", "p99", "max"}

func rttCells(name string, v *outcome.RTTStats) []string {
	return known(v.Count, 2, []string{name, words.Thousands(v.Count), v.Mean.String(), v.SD.String(), v.P50.String(), v.P90.String(), v.P95.String(), v.P99.String(), v.Max.String()})
}

func rttTable(s *outcome.Summary) Table {
	limits, good, fair := grade.Within(s)
	t := Table{
		Title: "RTT",
		Note:  "Milliseconds to the datacenter where the players play. Delta is the RTT minus the player's lowest RTT to any datacenter.",
		Head:  append(slices.Clone(rttHead), "≤ "+words.Threshold(limits.Good), "≤ "+words.Threshold(limits.Fair)),
	}
	add := func(name string, v *outcome.RTTStats, within ...string) {
		t.Rows = append(t.Rows, append(rttCells(name, v), within...))
	}
	add("RTT", &s.RTT, words.Percent(good), words.Percent(fair))
	switch e := s.RTTEstimate; {
	case e == nil:
	case limits.Own: // report.limits grades RTTs, not estimates
		add("estimate", e, "", "")
	default:
		add("estimate", e, words.Percent(e.ShareLEIdeal), words.Percent(e.ShareLEExpand))
	}
	d := &s.DeltaRTT
	t.Rows = append(t.Rows, []string{"delta", "", d.Mean.String(), "", d.P50.String(), d.P90.String(), d.P95.String(), d.P99.String(), "", "", ""})
	return t
}

func statesTable(s *outcome.Summary) Table {
	t := Table{
		Title: "States",
		Note:  "The state in which the search of a matched player ended.",
		Head:  []string{"state", "matched", "share", "mean wait, s", "mean RTT, ms"},
	}
	for _, row := range []struct {
		name string
		v    *outcome.StateStats
	}{{"IDEAL", &s.States.Ideal}, {"EXPAND", &s.States.Expand}, {"WARMBODY", &s.States.WarmBody}} {
		wait, rtt := row.v.WaitMean.String(), row.v.RTTMean.String()
		if row.v.Matched == 0 {
			wait, rtt = "", "" // nobody was matched in the state, so it has no means
		}
		t.Rows = append(t.Rows, []string{row.name, words.Thousands(row.v.Matched), words.Percent(row.v.Share), wait, rtt})
	}
	return t
}

var servedHead = []string{"players", "matches", "mean wait, s", "p95 wait", "mean RTT, ms", "p95 RTT"}

// servedBars are the columns with bars in a table whose first column is a name and whose other
// columns are servedHead.
var servedBars = []int{1, 4, 6}

// servedCells returns the cells under servedHead.
func servedCells(v *outcome.Served) []string {
	return known(v.Players, 2, []string{words.Thousands(v.Players), words.Thousands(v.Matches), v.WaitMean.String(), v.WaitP95.String(), v.RTTMean.String(), v.RTTP95.String()})
}

// datacentersTable returns the table of datacenters. If there is a time-lapse, a column shows the
// highest number of players in a match at once, which is the number of seats that the datacenter
// needs.
func datacentersTable(r *result.Result) Table {
	t := Table{Title: "Datacenters", Note: waitsNote, Head: append([]string{"datacenter"}, servedHead...), Bars: servedBars}
	if len(r.Timelapse) > 0 {
		t.Head = append(t.Head, "most at once")
		t.Note += fmt.Sprintf(" Most at once is the highest number of players in a match there, sampled every %s.", words.Span(outcome.Seconds(r.Timelapse[0].T)))
	}
	datacenters := r.Summary.ByDatacenter
	for i := range datacenters {
		row := append([]string{datacenters[i].Name}, servedCells(&datacenters[i].Served)...)
		if len(r.Timelapse) > 0 {
			most := 0
			for _, f := range r.Timelapse {
				most = max(most, f.Load[i])
			}
			row = append(row, words.Thousands(most))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Notes for tables whose rows are groups of players.
const (
	matchesNote = "A match counts once, in the group of the player who waited longest, so that groups add up to the totals."
	waitsNote   = "Waits include all searches, first searches and searches after a match."
	spreadNote  = "Mean spread is the mean over the players' matches. "
)

// lossHead names the ways in which a search can end without a match. A column is omitted if no
// search ended in that way.
var lossHead = []string{"failed", "expired", "bots", "rejected", "declined"}

func groupHead(kind string) []string {
	return slices.Concat([]string{kind}, servedHead, []string{"entries"}, lossHead)
}

// groupsTable returns the table of one kind of groups, such as continents. name returns the name
// of the group at an index.
func groupsTable(title, note, kind string, groups []outcome.Group, name func(int) string) Table {
	t := Table{Title: title, Note: note + " " + waitsNote + " " + matchesNote, Head: groupHead(kind), Bars: servedBars}
	for i := range groups {
		t.Rows = append(t.Rows, groupRow(name(i), &groups[i]))
	}
	t.LeaveOutIfAll("0", lossHead...)
	return t
}

// groupRow returns the row of a group. If no search of the group began in the measured window,
// there are no waits, although players whose search began before may have been matched.
func groupRow(name string, g *outcome.Group) []string {
	served := servedCells(&g.Served)
	if g.Entries == 0 {
		served[2], served[3] = "", ""
	}
	return append(append([]string{name}, served...),
		words.Thousands(g.Entries), words.Thousands(g.Failed), words.Thousands(g.Expired), words.Thousands(g.Bots), words.Thousands(g.Rejected), words.Thousands(outcome.Given(g.Declined)))
}

func attributesTable(attributes outcome.Attributes) Table {
	t := Table{
		Title: "Attributes",
		Note:  "How far apart the players of a match are: the highest value minus the lowest, over matches.",
		Head:  []string{"attribute", "mean spread", "p95", "mean gap between teams", "rules"},
	}
	for _, a := range attributes {
		likeness := known(a.Matches, 0, []string{words.Digits(a.SpreadMean), words.Digits(a.SpreadP95), words.Digits(a.TeamGapMean)})
		t.Rows = append(t.Rows, slices.Concat([]string{a.Name}, likeness, []string{words.Some(a.Rules)}))
	}
	return t
}

func decilesTable(a outcome.AttributeDeciles) Table {
	t := Table{
		Title: "Tenths of players by " + a.Name,
		Note:  spreadNote + waitsNote + " " + matchesNote + " With more than 255 distinct values, tenths are exact to 0.2 % of the rows.",
		Head:  slices.Insert(groupHead(a.Name), 1, "mean spread"),
		Bars:  []int{1},
	}
	for _, column := range servedBars {
		t.Bars = append(t.Bars, column+1)
	}
	for i := range a.Deciles {
		d := &a.Deciles[i]
		t.Rows = append(t.Rows, slices.Insert(groupRow(words.DecileValues(d), &d.Group), 1, words.Digits(d.SpreadMean)))
	}
	t.LeaveOutIfAll("0", lossHead...)
	return t
}

// modelError says how far the RTTs of the model are from measurements. The test TestModelOnRealMaps
// of package latencymap measures it.
const modelError = "Against 21,512 measured cells of 28 latency maps, the model is off by 4.3 ms in the median and by at most 14.1 ms in nine of ten cells. To see what that changes, simulate again with --set latency.last_mile.median=10ms, which makes RTTs higher, or with --set latency.fallback=line, a simpler model."

func latencyTable(s *outcome.Summary) Table {
	l := &s.Latency
	model := ""
	if l.ShareModel > 0 {
		model = " " + modelError
	}
	return Table{
		Title: "Where the RTTs come from",
		Note: fmt.Sprintf("Every join has an RTT to every datacenter; the shares are of all these RTTs. Cleaning the latency maps removed %s at 0° N 0° E, %s faster than light and %s that are not a number.",
			words.Plural(l.Cleaned.NullIsland, "cell"), words.Thousands(l.Cleaned.FasterThanLight), words.Thousands(l.Cleaned.NaN)) + model,
		Head: []string{"source", "share"},
		Rows: [][]string{
			{"measured by the player", words.Percent(l.ShareMeasured)},
			{"latency map", words.Percent(l.ShareMap)},
			{"model", words.Percent(l.ShareModel)},
			{"line fitted over distance", words.Percent(l.ShareLine)},
			{"speed of light in fibre", words.Percent(l.ShareFibre)},
		},
	}
}
