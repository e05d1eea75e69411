package reports

import (
	"fmt"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// decileRow is the height of a tenth of the players in its picture.
const decileRow = 18

// plotQuality shows, by tenths of the players, whom rules give which matches.
func plotQuality(r *result.Result) Plot {
	s := &r.Summary
	list := outcome.RuledDeciles(s)
	p := Plot{
		Name: "quality", section: attributesSection,
		Title:  qualityTitle(s, list),
		Note:   "tenths of the matched players by what rules look at; the thin line reaches to the 95th percentile",
		height: headingHeight + margin,
	}
	const head = 50
	for _, a := range list {
		p.height += head + decileRow*float64(len(a.Deciles))
	}
	p.draw = func(s *sheet, top float64) {
		for _, a := range list {
			top += head
			drawDeciles(s, top, a)
			top += decileRow * float64(len(a.Deciles))
		}
	}
	return p
}

func drawDeciles(s *sheet, top float64, a outcome.AttributeDeciles) {
	s.text(headFace, ink, barsLeft-10, top-8, toLeft, headFace.shorten(a.Name, barsLeft-10-margin))
	column := barList{left: barsLeft, width: 160, row: decileRow, rows: len(a.Deciles)}
	column.head, column.colour = "spread in their matches", purple
	column.value = func(i int) (float64, float64, string) {
		spread := a.Deciles[i].SpreadMean
		return float64(spread), 0, words.Digits(spread)
	}
	column.draw(s, top, func(i int) string {
		return words.DecileValues(&a.Deciles[i])
	})
	column.left, column.head, column.colour = 450, "wait in seconds", orange
	column.value = func(i int) (float64, float64, string) {
		d := &a.Deciles[i]
		return float64(d.WaitMean), float64(d.WaitP95), words.Seconds(d.WaitMean)
	}
	column.draw(s, top, nil)
	column.left, column.head, column.colour = 710, "RTT in milliseconds", green
	column.value = func(i int) (float64, float64, string) {
		d := &a.Deciles[i]
		return float64(d.RTTMean), float64(d.RTTP95), words.Millis(d.RTTMean)
	}
	column.draw(s, top, nil)
}

// qualityTitle says how alike players are in the first attribute, and who waits longest.
func qualityTitle(s *outcome.Summary, list []outcome.AttributeDeciles) string {
	first := slices.IndexFunc(s.Attributes, func(a outcome.Attribute) bool { return a.Name == list[0].Name })
	a := &s.Attributes[first]
	if a.Matches == 0 {
		return "No match has two players with a value"
	}
	title := fmt.Sprintf("The players of a match are %s apart in %s on average", words.Digits(a.SpreadMean), words.Name(a.Name))
	if d := outcome.LongestWait(&list[0], s.Players.Matched); d != nil {
		title += fmt.Sprintf("; those with %s wait longest, %s", words.DecileValues(d), words.Seconds(d.WaitMean))
	}
	return title
}
