package exchange

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits of the messages of a matchmaker. They bound the memory and time that a faulty matchmaker can
// take. A day needs a small part of them.
const (
	MaxLine      = 64 << 20 // bytes of a message
	MaxHello     = 64 << 10 // bytes of the answer to Hello
	MaxName      = 1 << 10  // bytes of a matchmaker's name, and of its version
	MaxProposals = 1 << 17  // proposals of an answer
	MaxValues    = 1 << 21  // JSON values of an answer, such as ids of tickets
	MaxText      = 1 << 10  // bytes of a reason or a reported error; the rest is cut
)

var (
	// ErrProposals is the error for an answer with too many proposals.
	ErrProposals = fmt.Errorf("its answer has more than %d proposals (MaxProposals)", MaxProposals)
	errValues    = fmt.Errorf("its answer has more than %d values, such as ids of tickets (MaxValues)", MaxValues)
)

// LineLimit is the maximum length of a matchmaker's next line.
type LineLimit struct {
	Bytes int
	Err   error // for a longer line
}

// The limits of lines.
var (
	HelloLimit  = LineLimit{MaxHello, fmt.Errorf("its answer to the hello is longer than %d KB (MaxHello)", MaxHello>>10)}
	AnswerLimit = LineLimit{MaxLine, fmt.Errorf("its line is longer than %d MB (MaxLine)", MaxLine>>20)}
)

// checkSize returns an error if an answer has too many proposals or values. It does so before the line
// is decoded, which takes up to 30 times the memory of the line. Counting bytes is fast and enough for
// almost every answer; only if the counts exceed the limits, checkSize reads the line, because braces
// and commas may be part of texts.
func checkSize(line []byte) error {
	// Around the proposals, there are the answer itself and the object with reasons.
	if bytes.Count(line, []byte("{")) <= MaxProposals && bytes.Count(line, []byte(",")) < MaxValues/4 {
		return nil
	}
	objects, values := 0, 0
	for d := jsontext.NewDecoder(bytes.NewReader(line), jsontext.AllowDuplicateNames(true)); ; {
		token, err := d.ReadToken()
		switch {
		case err != nil: // the end, or an error that decoding the line reports
			return nil
		case token.Kind() == '{':
			objects++
		case token.Kind() == '}', token.Kind() == ']':
			continue
		}
		values++
		switch {
		case objects > MaxProposals+2:
			return ErrProposals
		case values > MaxValues:
			return errValues
		}
	}
}

// checkName returns an error about a name or version that is too long.
func checkName(member, text string) error {
	if len(text) > MaxName {
		return fmt.Errorf("%q in its hello has %d bytes, expected at most %d (MaxName)", member, len(text), MaxName)
	}
	return nil
}

// cut returns a text of at most MaxText bytes. It does not keep the memory of the rest.
func cut(text string) string {
	if len(text) <= MaxText {
		return text
	}
	end := MaxText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.Clone(text[:end]) + "…"
}
