package jsontree

import (
	"math"
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		limits  Limits
		text    string
		allowed []float64
		refused []float64
	}{
		{AnyNumber, "a number", []float64{-1e300, 0}, []float64{math.NaN()}},
		{AtLeast0, "a number of 0 or more", []float64{0, 1e300}, []float64{-1e-9}},
		{Above0, "a number above 0", []float64{1e-9}, []float64{0, -1}},
		{Limits{Most: 1000, Above: true}, "a number above 0 and at most 1000", []float64{1000}, []float64{0, 1001}},
		{Limits{Least: -2, Most: 1e12}, "a number from -2 to 1e+12", []float64{-2, 0.5}, []float64{-3, 2e12}},
		{Limits{Least: 1, Most: math.MaxInt32, Whole: true}, "a whole number from 1 to 2147483647", []float64{1, 10}, []float64{0, 1.5}},
		{Limits{Most: 60, Noun: "seconds"}, "seconds from 0 to 60", []float64{0.5}, []float64{61}},
	} {
		if got := test.limits.String(); got != test.text {
			t.Errorf("got limits %q, want %q", got, test.text)
		}
		for _, x := range test.allowed {
			if !test.limits.Allow(x) {
				t.Errorf("%s: got %v refused, want it allowed", test.text, x)
			}
		}
		for _, x := range test.refused {
			if test.limits.Allow(x) {
				t.Errorf("%s: got %v allowed, want it refused", test.text, x)
			}
		}
	}
}

// A format decides how names and numbers are written and what an unknown key is. A null under an unknown
// key is no error, because exports contain it for what is not set.
func TestFormat(t *testing.T) {
	const text = `{"Size": 10.0, "text": "7", "more": null, "odd": 1}`
	for _, test := range []struct {
		format  Format
		errors  []string // each in the message of one error
		warning string
	}{
		{Format{}, []string{"size: missing", `text: got "7", expected a number`}, "Size: unknown key, ignored"},
		{Format{FoldCase: true, TextNumbers: true}, nil, "odd: unknown key, ignored"},
		{Format{FoldCase: true, TextNumbers: true, PlainWhole: true}, []string{"size: got 10.0, expected a whole number"}, "odd"},
		{Format{FoldCase: true, TextNumbers: true, Strict: true}, []string{"odd: unknown key, expected one of size, text"}, ""},
	} {
		root, err := Parse("f.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p := Problems{Format: test.format}
		o, _ := p.Object(root, "")
		o.Whole("size")
		o.Float("text")
		o.Done()
		if len(p.errors) != len(test.errors) {
			t.Errorf("%+v: got errors %v, want %d", test.format, p.Err(), len(test.errors))
			continue
		}
		for i, want := range test.errors {
			if !strings.Contains(p.errors[i].Error(), want) {
				t.Errorf("%+v: got error %v, want %s", test.format, p.errors[i], want)
			}
		}
		if test.warning != "" && (len(p.Warnings()) == 0 || !strings.Contains(p.Warnings()[0].Message, test.warning)) {
			t.Errorf("%+v: got warnings %v, want %s", test.format, p.Warnings(), test.warning)
		}
	}
	root, _ := Parse("f.json", []byte(`{"size": 1, "SIZE": 2}`))
	p := Problems{Format: Format{FoldCase: true}}
	if p.Object(root, ""); p.Err() == nil || !strings.Contains(p.Err().Error(), `f.json:1:13: SIZE: the key "size" is already in this object`) {
		t.Errorf("got error %v, want the second size refused", p.Err())
	}
}
