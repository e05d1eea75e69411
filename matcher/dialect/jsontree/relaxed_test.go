package jsontree

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRelaxed(t *testing.T) {
	for _, test := range []struct{ name, text, strict, place, message, refusal string }{
		{"line comment", "// x\n{\"a\": 1}", `{"a":1}`, "f:1:1", "ignored 1 comment, which JSON does not allow; the first is here", "f:1:1: remove the comment"},
		{"block comment", "{\"a\": /* ä\n \" ] */ 1}", `{"a":1}`, "f:1:7", "ignored 1 comment, which", "f:1:7: remove the comment"},
		{"commas", "{\"a\": [1, 2 ,],\n}", `{"a":[1,2]}`, "f:1:13", "ignored 2 commas after a last entry, which", "f:1:13: remove the comma before ']'"},
		{"comma before a comment", "[1, // one\r\n]", `[1]`, "f:1:3", "ignored 1 comment and 1 comma after a last entry, which", "f:1:5: remove the comment"},
		{"comment at the end", "{} // no line end", `{}`, "f:1:4", "ignored 1 comment, which", "f:1:4: remove the comment"},
		{"old line ends", "[1, // one\r2]", `[1,2]`, "f:1:5", "ignored 1 comment, which", "f:1:5: remove the comment"},
		{"marked", "\ufeff// x\n{}", `{}`, "f:1:1", "ignored 1 comment, which", "f:1:1: remove the comment"},
	} {
		v, err := ParseRelaxed("f", []byte(test.text))
		if err != nil {
			t.Errorf("%s: got error %v, want it accepted", test.name, err)
			continue
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, v.JSON()); err != nil || compact.String() != test.strict {
			t.Errorf("%s: got %s (error %v), want %s", test.name, compact.String(), err, test.strict)
		}
		if w, ok := v.Relaxed(); !ok || w.Position != test.place || !strings.HasPrefix(w.Message, test.message) {
			t.Errorf("%s: got warning %v %v, want %s: %s", test.name, w, ok, test.place, test.message)
		}
		_, parse := Parse("f", []byte(test.text))
		if refusal := v.StrictErr(); refusal == nil || parse == nil || refusal.Error() != parse.Error() || !strings.HasPrefix(parse.Error(), test.refusal) {
			t.Errorf("%s: got refusal %v, and from Parse %v, want both %s", test.name, refusal, parse, test.refusal)
		}
	}
}

func TestRelaxedRefuses(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"[,]", "f:1:2: "},
		{"{,}", "f:1:2: "},
		{"[1,,]", "f:1:4: "},
		{`{"a":,}`, "f:1:6: "},
		{"[1 /* one ]", "f:1:4: the comment is not closed, expected */"},
		{"[1 / 2]", "f:1:4: "},
		{"tr/**/ue", "f:1:1: the text is not valid JSON"},
		{"{},", "f:1:3: "},
		{"// only a comment", "f:1:1: the file is empty, expected a JSON object"},
		{`{"a": 1, /* "a" */ "a": 2,}`, `f:1:20: the key "a" is already in this object, on line 1`},
		{"[/* ää */ x]", "f:1:11: "},
		{"// x\n\"a // b", "f:2:8: the JSON ends too early"},
	} {
		if _, err := ParseRelaxed("f", []byte(test.text)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: got error %v, want prefix %s", test.text, err, test.want)
		}
	}
}

// sameTree reports whether two trees have the same values at the same places.
func sameTree(a, b Value) bool {
	if a.kind != b.kind || a.text != b.text || a.Position() != b.Position() || len(a.elements) != len(b.elements) || len(a.members) != len(b.members) {
		return false
	}
	for i := range a.elements {
		if !sameTree(a.elements[i], b.elements[i]) {
			return false
		}
	}
	for i := range a.members {
		if a.members[i].Name != b.members[i].Name || !sameTree(a.members[i].Value, b.members[i].Value) {
			return false
		}
	}
	return true
}

