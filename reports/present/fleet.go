package present

import (
	"fmt"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// fleetItems says what the machines of a run cost, and how long matches waited for one.
func fleetItems(s *outcome.Summary) []Item {
	f := s.Fleet
	if f == nil {
		return nil
	}
	return []Item{
		Say("Fleet", fmt.Sprintf("costs %s a day, %s per 1,000 hours of play; %s on average, %s at the peak; %s of their slots are used",
			words.Number(outcome.UnitNone, float64(f.CostPerDay), 2, false), words.Number(outcome.UnitNone, float64(f.CostPer1000Hours), 2, false),
			words.MeanCount(float64(f.MachinesMean))+" machines", words.Thousands(f.MachinesPeak), words.Percent(f.SlotsUsed))),
		Say("Waits for a slot", fmt.Sprintf("%s of matches; %s on average, p99 %s, longest %s%s",
			words.Percent(f.ShareWaited), words.Seconds(f.Wait.Mean), words.Seconds(f.Wait.P99), words.Seconds(f.Wait.Max), unserved(f))),
	}
}

// unserved says how many matches still wait for a slot at the end, if there are any.
func unserved(f *outcome.Fleet) string {
	if f.Unserved == 0 {
		return ""
	}
	return "; " + words.Plural(f.Unserved, "match") + " without a slot at the end"
}

// machinesTable returns the table of the machines of each datacenter, or none without a fleet.
func machinesTable(s *outcome.Summary) []Table {
	if s.Fleet == nil {
		return nil
	}
	t := Table{
		Title: "Machines",
		Note:  "What machines and traffic cost, in the currency of the prices. A match that finds no free slot waits for one; its players do not.",
		Head:  []string{"datacenter", "cost a day", "machine hours", "most machines", "matches that waited"},
		Bars:  []int{1},
	}
	for i := range s.ByDatacenter {
		d := &s.ByDatacenter[i]
		if d.CostPerDay == nil {
			continue
		}
		t.Rows = append(t.Rows, []string{d.Name, words.Number(outcome.UnitNone, float64(*d.CostPerDay), 2, false), d.MachineHours.String(), words.Thousands(*d.MachinesPeak), words.Percent(*d.ShareWaited)})
	}
	return []Table{t}
}
