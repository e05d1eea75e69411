package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// plotMachines shows the cost, the machines and the waits for a slot of every datacenter, the most
// expensive one first.
func plotMachines(r *result.Result) chart.Plot {
	var sites []outcome.Datacenter
	for _, d := range r.Summary.ByDatacenter {
		if d.CostPerDay != nil {
			sites = append(sites, d)
		}
	}
	slices.SortStableFunc(sites, func(a, b outcome.Datacenter) int { return cmp.Compare(*b.CostPerDay, *a.CostPerDay) })
	f := r.Summary.Fleet
	return chart.Plot{
		Name: "machines",
		Title: fmt.Sprintf("Machines cost %s a day: %s on average, %s at the peak; %s of their slots are used",
			words.Number(outcome.UnitNone, float64(f.CostPerDay), 2, false), words.MeanCount(float64(f.MachinesMean)), words.Thousands(f.MachinesPeak), words.Percent(f.SlotsUsed)),
		Note:   "by datacenter, in the currency of the prices: cost of machines and traffic in 24 hours, most machines at once, and matches that waited for a slot",
		Height: chart.HeadingHeight + 44 + float64(datacenterRow*float64(len(sites))) + chart.Margin,
		Draw: func(s *chart.Canvas, top float64) {
			top += 44
			column := func(head string, left, width float64, colour int, value func(d *outcome.Datacenter) chart.Bar) chart.Bars {
				return chart.Bars{Head: head, Left: left, Width: width, Row: datacenterRow, Rows: len(sites), Colour: machineColours[colour],
					Value: func(i int) chart.Bar { return value(&sites[i]) }}
			}
			cost := column("cost per day", 162, 180, 0, func(d *outcome.Datacenter) chart.Bar {
				return chart.Bar{Value: float64(*d.CostPerDay), Label: words.Number(outcome.UnitNone, float64(*d.CostPerDay), 2, false)}
			})
			most := column("most machines", 480, 130, 1, func(d *outcome.Datacenter) chart.Bar {
				return chart.Bar{Value: float64(*d.MachinesPeak), Label: words.Thousands(*d.MachinesPeak)}
			})
			waited := column("matches that waited", 738, 145, 2, func(d *outcome.Datacenter) chart.Bar {
				if d.Matches == 0 {
					return chart.Bar{Label: "–"}
				}
				return chart.Bar{Value: float64(*d.ShareWaited), Label: words.Percent(*d.ShareWaited)}
			})
			most.Draw(s, top, nil)
			waited.Draw(s, top, nil)
			cost.Draw(s, top, func(i int) string { return sites[i].Name })
		},
	}
}

// machineColours are the colours of the columns of plotMachines.
var machineColours = [...]color.RGBA{chart.Blue, chart.Green, chart.Orange}
