package datasets

import (
	"fmt"
	"strings"

	"mmsim/datasets/internal/tables"
)

// WorldMap draws a map of joins with characters. A character covers 5° of longitude and 8° of
// latitude. Its symbol shows the number of joins on a logarithmic scale. Each symbol represents up
// to ten times as many joins as the one before it.
func WorldMap(day *Day) string {
	var b strings.Builder
	const columns, lines, scale = 72, 18, ".:+*#@"
	var joins [lines][columns]int
	most := 0
	for j := range day.Joins() {
		p := day.Places[j.Place]
		line := min(max(0, (84-floorDegrees(p.LatHundredths))/8), lines-1)
		column := (floorDegrees(p.LonHundredths) + 180) / 5 % columns
		joins[line][column]++
		most = max(most, joins[line][column])
	}
	for _, line := range joins {
		text := make([]byte, columns)
		for i, n := range line {
			text[i] = ' '
			step := len(scale) - 1
			for floor := most; n > 0; floor /= 10 {
				text[i] = scale[step]
				if n > floor/10 || step == 0 {
					break
				}
				step--
			}
		}
		b.WriteString(strings.TrimRight("  "+string(text), " ") + "\n")
	}
	fmt.Fprintf(&b, "  @ up to %s, each of #*+:. a tenth of the one before\n", tables.Counted(most, "join"))
	return b.String()
}

// floorDegrees rounds hundredths of a degree down to whole degrees.
func floorDegrees(hundredths int16) int {
	return (int(hundredths)+36000)/100 - 360
}
