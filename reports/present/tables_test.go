package present

import (
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
)

// A short run has rows only for the hours that it reaches. Players whose search began before the
// measured window have no wait.
func TestHoursOfShortRun(t *testing.T) {
	s := &resulttest.Article().Summary
	s.ByHour = make([]outcome.Group, 24)
	s.ByHour[0] = outcome.Group{Entries: 9, Served: outcome.Served{Players: 8, WaitMean: 2, WaitP95: 5, RTTMean: 30}}
	s.ByHour[23] = outcome.Group{Served: outcome.Served{Players: 4, RTTMean: 40}}
	if rows := hoursTable(s).Rows; len(rows) != 24 {
		t.Errorf("a day has %d rows, want 24", len(rows))
	}
	s.Run.Duration = 3600
	rows := hoursTable(s).Rows
	if len(rows) != 2 || rows[0][0] != "00:00" || rows[1][0] != "23:00" {
		t.Fatalf("an hour has the rows %q", rows)
	}
	if rows[0][3] == "" || rows[1][3] != "" || rows[1][4] != "" || rows[1][5] == "" {
		t.Errorf("waits and RTTs are %q and %q", rows[0][3:7], rows[1][3:7])
	}
}
