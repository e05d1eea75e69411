package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"mmsim/reports/chart"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Layout of the picture of regions and hours: a row of small panels for each region.
const (
	regionRow   = 56
	regionPanel = 40  // height of a panel
	regionLeft  = 132 // names are to the left, and the ticks of the first column
	regionGap   = 60  // between columns, for the ticks of the right one
)

// cellPlayersMin is the number of players below which an hour of a region is left out, because
// chance decides its mean.
const cellPlayersMin = 50

// regionColumn is one measure of the picture of regions and hours.
type regionColumn struct {
	head   string
	colour color.RGBA
	limits []chart.Limit
	of     func(h *result.RegionHour) (value float64, players int)
	worst  func(h *result.RegionHour) string // for the title
}

// value returns the number to draw, or NaN if it is of too few players.
func (c *regionColumn) value(h *result.RegionHour) float64 {
	if v, players := c.of(h); players >= cellPlayersMin {
		return v
	}
	return math.NaN()
}

// region is a row of the picture: the hours of a continent.
type region struct {
	code    string
	players int
	hours   []*result.RegionHour
}

// plotRegions shows waits, RTTs and searches without a match by region and hour. It returns no
// picture for results of earlier versions, which do not have these numbers, and for less than two
// hours.
func plotRegions(r *result.Result, _ Coast) []chart.Plot {
	regions, columns := regionsOf(r.RegionHours), regionColumns(r)
	worst := worstCells(r, columns)
	if len(regions) == 0 || hoursOf(r) < 2 || len(worst) == 0 {
		return nil
	}
	title := strings.Join(worst, ", ")
	return []chart.Plot{{
		Name: "regions", Section: HoursSection,
		Title: strings.ToUpper(title[:1]) + title[1:],
		Note: fmt.Sprintf("by where players live and the hour (%s) in which their search began; a column has one scale; hours with fewer than %d players are left out",
			words.Zone(r.Summary.Run.TimeZone), cellPlayersMin),
		Height: chart.HeadingHeight + 34 + float64(regionRow*float64(len(regions))) + 22,
		Draw: func(s *chart.Canvas, top float64) {
			drawRegions(s, top+34, regions, columns, hoursOf(r))
		},
	}}
}

// regionsOf returns the regions that have an hour with enough players, the largest first.
func regionsOf(hours []result.RegionHour) (regions []region) {
	for i := range hours {
		h := &hours[i]
		at := slices.IndexFunc(regions, func(r region) bool { return r.code == h.Continent })
		if at < 0 {
			at, regions = len(regions), append(regions, region{code: h.Continent})
		}
		regions[at].players += h.Players
		regions[at].hours = append(regions[at].hours, h)
	}
	regions = slices.DeleteFunc(regions, func(r region) bool {
		return !slices.ContainsFunc(r.hours, func(h *result.RegionHour) bool { return h.Players+h.Unmatched >= cellPlayersMin })
	})
	slices.SortStableFunc(regions, func(a, b region) int { return cmp.Compare(b.players, a.players) })
	return regions
}

// regionColumns returns the measures that say something about the result: no waits of players who are
// placed on servers, no means over several queues, and no share without a match if all are matched.
func regionColumns(r *result.Result) (columns []regionColumn) {
	where := func(h *result.RegionHour) string {
		if len(regionsOf(r.RegionHours)) == 1 {
			return fmt.Sprintf("at %02d:00", h.Hour)
		}
		return fmt.Sprintf("in %s at %02d:00", outcome.Continent(words.Printable(h.Continent)), h.Hour)
	}
	if kindOf(&r.Summary) == ofOneQueue {
		columns = append(columns, regionColumn{head: "mean wait of all searches, s", colour: chart.Orange,
			of: func(h *result.RegionHour) (float64, int) { return float64(h.WaitMean), h.Waited },
			worst: func(h *result.RegionHour) string {
				return fmt.Sprintf("longest waits %s (%s)", where(h), words.Seconds(h.WaitMean))
			}})
	}
	if kindOf(&r.Summary) != ofQueues {
		levels, _, _ := grade.Within(&r.Summary)
		readers := levels.ForReaders(&r.Summary)
		columns = append(columns, regionColumn{head: fmt.Sprintf("mean RTT, ms (dashed: %s, %s)", words.Threshold(readers.Good), words.Threshold(readers.Fair)), colour: chart.Green,
			limits: limits(readers),
			of:     func(h *result.RegionHour) (float64, int) { return float64(h.RTTMean), h.Players },
			worst: func(h *result.RegionHour) string {
				return fmt.Sprintf("highest RTTs %s (%s)", where(h), words.Millis(h.RTTMean))
			}})
	}
	if slices.ContainsFunc(r.RegionHours, func(h result.RegionHour) bool { return h.Unmatched > 0 }) {
		share := func(h *result.RegionHour) float64 { return float64(h.Unmatched) / float64(h.Players+h.Unmatched) }
		columns = append(columns, regionColumn{head: "searches without a match, %", colour: chart.Red,
			of: func(h *result.RegionHour) (float64, int) { return 100 * share(h), h.Players + h.Unmatched },
			worst: func(h *result.RegionHour) string {
				return fmt.Sprintf("most unmatched %s (%s)", where(h), words.Percent(outcome.RoundShare(share(h))))
			}})
	}
	return columns
}

