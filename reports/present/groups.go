package present

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/figure"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// groupSections returns the sections with the tables of groups. It omits tables that only repeat the
// totals, such as the party sizes of a run without parties. With several queues it omits RTTs and
// spreads, because they would be means over queues with different rules.
func groupSections(r *result.Result) []Section {
	s := &r.Summary
	continents := groupsTable("Regions", "Where players live, by continent.", "continent", s.ByContinent,
		func(i int) string { return outcome.Continent(s.ByContinent[i].Name) })
	sections := []Section{
		{ID: figure.PlacesSection, Title: "By datacenter and region", More: Tables(append(append([]Table{datacentersTable(r)}, machinesTable(s)...), continents)...)},
		{ID: figure.HoursSection, Title: "By hour", More: Tables(append(partiesTables(s), hoursTable(s))...)},
		{ID: figure.AttributesSection, Title: "By attribute", More: Tables(words.Each(s.ByAttributeDecile, decilesTable)...)},
	}
	if len(s.Queues) > 0 {
		adapt(sections, strings.NewReplacer(spreadNote, ""), "mean RTT, ms", "p95 RTT", "mean spread")
	}
	return sections
}

// adapt changes the notes of all tables, and leaves out the columns with these heads.
func adapt(sections []Section, notes *strings.Replacer, heads ...string) {
	for _, section := range sections {
		for _, item := range section.More {
			item.Table.Note = strings.TrimSpace(notes.Replace(item.Table.Note))
			item.Table.LeaveOut(heads)
		}
	}
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
	return groupsTable("Hours", "By the hour ("+words.Zone(s.Run.TimeZone)+") in which the search began, even if that was in the warm-up period.", "hour", hours,
		func(i int) string { return names[i] })
}

func partiesTables(s *outcome.Summary) []Table {
	if len(s.ByPartySize) < 2 {
		return nil
	}
	return []Table{groupsTable("Party sizes", "By the number of players who search together.", "players", s.ByPartySize,
		func(i int) string { return s.ByPartySize[i].Name })}
}

// playersTable returns the table of how searches began and ended.
func playersTable(of outcome.Searches) Table {
	t := Table{Title: "Players", Note: "How searches began, and how those that ended did.", Head: []string{"", "searches"}}
	add := func(name string, n outcome.Count) { t.Rows = append(t.Rows, []string{name, words.Thousands(n)}) }
	whole, isWhole := of.(*outcome.Players)
	matched, lost := outcome.Count(0), (*outcome.Count)(nil)
	switch p := of.(type) {
	case *outcome.Players:
		t.Note = "The first three counts say how searches began, and the others say how they ended. Both have the same total."
		add("joins", p.Joins)
		add("returns after a match", p.Returns)
		add("searching at the start", p.SearchingAtStart)
		matched, lost = p.Matched, p.Lost
	case *outcome.QueuePlayers:
		add("began", p.Entries)
		matched, lost = p.Matched, p.Lost
	}
	add("matched", matched)
	for _, kind := range outcome.Unmatched(of).Kinds {
		add(kind.Name, kind.Count)
	}
	if lost != nil {
		add("lost", *lost)
	}
	if isWhole {
		add("searching at the end", whole.SearchingAtEnd)
	}
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
	if len(s.Queues) > 0 {
		t.LeaveOut([]string{"mean RTT, ms"})
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
var lossHead = []string{"failed", "expired", "bots", "rejected", "declined", "cancelled", "closed", "lost"}

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
		words.Thousands(g.Entries), words.Thousands(g.Failed), words.Thousands(g.Expired), words.Thousands(g.Bots), words.Thousands(g.Rejected), words.Thousands(outcome.Given(g.Declined)), words.Thousands(outcome.Given(g.Cancelled)), words.Thousands(outcome.Given(g.Closed)), words.Thousands(outcome.Given(g.Lost)))
}

func attributesTable(attributes outcome.Attributes) Table {
	return Table{
		Title: "Attributes",
		Note:  "How far apart the players of a match are: the highest value minus the lowest, over matches.",
		Head:  []string{"attribute", "mean spread", "p95", "mean gap between teams", "rules"},
		Rows: words.Each(attributes, func(a outcome.Attribute) []string {
			likeness := known(a.Matches, 0, []string{words.Digits(a.SpreadMean), words.Digits(a.SpreadP95), words.Digits(a.TeamGapMean)})
			return slices.Concat([]string{a.Name}, likeness, []string{words.Some(a.Rules)})
		}),
	}
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

// known returns cells. If count is 0, it first clears cells[from:], because a wait or RTT of 0
// would be wrong.
func known(count outcome.Count, from int, cells []string) []string {
	if count == 0 {
		clear(cells[from:])
	}
	return cells
}
