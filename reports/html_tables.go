package reports

import (
	"fmt"
	"slices"
)

// pageSection is a part of the page below the pictures, with a heading that links
// lead to.
type pageSection struct {
	ID, Title string
	Plots     []pagePlot // that say more than tables and nothing moving does
	Tables    []pageTable
}

// pageTable is a table of ready-made cells; the first column names the row. A reader
// sorts it by any column.
type pageTable struct {
	Title, Note string
	Head        []string
	Bars        []int // columns whose numbers are shown as bars too
	Rows        [][]string
}

// pageSections are what a result has to tell in tables. What could only repeat the
// totals, such as sizes of parties without parties, is left out, and so is a section
// that has nothing to tell.
func pageSections(r *Result) []pageSection {
	s := &r.Summary
	if s.Servers != nil {
		return withTables(serversSections(r))
	}
	return withTables([]pageSection{
		{"places", "By datacenter and region", nil, []pageTable{sitesTable(r), continentsTable(s)}},
		{rulesSection, "Rules", nil, rulesTables(s)},
		{"searches", "Searches", nil, append(searchesTables(s), partiesTables(s)...)},
		{"hours", "By hour", nil, []pageTable{hoursTable(s)}},
		{attributesSection, "Who meets whom", nil, attributesTables(s)},
		{"sources", "Sources", nil, []pageTable{latencyTable(s)}},
	})
}

func withTables(sections []pageSection) []pageSection {
	return slices.DeleteFunc(sections, func(section pageSection) bool { return len(section.Tables) == 0 })
}

// Sections that show pictures of their own.
const (
	rulesSection      = "ruleset"
	attributesSection = "attributes"
)

func searchesTables(s *Summary) []pageTable {
	tables := []pageTable{playersTable(s), waitTable(s), rttTable(s)}
	if s.hasStates() {
		tables = append(tables, statesTable(s))
	}
	return tables
}

func continentsTable(s *Summary) pageTable {
	return groupsTable("Regions", "Where players live, by continent.", "continent", s.ByContinent,
		func(i int) string { return continentName(s.ByContinent[i].Name) })
}

func hoursTable(s *Summary) pageTable {
	return groupsTable("Hours", "By the UTC hour in which the search began, even if that was in the warm-up period.", "hour", s.ByHour,
		func(i int) string { return fmt.Sprintf("%02d:00", i) })
}

func partiesTables(s *Summary) []pageTable {
	if len(s.ByPartySize) < 2 {
		return nil
	}
	return []pageTable{groupsTable("Party sizes", "By the number of players who search together.", "players", s.ByPartySize,
		func(i int) string { return s.ByPartySize[i].Name })}
}

// attributesTables tell how alike the players of a match are, and how those of every
// tenth fare.
func attributesTables(s *Summary) (tables []pageTable) {
	if len(s.Attributes) > 0 {
		tables = append(tables, attributesTable(s.Attributes))
	}
	if len(s.Overlaps) > 0 {
		tables = append(tables, overlapsTable(s.Overlaps))
	}
	return append(tables, decilesTables(s)...)
}

func decilesTables(s *Summary) (tables []pageTable) {
	for _, a := range s.ByAttributeDecile {
		tables = append(tables, decilesTable(a))
	}
	return tables
}

func playersTable(s *Summary) pageTable {
	p := &s.Players
	return pageTable{
		Title: "Players",
		Note:  "What began and what became of it; the two sides of the account are equal.",
		Head:  []string{"", "entries"},
		Rows: [][]string{
			{"joins", thousands(p.Joins)},
			{"returns after a match", thousands(p.Returns)},
			{"searching at the start", thousands(p.SearchingAtStart)},
			{"matched", thousands(p.Matched)},
			{"failed", thousands(p.Failed)},
			{"expired", thousands(p.Expired)},
			{"bots", thousands(p.Bots)},
			{"rejected", thousands(p.Rejected)},
			{"searching at the end", thousands(p.SearchingAtEnd)},
		},
	}
}

var waitHead = []string{"", "players", "mean", "sd", "p50", "p90", "p95", "p99", "max", "no wait at all"}

func waitTable(s *Summary) pageTable {
	t := pageTable{
		Title: "Wait",
		Note:  "Seconds from the start of the search to the start of the match, or to its end without one.",
		Head:  waitHead,
	}
	for _, row := range []struct {
		name string
		w    *WaitStats
	}{{"first searches", &s.WaitFirst}, {"searches after a match", &s.WaitRepeat}, {"all", &s.Wait}, {"failed or expired", &s.FailedWait}, {"sent to bots", &s.BotsWait}} {
		t.Rows = append(t.Rows, row.w.cells(row.name))
	}
	return t
}

func (w *WaitStats) cells(name string) []string {
	return []string{name, thousands(w.Count), w.Mean.String(), w.SD.String(), w.P50.String(),
		w.P90.String(), w.P95.String(), w.P99.String(), w.Max.String(), percent(w.ShareZero)}
}

func rttTable(s *Summary) pageTable {
	t := pageTable{
		Title: "RTT",
		Note:  "Milliseconds to the datacenter where they play. Delta is what a player gets above the lowest RTT to any datacenter.",
		Head:  []string{"", "players", "mean", "sd", "p50", "p90", "p95", "p99", "max", "≤ " + threshold(s.Thresholds.Ideal), "≤ " + threshold(s.Thresholds.Expand)},
	}
	add := func(name string, v *RTTStats) {
		t.Rows = append(t.Rows, []string{name, thousands(v.Count), v.Mean.String(), v.SD.String(), v.P50.String(), v.P90.String(),
			v.P95.String(), v.P99.String(), v.Max.String(), percent(v.ShareLEIdeal), percent(v.ShareLEExpand)})
	}
	add("RTT", &s.RTT)
	if s.RTTEstimate != nil {
		add("estimate", s.RTTEstimate)
	}
	d := &s.DeltaRTT
	t.Rows = append(t.Rows, []string{"delta", "", d.Mean.String(), "", d.P50.String(), d.P90.String(), d.P95.String(), d.P99.String(), "", "", ""})
	return t
}

