package present

import (
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/words"
)

func TestQueuesText(t *testing.T) {
	golden(t, "text-queues.golden", Text(&resulttest.Queues().Summary, false))
}

// With several queues, RTTs and spreads are shown for each queue, and never over all of them.
func TestQueuesAreNotPooled(t *testing.T) {
	r := resulttest.Queues()
	s := &r.Summary
	s.RTT.Mean, s.RTT.P50, s.RTT.P90, s.RTT.P95, s.RTT.ShareLEIdeal = 601, 602, 603, 604, 0.605
	s.DeltaRTT.Mean = 606
	s.States.Ideal.RTTMean = 607
	for i := range s.ByContinent {
		s.ByContinent[i].RTTMean, s.ByContinent[i].RTTP95 = 608, 609
	}
	for i := range s.ByHour {
		s.ByHour[i].RTTMean, s.ByHour[i].RTTP95 = 608, 609
	}
	for i := range s.ByDatacenter {
		s.ByDatacenter[i].RTTMean, s.ByDatacenter[i].RTTP95 = 608, 609
	}
	for _, a := range s.ByAttributeDecile {
		for i := range a.Deciles {
			d := &a.Deciles[i]
			d.SpreadMean, d.RTTMean, d.RTTP95 = 701, 608, 609
		}
	}
	p := Run(r, nil)
	says := []string{p.Text(false), p.Title}
	for _, a := range p.Answers {
		says = append(says, a.Value, a.Note)
	}
	sections := ""
	for _, section := range p.Sections {
		sections += section.Title + "; "
	}
	for _, item := range p.Items() {
		if item.Table != nil {
			out := &text{}
			out.table(&Table{Head: item.Table.Head, Rows: item.Table.Rows})
			says = append(says, out.String())
		}
	}
	if !strings.HasPrefix(sections, "; Queue ranked; Queue casual <&>; All queues; By datacenter") {
		t.Errorf("got sections %s, want those of the queues first", sections)
	}
	for _, text := range says {
		for _, figure := range []string{"601", "602", "603", "604", "60.5 %", "606", "607", "608", "609", "701", "777", "888"} {
			for line := range strings.Lines(text) {
				if strings.Contains(line, " "+figure) || strings.HasPrefix(line, figure) {
					t.Errorf("%s is over all queues, want values by queue only: %s", figure, line)
				}
			}
		}
	}
	if got, want := p.Title, "90 % of first searches that find a match take at most 22.0 s in ranked, 11.0 s in casual <&>"; got != want {
		t.Errorf("got title %q, want %q", got, want)
	}
	if got, want := words.QueueRTTs(s.Queues), "90 % of players get at most 41.0 ms in ranked, 20.5 ms in casual <&>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
