package tables

import "testing"

func TestQuotedMasksAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"203.0.113.9":              `"IP-ADDRESS"`,
		"from 203.0.113.9, x":      `"from IP-ADDRESS, x"`,
		"203.0.113.999":            `"IP-ADDRESS"`,
		"2001:db8::1":              `"IP-ADDRESS"`,
		"::1":                      `"IP-ADDRESS"`,
		"1:2:3:4:5:6:7:8":          `"IP-ADDRESS"`,
		"::ffff:203.0.113.9":       `"IP-ADDRESS"`,
		"2026-03-14T15:04:05.250Z": `"2026-03-14T15:04:05.250Z"`,
		"15:04:05":                 `"15:04:05"`,
		"14.03.2026 00:00:04":      `"14.03.2026 00:00:04"`,
		"1.10.2":                   `"1.10.2"`,
		"52.52,13.4,a.b.c":         `"52.52,13.4,a.b.c"`,
		// An address at the place where a long text is cut is masked before the cut.
		"0123456789012345678901234567890,203.0.113.9": `"0123456789012345678901234567890,IP-ADDRE"…`,
	} {
		if got := Quoted(text); got != want {
			t.Errorf("Quoted(%q): got %s, want %s", text, got, want)
		}
	}
}