func statesTable(s *Summary) pageTable {
	t := pageTable{
		Title: "States",
		Note:  "The state in which the search of a matched player ended.",
		Head:  []string{"state", "matched", "share", "mean wait, s", "mean RTT, ms"},
	}
	for _, row := range []struct {
		name string
		v    *StateStats
	}{{"IDEAL", &s.States.Ideal}, {"EXPAND", &s.States.Expand}, {"WARMBODY", &s.States.WarmBody}} {
		wait, rtt := row.v.WaitMean.String(), row.v.RTTMean.String()
		if row.v.Matched == 0 {
			wait, rtt = "", "" // nobody has none
		}
		t.Rows = append(t.Rows, []string{row.name, thousands(row.v.Matched), percent(row.v.Share), wait, rtt})
	}
	return t
}

var servedHead = []string{"players", "matches", "mean wait, s", "p95 wait", "mean RTT, ms", "p95 RTT"}

// servedBars are the columns of servedHead that are worth a bar, behind the name.
var servedBars = []int{1, 4, 6}

func (v *Served) cells() []string {
	return []string{thousands(v.Players), thousands(v.Matches), v.WaitMean.String(), v.WaitP95.String(), v.RTTMean.String(), v.RTTP95.String()}
}

// sitesTable is about the datacenters. With a time-lapse it tells how many seats each
// must have had at the busiest of its frames.
func sitesTable(r *Result) pageTable {
	t := pageTable{Title: "Datacenters", Head: append([]string{"datacenter"}, servedHead...), Bars: servedBars}
	if len(r.Timelapse) > 0 {
		t.Head = append(t.Head, "most at once")
		t.Note = fmt.Sprintf("Most at once: the highest number of players in match there, seen every %s.", span(Seconds(r.Timelapse[0].T)))
	}
	sites := r.Summary.ByDatacenter
	for i := range sites {
		row := append([]string{sites[i].Name}, sites[i].cells()...)
		if len(r.Timelapse) > 0 {
			most := 0
			for _, f := range r.Timelapse {
				most = max(most, f.Load[i])
			}
			row = append(row, thousands(most))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Notes that explain the columns matches and mean spread of groups of players.
const (
	matchesNote = "A match counts once, in the group of its player who waited longest, so that groups add up to the totals."
	spreadNote  = "Mean spread is that of the matches in which they play. "
)

func groupHead(kind string) []string {
	return append(append([]string{kind}, servedHead...), "entries", "failed", "expired", "bots", "rejected")
}

// groupsTable is the table of one division of the players; name names a group by
// its index.
func groupsTable(title, note, kind string, groups []Group, name func(int) string) pageTable {
	t := pageTable{Title: title, Note: note + " " + matchesNote, Head: groupHead(kind), Bars: servedBars}
	for i := range groups {
		t.Rows = append(t.Rows, groupRow(name(i), &groups[i]))
	}
	return t
}

func groupRow(name string, g *Group) []string {
	return append(append([]string{name}, g.cells()...),
		thousands(g.Entries), thousands(g.Failed), thousands(g.Expired), thousands(g.Bots), thousands(g.Rejected))
}

func attributesTable(attributes Attributes) pageTable {
	t := pageTable{
		Title: "Attributes",
		Note:  "How far apart the players of a match are: highest less lowest value, over matches.",
		Head:  []string{"attribute", "mean spread", "p95", "mean gap between teams", "rules"},
	}
	for _, a := range attributes {
		t.Rows = append(t.Rows, []string{a.Name, a.SpreadMean.String(), a.SpreadP95.String(), a.TeamGapMean.String(), someOf(a.Rules)})
	}
	return t
}

func decilesTable(a AttributeDeciles) pageTable {
	t := pageTable{
		Title: "Tenths of players by " + a.Name,
		Note:  spreadNote + matchesNote + " Of more than 255 distinct values, cuts are exact to 0.2 % of the rows.",
		Head:  slices.Insert(groupHead(a.Name), 1, "mean spread"),
		Bars:  []int{1},
	}
	for _, column := range servedBars {
		t.Bars = append(t.Bars, column+1)
	}
	for i := range a.Deciles {
		d := &a.Deciles[i]
		t.Rows = append(t.Rows, slices.Insert(groupRow(d.values(Value.String), &d.Group), 1, d.SpreadMean.String()))
	}
	return t
}

func latencyTable(s *Summary) pageTable {
	l := &s.Latency
	return pageTable{
		Title: "Where the RTTs come from",
		Note: fmt.Sprintf("Shares of the pairs of a join and a datacenter. Cleaning dropped %s on the null island, %s faster than light and %s that are no number.",
			plural(l.Cleaned.NullIsland, "map cell"), thousands(l.Cleaned.FasterThanLight), thousands(l.Cleaned.NaN)),
		Head: []string{"source", "share"},
		Rows: [][]string{
			{"measured by the player", percent(l.ShareMeasured)},
			{"latency map", percent(l.ShareMap)},
			{"model", percent(l.ShareModel)},
			{"line", percent(l.ShareLine)},
			{"fibre", percent(l.ShareFibre)},
		},
	}
}
