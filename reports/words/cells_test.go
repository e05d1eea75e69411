package words

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
)

// The guarded characters are those of OWASP's page on CSV injection.
func TestGuardFormula(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "",
		"frankfurt":          "frankfurt",
		"DE":                 "DE",
		"a=1":                "a=1",
		"'tis":               "'tis",
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0",
		"+1":                 "'+1",
		"-1":                 "'-1", // text, although it looks like a number
		"@SUM(A1)":           "'@SUM(A1)",
		"\t=1":               "'\t=1",
		"\r=1":               "'\r=1",
		"\n=1":               "'\n=1",
		"＝1":                 "'＝1",
		"'=1":                "''=1", // otherwise Unguard would return =1
		"''=1":               "'''=1",
		"日本":                 "日本",
		"\xff=":              "\xff=",
	} {
		got := Guard(text)
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if back := Unguard(got); back != text {
			t.Errorf("Unguard of the guarded text: got %[2]q, want %[1]q", text, back)
		}
		if text == "" {
			continue // encoding/csv skips empty lines
		}
		cells, err := csv.NewReader(bytes.NewReader(AppendCell(nil, []byte(text)))).Read()
		if err != nil || len(cells) != 1 || cells[0] != want {
			t.Errorf("%q as a cell of records: got %q, want %q, error %v", text, cells, want, err)
		}
	}
}

func FuzzGuardFormula(f *testing.F) {
	f.Add("=1")
	f.Add("''@")
	f.Fuzz(func(t *testing.T, text string) {
		guarded := Guard(text)
		if strings.IndexAny(guarded, formulaStarts) == 0 {
			t.Errorf("got guarded text %q, want one that does not begin a formula", guarded)
		}
		if back := Unguard(guarded); back != text {
			t.Errorf("Unguard of the guarded text %q: got %q", text, back)
		}
	})
}
