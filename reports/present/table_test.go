package present

import (
	"reflect"
	"strings"
	"testing"
)

// Names in tables, lines and titles cannot break a line, with and without colour.
func TestTextsAreLines(t *testing.T) {
	const name = "a\x1b[2J\nFORGED"
	table := &Table{Head: []string{name, "b"}, Rows: [][]string{{name, name}}}
	lines := &text{}
	lines.table(table)
	if got, want := lines.String(), "a\\u001b[2J\\nFORGED"+strings.Repeat(" ", 2+17)+"b\na\\u001b[2J\\nFORGED  a\\u001b[2J\\nFORGED\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := table.Markdown(); strings.Count(got, "\n") != 3 || strings.Contains(got, "\x1b") {
		t.Errorf("markdown: got %q, want 3 lines without escape sequences", got)
	}
	for _, colour := range []bool{false, true} {
		out := &text{colour: colour}
		out.line("Label", name+" and "+out.styled(Alarm, "alarm"))
		got := out.String()
		if strings.Count(got, "\n") != 1 || strings.Contains(got, "\x1b[2J") || strings.Contains(got, "\x1b[1;31malarm\x1b[0m") != colour {
			t.Errorf("colour %v: got %q, want one line, escape sequences of the table removed, and colours only if they are on", colour, got)
		}
	}
}

// Backslashes in text must be escaped too, because they would undo the escape of the next
// character.
func TestMarkdownEscapes(t *testing.T) {
	for text, want := range map[string]string{
		`a\*b`:           `a\\\*b`,
		"x\ny":           `x\\ny`,
		"<b>|[l](u)`c`_": "&lt;b>\\|\\[l\\](u)\\`c\\`\\_",
	} {
		if got := InMarkdown(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestLeaveOutIfAll(t *testing.T) {
	table := Table{
		Head: []string{"name", "unused", "used", "mark"}, Left: []int{3}, Bars: []int{1, 2},
		Rows: [][]string{{"a", "0", "0", ""}, {"b", "0", "1", ""}},
	}
	table.LeaveOutIfAll("0", "unused", "used", "mark")
	want := Table{Head: []string{"name", "used", "mark"}, Left: []int{2}, Bars: []int{1}, Rows: [][]string{{"a", "0", ""}, {"b", "1", ""}}}
	if !reflect.DeepEqual(table, want) {
		t.Errorf("got %v, want %v", table, want)
	}
	table.LeaveOutIfAll("", "mark")
	if want := []string{"name", "used"}; !reflect.DeepEqual(table.Head, want) || table.Left != nil {
		t.Errorf("got heads %q, left %v, want %q and none", table.Head, table.Left, want)
	}
}
