package reports

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
)

// OWASP's page on CSV injection lists the characters; a guarded cell begins with none.
func TestGuardFormula(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "",
		"frankfurt":          "frankfurt",
		"DE":                 "DE",
		"a=1":                "a=1",
		"'tis":               "'tis",
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0",
		"+1":                 "'+1",
		"-1":                 "'-1", // of a column of texts
		"@SUM(A1)":           "'@SUM(A1)",
		"\t=1":               "'\t=1",
		"\r=1":               "'\r=1",
		"\n=1":               "'\n=1",
		"＝1":                 "'＝1",
		"'=1":                "''=1", // else it would come back as =1
		"''=1":               "'''=1",
		"日本":                 "日本",
		"\xff=":              "\xff=",
	} {
		got := guardFormula(text)
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if back := unguardFormula(got); back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
		if text == "" {
			continue // encoding/csv reads a line without anything as none
		}
		cells, err := csv.NewReader(bytes.NewReader(appendGuarded(nil, []byte(text)))).Read()
		if err != nil || len(cells) != 1 || cells[0] != want {
			t.Errorf("%q as a cell of records: got %q, want %q, error %v", text, cells, want, err)
		}
	}
}

func FuzzGuardFormula(f *testing.F) {
	f.Add("=1")
	f.Add("''@")
	f.Fuzz(func(t *testing.T, text string) {
		guarded := guardFormula(text)
		if strings.IndexAny(guarded, formulaStarts) == 0 {
			t.Errorf("%q begins a formula", guarded)
		}
		if back := unguardFormula(guarded); back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
	})
}

// hostileName is a datacenter that a spreadsheet would run.
const hostileName = "=HYPERLINK(\"http://a.example\")"

// The tables of a result are guarded, and read back as they were.
func TestTablesAreGuarded(t *testing.T) {
	rows := []loadRow{{60, hostileName, 1}, {60, "-1", 0}}
	var file bytes.Buffer
	if err := loadTable.write(&file, rows); err != nil {
		t.Fatal(err)
	}
	want := "t_s,datacenter,players\n60,\"'=HYPERLINK(\"\"http://a.example\"\")\",1\n60,'-1,0\n"
	if file.String() != want {
		t.Errorf("got %q, want %q", file.String(), want)
	}
	back, err := loadTable.read(&file)
	if err != nil || len(back) != 2 || back[0] != rows[0] || back[1] != rows[1] {
		t.Errorf("comes back as %v, error %v", back, err)
	}
}

// Records guard names and attributes that are texts; a number stays a number.
func TestRecordsAreGuarded(t *testing.T) {
	f, attributes := recordFacts()
	f.setup.Datacenters[0].Name = hostileName
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
	s := &Sweep{Settings: []string{"=a", "b"}, Metrics: []string{"rtt_ms.mean"}, Points: []SweepPoint{{Values: []string{"-1.5", "@x"}}}}
	if err := s.WriteCSV(&file); err != nil {
		t.Fatal(err)
	}
	if want := "'=a,b,runs,rtt_ms.mean,rtt_ms.mean.low,rtt_ms.mean.high\n-1.5,'@x,0,,,\n"; file.String() != want {
		t.Errorf("sweep: got %q, want %q", file.String(), want)
	}
	file.Reset()
	tuning := &Tuning{Settings: []string{"=a"}, Trials: []TuningTrial{{Phase: "grid", Values: []string{"-2"}, Refused: "=no"}}}
	if err := tuning.WriteCSV(&file); err != nil {
		t.Fatal(err)
	}
	if want := "trial,phase,share,runs,'=a,violation,front,refused\n0,grid,0,0,-2,,,'=no\n"; file.String() != want {
		t.Errorf("tuning: got %q, want %q", file.String(), want)
	}
}
