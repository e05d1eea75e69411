package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/input"
	"mmsim/matcher/dialect/jsontree"
)

// A screen shows a text in the same way no matter how it is split into writes.
func TestScreen(t *testing.T) {
	for text, want := range map[string]string{
		"é日本🙂\nb\n":                     "é日本🙂\nb\n",
		"a\tb\r\n\x1b[1mc":              `a\tb\r` + "\n" + `\u001b[1mc`,
		"\xff\xc3\n":                    `\xff\xc3` + "\n",
		"end \xe6\x97":                  `end \xe6\x97`,
		"::error::x\n  ::warning::y":    `:\u003aerror::x` + "\n" + `  :\u003awarning::y`,
		"a ::error::x: b::c\n: ::d":     "a ::error::x: b::c\n: ::d",
		"\u3000::x":                     "\u3000" + `:\u003ax`,
		"#[ ##[error]x ###[y] [##]":     `#[ ##\u005berror]x ###\u005by] [##]`,
		`{"a":` + "\"\u202e\x7f::\"}\n": `{"a":"\u202e\u007f::"}` + "\n",
	} {
		for cut := 1; cut <= len(text); cut++ {
			var b strings.Builder
			s := &screen{to: &b}
			for from := 0; from < len(text); from += cut {
				piece := text[from:min(len(text), from+cut)]
				if n, err := io.WriteString(s, piece); n != len(piece) || err != nil {
					t.Fatal(n, err)
				}
			}
			s.close()
			if b.String() != want {
				t.Errorf("%q in pieces of %d: got %q, want %q", text, cut, b.String(), want)
			}
		}
	}
	var b strings.Builder
	s := &screen{to: &b, styled: true}
	fmt.Fprint(s, "\x1b[1;31mred\x1b[0m \x1b[2J")
	if want := "\x1b[1;31mred\x1b[0m " + `\u001b[2J`; b.String() != want {
		t.Errorf("got %q, want %q, with only the styles of reports", b.String(), want)
	}
}

// Every message of an error is on one line. Excerpts, advice and joined errors have their own
// lines.
func TestErrorText(t *testing.T) {
	_, placed := jsontree.Parse("a\nb.json", []byte("{\n  \"x\": 1,\n}"))
	_, missing := os.Open("no\nfile")
	excerpt := "a\\nb.json:2:9: remove the comma before '}': JSON does not allow a comma after the last entry\n  2 |   \"x\": 1,\n    |         ^"
	for _, test := range []struct {
		err  error
		want string
	}{
		{errors.New("a\nb"), `a\nb`},
		{missing, `open no\nfile: no such file or directory`},
		{input.Badf("x\n%w", missing), `x\nopen no\nfile: no such file or directory`},
		{placed, excerpt},
		{input.Bad(placed), excerpt},
		{fmt.Errorf("rules\n%w, as said", placed), `rules\n` + excerpt + ", as said"},
		{input.Bad(errors.Join(placed, errors.New("c\nd"))), excerpt + "\n" + `c\nd`},
		{fmt.Errorf("%w and %w", errors.New("a\n"), missing), `a\n and open no\nfile: no such file or directory`},
		{Hinted(input.Badf("got %s", "a\nb"), "try\n%s", "c\nd"), "got a\\nb\ntry\nc\\nd"},
		{silent{}, ""},
	} {
		if got := ErrorText(test.err); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
	if err := Hinted(input.Badf("x"), "y"); !input.IsBad(err) {
		t.Errorf("got error %v, want bad input", err)
	}
}

// silent is an error without a message.
type silent struct{}

func (silent) Error() string { return "" }
func (silent) Unwrap() error { return nil }
