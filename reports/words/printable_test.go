package words

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"é, 日本　東京, Ωμέγα, 🙂, a\u00a0b":            "é, 日本　東京, Ωμέγα, 🙂, a\u00a0b",
		`back\slash "quoted"`:                     `back\slash "quoted"`,
		"\x1b[31mred\x1b[0m":                      `\u001b[31mred\u001b[0m`,
		"a\nb\r\nc\td":                            `a\nb\r\nc\td`,
		"\x00\a\x7f\u0085\u009b":                  `\u0000\u0007\u007f\u0085\u009b`,
		"\u202eabc\u2066\u200b\u2060\ufeff\u2028": `\u202eabc\u2066\u200b\u2060\ufeff\u2028`,
		"\U000e0041":                              `\udb40\udc41`, // an invisible tag character
		"\xff\xc3":                                `\xff\xc3`,
		"\ufffd":                                  "\ufffd", // U+FFFD itself is valid UTF-8
		"e\u0301 a\ufe0f क्षि":                    "e\u0301 a\ufe0f क्षि",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Whatever the text is, Printable returns one line of visible characters. Read as a JSON string,
// it is the text itself.
func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b\n\u202e\U000e0041é")
	f.Add("\xff")
	f.Fuzz(func(t *testing.T, text string) {
		got := Printable(text)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsGraphic(r) }) {
			t.Errorf("%q: got %q, want only printable characters", text, got)
		}
		var back string
		if err := json.Unmarshal([]byte(`"`+got+`"`), &back); utf8.ValidString(text) && !strings.ContainsAny(text, `\"`) && (err != nil || back != text) {
			t.Errorf("%q: got %q, which as JSON is %q (error %v), want the text", text, got, back, err)
		}
	})
}
