package input

import "testing"

func TestSlips(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0},
		{"size", "sise", 1}, {"size", "szie", 1}, {"size", "siz", 1}, {"size", "sizes", 1},
		{"kitten", "sitting", 3}, {"ca", "abc", 3}, // letters that are swapped are not edited again
	} {
		if got := slips(test.a, test.b); got != test.want {
			t.Errorf("slips(%q, %q): got %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"model", "line", "fibre"}
	for word, want := range map[string]string{
		"modle": "model", "MODEL": "model", "lin": "line", "fiber": "fibre", "satellite": "", "": "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("Nearest(%q): got %q, want %q", word, got, want)
		}
	}
}