// A comment as wide as the white space that it replaces moves no value, and a comma that it replaces
// does not either.
func TestCommentsMoveNothing(t *testing.T) {
	const text = "{\n     \"name\"    :   \"// no comment, /* nor here */ \\\"\"   ,\n    \"list\"   :    [     1   ,\n\n   {     }      ,    [      ]     ]      \n   }     \n"
	plain, err := Parse("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	spaces := regexp.MustCompile(`    +`)
	for seed := range uint64(2000) {
		draw := rand.New(rand.NewPCG(seed, 1))
		relaxed := spaces.ReplaceAllStringFunc(text, func(space string) string {
			if draw.IntN(2) == 0 {
				return space
			}
			return "/*" + strings.Repeat([]string{"ä", "*", "\"", "]", ","}[draw.IntN(5)], len(space)-4) + "*/"
		})
		if draw.IntN(2) == 0 {
			relaxed = strings.Replace(relaxed, " \n   }", ",\n   }", 1)
		}
		if draw.IntN(2) == 0 {
			relaxed = strings.Replace(relaxed, "\n\n", "//\n\n", 1)
		}
		v, err := ParseRelaxed("f", []byte(relaxed))
		if err != nil || !sameTree(v, plain) {
			t.Fatalf("seed %d: got another tree (error %v) for\n%s", seed, err, relaxed)
		}
	}
}

// strings, then comments, in the order in which they begin
var commentOrText = regexp.MustCompile(`"(?:\\.|[^"\\])*"|//[^\r\n]*|(?s:/\*.*?\*/)`)

// trailing commas of a text whose strings have no brackets, with the last byte of the entry
var trailingComma = regexp.MustCompile(`([^\[{,:\s]\s*),(\s*[}\]])`)

// relaxedTwin is a second implementation of relax. It returns strict JSON.
func relaxedTwin(text string) string {
	clean := commentOrText.ReplaceAllStringFunc(text, func(s string) string {
		if s[0] == '"' {
			return s
		}
		return strings.Repeat(" ", len(s))
	})
	masked := commentOrText.ReplaceAllStringFunc(clean, func(s string) string { return strings.Repeat(`"`, len(s)) })
	for {
		at := trailingComma.FindStringSubmatchIndex(masked)
		if at == nil {
			return clean
		}
		clean = clean[:at[3]] + " " + clean[at[3]+1:]
		masked = masked[:at[3]] + "." + masked[at[3]+1:]
	}
}

// ParseRelaxed gives the values that encoding/json gives for a text without the comments and the
// trailing commas. For strict JSON, it gives exactly what Parse gives.
func FuzzParseRelaxed(f *testing.F) {
	for _, seed := range []string{"// x\n{\"a\": [1, 2,], /* \" */}", `[1,]`, `[,]`, `{"a": "//", }`, "[/*", "\ufeff[1//\r]", `"\\"//`, "{\"a\":1,\"a\":2,}", `[1,//,` + "\n]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ParseRelaxed("f", text)
		strict, strictErr := Parse("f", text)
		_, relaxed := v.Relaxed()
		switch {
		case strictErr == nil && (err != nil || relaxed || !sameTree(v, strict) || v.StrictErr() != nil || !bytes.Equal(v.JSON(), strict.JSON())):
			t.Fatalf("got another tree than Parse gives (error %v)", err)
		case err == nil && relaxed == (strictErr == nil):
			t.Fatalf("got Relaxed %v, but Parse has error %v", relaxed, strictErr)
		case err == nil && relaxed && v.StrictErr().Error() != strictErr.Error():
			t.Fatalf("got refusal %v, want %v", v.StrictErr(), strictErr)
		}
		twin := relaxedTwin(strings.TrimPrefix(string(text), "\ufeff"))
		var want any
		reference := json.Unmarshal([]byte(twin), &want)
		if err != nil {
			again, twinErr := Parse("f", []byte(twin))
			if twinErr == nil && utf8.Valid(text) {
				t.Fatalf("got error %v, want %v", err, again.Any())
			}
			return
		}
		if _, beyond := reference.(*json.UnmarshalTypeError); beyond { // such as 1e999
			return
		}
		if reference != nil || !reflect.DeepEqual(v.Any(), want) {
			t.Fatalf("got %#v, want %#v (error %v)", v.Any(), want, reference)
		}
		if again, err := Parse("f", v.JSON()); err != nil || !reflect.DeepEqual(again.Any(), want) {
			t.Fatalf("JSON gives %s (error %v), want strict JSON of the same value", v.JSON(), err)
		}
	})
}

func BenchmarkParseRelaxed(b *testing.B) {
	text := []byte(`[` + strings.Repeat(`{"id": "t1", "created_at": 0.5, "players": [{"id": "p1", "attributes": {"mmr": 1500}}]},`, 10_000) + `{}]`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ParseRelaxed("f", text); err != nil {
			b.Fatal(err)
		}
	}
}
