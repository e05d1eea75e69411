package value

import (
	"math"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/yamltree"
)

// Or changes v to be read and described as whole if it is written as a mapping.
func (v Value) Or(whole Value) Value {
	v = v.Where(func(n yamltree.Node) bool { return n.Kind == yamltree.Mapping }, whole.Read)
	v.Parts = whole.Parts
	return v.Taking(func(s Schema) Schema { return AnySchema(s, whole.Schema()) })
}

// OrWord changes v to also accept a word. is reports whether the setting is the word, and set is told
// what was read.
func (v Value) OrWord(word string, is func() bool, set func(isWord bool)) Value {
	read, write := v.Read, v.Write
	v.Expects = word + ", or " + v.Expects
	v.Read = func(n yamltree.Node) error {
		isWord := n.Kind <= yamltree.Text && n.Text == word
		if !isWord {
			if err := read(n); err != nil {
				return err
			}
		}
		set(isWord)
		return nil
	}
	v.Write = func(folder string) any {
		if is() {
			return word
		}
		return write(folder)
	}
	return v.Taking(func(s Schema) Schema { return AnySchema(s, WordsSchema([]string{word})) })
}

// Auto is the value of a setting that mmsim determines itself.
const Auto = "auto"

// OrAuto changes v, the Value for *p, to also accept the word auto, which sets *p to usual.
func OrAuto[T any](p *T, isAuto *bool, usual T, v Value) Value {
	return v.OrWord(Auto, func() bool { return *isAuto }, func(isWord bool) {
		if *isAuto = isWord; isWord {
			*p = usual
		}
	})
}

// CountOrShare returns a Value for a whole number up to most, or a share within l, written as a
// percentage. The number is 0 if the share is not, and the other way round.
func CountOrShare(number *int, share *float64, most int, l Limits) Value {
	part := Share(share, l).Then(func() { *number = 0 })
	v := Whole(number, 0, most).Then(func() { *share = 0 }).
		Where(func(n yamltree.Node) bool { return strings.HasSuffix(n.Text, "%") }, part.Read)
	v.IsWhole = false
	v.Write = func(string) any {
		if *share == 0 {
			return *number
		}
		const exact = 1e9 // 100 * 0.007 is not 0.7
		return strconv.FormatFloat(math.Round(100**share*exact)/exact, 'f', -1, 64) + "%"
	}
	return v.Taking(orPercent)
}
