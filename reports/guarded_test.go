package reports

import (
	"bytes"
	"strings"
	"testing"

	"mmsim/reports/judge"
)

// hostileName is a datacenter that a spreadsheet would run.
const hostileName = "=HYPERLINK(\"http://a.example\")"

// Records guard names and attributes that are texts; a number stays a number.
func TestRecordsAreGuarded(t *testing.T) {
	f, attributes := recordFacts()
	f.Setup.Datacenters[0].Name = hostileName
	attributes[0].Name = "@mmr"
	text := unzipped(t, f, attributes)
	head, rest, _ := strings.Cut(text, "\n")
	if !strings.Contains(head, ",'@mmr") {
		t.Errorf("the head is %q", head)
	}
	if !strings.Contains(rest, ",\"'=HYPERLINK(") || !strings.Contains(rest, ",-0.002,") {
		t.Errorf("the rows are %q", rest)
	}
}

// Results of sweeps and tuning hold settings, which are numbers or texts.
func TestSettingsAreGuarded(t *testing.T) {
	var file bytes.Buffer
	s := &judge.Sweep{Settings: []string{"=a", "b"}, Metrics: []string{"rtt_ms.mean"}, Points: []judge.SweepPoint{{Values: []string{"-1.5", "@x"}}}}
	if err := s.WriteCSV(&file); err != nil {
		t.Fatal(err)
	}
	if want := "'=a,b,runs,rtt_ms.mean,rtt_ms.mean.low,rtt_ms.mean.high\n-1.5,'@x,0,,,\n"; file.String() != want {
		t.Errorf("sweep: got %q, want %q", file.String(), want)
	}
	file.Reset()
	tuning := &judge.Tuning{Settings: []string{"=a"}, Trials: []judge.TuningTrial{{Phase: "grid", Values: []string{"-2"}, Refused: "=no"}}}
	if err := tuning.WriteCSV(&file); err != nil {
		t.Fatal(err)
	}
	if want := "trial,phase,share,runs,'=a,violation,front,refused\n0,grid,0,0,-2,,,'=no\n"; file.String() != want {
		t.Errorf("tuning: got %q, want %q", file.String(), want)
	}
}
