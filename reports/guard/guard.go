// Package guard keeps spreadsheets from running texts of CSV files as formulas.
package guard

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// formulaStarts are the characters with which a formula begins: spreadsheets run a cell
// of a CSV file that begins with one of them. Some take the full-width forms too, and
// some skip a tab or a line break in front. The list is that of OWASP's page on CSV
// injection.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// Text puts a ' in front of a text that a spreadsheet would run as a formula; the spreadsheet
// then shows it as text. Names in a result may come from untrusted sources (a country or a build
// that a client sent), so every text in a result table passes through Text or AppendCell.
// Numbers do not: -12.5 remains -12.5.
//
// A formula that already follows one or more such quotes gets another one, so that Undo returns
// every text unchanged.
func Text(text string) string {
	if startsFormula(text) {
		return "'" + text
	}
	return text
}

// Undo undoes Text.
func Undo(cell string) string {
	if text, quoted := strings.CutPrefix(cell, "'"); quoted && startsFormula(text) {
		return text
	}
	return cell
}

// AppendCell appends a text as a CSV cell: guarded as Text does, and quoted
// if it must be.
func AppendCell(b, text []byte) []byte {
	if startsFormula(text) {
		text = append([]byte{'\''}, text...)
	}
	return appendCell(b, text)
}

// startsFormula reports whether a text must be guarded.
func startsFormula[T string | []byte](text T) bool {
	quotes := 0
	for quotes < len(text) && text[quotes] == '\'' {
		quotes++
	}
	first, _ := utf8.DecodeRuneInString(string(text[quotes:min(len(text), quotes+utf8.UTFMax)]))
	return first != utf8.RuneError && strings.ContainsRune(formulaStarts, first)
}

// Table writes CSV for spreadsheets whose cells may hold numbers or texts.
type Table struct{ *csv.Writer }

// Write writes a row. Cells that are decimal numbers remain unchanged; others are guarded.
func (t Table) Write(row []string) error {
	guarded := make([]string, len(row))
	for i, cell := range row {
		if guarded[i] = cell; !isDecimal(cell) {
			guarded[i] = Text(cell)
		}
	}
	return t.Writer.Write(guarded)
}

func NewTable(w io.Writer) Table { return Table{csv.NewWriter(w)} }

// isDecimal reports whether a cell is a decimal number.
func isDecimal(cell string) bool {
	_, err := strconv.ParseFloat(cell, 64)
	return err == nil && strings.Trim(cell, "0123456789+-.eE") == ""
}

// appendCell appends a cell, quoted if it must be.
func appendCell(b, cell []byte) []byte {
	if !bytes.ContainsAny(cell, "\",\r\n") {
		return append(b, cell...)
	}
	b = append(b, '"')
	for _, c := range cell {
		if c == '"' {
			b = append(b, '"')
		}
		b = append(b, c)
	}
	return append(b, '"')
}
