package present

import (
	"fmt"
	"slices"
)

// A Table has rows of formatted cells. The first cell of a row is the row's name. In text and
// markdown, the first column and the columns in Left are aligned to the left, the others to the
// right.
type Table struct {
	Title, Note string
	Head        []string
	HeadWords   map[string]string // names in words of heads that are keys of metrics, which a page shows with the key in small type
	Left        []int
	Bars        []int  // columns whose numbers a page also shows as bars
	Verdicts    []int  // columns with verdicts, which a page colours
	Keys        []int  // columns with the keys of metrics, which a page shows in small type
	Wide        []int  // columns that only a page has room for
	WideRows    []int  // rows that only a page has room for
	Most        int    // the number of rows where there is little room; 0 for all
	Rest        string // what the other rows are, such as "groups, which --json lists"
	Rows        [][]string
}

func (g *Table) isLeft(column int) bool { return column == 0 || slices.Contains(g.Left, column) }

// brief returns the part of the table that is shown where there is little room, and says what the other
// rows are.
func (t *Table) brief() (short Table, more string) {
	short = *t
	short.Rows = make([][]string, len(t.Rows))
	for i := range t.Rows {
		short.Rows[i] = slices.Clone(t.Rows[i])
	}
	for i := len(t.WideRows) - 1; i >= 0; i-- {
		short.Rows = slices.Delete(short.Rows, t.WideRows[i], t.WideRows[i]+1)
	}
	if rest := len(t.Rows) - t.Most; t.Most > 0 && rest > 0 {
		short.Rows, more = short.Rows[:t.Most], fmt.Sprintf("and %d more %s", rest, t.Rest)
	}
	short.Head = slices.Clone(t.Head)
	for i := len(t.Wide) - 1; i >= 0; i-- {
		if short.removeColumn(t.Wide[i]); t.Wide[i] == 0 {
			short.Head[0] = t.Head[0] // the keys replace the names
		}
	}
	return short, more
}

// Named puts a column before the first one, which has the keys of metrics. It has their names in words,
// which only a page has room for beside the keys.
func (t *Table) Named(name func(key string) string) {
	t.Head = slices.Insert(slices.Clone(t.Head), 1, "key")
	for i, row := range t.Rows {
		t.Rows[i] = slices.Insert(slices.Clone(row), 0, name(row[0]))
	}
	for _, columns := range []*[]int{&t.Left, &t.Bars, &t.Verdicts, &t.Wide} {
		for i := range *columns {
			(*columns)[i]++
		}
	}
	t.Left, t.Wide, t.Keys = append(t.Left, 1), append([]int{0}, t.Wide...), append(t.Keys, 1)
}

// NamedHeads says that some heads are the keys of metrics. A page shows their names in words, for which
// other forms have no room.
func (t *Table) NamedHeads(name func(key string) string, keys ...string) {
	t.HeadWords = map[string]string{}
	for _, key := range keys {
		t.HeadWords[key] = name(key)
	}
}

// LeaveOut removes the columns with these heads. It ignores heads that the table does not have.
func (t *Table) LeaveOut(heads []string) {
	t.Head = slices.Clone(t.Head)
	for _, head := range heads {
		if at := slices.Index(t.Head, head); at >= 0 {
			t.removeColumn(at)
		}
	}
}

func (t *Table) removeColumn(at int) {
	t.Head = slices.Delete(t.Head, at, at+1)
	for i := range t.Rows {
		t.Rows[i] = slices.Delete(t.Rows[i], at, at+1)
	}
	for _, columns := range []*[]int{&t.Left, &t.Bars, &t.Verdicts, &t.Wide, &t.Keys} {
		*columns = without(*columns, at)
	}
}

// LeaveOutIfAll removes each of the columns with these heads whose cells are all the same as cell.
func (t *Table) LeaveOutIfAll(cell string, heads ...string) {
	for _, head := range heads {
		at := slices.Index(t.Head, head)
		if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[at] != cell }) {
			t.LeaveOut([]string{head})
		}
	}
}

// without returns the numbers of columns as they are after column at was removed.
func without(columns []int, at int) (kept []int) {
	for _, column := range columns {
		switch {
		case column < at:
			kept = append(kept, column)
		case column > at:
			kept = append(kept, column-1)
		}
	}
	return kept
}
