package jsontree

import "bytes"

// ParseRelaxed is like [Parse], but also accepts comments (// and /* */) and a comma after the last
// entry of a list or an object, because vendors' documentation has both. A text without them gives
// the same values, positions and errors as with Parse. See [Value.Relaxed].
func ParseRelaxed(file string, text []byte) (Value, error) {
	return parse(&source{file: file, text: text}, true)
}

// relaxation counts what a text has beyond strict JSON.
type relaxation struct {
	first            int // offset of the first comment or comma
	comments, commas int
}

// Relaxed returns a warning at the first comment or trailing comma in v's document, or false if the
// document is strict JSON.
func (v Value) Relaxed() (Warning, bool) {
	if v.from == nil || v.from.relaxed == nil {
		return Warning{}, false
	}
	r := v.from.relaxed
	found := ""
	switch {
	case r.commas == 0:
		found = Count(r.comments, "comment")
	case r.comments == 0:
		found = Count(r.commas, "comma") + " after a last entry"
	default:
		found = Count(r.comments, "comment") + " and " + Count(r.commas, "comma") + " after a last entry"
	}
	return Warning{Position: v.from.position(r.first), Message: "ignored " + found + ", which JSON does not allow; the first is here"}, true
}

// StrictErr returns the error that [Parse] returns for v's document because of comments and trailing
// commas, or nil if the document is strict JSON.
func (v Value) StrictErr() error {
	if v.from == nil || v.from.relaxed == nil {
		return nil
	}
	strict := *v.from
	_, err := parse(&strict, false)
	return err
}

// relax sets s.strict to s.text with spaces instead of comments and trailing commas. Line ends in
// comments stay, so lines and offsets are the same in both texts. A comma without an entry before
// it stays too, because it is a mistake. relax does not change s if the text has none of these.
func (s *source) relax() error {
	found, clean := relaxation{first: len(s.text)}, s.text
	blank := func(from, to int) {
		if &clean[0] == &s.text[0] {
			clean = bytes.Clone(s.text)
		}
		for i := from; i < to; i++ {
			if c := clean[i]; c != '\n' && c != '\r' {
				clean[i] = ' '
			}
		}
		found.first = min(found.first, from)
	}
	comma := -1       // offset of the last token if it is a comma after an entry
	last := byte('[') // last byte of the token before, or an open bracket at the beginning
	for i := 0; i < len(s.text); i++ {
		switch c := s.text[i]; c {
		case ' ', '\t', '\r', '\n':
			continue
		case '/':
			end := commentEnd(s.text, i)
			if end < 0 {
				return s.errorAt(i, "the comment is not closed, expected */")
			}
			if end > i {
				blank(i, end)
				found.comments++
				i = end - 1
				continue
			}
		case ',':
			if comma = -1; last != '[' && last != '{' && last != ',' && last != ':' {
				comma = i
			}
		case '}', ']':
			if last == ',' && comma >= 0 {
				blank(comma, comma+1)
				found.commas++
			}
		case '"':
			i = textEnd(s.text, i)
		}
		last = s.text[min(i, len(s.text)-1)]
	}
	if found.comments+found.commas > 0 {
		s.strict, s.relaxed = clean, &found
	}
	return nil
}

// commentEnd returns the offset behind a comment that begins at an offset, which is the line end for
// //. It returns the offset itself if no comment begins there, and -1 if the comment is not closed.
func commentEnd(text []byte, at int) int {
	rest := text[at:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if end := bytes.IndexAny(rest, "\r\n"); end >= 0 {
			return at + end
		}
		return len(text)
	case bytes.HasPrefix(rest, []byte("/*")):
		end := bytes.Index(rest[2:], []byte("*/"))
		if end < 0 {
			return -1
		}
		return at + 2 + end + 2
	}
	return at
}

// textEnd returns the offset of the quote that closes the string at an offset, or the length of the
// text if it is not closed.
func textEnd(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}