// worstCells describes, for each measure, the hour of a region that has the highest value. Hours with
// too few players do not count. It leaves out a measure for which no hour counts.
func worstCells(r *result.Result, columns []regionColumn) (texts []string) {
	for i := range columns {
		var worst *result.RegionHour
		most := 0.0
		for k := range r.RegionHours {
			h := &r.RegionHours[k]
			if v := columns[i].value(h); v > most {
				worst, most = h, v
			}
		}
		if worst != nil {
			texts = append(texts, columns[i].worst(worst))
		}
	}
	return texts
}

func drawRegions(s *chart.Canvas, top float64, regions []region, columns []regionColumn, hours int) {
	width := (chart.PlotRight - regionLeft - float64(regionGap*float64(len(columns)-1))) / float64(len(columns))
	for i := range columns {
		c := &columns[i]
		highest := 0.0
		for _, of := range regions {
			for _, h := range of.hours {
				if v := c.value(h); v > highest {
					highest = v
				}
			}
		}
		ticks := chart.NiceTicks(highest, 2)
		left := regionLeft + float64((width+regionGap)*float64(i))
		s.Text(chart.HeadFace, chart.Ink, left, top-10-s.BandRoom(), chart.ToRight, chart.HeadFace.Shorten(c.head, width+regionGap-8))
		for k := range regions {
			y := top + float64(regionRow*float64(k))
			p := chart.Panel{Canvas: s, X: chart.Scale{Min: 0, Max: float64(hours), Lo: left, Hi: left + width},
				Y: chart.Scale{Min: 0, Max: ticks[len(ticks)-1].Value, Lo: y + regionPanel, Hi: y}}
			p.YAxis(ticks)
			drawRegionHours(p, &regions[k], c)
			p.Bands(1./3600, k == 0)
			if i == 0 {
				s.Text(chart.SmallFace, chart.Ink, chart.Margin, y+regionPanel/2+4, chart.ToRight,
					chart.SmallFace.ShortenName(outcome.Continent(words.Printable(regions[k].code)), regionLeft-chart.Margin-36))
			}
			var times []chart.Tick
			if k == len(regions)-1 {
				times = hourTicks(hours)
			}
			p.XAxis(times)
		}
	}
}

// drawRegionHours draws a bar for each hour as a single path, and the limits.
func drawRegionHours(p chart.Panel, of *region, c *regionColumn) {
	var bars [][]chart.Point
	for _, h := range of.hours {
		if v := c.value(h); !math.IsNaN(v) {
			bars = append(bars, p.Bar(p.X.At(float64(h.Hour))+0.5, p.X.At(float64(h.Hour+1))-0.5, p.Y.At(v)))
		}
	}
	p.Polygons(c.colour, bars...)
	for _, l := range c.limits {
		if l.Value <= p.Y.Max {
			p.Line(chart.Ink, 1, p.X.Lo, p.Y.At(l.Value), p.X.Hi, p.Y.At(l.Value), 5, 4)
		}
	}
}

// hourTicks returns ticks for the hours of a day, or of the first hours of it.
func hourTicks(hours int) (ticks []chart.Tick) {
	step := max(1, hours/4)
	for hour := 0; hour <= hours; hour += step {
		ticks = append(ticks, chart.Tick{Value: float64(hour), Label: fmt.Sprintf("%02d:00", hour)})
	}
	return ticks
}
