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

// plotMachines shows the machines of a fleet by datacenter, and through the day.
func plotMachines(r *result.Result, _ Coast) []chart.Plot {
	plots := []chart.Plot{machinesBySite(r)}
	if len(r.Machines) > 0 {
		plots = append(plots, machinesThroughDay(r))
	}
	return plots
}

// machinesBySite shows the cost, the machines and the waits for a slot of every datacenter, the most
// expensive one first.
func machinesBySite(r *result.Result) chart.Plot {
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

// machineColours are the colours of the columns of machinesBySite.
var machineColours = [...]color.RGBA{chart.Blue, chart.Green, chart.Orange}

// machinesHeight is the height of the picture of the machines through the day.
const machinesHeight = 420

// machinesThroughDay shows how many machines host matches, wait for one, and start.
func machinesThroughDay(r *result.Result) chart.Plot {
	busy := func(w *result.MachineWindow) float64 { return float64(w.Busy) }
	empty := func(w *result.MachineWindow) float64 { return float64(w.Empty) }
	starting := func(w *result.MachineWindow) float64 { return float64(w.Starting) }
	all := func(w *result.MachineWindow) float64 { return busy(w) + empty(w) + starting(w) }
	return chart.Plot{
		Name:   "machines-day",
		Title:  machinesTitle(r.Machines, busy, all, words.Zone(r.Summary.Run.TimeZone)),
		Note:   "machines of all datacenters, by quarter of an hour, as means; a machine costs money from its order on, whether it starts, is empty or hosts a match",
		Height: machinesHeight,
		Key:    []chart.KeyEntry{{Text: "with a match", Colour: chart.Blue}, {Text: "empty", Colour: chart.Sky}, {Text: "starting", Colour: chart.Orange}},
		Draw: func(s *chart.Canvas, top float64) {
			xs, layers := overQuarters(r, r.Machines, busy, empty, starting)
			_, sums := overQuarters(r, r.Machines, all)
			p := dayPanel(s, r, top+32, machinesHeight-chart.TimeAxisHeight-8, "machines", chart.NiceTicks(max(highest(sums...), 7), 6))
			p.Stack([]color.RGBA{chart.Blue, chart.Sky, chart.Orange}, xs, layers)
			p.TimeAxis()
		},
	}
}

// machinesTitle says how much of the time that is paid for hosts a match, and when there are most and
// fewest machines.
func machinesTitle(rows []result.MachineWindow, busy, all func(*result.MachineWindow) float64, zone string) string {
	used, paid, most, fewest := 0.0, 0.0, &rows[0], &rows[0]
	for i := range rows {
		w := &rows[i]
		used, paid = used+busy(w), paid+all(w)
		if all(w) > all(most) {
			most = w
		}
		if all(w) < all(fewest) {
			fewest = w
		}
	}
	if paid == 0 {
		return "No machine was ordered"
	}
	title := fmt.Sprintf("Machines host at least one match for %s of their time", words.Percent(outcome.RoundShare(used/paid)))
	if all(most) > all(fewest) {
		at := func(w *result.MachineWindow) string {
			return fmt.Sprintf("%s (%s)", words.Clock(outcome.Seconds(w.T), zone), words.MeanCount(all(w)))
		}
		title += fmt.Sprintf("; most of them are up at %s, fewest at %s", at(most), at(fewest))
	}
	return title
}
