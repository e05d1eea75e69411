package jsontree

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// The position of a value inside a text is its position in the document, and the message also names
// the line in the text.
func TestInnerPositions(t *testing.T) {
	document := "{\n  \"Body\": \"{\\n  \\\"ä\\\": \\u00e9\\ud83d\\ude00, \\n \\\"x\\\": 1\\n}\"\n}"
	root, err := Parse("f", []byte(strings.Replace(document, `\u00e9\ud83d\ude00`, `\"\u00e9\ud83d\ude00\"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := root.Member("Body")
	inner, err := body.Inner("Body")
	if err != nil {
		t.Fatal(err)
	}
	x, _ := inner.Member("x")
	// The text begins in column 12. Before 1 it has `{\n  \"ä\": \"`, which are 14 columns,
	// `\u00e9\ud83d\ude00`, which are 18, and `\", \n \"x\": `, which are 14.
	if got, want := x.Errorf("wrong").Error(), "f:2:58: line 3 of Body: wrong\n  3 |  \"x\": 1\n    |       ^"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if root, err = Parse("f", []byte(document)); err != nil {
		t.Fatal(err)
	}
	body, _ = root.Member("Body")
	if _, err := body.Inner("Body"); err == nil || !strings.HasPrefix(err.Error(), "f:2:24: line 2 of Body: the text is not valid JSON") {
		t.Errorf("got error %v, want the place of \\u00e9 and line 2", err)
	}
}

// A replaced value inside a text is escaped, so the document stays JSON.
func TestReplaced(t *testing.T) {
	root, err := ParseRelaxed("f", []byte("{\"Body\": \"[1, {\\\"a\\\": \\\"b\\\"}]\", // x\n \"n\": 1}"))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := root.Member("n")
	if got, want := string(n.Replaced("[2]")), "{\"Body\": \"[1, {\\\"a\\\": \\\"b\\\"}]\", // x\n \"n\": [2]}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	body, _ := root.Member("Body")
	inner, err := body.Inner("Body")
	if err != nil {
		t.Fatal(err)
	}
	a, _ := inner.Elements()[1].Member("a")
	again, err := ParseRelaxed("f", a.Replaced(`"<\"\n"`))
	if err != nil {
		t.Fatal(err)
	}
	body, _ = again.Member("Body")
	if got, want := body.Text(), `[1, {"a": "<\"\n"}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(a.JSON()), `"b"`; got != want {
		t.Errorf("JSON: got %s, want %s", got, want)
	}
}

// Every byte of a decoded text has an offset, however the text is escaped.
func FuzzInner(f *testing.F) {
	for _, seed := range []string{`"[1, \"\\u00e9\"]"`, `"\ud800[1]"`, `"[\"\ud83d\ude00\u00E9\/\b\"]"`, `"\ufeff[1,]"`, `"\u007b}"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		root, err := Parse("f", text)
		if err != nil || root.Kind() != Text {
			return
		}
		inner, err := root.Inner("text")
		direct, directErr := ParseRelaxed("f", []byte(root.Text()))
		if (err == nil) != (directErr == nil) {
			t.Fatalf("got error %v, want as from ParseRelaxed: %v", err, directErr)
		}
		if err != nil {
			return
		}
		if !reflect.DeepEqual(inner.Any(), direct.Any()) || len(inner.from.offsets) != len(inner.from.text)+1 {
			t.Fatalf("got %v with %d offsets, want %v and one offset for each of %d bytes and the end", inner.Any(), len(inner.from.offsets), direct.Any(), len(inner.from.text))
		}
		var replaced string
		if err := json.Unmarshal(inner.Replaced("7"), &replaced); err != nil {
			t.Fatalf("the document with another value is no JSON: %v", err)
		}
		if v, err := ParseRelaxed("f", []byte(replaced)); err != nil || v.Kind() != Number {
			t.Fatalf("got %v (error %v) as the replaced value, want 7", v, err)
		}
	})
}
