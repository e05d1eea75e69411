package jsontree

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestErrorsPointAtThePlace(t *testing.T) {
	deep := strings.Repeat("[", 1_000_000)
	for _, test := range []struct{ name, text, want string }{
		{"empty", " \n", "f.json:1:1: the file is empty, expected a JSON object"},
		{"trailing comma", "{\n  \"a\": 1,\n}", "f.json:2:9: remove the comma before '}': JSON does not allow a comma after the last entry\n  2 |   \"a\": 1,\n    |         ^"},
		{"trailing comma in a list", "[1, ]", "f.json:1:3: remove the comma before ']'"},
		{"no braces", `"Name": "x"`, "f.json:1:7: the text is only a part of a JSON object: put braces around it"},
		{"not closed", `{"a": [1`, "f.json:1:9: the JSON ends too early"},
		{"NaN", `{"a": NaN}`, "f.json:1:7: the text is not valid JSON: invalid character 'N'"},
		{"comment", "// x\n{}", "f.json:1:1: remove the comment: JSON does not allow comments"},
		{"two values", "{} {}", "f.json:1:4: the text is not valid JSON: invalid character '{' after top-level value"},
		{"twice", "{\"a\": 1,\n \"b\": {\"x\": 1, \"x\": 2}}", "f.json:2:16: the key \"x\" is already in this object, on line 2"},
		{"twice by escape", `{"a": 1, "\u0061": 2}`, `f.json:1:10: the key "a" is already in this object, on line 1`},
		{"not UTF-8", "{\"a\": \"\xff\"}", "f.json:1:8: the text is not valid UTF-8"},
		{"deep", deep, "f.json:1:65: the JSON is nested too deeply, expected at most 64 levels"},
		{"many", "[" + strings.Repeat("0,", ValuesMax) + "0]", "f.json:1:3999999: the JSON has too many values, expected at most 2000000"},
		{"columns count characters", `{"ä": 1, "ö": x}`, "f.json:1:15: "},
	} {
		_, err := Parse("f.json", []byte(test.text))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want prefix %s", test.name, err, test.want)
		}
	}
}

func TestTooLargeIsRefusedBeforeParsing(t *testing.T) {
	_, err := Parse("f.json", make([]byte, BytesMax+1))
	if err == nil || !strings.Contains(err.Error(), "16 MiB") {
		t.Errorf("got error %v, want the limit of 16 MiB", err)
	}
}

// The search for duplicate names must not be quadratic in a large object.
func TestManyNames(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"n0":0`)
	for i := range 100_000 {
		b.WriteString(`,"x` + string(rune('a'+i%26)) + strings.Repeat("y", i%7) + `":`)
		b.WriteString("1")
	}
	b.WriteString("}")
	_, err := Parse("f.json", []byte(b.String()))
	if err == nil || !strings.Contains(err.Error(), "is already in this object") {
		t.Errorf("got error %v, want the repeated name refused", err)
	}
}

func TestLongLinesAreShownAroundTheCaret(t *testing.T) {
	text := `{"a": "` + strings.Repeat("x", 300) + `", "b": nan}`
	_, err := Parse("f.json", []byte(text))
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 3 {
		t.Fatalf("got lines %q, want 3: the message, an excerpt and a caret", err)
	}
	caret := strings.IndexByte(lines[2], '^')
	if len(lines[1]) > excerptMax+10 || lines[1][caret:caret+3] != "nan" {
		t.Errorf("got an excerpt that is too long or a caret that is not under the fault:\n%s", err)
	}
}

func TestWholeNumbers(t *testing.T) {
	for _, test := range []struct {
		text string
		want uint32
		ok   bool
	}{
		{"10", 10, true},
		{"10.0", 10, true},
		{"1e1", 10, true},
		{"-0", 0, true},
		{"4294967295", 4294967295, true},
		{"4294967296", 0, false},
		{"2.5", 0, false},
		{"-1", 0, false},
		{"1e999", 0, false},
		{`"10"`, 0, false},
		{"true", 0, false},
	} {
		v, err := Parse("f", []byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := v.Whole(4294967295); got != test.want || ok != test.ok {
			t.Errorf("%s: got %d %v, want %d %v", test.text, got, ok, test.want, test.ok)
		}
	}
}

func TestObjectRecordsEveryProblem(t *testing.T) {
	root, err := Parse("f.json", []byte(`{"name": 1, "size": -1, "other": true, "null": null, "list": 3}`))
	if err != nil {
		t.Fatal(err)
	}
	var problems Problems
	o, _ := problems.Object(root, "team 1")
	o.Text("name")
	o.Whole("size")
	o.Float("missing")
	o.List("list")
	if got := o.TextOr("null", "otherwise"); got != "otherwise" {
		t.Errorf("TextOr of null: got %q, want the default, as for an absent member", got)
	}
	want := []string{
		"f.json:1:10: team 1: name: got 1, expected a text",
		"f.json:1:21: team 1: size: got -1, expected a whole number",
		"f.json:1:1: team 1: missing: missing, expected a number",
		"f.json:1:62: team 1: list: got 3, expected a list",
	}
	for _, w := range want {
		if !strings.Contains(problems.Err().Error(), w) {
			t.Errorf("want %q in the errors, got\n%v", w, problems.Err())
		}
	}
	if rest := o.Rest(); len(rest) != 1 || rest[0].Name != "other" {
		t.Errorf("Rest: got %v, want other alone, the member that was not read", rest)
	}
}

func TestProblemsAreBounded(t *testing.T) {
	var problems Problems
	for range 1000 {
		problems.Add(errors.New("wrong"))
	}
	if got := problems.Err().Error(); !strings.HasSuffix(got, "and 980 more errors") || strings.Count(got, "\n") != 20 {
		t.Errorf("got errors %q, want 20 lines and \"and 980 more errors\"", got)
	}
	if problems.Count() != 1000 {
		t.Errorf("got %d errors, want 1000", problems.Count())
	}
}

// Parse gives the same values as encoding/json. It refuses any text that encoding/json refuses, and
// also texts with duplicate names, too deep nesting, or invalid UTF-8.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a": [1, 2.5e3, "x\n\u00e9", null, true]}`, `[1,]`, `{"a":1,"a":2}`, "\ufeff{}", `"\ud800"`, "[[[["} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Parse("f", text)
		var want any
		reference := json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &want)
		if err != nil {
			message := err.Error()
			if reference == nil && utf8.Valid(text) && !strings.Contains(message, "already in this object") && !strings.Contains(message, "deeply") {
				t.Fatalf("Parse refused valid JSON: %v", err)
			}
			if !strings.HasPrefix(message, "f:") {
				t.Fatalf("got error %q, want prefix f:", message)
			}
			return
		}
		if reference != nil {
			if _, beyond := reference.(*json.UnmarshalTypeError); !beyond { // such as 1e999
				t.Fatalf("Parse accepted invalid JSON; encoding/json: %v", reference)
			}
			return
		}
		if got := v.Any(); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %#v, want %#v", got, want)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := []byte(`[` + strings.Repeat(`{"id": "t1", "created_at": 0.5, "players": [{"id": "p1", "attributes": {"mmr": 1500}}]},`, 10_000) + `{}]`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("f", text); err != nil {
			b.Fatal(err)
		}
	}
}
