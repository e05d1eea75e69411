package words

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// formulaStarts are the characters that make a spreadsheet run a CSV cell as a formula when the
// cell begins with one of them. Some spreadsheets accept the full-width forms too, and some skip a
// leading tab or line break. The list is from OWASP's page on CSV injection.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// Guard keeps a spreadsheet from running text in a CSV file as a formula. It puts a ' in front of text that a spreadsheet would run as a formula; the spreadsheet then
// shows it as text. Names in a result may come from untrusted sources, such as a country or a
// build that a client sent, so all text in a result's tables passes through Guard or AppendCell.
// Numbers do not: -12.5 remains -12.5.
//
// If the text is already such a formula with quotes in front of it, Guard adds one more quote, so
// that Unguard can restore every text.
func Guard(text string) string {
	if startsFormula(text) {
		return "'" + text
	}
	return text
}

// Unguard returns the text that Guard was called with.
func Unguard(cell string) string {
	if text, quoted := strings.CutPrefix(cell, "'"); quoted && startsFormula(text) {
		return text
	}
	return cell
}

// AppendCell appends text as a CSV cell, guarded like Guard and with CSV quotes if it needs them.
func AppendCell(b, text []byte) []byte {
	if startsFormula(text) {
		text = append([]byte{'\''}, text...)
	}
	return appendCell(b, text)
}

// startsFormula reports whether text needs a ' in front of it.
func startsFormula[T string | []byte](text T) bool {
	quotes := 0
	for quotes < len(text) && text[quotes] == '\'' {
		quotes++
	}
	first, _ := utf8.DecodeRuneInString(string(text[quotes:min(len(text), quotes+utf8.UTFMax)]))
	return first != utf8.RuneError && strings.ContainsRune(formulaStarts, first)
}

// WriteTable writes rows of numbers and texts as CSV. It guards every cell except decimal numbers.
func WriteTable(w io.Writer, rows [][]string) error {
	out := csv.NewWriter(w)
	for _, row := range rows {
		guarded := slices.Clone(row)
		for i, cell := range row {
			if !isDecimal(cell) {
				guarded[i] = Guard(cell)
			}
		}
		if err := out.Write(guarded); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func isDecimal(cell string) bool {
	_, err := strconv.ParseFloat(cell, 64)
	return err == nil && strings.Trim(cell, "0123456789+-.eE") == ""
}

// appendCell appends a cell, with CSV quotes if it needs them.
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
