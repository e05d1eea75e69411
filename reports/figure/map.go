package figure

import (
	"cmp"
	"fmt"
	"image/color"

	"mmsim/reports/chart"
	"mmsim/reports/figure/worldmap"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Coast is the outline of land as rings of longitudes and latitudes in degrees.
type Coast = worldmap.Coast

// plotMap shows where players live and which RTTs they get.
func plotMap(r *result.Result, coast Coast) []chart.Plot {
	p := mapOf(r, coast, r.Map)
	p.Title = mapTitle(&r.Summary)
	return []chart.Plot{p}
}

// plotQueueMaps shows where the players of several queues live, and for each queue which RTTs
// they get. There is no map of RTTs over all queues, because a mean over queues with different
// rules says nothing.
func plotQueueMaps(r *result.Result, coast Coast) []chart.Plot {
	all := mapOf(r, coast, r.Map)
	all.Title = cmp.Or(noMatches(&r.Summary), fmt.Sprintf("%s were matched, from %s", words.Plural(r.Summary.Players.Matched, "player"), words.Plural(len(r.Map), "place")))
	all.Note = "players of all queues by where they live: the area of a circle shows how many; triangles are datacenters"
	all.Key, all.Draw = nil, func(s *chart.Canvas, top float64) {
		m := worldmap.Full(s, top)
		m.Coast(coast)
		circles, large := m.Players(r.Map, []color.RGBA{chart.Blue}, func(float64) int { return 0 })
		m.Datacenters(r.Summary.ByDatacenter, circles, large, false)
	}
	return append([]chart.Plot{all}, perQueue(r, func(q *outcome.QueueStats) (chart.Plot, bool) {
		cells := r.MapOf(q.Name)
		p := mapOf(r, coast, cells)
		p.Title = fmt.Sprintf("90 %% of players get %s or better; the mean RTT is %s", words.Millis(q.RTT.P90), words.Millis(q.RTT.Mean))
		return p, len(cells) > 0
	})...)
}

// MapName is the name of the map of a whole run.
const MapName = "map"

// mapOf returns a map of players in the colours of their RTTs.
func mapOf(r *result.Result, coast Coast, cells []result.Cell) chart.Plot {
	classes := rttClasses(&r.Summary)
	return chart.Plot{
		Name:   MapName,
		Note:   "players by where they live: the area of a circle shows how many, its colour the mean RTT they got; triangles are datacenters",
		Height: chart.HeadingHeight + 26 + worldmap.Height + chart.Margin,
		Key:    classKey(classes),
		Draw: func(s *chart.Canvas, top float64) {
			m := worldmap.Full(s, top)
			m.Coast(coast)
			all, large := m.Players(cells, chart.Ramp[:], classes.Of)
			m.Datacenters(r.Summary.ByDatacenter, all, large, false)
		},
	}
}

// rttClasses returns the classes by which a map colours the RTTs of a run.
func rttClasses(s *outcome.Summary) grade.RTTClasses {
	limits := grade.RTTsOf(s.Thresholds, s.Limits)
	return limits.Classes()
}

// noMatches returns the title of a map without players, or "" if there are players.
func noMatches(s *outcome.Summary) string {
	if s.Players.Matched == 0 {
		return "No player was matched, so the map is empty"
	}
	return ""
}

// mapTitle says which continent has the highest RTTs.
func mapTitle(s *outcome.Summary) string {
	if none := noMatches(s); none != "" {
		return none
	}
	limits, _, within := grade.Within(s)
	title := fmt.Sprintf("%s of players get an RTT above %s", words.Percent(outcome.RoundShare(1-float64(within))), words.Threshold(limits.Fair))
	if i := grade.HighestRTTs(s.ByContinent, s.Players.Matched); i >= 0 && len(s.ByContinent) > 1 {
		g := &s.ByContinent[i]
		title += fmt.Sprintf("; the highest mean is %s in %s", words.Millis(g.RTTMean), outcome.Continent(g.Name))
	}
	return title
}
